// What a Makefile beside the sources defines and where it lets headers be found, in so far as reading it is enough: nothing is executed.

import { directoryOf, resolvePath } from "../text/path.ts";
import { type BuildReader, noFlags } from "./flags.ts";

/**
 * The `-D` and `-I` of variables that are set under no condition. What stands in a recipe is one target's own, what another variable or the
 * shell would make of a value is not known, and a macro that is defined in two ways is left out.
 */
export const readMakefile: BuildReader = (host, file) => {
  const text = host.readText(file);
  if (text === null) return null;
  const origin = { file, line: 1 };
  const { defines, includePaths } = flagsOfMakefile(text);
  return {
    kind: "make",
    file,
    readFiles: [file],
    sources: [],
    targets: [],
    generatedFiles: [],
    unresolved: [],
    others: {
      ...noFlags,
      macros: defines.map(([name, value]) => ({ kind: "define", name, value, doubt: null, origin })),
      includePaths: includePaths.map((path) => ({
        path: resolvePath(directoryOf(file), path),
        kind: "user",
        doubt: null,
        origin,
      })),
    },
  };
};

function flagsOfMakefile(text: string): {
  readonly defines: [string, string][];
  readonly includePaths: string[];
} {
  const defines = new Map<string, string | null>();
  const includePaths: string[] = [];
  for (const line of unconditionalSettings(text)) {
    for (const [, name = "", value = "1"] of line.matchAll(
      /(?<=\s|=)-D([A-Za-z_]\w*)(?:=([\w.+-]+))?(?=\s|$)/g,
    )) {
      const before = defines.get(name);
      defines.set(name, before === undefined || before === value ? value : null);
    }
    for (const [, path = ""] of line.matchAll(/(?<=\s|=)-I\s?([\w./+-]+)(?=\s|$)/g)) includePaths.push(path);
  }
  const known = [...defines].flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
  return { defines: known, includePaths };
}

/** Lines such as `CFLAGS := -O3 -DN=4`, with those that continue them. */
function unconditionalSettings(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const plain = line.replace(/(^|\s)#.*$/, "");
    if (/^\s*if(n?eq|n?def)\b/.test(plain)) depth++;
    else if (/^\s*endif\b/.test(plain)) depth--;
    else if (depth === 0 && /^ *\w+\s*([:+?]|::)?=/.test(plain)) found.push(plain);
  }
  return found;
}
