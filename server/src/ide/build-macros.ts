// Which macros of the build a stretch of text hangs on: those that it names, by way of the macros and constants that the texts define.
import type { MacroFlag } from "../build/flags.ts";
import type { HoverBlock } from "../render/content.ts";
import type { Places } from "../render/places.ts";
import type { SourceRange } from "../text/source.ts";

/** More of them are no help. */
const mostShown = 6;
/** So many names stand behind no kernel that people read. */
const mostNames = 5000;

/** "BLOCK_M = 64, CMakeLists.txt:14", a line each; nothing where none is used. */
export function buildMacroLines(
  ranges: readonly SourceRange[],
  texts: ReadonlyMap<string, string>,
  macros: readonly MacroFlag[],
  places: Places,
): HoverBlock[] {
  if (macros.length === 0) return [];
  const reached = namesBehind(ranges, texts);
  return macros
    .filter(({ kind, name, impliedBy }) => kind === "define" && impliedBy === undefined && reached.has(name))
    .slice(0, mostShown)
    .map(({ name, value, doubt, origin: { file, line } }) => {
      const place = file.startsWith("<") ? file.slice(1, -1) : `${places.displayPath(file)}:${line}`;
      const text = `${name}${value === null ? " is not known" : value === "" ? "" : ` = ${value}`}, ${place}`;
      return {
        kind: "line",
        spans: [{ kind: "plain", text: doubt === null ? text : `${text} (${doubt})` }],
      };
    });
}

function namesBehind(
  ranges: readonly SourceRange[],
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const definitions = definitionsIn(texts);
  const pending = ranges.flatMap(({ file, start, end }) => wordsOf(texts.get(file)?.slice(start, end) ?? ""));
  const reached = new Set<string>();
  for (let name = pending.pop(); name !== undefined && reached.size < mostNames; name = pending.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    pending.push(...(definitions.get(name) ?? []));
  }
  return reached;
}

const known = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, readonly string[]>>();

/** By name, the words that a macro or a constant is defined with. */
function definitionsIn(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const found = known.get(texts);
  if (found !== undefined) return found;
  const definitions = new Map<string, string[]>();
  for (const text of texts.values())
    for (const pattern of [macro, constant])
      for (const [, name = "", value = ""] of text.matchAll(pattern))
        definitions.set(name, [...(definitions.get(name) ?? []), ...wordsOf(value)]);
  known.set(texts, definitions);
  return definitions;
}

const macro = /^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\r?\n|[^\n])*)/gm;
const constant = /\b(?:constexpr|const|enum|using|typedef)\b[^;={}()]*?(\w+)\s*=\s*([^;]*)/g;

function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}
