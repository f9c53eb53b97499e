// Launches that differ only in arguments on which no address and no branch depends: what one accesses, all of them access.
import type { Program } from "../ir/function.ts";
import { KernelUses } from "../launches/contents/parameter-use.ts";
import type { HostValue, Launch } from "../launches/launch.ts";
import { launchKey } from "./kernel-launches.ts";

/** Fewer launches are evaluated as quickly as compared. */
const fewestCompared = 8;

/** For each launch, the index of the first one that accesses memory as it does: often its own. */
export function firstAlike(program: Program, launches: readonly Launch[]): readonly number[] {
  if (launches.length < fewestCompared) return launches.map((_, index) => index);
  const uses = new KernelUses(program);
  const first = new Map<string, number>();
  // What a kernel does with its arguments is looked for where launches differ in these alone: not of templates by the hundred, each launched once.
  const kinds = launches.map((launch) => launchKey(withoutScalars(launch, () => true)));
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return launches.map((launch, index) => {
    if (counts.get(kinds[index] ?? "") === 1) return index;
    const { parameters } = uses.of(launch.kernel);
    const key = launchKey(withoutScalars(launch, (at) => parameters[at]?.decides === false));
    const known = first.get(key) ?? index;
    first.set(key, known);
    return known;
  });
}

/** The launch with some scalars left out, by their places, and its allocations numbered in the order in which it passes them. */
function withoutScalars(launch: Launch, isLeftOut: (at: number) => boolean): Launch {
  const order = new Map<number, number>();
  const plain = (value: HostValue): HostValue => {
    if (value.kind === "aggregate")
      return { kind: "aggregate", parts: new Map([...value.parts].map(([at, part]) => [at, plain(part)])) };
    if (value.kind !== "pointer") return value;
    const id = order.get(value.allocation.id) ?? order.size;
    order.set(value.allocation.id, id);
    return { ...value, allocation: { ...value.allocation, id } };
  };
  return {
    ...launch,
    count: 1,
    arguments: launch.arguments.map((value, index) =>
      value.kind === "scalar" && isLeftOut(index) ? { kind: "scalar", value: 0 } : plain(value),
    ),
  };
}
