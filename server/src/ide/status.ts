// The kernel under the cursor, in a few words, for the status item.
import { isLaunchKnown, launchesText } from "../render/launch-words.ts";
import type { Places } from "../render/places.ts";
import type { AnalysedFile } from "./analysis.ts";
import { accessesOfKernel, kernelAt, launchesWorstFirst, underNamedLaunches } from "./kernels.ts";
import { costTitle } from "./lenses.ts";
import type { KernelStatus } from "./types.ts";

/** "reduce0, no launch found", "transpose, 2 launches: block (32,32), line 52"; null outside of kernels. */
export function statusAt(analysis: AnalysedFile, offset: number, places: Places): KernelStatus | null {
  const kernel = kernelAt(analysis, offset);
  if (kernel === null) return null;
  const launches = launchesWorstFirst(kernel);
  const text = launchesText(launches, places, analysis.file);
  const isKnown = isLaunchKnown(launches);
  return {
    kernel: kernel.name,
    offset: kernel.nameRange.start,
    text: `${kernel.name}, ${isKnown ? text : text.replace(/:.*/, "")}`,
    detail: costTitle(accessesOfKernel(underNamedLaunches(kernel)), analysis.file, places),
    isLaunchKnown: isKnown,
  };
}
