// Scalar accesses of a thread to elements behind one another that begin on a vector's boundary: what one vector access could do.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { AccessContext } from "../../rules/finding.ts";
import { elementOf, isArrayOrPointer, type VectorType, vectorOf } from "../text/vectors.ts";

/** The accesses of one vector, its first element first. */
export interface Neighbours {
  readonly accesses: readonly AccessProfile[];
  readonly vector: VectorType;
}

/** Addresses of samples are known up to a multiple of this. */
const sampleBytes = 128;

/** The widest vector of neighbours that an access is an element of; null where there is none. */
export function neighboursOf({ access, siblings }: AccessContext): Neighbours | null {
  const element = isArrayOrPointer(access.target?.type) ? elementOf(access.target?.type) : null;
  if (element === null || access.worst === null) return null;
  for (const count of [4, 2]) {
    const vector = vectorOf(element, count);
    if (vector === null || vector.elementBytes !== access.bytes) continue;
    const accesses = windowAround(access, siblings, vector);
    if (accesses !== null) return { accesses, vector };
  }
  return null;
}

function windowAround(
  access: AccessProfile,
  siblings: readonly AccessProfile[],
  { elementBytes, elementCount }: VectorType,
): readonly AccessProfile[] | null {
  const start = firstAddress(access);
  if (start === null) return null;
  const position = Math.floor((start % (elementBytes * elementCount)) / elementBytes);
  const accesses: AccessProfile[] = [];
  for (let index = 0; index < elementCount; index++) {
    const distance = (index - position) * elementBytes;
    const found = distance === 0 ? access : siblings.find((each) => isNeighbour(access, each, distance));
    if (found === undefined) return null;
    accesses.push(found);
  }
  const isAligned = accesses[0]?.worst?.laneAddresses.every(
    (address) => address === null || address % (elementBytes * elementCount) === 0,
  );
  return isAligned ? accesses : null;
}

function firstAddress({ worst }: AccessProfile): number | null {
  return worst?.laneAddresses.find((address) => address !== null) ?? null;
}

/** Made by the same threads of the same array, as far as one sample shows, `distance` bytes on in every lane. */
function isNeighbour(access: AccessProfile, other: AccessProfile, distance: number): boolean {
  return (
    other !== access &&
    other.operation === access.operation &&
    other.bytes === access.bytes &&
    other.target?.range?.start === access.target?.range?.start &&
    other.target?.range?.file === access.target?.range?.file &&
    other.range.file === access.range.file &&
    other.range.start !== access.range.start &&
    other.requests === access.requests &&
    other.laneCount === access.laneCount &&
    other.stack.slice(1).every(({ start }, index) => start === access.stack[index + 1]?.start) &&
    isApart(access, other, distance)
  );
}

function isApart(access: AccessProfile, other: AccessProfile, distance: number): boolean {
  const from = access.worst?.laneAddresses ?? [];
  const to = other.worst?.laneAddresses;
  if (to === undefined) return false;
  return from.every((address, lane) => {
    const there = to[lane] ?? null;
    if (address === null || there === null) return address === there;
    return (there - address - distance) % sampleBytes === 0;
  });
}
