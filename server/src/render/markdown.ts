// A hover as markdown: with coloured spans for clients that allow them, with fenced text for all others.
import {
  type Cell,
  drawMap,
  glyphOf,
  layoutMap,
  type MapLine,
  type MapTone,
  type RequestMap,
} from "./bank-map.ts";
import type { ContentCommand, ContentLink, HoverBlock, HoverContent, Span } from "./content.ts";
import { escapeHtml } from "./html.ts";
import { themeColourOf } from "./map-colours.ts";

export interface MarkdownOptions {
  /** `spans`: the client shows `<pre>` and `<span style="color:…">`. */
  readonly dialect: "spans" | "fenced";
  /** The address for a command; null where the client has none, and the link is left out. */
  linkTo(command: ContentCommand): string | null;
}

/** The hover as CommonMark. What comes from the user's text is escaped: it can neither format nor link. */
export function hoverMarkdown({ blocks }: HoverContent, options: MarkdownOptions): string {
  return blocks
    .map((block) => blockMarkdown(block, options))
    .filter((text) => text !== "")
    .join("\n\n");
}

function blockMarkdown(block: HoverBlock, options: MarkdownOptions): string {
  switch (block.kind) {
    case "line":
      return asParagraph(block.spans.map(spanMarkdown).join(""));
    case "map":
      return mapMarkdown(block.map, options);
    case "columns":
      return fixedPitch(block.lines, options);
    case "table":
      return tableMarkdown(block.head, block.rows);
    case "path":
      return `from ${linkList(block.links, " → ", options, "kept")}`;
    case "links":
      return linkList(block.links, " · ", options, "left-out");
  }
}

function spanMarkdown({ kind, text }: Span): string {
  if (kind === "code") return codeSpan(text);
  return kind === "strong" ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text);
}

/** Links that the client cannot follow are plain text, or not there at all. */
function linkList(
  links: readonly ContentLink[],
  separator: string,
  { linkTo }: MarkdownOptions,
  unfollowed: "kept" | "left-out",
): string {
  return links
    .flatMap(({ title, command }) => {
      const address = linkTo(command);
      if (address !== null) return [`[${escapeWithin(title)}](${escapeAddress(address)})`];
      return unfollowed === "kept" ? [escapeMarkdown(title)] : [];
    })
    .join(separator);
}

function mapMarkdown(map: RequestMap, { dialect }: MarkdownOptions): string {
  return dialect === "fenced"
    ? fenced(drawMap(map))
    : preformatted(layoutMap(map).map((line) => colouredLine(line, map.tone)));
}

function colouredLine({ before, cells, after }: MapLine, tone: MapTone): string {
  const runs = runsOf(cells).map((run) => colouredRun(run, tone));
  return `${escapeHtml(before)}${runs.join("")}${escapeHtml(after)}`;
}

/** Neighbouring cells that are alike, together: a span each would make long lines. */
function runsOf(cells: readonly Cell[]): Cell[][] {
  const runs: Cell[][] = [];
  for (const cell of cells) {
    const last = runs.at(-1);
    if (last?.[0] === cell) last.push(cell);
    else runs.push([cell]);
  }
  return runs;
}

function colouredRun(run: readonly Cell[], tone: MapTone): string {
  const [first] = run;
  if (first === undefined) return "";
  const text = run.map(glyphOf).join("");
  const colour = themeColourOf(first, tone);
  // VS Code's sanitizer lets this very form through, and no other.
  return colour === null ? text : `<span style="color:var(--vscode-${colour});">${text}</span>`;
}

function fixedPitch(lines: readonly string[], { dialect }: MarkdownOptions): string {
  return dialect === "fenced" ? fenced(lines) : preformatted(lines.map(escapeHtml));
}

/** Ends of lines beside the tags would be lines of their own in a hover, where each counts; a blank line would end the block. */
function preformatted(lines: readonly string[]): string {
  return `<pre>${lines.map((line) => (line.trim() === "" ? "&nbsp;" : line)).join("\n")}</pre>`;
}

/** The fence is longer than any run of backticks within. */
function fenced(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${lines.join("\n")}\n${fence}`;
}

function tableMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const draw = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeWithin(cell.trim())).join(" | ")} |`;
  // Figures stand under each other; words begin where their column begins.
  const isFigure = (column: number) => rows.every((row) => /^[\d(]/.test(row[column]?.trim() ?? ""));
  const rule = head.map((_, column) => (column > 0 && isFigure(column) ? "---:" : "---"));
  return [draw(head), `| ${rule.join(" | ")} |`, ...rows.map(draw)].join("\n");
}

/**
 * Text that markdown shows as it is, wherever it stands in a line: no character of it formats, links, or is an entity or a tag. As little
 * is escaped as will do, for some editors show the source.
 */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").replace(anywhere, "\\$&");
}

/** Characters that mean something wherever they stand, and those that do so only beside certain others. */
const anywhere =
  /[\\`*<~@]|&(?=#?\w+;)|\](?=[([:])|\$(?=\()|(?<![a-z0-9])_|_(?![a-z0-9])|(?<=[a-z]):(?=\/\/)|(?<=www)\./gi;

/** A line that starts no list, heading, quotation or block of code. */
function asParagraph(line: string): string {
  return line
    .trim()
    .replace(/^[-+=#>[|:]/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}

/** In a cell of a table, or between the brackets of a link. */
function escapeWithin(text: string): string {
  return text.replace(/\s+/g, " ").replace(within, "\\$&");
}

const within = new RegExp(`[[\\]|]|${anywhere.source}`, "gi");

function codeSpan(text: string): string {
  const plain = text.replace(/[\r\n]+/g, " ");
  if (plain.includes("|") || plain.trim() === "") return escapeMarkdown(plain);
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = plain.startsWith("`") || plain.endsWith("`") || longest > 0 ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

function escapeAddress(address: string): string {
  return address.replace(/[()<>\s\\]/g, (character) => encodeURIComponent(character).replace(/[()]/g, hex));
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
