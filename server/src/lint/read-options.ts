// How a translation unit is read by its settings.
import type { FileSettings } from "../project/project.ts";
import type { ReadUnitOptions } from "./pipeline.ts";

/** What `Pipeline.read` is told of a file by its settings. */
export function readOptionsOf({
  readInclude,
  flags,
  config,
}: FileSettings): Omit<ReadUnitOptions, "previous"> {
  return { readInclude, flags, architecture: Number(config.architecture.slice("sm_".length)) * 10 };
}
