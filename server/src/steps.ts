// Work that is done in steps, between which whoever takes them may do something else, or stop for good.

export type Steps<T> = Generator<void, T>;

/** Takes all steps at once. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
