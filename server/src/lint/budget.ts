// How many steps of evaluation the launches of one file may take, so that no file takes longer than people wait.

/** Shares `stepsOfFile` among launches; what one does not need is left to the others. */
export interface Budget {
  nextLimit(): number;
  spend(steps: number): void;
}

/** About five seconds of evaluation. */
const stepsOfFile = 3_000_000;
const mostStepsOfLaunch = 1_500_000;
/** What a launch may take when the others took all: the kernels of most files need less. */
const leastStepsOfLaunch = 20_000;
/** Steps of the file after which no launch gets even those. */
const mostStepsOfFile = 4_000_000;
/** A launch may take several times its share, for most take much less than theirs. */
const sharesOfLaunch = 4;

export function createBudget(launchCount: number): Budget {
  let left = stepsOfFile;
  let taken = 0;
  let waiting = launchCount;
  return {
    nextLimit() {
      const share = (left / Math.max(1, waiting)) * sharesOfLaunch;
      waiting--;
      const least = taken < mostStepsOfFile ? leastStepsOfLaunch : 0;
      return Math.floor(Math.max(least, Math.min(mostStepsOfLaunch, left, share)));
    },
    spend(steps) {
      left = Math.max(0, left - steps);
      taken += steps;
    },
  };
}
