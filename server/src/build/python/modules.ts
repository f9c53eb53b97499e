// Modules of the project: run once, where they are first named.
import { runBody } from "./evaluate.ts";
import type { Machine, PythonModule } from "./machine.ts";
import { type Scope, string, unknown, type Value } from "./values.ts";

/** The value of a name that no scope holds. `from`: the file that names it. */
export function named(machine: Machine, dotted: string, from: string): Value {
  const known = machine.environment.valueOf(dotted);
  if (known !== null) return known;
  const whole = moduleNamed(machine, dotted, from);
  if (whole !== null) return whole;
  const at = dotted.lastIndexOf(".");
  const around = at <= 0 ? null : moduleNamed(machine, dotted.slice(0, at), from);
  if (around === null) return { kind: "dotted", name: dotted };
  return memberOf(around.scope, dotted.slice(at + 1));
}

export function memberOf(scope: Scope, name: string): Value {
  return scope.names.get(name) ?? unknown(`there is no ${name} in ${scope.file}`);
}

/** The module of a name, run; null where it is none of the project. */
export function moduleNamed(
  machine: Machine,
  name: string,
  from: string,
): (Value & { kind: "module" }) | null {
  const found = machine.environment.module(name, from);
  return found === null ? null : { kind: "module", scope: scopeOf(machine, found) };
}

const maximumModules = 100;

function scopeOf(machine: Machine, { file, statements }: PythonModule): Scope {
  const known = machine.modules.get(file);
  if (known !== undefined) return known;
  const scope: Scope = { names: new Map(), around: null, file };
  if (machine.modules.size >= maximumModules) return scope;
  machine.modules.set(file, scope);
  scope.names.set("__file__", string(file));
  scope.names.set("__name__", string("module"));
  runBody(machine, statements, { scope, returned: undefined });
  return scope;
}
