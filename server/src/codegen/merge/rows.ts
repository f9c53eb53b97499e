// Neighbours that stay scalars for one reason only: the compiler does not know how the pointer that they are reached through is aligned.
import type { NeighbourRow } from "../../ir/function.ts";
import { modulo } from "../addresses/linear.ts";
import type { Access } from "./chains.ts";
import { scalarsOf } from "./windows.ts";

/**
 * The rows of a chain in global memory: whole vectors of 16 bytes, else of 8, whose place is a multiple of their width once that of the
 * kernel's pointer is. `merged` are those that the compiler merges by itself.
 */
export function rowsOf(
  accesses: readonly Access[],
  merged: ReadonlySet<Access>,
  operation: NeighbourRow["operation"],
): NeighbourRow[] {
  const left = distinct(scalarsOf(accesses).filter((access) => !merged.has(access) && isScalar(access)));
  const [first] = left;
  const base = first?.address.base ?? null;
  if (first === undefined || base === null || left.length < 2) return [];
  for (const vectorBytes of [16, 8]) {
    if (first.address.alignmentFromBase < vectorBytes || first.bytes >= vectorBytes) continue;
    const rows = runsOf(left).flatMap((run) => wholeVectors(run, vectorBytes));
    if (rows.length > 0)
      return rows.map((members) => ({
        operation,
        base: base.name,
        vectorBytes,
        elementBytes: first.bytes,
        sites: members.map(({ site }) => site),
      }));
  }
  return [];
}

function isScalar({ address, bytes, place, site }: Access): boolean {
  const isElement = place.type.kind === "float" || place.type.kind === "integer";
  return address.space === "global" && isElement && (bytes === 4 || bytes === 8) && !site.isVolatile;
}

/** In the order of their addresses, each address once. */
function distinct(accesses: readonly Access[]): Access[] {
  return accesses.filter(
    ({ address }, index) => index === 0 || address.constant !== accesses[index - 1]?.address.constant,
  );
}

/** Accesses without a gap between them, all of one width. */
function runsOf(accesses: readonly Access[]): Access[][] {
  const runs: Access[][] = [];
  for (const access of accesses) {
    const last = runs.at(-1)?.at(-1);
    const follows =
      last !== undefined &&
      last.bytes === access.bytes &&
      last.address.constant + last.bytes === access.address.constant;
    if (follows) runs.at(-1)?.push(access);
    else runs.push([access]);
  }
  return runs;
}

/** The part of a run that is whole vectors; nothing where not even one is. */
function wholeVectors(run: readonly Access[], vectorBytes: number): Access[][] {
  const start = run.findIndex(({ address }) => modulo(address.constant, vectorBytes) === 0);
  const [first] = run;
  if (start === -1 || first === undefined) return [];
  const lanes = vectorBytes / first.bytes;
  const count = Math.floor((run.length - start) / lanes) * lanes;
  return count === 0 ? [] : [run.slice(start, start + count)];
}
