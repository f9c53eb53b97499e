// Files in memory as readers of build descriptions see them, and flags as short texts that tests compare.
import type { BuildDescription, BuildHost, CompileFlags } from "../../server/src/build/flags.ts";
import { readText } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";

/** A host that holds `files`, absolute path to text. */
export function buildHost(files: Readonly<Record<string, string>>): BuildHost {
  const host = memoryHost(files);
  return {
    kindOf: (path) => host.kindOf(path),
    readText: (path) => {
      const result = readText(host, path);
      return result.kind === "text" ? result.text : null;
    },
    list: (directory) =>
      (host.list(directory) ?? []).map(({ name, kind }) => ({
        name,
        kind: kind === "missing" ? "other" : kind,
      })),
  };
}

/** Flags as words of a command line; "?" marks a doubt, `=?` a value that is not known. */
export function written(flags: CompileFlags): string[] {
  return [
    ...flags.macros.map(({ kind, name, value, doubt }) => {
      const flag = kind === "undefine" ? `-U${name}` : `-D${name}=${value ?? "?"}`;
      return doubt !== null && value !== null ? `${flag} ?` : flag;
    }),
    ...flags.includePaths.map(
      ({ kind, path, doubt }) => `${includeOptions[kind]}${path}${doubt === null ? "" : " ?"}`,
    ),
    ...flags.forcedIncludes.map(({ kind, path }) => `-${kind} ${path}`),
    ...flags.architectures.map(({ written: text, number }) => `-arch=${text}:${number}`),
    ...(flags.standard === null ? [] : [`-std=${flags.standard.value}`]),
    ...(flags.hasRelocatableDeviceCode ? ["-rdc"] : []),
    ...flags.unresolved.map(
      ({ what, reason, isAssumed }) => `${isAssumed ? "assumed" : "unresolved"} ${what}: ${reason}`,
    ),
  ];
}

const includeOptions = { quote: "-iquote ", user: "-I", system: "-isystem ", after: "-idirafter " } as const;

/** "PATH LANGUAGE TARGET: FLAGS" of each source. */
export function sourcesOf(description: BuildDescription | null): string[] {
  return (description?.sources ?? []).map(
    ({ path, language, target, flags }) =>
      `${path} ${language} ${target ?? "-"}: ${written(flags).join(" ")}`,
  );
}

/** "KIND NAME: SOURCES" of each target, and what is linked to it. */
export function targetsOf(description: BuildDescription | null): string[] {
  return (description?.targets ?? []).map(
    ({ kind, name, sources, links }) =>
      `${kind} ${name}: ${sources.join(" ")}${links.length > 0 ? ` <- ${links.join(" ")}` : ""}`,
  );
}
