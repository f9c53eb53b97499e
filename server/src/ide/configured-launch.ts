// A launch as an annotation says it, in the form in which the configuration's `launches` has it.
import type { ConfiguredLaunch } from "../config/schema.ts";
import { type LaunchRequest, parseAnnotation } from "../launches/asked/annotation.ts";
import type { AnalysedFile } from "./analysis.ts";
import { kernelAt } from "./kernels.ts";
import { namesOf } from "./launch-choice.ts";

/** A kernel's entry of `launches`. */
export interface LaunchSetting {
  readonly kernel: string;
  readonly launch: ConfiguredLaunch;
}

/** What `annotation` (what stands in `launch(…)`) says of the kernel at `offset`; null where the configuration cannot say it. */
export function launchSettingOf(
  analysis: AnalysedFile,
  offset: number,
  annotation: string,
): LaunchSetting | null {
  const kernel = kernelAt(analysis, offset);
  if (kernel === null) return null;
  const text = `launch(${annotation})`;
  const names = namesOf(kernel);
  const { request, problems } = parseAnnotation(
    text,
    { file: analysis.file, start: 0, end: text.length },
    names,
  );
  const templateArguments = argumentsInOrder(request, names.templateParameters);
  if (problems.length > 0 || request.block === undefined || templateArguments === null) return null;
  return {
    kernel: kernel.name,
    launch: {
      block: [...request.block],
      ...(request.grid === undefined ? {} : { grid: [...request.grid] }),
      ...(request.sharedBytes === undefined ? {} : { shared: request.sharedBytes }),
      ...(request.arguments.size === 0 ? {} : { arguments: Object.fromEntries(request.arguments) }),
      ...(templateArguments.length === 0 ? {} : { templateArguments }),
    },
  };
}

/** The configuration lists template arguments in order: one that is left out leaves no place for those behind it. */
function argumentsInOrder(request: LaunchRequest, parameters: readonly string[]): string[] | null {
  const values = parameters.map(
    (name, index) => request.templateArguments.get(name) ?? request.templateArguments.get(index),
  );
  const given = values.filter((value) => value !== undefined);
  return values.slice(0, given.length).includes(undefined) ? null : given;
}
