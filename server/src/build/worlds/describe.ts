// From the steps of a build, under every answer to what is not known, to its description.
import { targetsOfCommands } from "../command-targets.ts";
import type { BuildDescription, BuildHost, BuildKind } from "../flags.ts";
import { type Built, merged } from "./merge.ts";
import type { BuildStep } from "./steps.ts";
import { explore, type World } from "./world.ts";

/** Reads a build by its steps; null where it compiles nothing. */
export function describe(
  kind: BuildKind,
  host: BuildHost,
  file: string,
  stepsIn: (world: World, host: BuildHost) => readonly BuildStep[],
): BuildDescription | null {
  const remembering = remembered(host);
  let outcomes: ReturnType<typeof explore<Built>>;
  try {
    outcomes = explore((world) => builtOf(stepsIn(world, remembering)));
  } catch (error) {
    // Brackets nested thousands deep, which nobody writes.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
  const { usual, others, isCut } = outcomes;
  const built = merged(
    usual.result,
    others.map(({ result, decision }) => ({ built: result, decision })),
  );
  if (built.sources.length === 0) return null;
  const worlds = [usual.world, ...others.map(({ world }) => world)];
  const unresolved = new Map(
    worlds
      .flatMap((world) => world.unresolved)
      .map((one) => [`${one.what}\n${one.reason}\n${one.origin.file}:${one.origin.line}`, one]),
  );
  const origin = { file, line: 1 };
  if (isCut)
    unresolved.set("cut", {
      what: file,
      reason: "more hangs on what is not known than can be followed",
      origin,
    });
  if (usual.world.stopped !== null)
    unresolved.set("stopped", { what: file, reason: `it stops with "${usual.world.stopped}"`, origin });
  return {
    kind,
    file,
    readFiles: [...new Set(worlds.flatMap((world) => [...world.readFiles]))],
    sources: built.sources,
    targets: built.targets,
    generatedFiles: [],
    unresolved: [...unresolved.values()],
    others: null,
  };
}

/** What the steps build; a step that only a target beside the default goal needs, and makes anew what is made already, is left out. */
function builtOf(steps: readonly BuildStep[]): Built {
  const made = new Set<string>();
  const kept = steps.filter((step) => {
    const outputs = outputsOf(step);
    const isNew =
      step.use === "default" || outputs.length === 0 || outputs.some((output) => !made.has(output));
    for (const output of outputs) made.add(output);
    return isNew;
  });
  return targetsOfCommands(kept.map((step) => step.command));
}

function outputsOf({ command }: BuildStep): string[] {
  if (command.objects.length > 0) return [...command.objects];
  return command.output === null ? [] : [command.output];
}

/** A host that is asked once for each file, as the same is read in each world. */
function remembered(host: BuildHost): BuildHost {
  const texts = new Map<string, string | null>();
  const kinds = new Map<string, ReturnType<BuildHost["kindOf"]>>();
  const lists = new Map<string, ReturnType<BuildHost["list"]>>();
  return {
    readText: (path) => once(texts, path, () => host.readText(path)),
    kindOf: (path) => once(kinds, path, () => host.kindOf(path)),
    list: (directory) => once(lists, directory, () => host.list(directory)),
  };
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make();
  known.set(key, value);
  return value;
}
