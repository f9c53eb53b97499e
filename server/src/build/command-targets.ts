// The programs that a list of compiler runs makes: which sources end in which executable or library.
import { directoryOf, nameOf } from "../text/path.ts";
import { type CompilerCommand, compiledSources, type LinkStep } from "./command/command.ts";
import type { BuildTarget, CompiledSource } from "./flags.ts";

export interface CommandTargets {
  readonly sources: readonly CompiledSource[];
  readonly targets: readonly BuildTarget[];
}

/**
 * The sources of all commands, and what is linked of their objects. A target is named as its output is (`app`, `libkernels.a` is "kernels"); a source that several targets link is
 * of the first of them. Objects may be passed on by `nvcc -dlink` and `ld -r`.
 */
export function targetsOfCommands(commands: readonly CompilerCommand[]): CommandTargets {
  const sourceOfObject = new Map<string, string>();
  for (const command of commands) {
    command.objects.forEach((object, at) => {
      const source = command.sources[at];
      if (source !== undefined) sourceOfObject.set(object, source.path);
    });
  }
  const steps = commands.flatMap((command) => {
    const output = command.link === null ? null : outputOf(command);
    return command.link === null || output === null ? [] : [{ command, link: command.link, output }];
  });
  const byOutput = new Map(steps.map((step) => [step.output, step]));
  const names = targetNames(steps.filter(({ link }) => isTarget(link)).map(({ output }) => output));
  const targets: BuildTarget[] = [];
  const targetOfObject = new Map<string, string>();
  const targetOfCommand = new Map<CompilerCommand, string>();
  for (const { command, link, output } of byOutput.values()) {
    const name = names.get(output);
    if (name === undefined || !isTarget(link)) continue;
    const sources = new Set(command.sources.map(({ path }) => path));
    const links = new Set<string>();
    const seen = new Set<string>();
    const inputs = [...link.inputs, ...namedLibraries(link, byOutput)];
    for (let at = 0; at < inputs.length; at++) {
      const input = inputs[at];
      if (input === undefined || seen.has(input)) continue;
      seen.add(input);
      const source = sourceOfObject.get(input);
      if (source !== undefined) sources.add(source);
      if (source !== undefined && !targetOfObject.has(input)) targetOfObject.set(input, name);
      const linked = names.get(input);
      const inner = byOutput.get(input);
      if (linked !== undefined && linked !== name) links.add(linked);
      else if (inner !== undefined) {
        for (const { path } of inner.command.sources) sources.add(path);
        if (!targetOfCommand.has(inner.command)) targetOfCommand.set(inner.command, name);
        inputs.push(...inner.link.inputs);
      }
    }
    targetOfCommand.set(command, name);
    targets.push({
      name,
      kind: kindOf(link),
      sources: [...sources],
      links: [...links],
      origin: command.origin,
    });
  }
  const sources = commands.flatMap((command) =>
    compiledSources(command, null).map((source, at) => ({
      ...source,
      target: targetOfCommand.get(command) ?? targetOfObject.get(command.objects[at] ?? "") ?? null,
    })),
  );
  return { sources, targets };
}

function outputOf(command: CompilerCommand): string | null {
  if (command.output !== null) return command.output;
  return command.link?.kind === "executable" ? `${command.directory}/a.out` : null;
}

function isTarget(link: LinkStep): boolean {
  return link.kind !== "device-link" && link.kind !== "object";
}

function kindOf(link: LinkStep): BuildTarget["kind"] {
  return link.kind === "shared-library" || link.kind === "static-library" ? link.kind : "executable";
}

/** Outputs to names, each its own. */
function targetNames(outputs: readonly string[]): Map<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const output of outputs) {
    const name = plainName(output);
    byName.set(name, (byName.get(name) ?? new Set()).add(output));
  }
  return new Map(
    outputs.map((output) => {
      const name = plainName(output);
      return [output, (byName.get(name)?.size ?? 0) > 1 ? output : name];
    }),
  );
}

function plainName(output: string): string {
  const name = nameOf(output);
  return (
    /^lib(.+?)\.(?:a|so|dylib)(?:\.\d+)*$/.exec(name)?.[1] ?? name.replace(/\.(?:exe|dll|lib|so|pyd)$/i, "")
  );
}

/** What `-lname` finds among the outputs: below a -L directory, else the only one of that name. */
function namedLibraries(link: LinkStep, byOutput: ReadonlyMap<string, unknown>): string[] {
  return link.libraries.flatMap((library) => {
    const files = library.startsWith(":")
      ? [library.slice(1)]
      : [`lib${library}.so`, `lib${library}.a`, `${library}.lib`];
    const found = [...byOutput.keys()].filter((output) => files.includes(nameOf(output)));
    const inPath = found.filter((output) => link.libraryPaths.includes(directoryOf(output)));
    return inPath.slice(0, 1);
  });
}
