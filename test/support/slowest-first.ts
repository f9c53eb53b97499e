// The order of the test files: what takes minutes begins first, so that no processor waits for it in the end.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Seconds on two processors, 29 November. */
const seconds: Readonly<Record<string, number>> = {
  "test/truth/programs.test.ts": 380,
  "test/truth/fixes.test.ts": 120,
  "test/simulator/simulate.test.ts": 60,
  "test/truth/projects.test.ts": 60,
};

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) =>
      Object.entries(seconds).find(([path]) => moduleId.endsWith(path))?.[1] ?? 0;
    return sorted.toSorted((a, b) => rankOf(b) - rankOf(a));
  }
}
