// What a search may take, counted, so that a busy machine finds what an idle one finds: steps of evaluation and of the simulator, and characters
// that are read again.
import type { Launch } from "../launches/launch.ts";
import type { OriginalRuns } from "./check/original-runs.ts";
import type { AnalysedKernels, FixContext, SharedSteps } from "./fix.ts";

/** What is left of a search's steps. */
export class Work {
  private readonly all: number;
  private readonly shared: SharedSteps | null;
  private left: number;
  private kept = 0;
  private readonly stepsOfText: number;
  private readonly stepsOfAnalysis: number;
  private readonly kernels: ReadonlySet<string>;
  private readonly originalRuns = new Map<Launch, OriginalRuns>();

  constructor({ budget, findings, original, texts }: FixContext) {
    this.all = budget.steps;
    this.left = budget.steps;
    this.shared = budget.shared ?? null;
    const files = new Set(findings.map(({ range }) => range.file));
    this.stepsOfText =
      stepsOfCharacter * [...files].reduce((sum, file) => sum + (texts.get(file)?.length ?? 0), 0);
    this.kernels = new Set(
      findings.flatMap(({ worst, contexts }) => [worst, ...contexts].map(({ kernel }) => kernel.name)),
    );
    this.stepsOfAnalysis = this.stepsOf(original);
  }

  /** What the original did under a launch, beside the edits that were checked. */
  runsOf(launch: Launch): OriginalRuns {
    const known = this.originalRuns.get(launch) ?? new Map();
    this.originalRuns.set(launch, known);
    return known;
  }

  get stepsLeft(): number {
    return Math.min(this.ownLeft, this.shared?.left ?? Number.POSITIVE_INFINITY);
  }

  /** Why nothing more is tried where too few steps are left, in words. */
  get whyOver(): string {
    return this.shared !== null && this.isSharedShort ? this.shared.whyOver : overTime;
  }

  /** Others have taken what this search could have had. */
  get isSharedShort(): boolean {
    return this.shared !== null && this.shared.left < this.ownLeft;
  }

  private get ownLeft(): number {
    return Math.max(0, this.left - this.kept);
  }

  /** Keeps a share of what is left for later searches; 0 gives it free again. */
  keep(share: number): void {
    this.kept = this.left * share;
  }

  /** Few of its edits can be analysed: only the most promising of each kind are. */
  get isExpensive(): boolean {
    return this.isExpensiveFor(1);
  }

  /** The same of edits for each of so many arrays. */
  isExpensiveFor(arrays: number): boolean {
    return this.stepsOfAnalysis * arrays > this.all * expensiveShare;
  }

  /** Whether an edited text may still be analysed: its kernels take about as many steps as they did. */
  allowsAnalysis(): boolean {
    return this.stepsOfAnalysis <= this.stepsLeft;
  }

  spendAnalysis(patched: AnalysedKernels | null): void {
    this.spend(patched === null ? 0 : this.stepsOf(patched));
  }

  spend(steps: number): void {
    this.left = Math.max(0, this.left - steps);
    this.shared?.spend(steps);
  }

  /** Of the kernels with findings: the others are not evaluated again. Launches that are alike share one evaluation. */
  private stepsOf({ launches }: AnalysedKernels): number {
    const evaluations = new Map(
      launches
        .filter(({ kernel }) => this.kernels.has(kernel.name))
        .map(({ profile }) => [profile.accesses, profile.steps]),
    );
    return [...evaluations.values()].reduce((sum, steps) => sum + steps, this.stepsOfText);
  }
}

/** An edited text is parsed and lowered before it is evaluated: where kernels are short and many, that takes the longest. */
const stepsOfCharacter = 0.5;

/** Of a search's steps, for one analysis. */
const expensiveShare = 0.02;

/** What a search works on, and what it may still take. */
export interface SearchContext extends FixContext {
  readonly work: Work;
}

/** Why nothing more is tried, in words. */
export const overTime = "finding and checking one would take too long";
