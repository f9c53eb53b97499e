// Whether two accesses can touch the same byte, as far as nvcc's alias analysis sees it. Types tell it nothing.
import type { Expression, Intrinsic, MemoryPlace } from "../../ir/expression.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Aliases } from "../../mir/aliases.ts";
import type { Address, Addresses } from "./address.ts";
import { commonDivisor, modulo } from "./linear.ts";
import { arePromisedApart } from "./promises.ts";

export interface Extent {
  readonly address: Address;
  readonly bytes: number;
}

/** What passes over MIR ask, of the accesses whose addresses are known. */
export function aliasesOf(addresses: Addresses): Aliases {
  const extentOf = (access: Expression): Extent | null => {
    const address = addresses.get(access);
    const bytes = sizeOf(access.kind === "assign" ? access.place.type : access.type);
    return address && bytes !== null ? { address, bytes } : null;
  };
  return {
    sumOf: (access) => addresses.get(access)?.termsKey ?? null,
    isSamePlace: (a, b) => {
      const [left, right] = [extentOf(a), extentOf(b)];
      return left !== null && right !== null && isSamePlace(left, right);
    },
    covers: (outer, inner) => {
      const [all, some] = [extentOf(outer), extentOf(inner)];
      return all !== null && some !== null && covers(all, some);
    },
    mayAlias: (a, b) => {
      const [left, right] = [extentOf(a), extentOf(b)];
      return left === null || right === null || mayAlias(left, right);
    },
  };
}

/** What an atomic reads and writes; null where its pointer is not in sight. */
export function atomicPlaceOf({ arguments: [pointer], type }: Intrinsic): MemoryPlace | null {
  return pointer ? { kind: "memory", pointer, offsetBytes: 0, type } : null;
}

/** By how many bytes `b` is behind `a`, where they differ by a constant alone; null where that is not plain to see. */
export function bytesBetween(a: Sum, b: Sum): number | null {
  return a.termsKey === b.termsKey ? b.constant - a.constant : null;
}

type Sum = Pick<Address, "termsKey" | "constant">;

/** Whether two addresses are surely one. */
export function startTogether(a: Sum, b: Sum): boolean {
  return bytesBetween(a, b) === 0;
}

/** Whether two accesses are surely of the same bytes: the one answer to "the same place?". */
export function isSamePlace(a: Extent, b: Extent): boolean {
  return a.bytes === b.bytes && startTogether(a.address, b.address);
}

/** Whether all bytes of `inner` are surely bytes of `outer`. */
export function covers(outer: Extent, inner: Extent): boolean {
  const at = bytesBetween(outer.address, inner.address);
  return at !== null && at >= 0 && at + inner.bytes <= outer.bytes;
}

/** Whether the accesses may overlap in memory. */
export function mayAlias(a: Extent, b: Extent): boolean {
  return mayOverlap(a, b) && !arePromisedApart(a.address.parameter, b.address.parameter);
}

/** The same, whatever a call that both are made in promises. */
export function mayOverlap(a: Extent, b: Extent): boolean {
  const left = a.address;
  const right = b.address;
  if ((left.choices ?? right.choices) && areChoicesApart(a, b)) return false;
  const between = bytesBetween(left, right);
  if (between !== null) return between < a.bytes && -between < b.bytes;
  if (!spacesMeet(left, right)) return false;
  if (!basesMeet(left.base, right.base)) return false;
  if (left.space === "local" && right.space === "local" && left.base?.id !== right.base?.id) return false;
  if (left.base === null || left.base.id !== right.base?.id) return !apartByAlignment(a, b);
  return !areApartFromBase(a, b, "stepBytes") && !(left.space === "shared" && differInLowBits(a, b));
}

/**
 * Whether low bits tell places in one array apart, whatever the unknown values are: `s[2 * i]` and `s[2 * j + 1]`. LLVM sees it in shared
 * memory, whose addresses have 32 bits; elsewhere, where an index is widened, it may not (cases low_bits/sharedPairs; not: masked).
 */
export function differInLowBits(a: Extent, b: Extent): boolean {
  return a.address.base?.id === b.address.base?.id && areApartFromBase(a, b, "alignmentFromBase");
}

/** Whether constants tell each of what the one may be from each of what the other may be. */
function areChoicesApart(a: Extent, b: Extent): boolean {
  const lefts = a.address.choices ?? [a.address];
  const rights = b.address.choices ?? [b.address];
  return lefts.every((left) =>
    rights.every((right) => {
      const between = bytesBetween(left, right);
      return between !== null && (between >= a.bytes || -between >= b.bytes);
    }),
  );
}

function spacesMeet(a: Address, b: Address): boolean {
  return a.space === b.space || a.space === "unknown" || b.space === "unknown";
}

/** Whether what is reached from one base may be reached from the other. */
export function basesMeet(a: Variable | null, b: Variable | null): boolean {
  if (!a || !b || a.id === b.id) return true;
  if (a.isRestrict || b.isRestrict) return false;
  const bothObjects = isObject(a) && isObject(b);
  const bothDynamic = a.storage === "dynamic-shared" && b.storage === "dynamic-shared";
  return !bothObjects || bothDynamic;
}

/** An array of known name; not a parameter, whose pointers (in a struct of them, too) may lead anywhere. */
function isObject(base: Variable): boolean {
  return base.type.kind !== "pointer" && base.storage !== "automatic";
}

/** In one array, bytes at different offsets within units that all sums of unknown values step over never overlap: `s[12 * i]` and `s[12 * j + 4]`. */
function areApartFromBase(a: Extent, b: Extent, unit: "stepBytes" | "alignmentFromBase"): boolean {
  const unitBytes = commonDivisor(a.address[unit], b.address[unit]);
  return areApartWithin(unitBytes, [a.address.constant, a.bytes], [b.address.constant, b.bytes]);
}

/** Bytes at different offsets within aligned units of 16 (or 8, or 4) never overlap: members of vectors (case vectors/copyMembers). */
function apartByAlignment(a: Extent, b: Extent): boolean {
  const unitBytes = Math.min(a.address.modulus, b.address.modulus);
  return areApartWithin(unitBytes, [a.address.residue, a.bytes], [b.address.residue, b.bytes]);
}

type Span = readonly [start: number, bytes: number];

function areApartWithin(unitBytes: number, [start, bytes]: Span, [otherStart, otherBytes]: Span): boolean {
  const first = modulo(start, unitBytes);
  const second = modulo(otherStart, unitBytes);
  const fits = first + bytes <= unitBytes && second + otherBytes <= unitBytes;
  return fits && (first + bytes <= second || second + otherBytes <= first);
}
