// `__constant__` variables as the host fills them: what a kernel finds in them is fixed by the host as its arguments are.
import type { Type } from "../../ir/type.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { HostValue } from "../launch.ts";
import type { HostObject, Memory } from "./object.ts";
import type { Recorder } from "./recorder.ts";

/** Tables that are larger hold data. */
const mostBytes = 4096;

/** Whether the host's copies into `variable` are followed: what places and lanes may depend on. */
export function isFollowed({ storage, type }: Variable): boolean {
  const bytes = sizeOf(type);
  return storage === "constant" && bytes !== null && bytes <= mostBytes && holdsWholeNumbers(type);
}

function holdsWholeNumbers(type: Type): boolean {
  switch (type.kind) {
    case "integer":
    case "boolean":
    case "pointer":
      return true;
    case "array":
      return holdsWholeNumbers(type.element);
    case "record":
      return type.fields.some((field) => holdsWholeNumbers(field.type));
    default:
      return false;
  }
}

/** The variables that a run of the host's code has come to, with what they hold where that is followed. */
export class Constants {
  private readonly objects = new Map<Variable, HostObject | null>();

  note(variable: Variable, object: HostObject): void {
    if (variable.storage === "constant") this.objects.set(variable, isFollowed(variable) ? object : null);
  }

  /** What they hold now, by name. Of several of one name in different scopes nobody can tell which is meant. */
  values(memory: Memory, recorder: Recorder): ReadonlyMap<string, HostValue> {
    const values = new Map<string, HostValue>();
    for (const [variable, object] of this.objects) {
      const { name, type } = variable;
      const isAlone = !values.has(name);
      if (object === null) values.set(name, { kind: "unknown", reason: name });
      else
        values.set(
          name,
          isAlone
            ? recorder.hostValue(memory.read(object, 0, type), variable)
            : { kind: "unknown", reason: `${name} is the name of several variables` },
        );
    }
    return values;
  }
}
