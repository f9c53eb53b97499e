// Launches that differ only in arguments on which no address and no branch depends: what one accesses, all of them access.
import type { FunctionId, Program } from "../ir/function.ts";
import type { HostValue, Launch } from "../launches/launch.ts";
import { decidingParameters } from "./deciding.ts";
import { launchKey } from "./kernel-launches.ts";

/** Fewer launches are evaluated as quickly as compared. */
const fewestCompared = 8;

/** For each launch, the index of the first one that accesses memory as it does: often its own. */
export function firstAlike(program: Program, launches: readonly Launch[]): readonly number[] {
  if (launches.length < fewestCompared) return launches.map((_, index) => index);
  const deciding = new Map<FunctionId, ReadonlySet<number>>();
  const first = new Map<string, number>();
  return launches.map((launch, index) => {
    const indices = deciding.get(launch.kernel) ?? decidingParameters(program, launch.kernel);
    deciding.set(launch.kernel, indices);
    const key = launchKey(withoutOthers(launch, indices));
    const known = first.get(key) ?? index;
    first.set(key, known);
    return known;
  });
}

/** The launch with the scalars left out that decide nothing, and its allocations numbered in the order in which it passes them. */
function withoutOthers(launch: Launch, deciding: ReadonlySet<number>): Launch {
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
      value.kind === "scalar" && !deciding.has(index) ? { kind: "scalar", value: 0 } : plain(value),
    ),
  };
}
