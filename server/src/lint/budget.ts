// How many steps of evaluation the launches of one file may take, so that no file takes longer than people wait.

/** Shares `stepsOfFile` among launches; what one does not need is left to the others. */
export interface Budget {
  nextLimit(): number;
  spend(steps: number): void;
}

/** About five seconds of evaluation. */
const stepsOfFile = 3_000_000;
const mostStepsOfLaunch = 1_500_000;
/** What a launch may always take, however many there are: the kernels of most files need less. */
const leastStepsOfLaunch = 20_000;
/** A launch may take several times its share, for most take much less than theirs. */
const sharesOfLaunch = 4;

export function createBudget(launchCount: number): Budget {
  let left = stepsOfFile;
  let waiting = launchCount;
  return {
    nextLimit() {
      const share = (left / Math.max(1, waiting)) * sharesOfLaunch;
      waiting--;
      return Math.floor(Math.max(leastStepsOfLaunch, Math.min(mostStepsOfLaunch, left, share)));
    },
    spend(steps) {
      left = Math.max(0, left - steps);
    },
  };
}
