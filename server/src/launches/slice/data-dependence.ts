// Which parts of host code only data decide: a check of results that ends the process where they are wrong. Such an exit is
// taken not to happen, so that nobody has to run the loops over the data that lead to it.
import type { Atom, Control, FunctionScope, Unit, Write } from "./dependences.ts";

/**
 * Whether data in bulk decide if the process ends at `unit`, or if a counted loop ends early there. A `return` from any function but main is
 * never of this kind (what follows is another matter there), nor is what alone ends a loop.
 */
export function dataDependence(
  atoms: readonly Atom[],
  writes: readonly Write[],
  bulk: ReadonlySet<number>,
  find: (node: number) => number,
): (unit: Unit) => boolean {
  const locations = new Set([...bulk].map(find));
  if (locations.size === 0) return () => false;
  const results = new Set<FunctionScope>();
  const proven = new Set<Atom | Control>();
  // What was looked at in the round at hand: nothing that it depends on is known to depend on data yet.
  const refuted = new Set<Atom | Control>();
  const remember = (what: Atom | Control, depends: boolean): boolean => {
    (depends ? proven : refuted).add(what);
    return depends;
  };
  const dependsOnData = (atom: Atom): boolean => {
    if (proven.has(atom)) return true;
    if (refuted.has(atom)) return false;
    const depends =
      atom.reads.some((location) => locations.has(find(location))) ||
      atom.results.some((scope) => results.has(scope)) ||
      isControlled(atom.unit.control);
    return remember(atom, depends);
  };
  const isControlled = (control: Control | null): boolean => {
    if (control === null || refuted.has(control)) return false;
    if (proven.has(control)) return true;
    const depends =
      (control.condition !== null && dependsOnData(control.condition)) || isControlled(control.unit.control);
    return remember(control, depends);
  };
  const scopes = new Set(atoms.flatMap((atom) => atom.unit.owner ?? []));
  let found = -1;
  while (found !== locations.size + results.size) {
    found = locations.size + results.size;
    refuted.clear();
    for (const { location, atom } of writes) if (dependsOnData(atom)) locations.add(find(location));
    for (const scope of scopes) if (scope.returns.some(dependsOnData)) results.add(scope);
  }
  return (unit) => endsProcess(unit) && isControlled(unit.control) && !isInEndlessLoop(unit.control);
}

function endsProcess(unit: Unit): boolean {
  return unit.node.kind !== "return" || unit.owner?.definition.name === "main";
}

function isInEndlessLoop(control: Control | null): boolean {
  for (let at = control; at !== null; at = at.unit.control) {
    const isLoop = at.unit.node.kind === "loop";
    if (isLoop && (at.condition === null || at.condition.reads.length + at.condition.results.length === 0))
      return true;
  }
  return false;
}
