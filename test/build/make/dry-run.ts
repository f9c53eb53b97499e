// The judge of the reader of makefiles: what real make prints under `make -n -w`, read line by line, and compared source by source.

import { targetsOfCommands } from "../../../server/src/build/command-targets.ts";
import type { BuildHost, CompiledSource } from "../../../server/src/build/flags.ts";
import { runShell } from "../../../server/src/build/shell/run.ts";
import { newShell } from "../../../server/src/build/shell/scope.ts";
import { type BuildStep, stepOf } from "../../../server/src/build/worlds/steps.ts";
import { textOf } from "../../../server/src/build/worlds/text.ts";
import { World } from "../../../server/src/build/worlds/world.ts";

/** The compilations that `output` shows, made in `directory` or where it says that make enters. */
export function sourcesOfDryRun(
  host: BuildHost,
  output: string,
  directory: string,
): readonly CompiledSource[] {
  const steps: BuildStep[] = [];
  const around = [directory];
  for (const line of output.replace(/\\\n/g, "\\\u0000").split("\n")) {
    const entered = /^make(?:\[\d+\])?: Entering directory '(.*)'$/.exec(line);
    if (entered !== null) around.push(entered[1] ?? "");
    else if (/^make(?:\[\d+\])?: Leaving directory/.test(line)) around.pop();
    else if (!/^make(?:\[\d+\])?: /.test(line)) {
      const world = new World(new Map(), 100_000);
      const text = textOf(line.replaceAll("\u0000", "\n"), { file: "recorded", line: 1 });
      runShell(text, {
        ...newShell({ world, host, workspace: "/", directory: around.at(-1) ?? directory }),
        command: (words, shell, origin) => {
          const step = stepOf(words, shell, origin, "default");
          if (step !== null) steps.push(step);
          return step !== null || /^g?make$/.test(words[0]?.string ?? "");
        },
      });
    }
  }
  return targetsOfCommands(steps.map((step) => step.command)).sources;
}

export interface Comparison {
  readonly path: string;
  readonly verdict: "equal" | "doubtful" | "different" | "missing";
  readonly read: string | null;
  readonly real: string;
}

/** Each source of `real` against its counterpart in `read`. */
export function compareSources(
  read: readonly CompiledSource[],
  real: readonly CompiledSource[],
): Comparison[] {
  const waiting = [...read];
  return real.map((source) => {
    const wanted = shown(source, "certain");
    const isSame = (one: CompiledSource) => one.path === source.path && shown(one, "certain") === wanted;
    let at = waiting.findIndex((one) => isSame(one) && one.target === source.target);
    if (at === -1) at = waiting.findIndex(isSame);
    if (at === -1) at = waiting.findIndex((one) => one.path === source.path && one.target === source.target);
    if (at === -1) at = waiting.findIndex((one) => one.path === source.path);
    const [found] = at === -1 ? [] : waiting.splice(at, 1);
    if (found === undefined) return { path: source.path, verdict: "missing", read: null, real: wanted };
    const readShown = shown(found, "certain");
    if (readShown === wanted && !hasDoubt(found))
      return { path: source.path, verdict: "equal", read: readShown, real: wanted };
    return {
      path: source.path,
      verdict: hasDoubt(found) ? "doubtful" : "different",
      read: shown(found, "all"),
      real: wanted,
    };
  });
}

function hasDoubt({ flags }: CompiledSource): boolean {
  return (
    [...flags.macros, ...flags.includePaths].some((one) => one.doubt !== null) || flags.unresolved.length > 0
  );
}

/** The flags of a source as one text, doubtful ones marked. */
export function shown({ path, language, flags }: CompiledSource, detail: "certain" | "all"): string {
  const mark = (doubt: string | null) => (detail === "all" && doubt !== null ? ` ?(${doubt})` : "");
  const macros = [...new Map(flags.macros.map((macro) => [macro.name, macro])).values()];
  return [
    `${language} ${path}`,
    ...macros.map(
      (macro) => `  ${macro.kind === "define" ? "-D" : "-U"}${macro.name}=${macro.value}${mark(macro.doubt)}`,
    ),
    ...flags.includePaths.map((one) => `  ${one.kind} ${one.path}${mark(one.doubt)}`),
    ...flags.forcedIncludes.map((one) => `  -${one.kind} ${one.path}`),
    `  sm ${flags.architectures.map((one) => one.number).join(" ")}`,
    `  ${flags.standard?.value ?? "-"} ${flags.hasRelocatableDeviceCode ? "rdc" : ""}`,
    ...(detail === "all"
      ? flags.unresolved.map(
          (one) => `  unresolved ${one.what}: ${one.reason} (${one.origin.file}:${one.origin.line})`,
        )
      : []),
  ].join("\n");
}
