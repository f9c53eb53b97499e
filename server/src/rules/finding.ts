// What rules give: findings as evidence, not prose. `render` makes the words.
import type { RuleId, Severity } from "../config/schema.ts";
import type { AccessProfile, Figure } from "../evaluate/profile.ts";
import type { Launch } from "../launches/launch.ts";
import type { SourceRange } from "../text/source.ts";

/** A kernel's instantiation, by the names that people use. */
export interface KernelName {
  readonly name: string;
  readonly templateArguments: readonly string[];
  readonly templateParameterNames: readonly string[];
  /** Of its parameters, in order: those of `Launch.arguments`. */
  readonly parameterNames: readonly string[];
}

/** One access under one launch in one call context. */
export interface AccessContext {
  readonly kernel: KernelName;
  readonly launch: Launch;
  readonly access: AccessProfile;
  /** All accesses of the kernel under the launch, this one among them. */
  readonly siblings: readonly AccessProfile[];
  /** Share of this access in the excess of its kernel, 0 to 1; null where it cannot be told. */
  readonly excessShare: number | null;
}

/** Everything known of one access in the source: its contexts under all launches, instantiations and call stacks. */
export interface AccessGroup {
  readonly range: SourceRange;
  readonly space: "shared" | "global";
  readonly contexts: readonly AccessContext[];
}

/** A context with the figure that a rule judged it by. */
export interface JudgedContext extends AccessContext {
  /** Per warp request: the average over the launch, or the least that is certain. */
  readonly figure: Figure;
  readonly ratio: number;
  /** Whether it is beyond what the rule tolerates. */
  readonly isExcessive: boolean;
}

export type Finding = AccessFinding | SuppressionFinding;

export interface AccessFinding {
  readonly kind: "access";
  readonly rule: Exclude<RuleId, "unused-suppression">;
  readonly severity: Severity;
  readonly range: SourceRange;
  /** The context that makes the message. */
  readonly worst: JudgedContext;
  /** All contexts in which the access is executed and known, worst first. */
  readonly contexts: readonly JudgedContext[];
  /** Contexts in which it is executed and its figure is not known; left out where there are none. */
  readonly unknownContexts?: number;
  readonly evidence: Evidence;
}

export type Evidence =
  | BankEvidence
  | SectorEvidence
  | MisalignmentEvidence
  | PaddingEvidence
  | VectorEvidence;

export interface BankEvidence {
  readonly kind: "banks";
  /** N of "N-way": passes of each group of lanes that are served together, where all groups have the same; else null. */
  readonly wayCount: number | null;
  /** Banks that the first group of lanes starts in, and how many lanes that group has. */
  readonly bankCount: number;
  readonly groupLaneCount: number;
  /** The most distinct words that any group of lanes wants from one bank. */
  readonly mostInOneBank: number;
  /** Lanes that meet in one bank are each in another row of the array. */
  readonly meetsByRow: boolean;
  /** The innermost dimension of the array, where it has two or more; null otherwise. */
  readonly row: { readonly bytes: number; readonly elementBytes: number } | null;
  /** Elements to add to a row (negative: to take from its unused end) that make this access ideal and no other to the array dearer; null if none do. */
  readonly padElements: number | null;
}

export interface SectorEvidence {
  readonly kind: "sectors";
  /** Every active lane touches a sector that no other lane does. */
  readonly isOneLaneASector: boolean;
  /** The other global accesses of the kernel under this launch are all ideal; null where there are none. */
  readonly areOthersIdeal: boolean | null;
  /** What would help, as far as the access itself shows; null: nothing but other places for what it reaches. */
  readonly advice: "stage-tile" | "split-records" | "narrow-elements" | "widen" | "reorder-lanes" | null;
}

export interface MisalignmentEvidence {
  readonly kind: "misalignment";
  /** Lanes of one request differ in their offset from the boundary; else whole requests are off it. */
  readonly variesByLane: boolean;
  readonly row: { readonly bytes: number; readonly elementBytes: number } | null;
  /** Bytes from one lane to the next in most of the request; null where there is no such step. */
  readonly laneStepBytes: number | null;
}

/** Of a shared array some of whose elements nobody touches: what a request of each access to it costs, and could. */
export interface PaddingEvidence {
  readonly kind: "padding";
  readonly row: { readonly bytes: number; readonly elementBytes: number };
  readonly usedBytes: number;
  /** What lies at the end of each row without being used. */
  readonly padElements: number;
  readonly widestBytes: number;
  /** The padding makes the kernel fault. */
  readonly isMisaligned: boolean;
  /** Of the accesses to the array, in the order in which they are executed. */
  readonly operations: readonly AccessProfile["operation"][];
  /** Wavefronts of one request of each, added up. */
  readonly now: number;
  readonly better: {
    /** Null: no pad does better, a swizzle does. */
    readonly padElements: number | null;
    readonly costs: readonly number[];
    readonly sum: number;
  };
}

/** Scalar accesses side by side, and the vectors that could stand for them: sectors of one request of each, added up. */
export interface VectorEvidence {
  readonly kind: "vector";
  readonly elementCount: number;
  readonly elementBytes: number;
  readonly vectorBytes: number;
  readonly vectorCount: number;
  readonly before: number;
  readonly after: number;
  /** The kernel's parameter that has to be aligned, and is. */
  readonly base: string;
}

/** The lines that a suppression covers; "nothing": it says something that warplint does not know. */
export type SuppressionScope = "line" | "next-line" | "block" | "file" | "nothing";

/** A suppression comment, or a rule that it names, that suppresses nothing. */
export interface SuppressionFinding {
  readonly kind: "suppression";
  readonly rule: "unused-suppression";
  readonly severity: Severity;
  /** The comment. */
  readonly range: SourceRange;
  /** Rules named that had nothing to suppress; empty: the comment as a whole. */
  readonly unusedRules: readonly string[];
  /** Rules named that do not exist. */
  readonly unknownRules: readonly string[];
  readonly scope: SuppressionScope;
}
