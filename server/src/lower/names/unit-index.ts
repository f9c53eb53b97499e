// From names to the top-level declarations that may declare them: so that only those that are used are parsed and declared.
import type { SyntaxUnit, TranslationUnit } from "../../syntax/unit.ts";

export interface UnitIndex {
  /** By qualified name of a namespace (anonymous ones add nothing), then by name: the units that may declare it. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, readonly SyntaxUnit[]>>;
  /** `using namespace` at the top level: in which namespace, and of which. */
  readonly directives: readonly { readonly inside: readonly string[]; readonly target: readonly string[] }[];
  /** The namespaces that units stand in, as paths. */
  readonly namespaces: readonly (readonly string[])[];
}

/** By library. Programs are kept out: until old memory is swept, V8 keeps the values of a map that is there. */
const libraryIndexes = new WeakMap<TranslationUnit, UnitIndex>();

/** The index of a library's declarations, which serves all programs. */
export function indexOfLibrary(library: TranslationUnit): UnitIndex {
  const index = libraryIndexes.get(library) ?? indexOfUnits(library.units);
  libraryIndexes.set(library, index);
  return index;
}

/** The namespaces around a unit that have names. */
export function namespacePath(unit: SyntaxUnit): readonly string[] {
  return unit.namespaces.includes("") ? unit.namespaces.filter((name) => name !== "") : unit.namespaces;
}

/** The index of declarations. */
export function indexOfUnits(units: readonly SyntaxUnit[]): UnitIndex {
  const names = new Map<string, Map<string, SyntaxUnit[]>>();
  const directives: UnitIndex["directives"][number][] = [];
  const namespaces = new Map<string, readonly string[]>();
  for (const unit of units) {
    const inside = namespacePath(unit);
    const namespace = inside.join("::");
    namespaces.set(namespace, inside);
    const directive = /^\s*using\s+namespace\s+([\w:]+)\s*;/.exec(unit.text)?.[1];
    if (directive) {
      directives.push({ inside, target: directive.split("::").filter((part) => part !== "") });
      continue;
    }
    const here = names.get(namespace) ?? new Map<string, SyntaxUnit[]>();
    names.set(namespace, here);
    for (const name of unit.names()) {
      const declaring = here.get(name);
      if (declaring) declaring.push(unit);
      else here.set(name, [unit]);
    }
  }
  return { names, directives, namespaces: [...namespaces.values()] };
}
