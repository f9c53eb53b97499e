// Comments `// warplint: launch(…)` that no kernel takes: whoever wrote them counts on them.
import type { LaunchProblem } from "../launches/asked/annotation.ts";
import type { TranslationUnit } from "../syntax/unit.ts";

/** What is wrong with comments above declarations that are no kernels. A kernel that could not be read is one all the same. */
export function strayAnnotations({ units }: TranslationUnit): LaunchProblem[] {
  return units
    .filter(({ annotations, text }) => annotations.length > 0 && !text.includes("__global__"))
    .flatMap(({ annotations }) =>
      annotations.map(({ range }) => ({
        message: "no kernel stands below this comment, so that it counts for none",
        range,
      })),
    );
}
