// What the searches of a run may take together, counted in steps: a busy machine finds what an idle one finds.
import type { SharedSteps } from "../fixes/fix.ts";

export class SearchAllowance {
  private readonly stepsOfFile: number;
  private readonly spentIn = new Map<string, number>();
  private leftOfAll: number;

  constructor(stepsOfAll: number, stepsOfFile = mostStepsOfFile) {
    this.leftOfAll = stepsOfAll;
    this.stepsOfFile = stepsOfFile;
  }

  /** What the searches in a file may take: every file has its own, until those of all files are used up. */
  of(file: string): SharedSteps {
    const leftOfFile = () => this.stepsOfFile - (this.spentIn.get(file) ?? 0);
    const left = () => Math.max(0, Math.min(leftOfFile(), this.leftOfAll));
    const isOfAll = () => this.isShortFor(file);
    return {
      get left() {
        return left();
      },
      spend: (steps) => {
        this.spentIn.set(file, (this.spentIn.get(file) ?? 0) + steps);
        this.leftOfAll -= steps;
      },
      get whyOver() {
        return isOfAll() ? overInRun : overInFile;
      },
    };
  }

  /** Whether it is what other files took that a search in `file` would lack. */
  isShortFor(file: string): boolean {
    return this.leftOfAll < this.stepsOfFile - (this.spentIn.get(file) ?? 0);
  }
}

/** As much as the searches in five kernels take at the most; most take a fraction of that. */
const mostStepsOfFile = 6_000_000;

/** Where fixes are not to be made, all files together. */
export const stepsOfLook = 16_000_000;

const overInRun =
  "searches in other files have used up what a run may take for fixes: check this file alone, or with --fix";

const overInFile = "searches in this file's other kernels have used up what a file may take for fixes";
