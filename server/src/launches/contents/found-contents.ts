// What launches find in memory, brought together: of launches that may be one, only what all of them find is known.
import type { HostContents, HostValue } from "../launch.ts";

/** A launch as far as it is known. */
interface PartlyKnown {
  readonly kernel: string;
  readonly grid: readonly (number | null)[];
  readonly block: readonly (number | null)[];
  readonly sharedBytes: number | null;
  readonly arguments: readonly HostValue[];
}

/** The arguments of `launch`, with the contents that all of `found` were given which it may be. */
export function withContentsOf(launch: PartlyKnown, found: readonly PartlyKnown[]): readonly HostValue[] {
  const fitting = found.filter((each) => mayBe(launch, each));
  return launch.arguments.map((value, index) =>
    withContents(
      value,
      fitting.map((each) => each.arguments[index]),
    ),
  );
}

/** `values` with the contents that are the same in two lists of arguments. */
export function agreedContents(
  values: readonly HostValue[],
  a: readonly HostValue[],
  b: readonly HostValue[],
): readonly HostValue[] {
  return values.map((value, index) => withContents(value, [a[index], b[index]]));
}

function withContents(value: HostValue, found: readonly (HostValue | undefined)[]): HostValue {
  if (value.kind === "aggregate") {
    const partsAt = (at: number) =>
      found.map((each) => (each?.kind === "aggregate" ? each.parts.get(at) : undefined));
    return {
      kind: "aggregate",
      parts: new Map([...value.parts].map(([at, part]) => [at, withContents(part, partsAt(at))])),
    };
  }
  if (value.kind !== "pointer") return value;
  const [first, ...others] = found.map(contentsOf);
  const isAgreed = first !== undefined && others.every((other) => other?.digest === first.digest);
  const { contents: _, ...pointer } = value;
  return isAgreed ? { ...pointer, contents: first } : pointer;
}

function contentsOf(value: HostValue | undefined): HostContents | undefined {
  return value?.kind === "pointer" ? value.contents : undefined;
}

/** Whether all that is known of `launch` is so in `other`. */
function mayBe(launch: PartlyKnown, other: PartlyKnown): boolean {
  const extents = [...launch.grid, ...launch.block, launch.sharedBytes];
  const others = [...other.grid, ...other.block, other.sharedBytes];
  return (
    launch.kernel === other.kernel &&
    extents.every((extent, index) => extent === null || extent === others[index]) &&
    launch.arguments.every((value, index) => mayBeValue(value, other.arguments[index]))
  );
}

function mayBeValue(value: HostValue, other: HostValue | undefined): boolean {
  if (value.kind === "scalar") return other?.kind === "scalar" && Object.is(value.value, other.value);
  if (value.kind !== "aggregate") return true;
  return (
    other?.kind === "aggregate" &&
    [...value.parts].every(([at, part]) => mayBeValue(part, other.parts.get(at)))
  );
}
