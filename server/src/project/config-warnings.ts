// What a configuration says that means nothing where it lies: it holds all the same, and whoever wrote it is told.
import { type ConfigError, keyPosition } from "../config/parse.ts";
import { type Host, readText } from "../host/host.ts";
import { directoryOf, resolvePath } from "../text/path.ts";
import type { DirectorySettings } from "./project.ts";
import { walkCuda } from "./walk.ts";

/** Directories to search that are none. */
export function missingIncludePaths(host: Host, settings: DirectorySettings): readonly ConfigError[] {
  return warningsOf(host, settings, ({ file, text }) =>
    settings.config.includePaths.flatMap((path, index) => {
      const position = keyPosition(text, ["includePaths", index]);
      if (position === null || host.kindOf(resolvePath(directoryOf(file), path)) === "directory") return [];
      const message = `includePaths: there is no directory ${path} here, so that nothing is searched in it; remove it, or correct it`;
      return [{ file, position, message }];
    }),
  );
}

/** Names of kernels that no CUDA file below the configuration has. */
export function strangeLaunchNames(host: Host, settings: DirectorySettings): readonly ConfigError[] {
  return warningsOf(host, settings, ({ file, text }) => {
    const names = Object.keys(settings.config.launches).flatMap((name) => {
      const position = keyPosition(text, ["launches", name]);
      return position === null ? [] : [{ name, position }];
    });
    const strange = new Map(names.map((each) => [each.name, each]));
    const files = strange.size === 0 ? [] : walkCuda(host, directoryOf(file), settings.ignored);
    for (const path of files) {
      const read = readText(host, path);
      if (read.kind !== "text") continue;
      const words = new Set(read.text.match(/\w+/g));
      for (const name of strange.keys()) if (mayName(read.text, words, name)) strange.delete(name);
      if (strange.size === 0) break;
    }
    return [...strange.values()].map(({ name, position }) => ({
      file,
      position,
      message: `launches: no CUDA file below has a kernel ${name}, so that its launches mean nothing; remove them, or correct the name`,
    }));
  });
}

function warningsOf(
  host: Host,
  { configFile }: DirectorySettings,
  find: (config: { readonly file: string; readonly text: string }) => readonly ConfigError[],
): readonly ConfigError[] {
  if (configFile === null) return [];
  const read = readText(host, configFile);
  return read.kind === "text" ? find({ file: configFile, text: read.text }) : [];
}

/** Whether the last part of a name, which may be qualified, stands in `text`, or may be pasted together there. */
function mayName(text: string, words: ReadonlySet<string>, name: string): boolean {
  const last = name.split("::").at(-1) ?? name;
  if (words.has(last)) return true;
  return text.includes("##") && [...words].some((word) => last.startsWith(word) || last.endsWith(word));
}
