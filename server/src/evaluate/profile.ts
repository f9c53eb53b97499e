// What is known of each memory access of a kernel under one launch. This is what rules, hover, command line and fixes read.
import type { Assumption } from "../ir/assumption.ts";
import type { Type } from "../ir/type.ts";
import type { Launch } from "../launches/launch.ts";
import type { SourceRange } from "../text/source.ts";
import type { WhyUnknown } from "./values/mask.ts";

export interface LaunchProfile {
  readonly launch: Launch;
  readonly accesses: readonly AccessProfile[];
  /** Why parts of the kernel were not followed, in words; empty when everything was. */
  readonly gaps: readonly string[];
  /** What the evaluation took of its budget. */
  readonly steps: number;
  /** Whether all warps were evaluated; or a sample of them, with all their trips; or, of some accesses, with the first of their trips. */
  readonly seen: "all" | "sample" | "coarse";
  /** Some access has no figure for want of steps: with more of them it might have one. */
  readonly isCut: boolean;
}

export type MemorySpace = "shared" | "global" | "local" | "constant" | "unknown";

export type AccessOperation = "load" | "store" | "atomic" | "async-copy" | "matrix-load" | "matrix-store";

/** One access site in one call context under one launch. Only shared and global accesses have figures. */
export interface AccessProfile {
  readonly range: SourceRange;
  readonly expression: string;
  /** The access itself first, then the calls outwards to the kernel. */
  readonly stack: readonly SourceRange[];
  /** Other accesses that the compiler merges into this one, or that it was merged from. */
  readonly mergedRanges: readonly SourceRange[];
  readonly space: MemorySpace;
  readonly operation: AccessOperation;
  /** The hardware's name of the operation where it matters: "atomicCAS", "ldmatrix.x4"; that of the operation else. */
  readonly variant: string;
  /** Bytes that one lane accesses; 0 where the size of its type is not known: such an access has no figure. */
  readonly bytes: number;
  /** The array or pointer, by the user's name, where it was declared, and its declared type; null where it is not known. */
  readonly target: {
    readonly name: string;
    readonly range: SourceRange | null;
    readonly type: Type | null;
    /** Of an array in shared memory: how far past a multiple of 16 bytes it begins. */
    readonly startBytes: number;
  } | null;
  readonly verdict: Verdict;
  /** Warp-level executions with at least one active lane; null where it depends on what is not known. */
  readonly requests: number | null;
  /** Active lanes over all requests; null likewise. */
  readonly laneCount: number | null;
  /** Totals over the launch (wavefronts for shared, sectors for global); null unless the whole grid is known. */
  readonly totals: Figure | null;
  /** Why there are no totals, in words; null where there are. */
  readonly uncounted: WhyUnknown | null;
  /** Average over the requests that were evaluated, or bounds of it: those that hold whatever the data are, where data alone decide between them. */
  readonly perRequest: FigureBounds | null;
  /** The single request that takes most beyond its ideal: for texts and maps. Null where `perRequest` is. */
  readonly worst: RequestSample | null;
  /** Requests whose address is not a multiple of the width in some lane; null where none is. */
  readonly misaligned: Misalignment | null;
  /** Of an array of two or more dimensions in shared memory: the bytes of its rows that are touched at all; null where that is not known. */
  readonly columns: { readonly least: number; readonly most: number } | null;
  /** Of an array in shared memory: whether some lane surely accesses what lies outside of it. */
  readonly leavesArray: boolean;
  /** The neighbours that could be one vector with it, on the first of them in the text; null for all others. */
  readonly neighbours: Neighbours | null;
}

/** Accesses side by side that the compiler leaves apart, for it does not know how a pointer is aligned. */
export interface Neighbours {
  /** The kernel's parameter: what it points to must be aligned to `vectorBytes`. */
  readonly base: string;
  readonly vectorBytes: number;
  readonly elementBytes: number;
  /** In the order of their addresses; one place stands several times where a loop was unrolled. */
  readonly ranges: readonly SourceRange[];
}

/** `exact`: nothing was assumed but the launch found in the source. */
export type Verdict =
  | { readonly kind: "exact" }
  | {
      readonly kind: "conditional";
      /** What must hold for the figures, in the user's names ("m >= 8"); null where only assumptions were made. */
      readonly condition: string | null;
      readonly assumptions: readonly Assumption[];
      /** The unknowns of the condition are sizes: they also bound an index or multiply a row. */
      readonly dependsOnSizeOnly: boolean;
      /** How the figure hangs on the one unknown pitch that its lanes lie apart in shared memory; null where it is another matter. */
      readonly byPitch: FiguresByPitch | null;
    }
  | {
      readonly kind: "unknown";
      readonly reason: string;
      /** Whether it is the contents of memory that decide: no reading of the source would settle it. */
      readonly dependsOnData: boolean;
      readonly assumptions: readonly Assumption[];
      /** Whether `perRequest` is what whole warps cost, of which too few were seen for a figure of the launch. */
      readonly holdsForWholeWarps?: true;
      /** Whether the least of `perRequest` holds whatever is not known. */
      readonly isLeastKnown?: true;
    };

/** What a request of shared memory costs by the powers of two that divide a pitch: the greatest of them in `steps` counts. */
export interface FiguresByPitch {
  /** In the user's names: "d", "N*d". */
  readonly pitch: string;
  /** The least pitch that it holds from. */
  readonly from: number;
  /** From 1, which divides all, upwards; each costs something else than the one before. */
  readonly steps: readonly { readonly divisor: number; readonly wavefronts: number }[];
}

/** Wavefronts of a shared access, sectors of a global one; `ideal` is what Nsight Compute calls so. */
export interface Figure {
  readonly cost: number;
  readonly ideal: number;
}

/** Where an unknown offset leaves a range, `least` and `most` differ. */
export interface FigureBounds {
  readonly least: Figure;
  readonly most: Figure;
}

export interface RequestSample {
  /** Byte address of each lane from an aligned base of the object; null where the lane is inactive. */
  readonly laneAddresses: readonly (number | null)[];
  /** Of an async copy, the lanes' addresses on the other side; null where there is none, or they are not known. */
  readonly partnerAddresses: readonly (number | null)[] | null;
  /** By how much they were moved down, which leaves their figure what it is: with it they count from the start of the object. */
  readonly movedBytes: number;
  readonly figure: Figure;
  /** One request of each distinct kind has this figure: true where every request costs the same. */
  readonly isUniform: boolean;
  /** Which warp of the block, and which block, the sample is from; null where any. */
  readonly warp: number | null;
  readonly block: readonly [number, number, number] | null;
  /** In words, what neighbouring lanes' addresses differ by, where that is one number or a product with an unknown: "m floats". */
  readonly laneStride: { readonly bytes: number | null; readonly text: string } | null;
}

export interface Misalignment {
  /** Active lanes off the boundary in the worst request. */
  readonly lanes: number;
  /** Warp requests with such a lane, and all requests; null where the number is not known. */
  readonly requests: number | null;
  readonly allRequests: number | null;
  /** Whether it holds whatever the unknowns are. */
  readonly isCertain: boolean;
}
