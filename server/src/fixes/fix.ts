// What a fix is, and what it was tried with: plain data. `render/fix-title.ts` makes the words.
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { AccessFinding, AccessGroup, KernelName } from "../rules/finding.ts";
import type { TextEdit } from "../text/edit.ts";
import type { SourceRange } from "../text/source.ts";
import type { OriginalRuns } from "./check/original-runs.ts";

export type { TextEdit } from "../text/edit.ts";

export type FixKind =
  | "pad"
  | "swizzle"
  | "transpose"
  | "spread"
  | "vectorize"
  | "align"
  | "launch-shape"
  | "swap-axes"
  | "stripe"
  | "stage-tile"
  | "realign"
  | "scalarize";

/**
 * A change of the text that was tried: the whole pipeline ran on the edited text, no access got dearer (but those in `dearer`), and original
 * and patched kernel left the same bytes behind on the simulator.
 */
export interface Fix {
  readonly kind: FixKind;
  readonly rule: AccessFinding["rule"];
  /** The range of the finding that it is a fix of. */
  readonly target: SourceRange;
  /** In the order of file and place; none overlaps another. */
  readonly edits: readonly TextEdit[];
  /** `safe` fixes are part of fix-all; a `suggestion` changes more than where data lie. */
  readonly safety: "safe" | "suggestion";
  readonly gain: FixGain;
  readonly price: FixPrice;
  /** Other accesses that cost more than before: only where the original faults. In the order of the text. */
  readonly dearer: readonly DearerAccess[];
  readonly check: PassedCheck;
  readonly title: FixTitle;
}

export interface FixGain {
  readonly unit: "wavefronts" | "sectors";
  /** Of the finding's access in the context that makes its message, a request; null where the original faults, so that it costs nothing. */
  readonly perRequest: { readonly before: number; readonly after: number } | null;
  /**
   * Of all accesses that the fix concerns (those to the array, or all of the kernel), over all launches; null where the grid is not known in
   * some launch, or where it concerns both memories.
   */
  readonly totals: { readonly before: number; readonly after: number } | null;
}

export interface FixPrice {
  /** Shared memory that a block needs more (less: negative). */
  readonly sharedBytes: number;
  /** Blocks that fit into an SM's shared memory and threads, where the fix lets fewer fit; else null. */
  readonly blocksPerSm: { readonly before: number; readonly after: number } | null;
  /** Integer operations that an access takes more. */
  readonly operations: number;
}

/** In the order of the text. */
export interface DearerAccess {
  readonly range: SourceRange;
  readonly operation: "load" | "store" | "other";
  readonly unit: "wavefronts" | "sectors";
  readonly perRequest: { readonly before: number; readonly after: number };
}

/** Two axes of grid and block; the first is the one along which lanes lie. */
export type AxisPair = "xy" | "xz";

/** The pieces of a title, in the user's spelling. */
export type FixTitle =
  /** "Pad tile to [32][33]". */
  | { readonly kind: "pad"; readonly array: string; readonly dimensions: readonly string[] }
  /** "Pad the rows of s: pitch W → W + 1": of a hand-flattened array, `pitch` as typed before and after. */
  | {
      readonly kind: "pad-pitch";
      readonly array: string;
      readonly pitch: { readonly before: string; readonly after: string };
    }
  /** "Pad the rows of Qi, Kj and S": each by what it needs, of arrays that a kernel carves out of one. */
  | { readonly kind: "pad-pitches"; readonly arrays: readonly string[] }
  /** "Launch with PAD = 1": a constant given at the launch, of a template parameter or macro named `parameter`. */
  | {
      readonly kind: "pad-parameter";
      readonly array: string;
      readonly parameter: string;
      readonly value: { readonly before: string; readonly after: string };
    }
  /** "Transpose sums to [16][32]": its last two dimensions, and the indices of its accesses. */
  | { readonly kind: "transpose"; readonly array: string; readonly dimensions: readonly string[] }
  /** "Swizzle columns of tile with ^". */
  | { readonly kind: "swizzle"; readonly array: string }
  /** "Swizzle indices of re and im with ^". */
  | { readonly kind: "swizzle-index"; readonly arrays: readonly string[] }
  /** "Insert one padding element after every 32 in temp". */
  | { readonly kind: "spread"; readonly array: string; readonly period: number }
  /** "Load 4 floats of in as one float4". */
  | {
      readonly kind: "vectorize";
      readonly array: string;
      readonly operation: "load" | "store";
      readonly vector: string;
      readonly elementCount: number;
      readonly element: string;
    }
  /** "Pad Cell by 4 bytes". */
  | { readonly kind: "pad-record"; readonly record: string; readonly bytes: number }
  /** "Align Complex to 8 bytes". */
  | { readonly kind: "align"; readonly record: string; readonly bytes: number }
  /** "Launch with block (8,32)". */
  | { readonly kind: "launch-shape"; readonly block: readonly number[] }
  /** "Swap x and y in the kernel and at its launch". */
  | { readonly kind: "swap-axes"; readonly axes: AxisPair; readonly withLaunch: boolean }
  /** "Let neighbouring threads take neighbouring elements of in". */
  | { readonly kind: "stripe"; readonly array: string }
  /** "Stage the stores to out through a padded tile [32][33] in shared memory". */
  | {
      readonly kind: "stage-tile";
      readonly array: string;
      readonly operation: "load" | "store" | "access";
      readonly tile: string;
      readonly dimensions: readonly string[];
    }
  /** "Store 4 floats one by one". */
  | {
      readonly kind: "scalarize";
      readonly array: string;
      readonly operation: "load" | "store";
      readonly elementCount: number;
      readonly element: string;
    };

/** Why a finding has no fix. */
export interface FixRefusal {
  readonly rule: AccessFinding["rule"];
  readonly target: SourceRange;
  /** In words, without a full stop: "tile is passed whole to load_tile, which may count on its row length". */
  readonly reason: string;
}

/** Best first for each finding: the greatest gain over all accesses and launches, then the lowest price; suggestions after safe ones. */
export interface FixSearchResult {
  readonly fixes: readonly Fix[];
  /** Of findings without a fix, in the order of the text. */
  readonly refusals: readonly FixRefusal[];
}

export const noFixes: FixSearchResult = { fixes: [], refusals: [] };

/** A kernel under one launch, with what is known of its accesses and a program to run. */
export interface LaunchedKernel {
  readonly kernel: KernelName;
  readonly launch: Launch;
  /** How many times the host launches just this. */
  readonly count: number;
  readonly profile: LaunchProfile;
  /** As lowered (what nvcc would make of it is `generateCode` of it); null where it cannot be made. Made when first asked for, then kept. */
  readonly program: () => Program | null;
}

/** What the pipeline says of a text: every launch of the kernels concerned, in the order in which it met them. */
export interface AnalysedKernels {
  readonly launches: readonly LaunchedKernel[];
  /** What does not parse, or is not followed any more, in words; a fix that adds a gap is not offered. */
  readonly gaps: readonly string[];
}

/** What a search works on: the findings of one kernel (or of the device functions that it calls). */
export interface FixContext {
  readonly findings: readonly AccessFinding[];
  /** Everything known of the accesses in the files concerned. */
  readonly groups: readonly AccessGroup[];
  /** Every kernel that an edit may touch, as analysed: at least all of the file's. */
  readonly original: AnalysedKernels;
  /** As typed, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether an edit in a file is wanted: false for what lies outside the workspace. */
  readonly isEditable: (file: string) => boolean;
  /**
   * The whole pipeline on the edited text: the same kernels as in `original`, in the same order. Null where it cannot be analysed. Only what
   * changed is evaluated again.
   */
  readonly analyse: (edits: readonly TextEdit[]) => Generator<void, AnalysedKernels | null>;
  /** `check.ts`, or what stands in for it in tests: takes no more than so many steps. */
  readonly check: (pair: CheckPair, maxSteps: number) => Generator<void, CheckResult>;
  readonly budget: FixBudget;
  /** Told of what is ready whenever more is: all that remains of a search that is ended before its time. */
  readonly onReady: (found: FixSearchResult) => void;
}

/** Bounds of one search, in things counted: the core has no clock. Who drives the generator may end it any time. */
export interface FixBudget {
  /** Texts to analyse for one array, launch or group of accesses. */
  readonly analysesPerTarget: number;
  /** Pairs to run on the simulator for the same. */
  readonly checksPerTarget: number;
  /** Steps of evaluation and of the simulator for all of the search together: a million take about a second. */
  readonly steps: number;
  /** What this search and others have together; left out: it has its own steps whatever others take. */
  readonly shared?: SharedSteps;
}

/** Steps that several searches have together. */
export interface SharedSteps {
  readonly left: number;
  spend(steps: number): void;
  /** Why nothing more is tried where none are left, in words. */
  readonly whyOver: string;
}

export const defaultFixBudget: FixBudget = { analysesPerTarget: 6, checksPerTarget: 4, steps: 1_200_000 };

/** One launch before and after the edit, to be run with the same inputs. */
export interface CheckPair {
  readonly original: { readonly program: Program; readonly launch: Launch };
  readonly patched: { readonly program: Program; readonly launch: Launch };
  /** The original faults (a misaligned access): its alignment test is off. */
  readonly originalMisaligns: boolean;
  /** Axes of the grid that the patched launch has in each other's place. */
  readonly swappedAxes?: AxisPair | null;
  /** Parameters of the kernel that keep what the host gives them. */
  readonly keptArguments: readonly string[];
  /** Accesses of the original that the fix touches: unless some input makes them run, nothing was checked. */
  readonly mustRun: readonly SourceRange[];
  /** What the original did beside other edits; left out: it is run again. */
  readonly originalRuns?: OriginalRuns;
}

export type CheckResult = CheckVerdict & {
  /** What the simulator took. */
  readonly steps: number;
};

export type CheckVerdict =
  | (PassedRuns & {
      /** What all shared accesses of the runs cost together. */
      readonly wavefronts: { readonly before: number; readonly after: number };
    })
  | {
      /** Bytes differ; the patched kernel faults where the original does not; or it could not be run to the end. */
      readonly kind: "differs" | "faults" | "not-checked";
      /** In words, without a full stop. */
      readonly reason: string;
    };

interface PassedRuns {
  readonly kind: "checked";
  /** How many sets of random inputs both kernels ran with. */
  readonly inputSets: number;
}

export interface PassedCheck extends PassedRuns {
  /** Where data decide what some access costs, that all together cost less is known of the runs alone. */
  readonly cost: "predicted" | "counted";
}

/** The fixes of one finding, best first. */
export function fixesOfFinding({ fixes }: FixSearchResult, finding: FixedFinding): readonly Fix[] {
  return fixes.filter((fix) => isOf(fix, finding));
}

/** Why a finding has no fix; null where it has one, or nobody looked for one. */
export function refusalOfFinding({ refusals }: FixSearchResult, finding: FixedFinding): string | null {
  return refusals.find((refusal) => isOf(refusal, finding))?.reason ?? null;
}

/** A finding by its rule and place: none has its like. */
export interface FixedFinding {
  readonly rule: string;
  readonly range: SourceRange;
}

function isOf({ rule, target }: Pick<Fix, "rule" | "target">, finding: FixedFinding): boolean {
  const { file, start, end } = finding.range;
  return rule === finding.rule && target.file === file && target.start === start && target.end === end;
}

/** Which fixes are made: those that change nothing but where data lie, or suggestions too. */
export type WantedFixes = "safe" | "all";

/** Safe ones first, then what makes a kernel run at all, then what saves most over all accesses and launches; of equals the first. */
export function bestOf(fixes: readonly Fix[], wanted: WantedFixes): Fix | null {
  const allowed = fixes.filter(({ safety }) => wanted === "all" || safety === "safe");
  return allowed.reduce<Fix | null>((best, fix) => (best === null || isBetter(fix, best) ? fix : best), null);
}

/**
 * Of the fixes of several findings the one to make first. Where suggestions are wanted too, that is what saves most of what is best for some finding: a cheap fix
 * in front of it may leave the most expensive finding without one.
 */
export function firstToMake(fixes: readonly Fix[], wanted: WantedFixes): Fix | null {
  if (wanted === "safe") return bestOf(fixes, wanted);
  const byFinding = new Map<string, Fix[]>();
  for (const fix of fixes) {
    const { rule, target } = fix;
    const key = `${rule}:${target.file}:${target.start}:${target.end}`;
    const known = byFinding.get(key);
    if (known) known.push(fix);
    else byFinding.set(key, [fix]);
  }
  const best = [...byFinding.values()].flatMap((own) => bestOf(own, wanted) ?? []);
  const [first] = best.toSorted((a, b) => {
    if (isCure(a) !== isCure(b)) return isCure(a) ? -1 : 1;
    return savedBy(b) - savedBy(a) || Number(a.safety !== "safe") - Number(b.safety !== "safe");
  });
  return first ?? null;
}

function isBetter(a: Fix, b: Fix): boolean {
  if (a.safety !== b.safety) return a.safety === "safe";
  return isCure(a) === isCure(b) ? savedBy(a) > savedBy(b) : isCure(a);
}

/** Whether it makes a kernel run at all. */
function isCure({ gain }: Fix): boolean {
  return gain.perRequest === null;
}

function savedBy({ gain: { perRequest, totals } }: Fix): number {
  const { before, after } = totals ?? perRequest ?? { before: 0, after: 0 };
  return before - after;
}
