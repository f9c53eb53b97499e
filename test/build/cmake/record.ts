// A project as one text, and what a build description says of it in a form that can be compared: what the recording script writes and the tests expect.
import type { CompiledSource } from "../../../server/src/build/flags.ts";

/** Files by path, of a text in which `=== path` begins each of them. */
export function treeOf(text: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const part of text.split(/^=== /m).slice(1)) {
    const end = part.indexOf("\n");
    files[part.slice(0, end)] = part.slice(end + 1);
  }
  return files;
}

export interface BuildRecord {
  readonly sources: readonly RecordedSource[];
  /** Texts of the headers that the build makes, by path. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedSource {
  readonly source: string;
  readonly language: string;
  readonly macros: readonly string[];
  readonly includePaths: readonly string[];
  readonly forcedIncludes: readonly string[];
  readonly architectures: readonly number[];
  readonly standard: string | null;
  readonly isRelocatable: boolean;
}

/** What every compiler searches by itself. */
const own = /^\/usr\/(?:local\/)?(?:include$|cuda)/;

/** Sorted by source, then by all else; paths below `root` begin with "<root>". */
export function recordOf(
  sources: readonly CompiledSource[],
  headers: readonly { readonly path: string; readonly text: string }[],
  root: string,
): BuildRecord {
  const shown = (text: string): string => text.replaceAll(root, "<root>");
  const records = sources.map(({ path, language, flags }) => ({
    source: shown(path),
    language,
    macros: flags.macros.map(({ kind, name, value, doubt }) =>
      shown(`${kind === "define" ? "" : "-"}${name}=${value ?? "?"}${doubt === null ? "" : ` (${doubt})`}`),
    ),
    includePaths: flags.includePaths
      .filter((one) => !own.test(one.path))
      .map((one) => `${one.kind} ${shown(one.path)}${one.doubt === null ? "" : ` (${one.doubt})`}`),
    forcedIncludes: flags.forcedIncludes.map((one) => shown(one.path)),
    architectures: flags.architectures.map(({ number }) => number),
    standard: flags.standard?.value ?? null,
    isRelocatable: flags.hasRelocatableDeviceCode,
  }));
  const key = (record: RecordedSource): string => `${record.source} ${JSON.stringify(record)}`;
  return {
    sources: records.sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    headers: Object.fromEntries(
      headers
        .map(({ path, text }): [string, string] => [shown(path), shown(text)])
        .sort((a, b) => (a[0] < b[0] ? -1 : 1)),
    ),
  };
}
