// The GPU whose figures are predicted: the one that is asked for, else the one that the build makes code for.
import type { CompileFlags, Origin, Unresolved } from "../build/flags.ts";
import { keyPosition } from "../config/parse.ts";
import { type Architecture, architectures, type Config, defaultConfig } from "../config/schema.ts";
import { type Host, readText } from "../host/host.ts";
import type { ProjectOptions } from "./project.ts";

/** What a configuration or what is laid over it says; null where neither says anything. */
export function configuredArchitecture(
  host: Host,
  configFile: string | null,
  config: Config,
  { overrides }: ProjectOptions,
): Architecture | null {
  if (overrides.architecture !== undefined) return overrides.architecture;
  const read = configFile === null ? null : readText(host, configFile);
  const isSaid = read?.kind === "text" && keyPosition(read.text, ["architecture"]) !== null;
  return isSaid ? config.architecture : null;
}

/**
 * Of the GPUs that code is made for, the newest that is no newer than the usual one, whose code that one would run; else the oldest. Of one
 * that is not known, the known one before it. Null where the build names none: what a compiler makes code for that is told nothing
 * (`unresolved` says so) is nobody's choice.
 */
export function architectureOf(
  { architectures: built }: CompileFlags,
  unresolved: readonly Unresolved[],
): Architecture | null {
  const defaults = unresolved.filter(({ what }) => what === "CMAKE_CUDA_ARCHITECTURES");
  const isDefault = ({ file, line }: Origin) =>
    defaults.some(({ origin }) => origin.file === file && origin.line === line);
  const numbers = built.flatMap(({ number, origin }) => (isDefault(origin) ? [] : [number]));
  if (numbers.length === 0) return null;
  const usual = numberOf(defaultConfig.architecture);
  const older = numbers.filter((number) => number <= usual);
  const number = older.length > 0 ? Math.max(...older) : Math.min(...numbers);
  const known = architectures.filter((each) => numberOf(each) <= number);
  return known.at(-1) ?? architectures[0];
}

function numberOf(architecture: Architecture): number {
  return Number(architecture.slice("sm_".length));
}
