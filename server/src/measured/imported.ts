// A report knows block and grid of kernels that nothing in the sources launches.
import type { ConfiguredLaunch } from "../config/schema.ts";
import { isAssumed } from "../launches/launch.ts";
import type { KernelLaunch } from "../lint/report.ts";
import { distinct } from "./beside.ts";
import type { MeasuredLaunch } from "./report.ts";

/** What to configure for kernels that nothing in the sources launches, by their names. */
export function launchesToImport(
  launches: readonly MeasuredLaunch[],
  predicted: readonly KernelLaunch[],
): Readonly<Record<string, ConfiguredLaunch[]>> {
  const wanted = new Map<string, ConfiguredLaunch[]>();
  for (const { measured } of distinct(launches)) {
    const own = predicted.filter(({ kernel }) => kernel.name === measured.kernel);
    if (measured.block === null || own.length === 0) continue;
    if (!own.every(({ profile }) => isAssumed(profile.launch))) continue;
    wanted.set(measured.kernel, [...(wanted.get(measured.kernel) ?? []), configuredLaunch(measured)]);
  }
  return Object.fromEntries(wanted);
}

function configuredLaunch({ block, grid, sharedBytes, templateArguments }: MeasuredLaunch): ConfiguredLaunch {
  return {
    block: [...(block ?? [1])],
    ...(grid === null ? {} : { grid: [...grid] }),
    ...(sharedBytes === null ? {} : { shared: sharedBytes }),
    ...(templateArguments === null || templateArguments.length === 0
      ? {}
      : { templateArguments: [...templateArguments] }),
  };
}
