// What of a configuration holds for one file: overrides by pattern, and whether it is a sample, a benchmark or a test.
import createIgnore from "ignore";
import type { Config } from "../config/schema.ts";
import { directoryOf, isInside, relativeTo } from "../text/path.ts";
import type { DirectorySettings } from "./project.ts";

/** The same object for all files with the same overrides. */
const known = new WeakMap<Config, Map<string, Config>>();

/** The configuration with the overrides that name `file` laid over it. */
export function configOfFile(
  { config, configFile, workspace }: Pick<DirectorySettings, "config" | "configFile" | "workspace">,
  file: string,
): Config {
  if (config.overrides.length === 0) return config;
  const base = configFile === null ? workspace : directoryOf(configFile);
  if (!isInside(file, base)) return config;
  const path = relativeTo(base, file);
  const matching = config.overrides.filter(({ files }) =>
    createIgnore()
      .add([...files])
      .ignores(path),
  );
  if (matching.length === 0) return config;
  const key = matching.map((each) => config.overrides.indexOf(each)).join();
  const ofConfig = known.get(config) ?? new Map<string, Config>();
  known.set(config, ofConfig);
  const found = ofConfig.get(key) ?? matching.reduce(overridden, config);
  ofConfig.set(key, found);
  return found;
}

function overridden(config: Config, { rules, thresholds, samples }: Config["overrides"][number]): Config {
  const given = Object.entries(thresholds ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...config,
    rules: { ...config.rules, ...rules },
    thresholds: { ...config.thresholds, ...Object.fromEntries(given) },
    samples: samples ?? config.samples,
  };
}

/** A folder or target of samples, benchmarks or tests: `samples`, `bench`, `unit_tests`, `cuda-examples`, `test_sort`. */
const sampleName =
  /^(?:.*[_-])?(?:samples?|examples?|demos?|tutorials?|bench|benchmarks?|benchmarking|tests?|testing|unittests?)(?:[_-].*)?$/i;

/** Whether a file is a sample, a benchmark or a test, by the folders between the workspace and it, or by all of its targets. */
export function isSample(file: string, workspace: string, targets: readonly string[]): boolean {
  const folders = isInside(file, workspace) ? relativeTo(workspace, file).split("/").slice(0, -1) : [];
  if (folders.some((folder) => sampleName.test(folder))) return true;
  return targets.length > 0 && targets.every((target) => sampleName.test(target));
}
