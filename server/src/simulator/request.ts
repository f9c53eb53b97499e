// What the simulator tells of a run: warp-level accesses as they happen, faults, and what it could not follow.
import type { AccessOperation, MemorySpace } from "../evaluate/profile.ts";
import type { AccessSite } from "../ir/expression.ts";
import type { SourceRange } from "../text/source.ts";

/** One machine access of one warp: at least one lane is active. */
export interface AccessRequest {
  readonly site: AccessSite;
  /** The access itself first, then the calls outwards to the kernel. One array a context: its identity can be a key. */
  readonly stack: readonly SourceRange[];
  readonly space: MemorySpace;
  readonly operation: AccessOperation;
  /** The intrinsic that accesses, for atomics and matrix accesses; null for plain ones. */
  readonly intrinsic: string | null;
  /** Bytes that one lane accesses. */
  readonly bytes: number;
  /**
   * Byte address of each lane, 0 where it is inactive: in the block's shared memory, or from a 256-byte aligned base of the
   * object (of all objects, where the lanes access several).
   */
  readonly laneAddresses: readonly number[];
  /** The other side of an async copy: the source's addresses at the destination's request, and the other way round. */
  readonly pairedAddresses: readonly (number | null)[] | null;
  /** Bit i is set where lane i is active; unsigned. */
  readonly mask: number;
  readonly warp: number;
  readonly block: readonly [number, number, number];
}

/** A request some of whose addresses depend on what is not known. */
export interface UnknownAccess {
  readonly site: AccessSite;
  readonly stack: readonly SourceRange[];
  readonly operation: AccessOperation;
  /** The lanes whose address is not known. */
  readonly mask: number;
  readonly reason: string;
}

export type FaultKind =
  | "out-of-bounds"
  | "misaligned"
  | "uninitialized"
  | "divergent-barrier"
  | "barrier-mismatch";

/** Something that the GPU would stop at or leave undefined; told once for each place and kind, with the first thread. */
export interface Fault {
  readonly kind: FaultKind;
  readonly range: SourceRange;
  /** How often: lanes, over the whole run. */
  count: number;
  readonly thread: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  /** Byte offset in the object; null where no memory is meant. */
  readonly offsetBytes: number | null;
  /** The variable or allocation, where it is known. */
  readonly object: string | null;
}

/** What was not followed: a statement, a condition or a call, in words. */
export interface Gap {
  readonly range: SourceRange | null;
  readonly reason: string;
}
