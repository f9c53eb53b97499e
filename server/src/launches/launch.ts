// A launch: everything the host fixes when it starts a kernel, and how the host came there.
import type { Assumption } from "../ir/assumption.ts";
import type { FunctionId } from "../ir/function.ts";
import type { Type } from "../ir/type.ts";
import type { Scalar } from "../semantics/scalar.ts";
import type { SourceRange } from "../text/source.ts";

export interface Launch {
  readonly kernel: FunctionId;
  /** Blocks of the grid; null where a count is not known. */
  readonly grid: readonly [number | null, number | null, number | null];
  readonly block: readonly [number, number, number];
  /** Dynamic shared memory in bytes; null where it is not known. */
  readonly sharedBytes: number | null;
  /** One for each kernel parameter, in order. */
  readonly arguments: readonly HostValue[];
  /** What the host had copied into `__constant__` variables by then, by their names; left out where it copied nothing. */
  readonly constants?: ReadonlyMap<string, HostValue>;
  /** Whether it was met from main on, so that nothing else was copied to them before. */
  readonly isFromMain?: true;
  /** How often the host launches just this. */
  readonly count: number;
  readonly origin: LaunchOrigin;
  /**
   * Its template arguments, its block, or the ways that the host came to it are one choice of several that were tried, for nothing in sight
   * tells them.
   */
  readonly isSample?: true;
  /** What was taken for granted to find it. */
  readonly assumptions: readonly Assumption[];
}

/** Whether it stands for launches that nobody saw: what holds for it need not hold for the kernel. */
export function isAssumed({ origin, isSample }: Pick<Launch, "origin" | "isSample">): boolean {
  return origin.kind === "assumed" || isSample === true;
}

/** Whether its block or its template arguments are ours: it says nothing more where somebody launches the kernel. */
export function isTried({ origin, assumptions }: Pick<Launch, "origin" | "assumptions">): boolean {
  return origin.kind === "assumed" || assumptions.some(({ kind }) => kind === "template-argument");
}

export interface LaunchOrigin {
  readonly kind: "launch" | "annotation" | "config" | "assumed";
  /** From the `<<<>>>` outwards to where the constants were written; empty where nothing in the text launches it. */
  readonly path: readonly SourceRange[];
}

/** A value on the host, as far as it is known. Records and arrays hold their scalars by byte offset. */
export type HostValue =
  | { readonly kind: "scalar"; readonly value: Scalar }
  | {
      readonly kind: "pointer";
      readonly allocation: Allocation;
      readonly offsetBytes: Scalar;
      /** What the host put into the allocation, where the kernel's accesses hang on it and the kernel leaves it as it is. */
      readonly contents?: HostContents;
    }
  | { readonly kind: "null" }
  | { readonly kind: "aggregate"; readonly parts: ReadonlyMap<number, HostValue> }
  | {
      readonly kind: "unknown";
      readonly reason: string;
      /** The largest number that it may be. */
      readonly most?: number;
    };

/** Scalars that lie in an allocation, by units of so many bytes: each stands at its first unit. */
export interface HostContents {
  readonly unitBytes: number;
  /** Null where the value is not known. */
  readonly values: ArrayLike<Scalar | null>;
  /** What was written at each unit, undefined where nothing was; or what was written at all of them. */
  readonly types: Type | readonly (Type | undefined)[];
  /** Whether all is known that was written. */
  readonly isComplete: boolean;
  /** Bytes from the start of which those are zero that nobody wrote. */
  readonly zeroBytes: number;
  /** Equal for equal contents. */
  readonly digest: string;
}

/** Device memory that the host allocated (256-byte aligned), or an unknown pointer that the caller passed. */
export interface Allocation {
  readonly id: number;
  /** How people would name it: the host's variable, or the kernel's parameter. */
  readonly name: string;
  readonly sizeBytes: number | null;
  /** 256 for cudaMalloc; for a pointer of unknown origin that too, as an assumption. */
  readonly alignmentBytes: number;
  /** The alignment is taken for granted: nobody saw the memory allocated. */
  readonly isAlignmentAssumed?: boolean;
}

/** What the host wrote at a unit of `contents`; undefined where nothing. */
export function typeAt({ types, values }: HostContents, unit: number): Type | undefined {
  if (!("kind" in types)) return types[unit];
  return unit >= 0 && unit < values.length && Number.isInteger(unit) ? types : undefined;
}
