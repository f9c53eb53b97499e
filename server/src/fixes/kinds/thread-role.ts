// The other role of a thread in a tile: what its names and conditions would be if it stood where the tile's column runs along its row.

import { entryOf } from "../../table.ts";
import { fileConstant, valueIn } from "../text/constants.ts";
import { type Substitution, substituted, threadAxesOf, threadLocalsOf, typedLocal } from "../text/locals.ts";
import { asFactor } from "../text/spelling.ts";
import { freshNameIn } from "../text/statements.ts";
import { type Span, spelled, type TypedText, textAt } from "../text/typed-text.ts";
import type { KernelText } from "./kernel-text.ts";
import type { AccessSite } from "./stage-tile.ts";

export interface Role {
  /** What has to be declared before it is taken on. */
  readonly declarations: readonly string[];
  /** A span as the other thread would write it. */
  readonly rewrite: (span: Span) => string;
  /** The same of a text that was made of a span. */
  readonly rewriteText: (text: string, span: Span) => string;
  /** Where a thread stands in the tile in its own role, and in the other. */
  readonly own: TilePlace;
  readonly other: TilePlace;
  /** Tokens of the locals that it needs and that stay as they are. */
  readonly needs: readonly number[];
  /** Of a tile that a block of fewer rows goes down in several steps. */
  readonly loop: TileLoop | null;
  /** Of as many tiles as a loop has steps. */
  readonly steps: TileSteps | null;
}

export interface TilePlace {
  readonly row: string;
  readonly column: string;
}

export interface TileLoop {
  readonly header: Span;
  readonly variable: string;
  /** Rows of the tile. */
  readonly extent: { readonly text: string; readonly value: number };
}

export interface TileSteps {
  readonly variable: string;
  readonly count: string;
}

/** In words why there is none. */
export function roleOf(kernel: KernelText, site: AccessSite, suffix: "Out" | "In"): Role | string {
  const { typed, access } = kernel;
  const spans = [access, ...site.guards];
  if (spans.slice(1).some((span) => hasBrackets(typed, span)))
    return "what memory holds decides which threads take part";
  const loops = site.path.filter((node) => node.kind === "loop");
  const [first, ...others] = loops;
  if (others.length > 0) return "the access stands in several loops";
  const header = first === undefined ? null : { first: first.span.first, end: first.body.span.first };
  const loop = header === null ? null : tileLoop(kernel, header);
  const steps = header === null || loop !== null ? null : stepsOf(kernel, header);
  if (header !== null && loop === null && steps === null) return "the access stands in a loop";
  const locals = threadLocalsOf(typed, spans);
  if (locals.some(({ initializer }) => hasBrackets(typed, initializer)))
    return "what memory holds decides which threads touch what";
  const names = new Map(locals.map(({ name }) => [name, suffixed(kernel, name, suffix)]));
  const isSquare = loop !== null || kernel.blocks.every(([x, y]) => x === y);
  const places = isSquare ? swapped(loop) : renumbered(kernel, suffix);
  const substitution = substitutionOf(typed, names, places, loop);
  const rewrite = (span: Span) => substituted(typed, span, substitution);
  const declared = locals.map(({ name, type, initializer }) => {
    // A local goes by the thread's own numbers, the steps of a loop are added where it is used.
    const text = substituted(
      typed,
      initializer,
      threadSubstitution(typed, names, isSquare ? swappedWords : places.words),
    );
    return `const ${type} ${names.get(name) ?? name} = ${text};`;
  });
  return {
    declarations: [...places.declarations, ...declared],
    rewrite,
    rewriteText: (text, span) => rewriteWords(text, typed, span, rewrite),
    own: { row: loop === null ? "threadIdx.y" : `threadIdx.y + ${loop.variable}`, column: "threadIdx.x" },
    other: { row: places.row, column: places.column },
    needs: needsOf(
      typed,
      spans,
      locals.map(({ initializer }) => initializer),
    ),
    loop,
    steps,
  };
}

function hasBrackets(typed: TypedText, { first, end }: Span): boolean {
  for (let index = first; index < end; index++) if (textAt(typed, index) === "[") return true;
  return false;
}

function suffixed({ typed, body }: KernelText, name: string, suffix: string): string {
  return freshNameIn(
    typed,
    body,
    name.includes("_") ? `${name}_${suffix.toLowerCase()}` : `${name}${suffix}`,
  );
}

interface Places extends TilePlace {
  readonly declarations: readonly string[];
  /** What stands for threadIdx.x and threadIdx.y. */
  readonly words: Readonly<Record<string, string>>;
}

const swappedWords: Readonly<Record<string, string>> = { x: "threadIdx.y", y: "threadIdx.x" };

function swapped(loop: TileLoop | null): Places {
  const column = loop === null ? "threadIdx.y" : `threadIdx.y + ${loop.variable}`;
  return { declarations: [], row: "threadIdx.x", column, words: swappedWords };
}

/** Threads of a block that is no square, counted down its columns. */
function renumbered({ typed, body, blocks }: KernelText, suffix: string): Places {
  const heights = new Set(blocks.map(([, y]) => y));
  const height = heights.size === 1 ? String([...heights][0]) : "blockDim.y";
  const [linear, column, row] = ["t", `tx${suffix}`, `ty${suffix}`].map((name) =>
    freshNameIn(typed, body, name),
  );
  return {
    declarations: [
      `const int ${linear} = threadIdx.y * blockDim.x + threadIdx.x;`,
      `const int ${column} = ${linear} / ${height}, ${row} = ${linear} % ${height};`,
    ],
    row: row ?? "",
    column: column ?? "",
    words: { x: column ?? "", y: row ?? "" },
  };
}

function threadSubstitution(
  typed: TypedText,
  names: ReadonlyMap<string, string>,
  words: Readonly<Record<string, string>>,
): Substitution {
  return (index) => {
    const text = textAt(typed, index);
    if ([".", "->", "::"].includes(textAt(typed, index - 1))) return null;
    const word = text === "threadIdx" ? entryOf(words, textAt(typed, index + 2)) : undefined;
    if (word !== undefined) return { text: word, end: index + 3 };
    const name = names.get(text);
    return name === undefined ? null : { text: name, end: index + 1 };
  };
}

function substitutionOf(
  typed: TypedText,
  names: ReadonlyMap<string, string>,
  { words }: Places,
  loop: TileLoop | null,
): Substitution {
  const plain = threadSubstitution(typed, names, words);
  if (loop === null) return plain;
  return (index) => {
    // What is one name without the steps of the loop needs no parentheses.
    const inner = textAt(typed, index) === "(" ? plain(index + 1) : null;
    const closer = typed.partners[index] ?? -1;
    if (inner !== null && closer === inner.end + 2 && axisAt(typed, index + 1) === "y") {
      const isCall = typed.tokens[index - 1]?.kind === "identifier";
      if (!isCall && textAt(typed, inner.end) === "+" && textAt(typed, inner.end + 1) === loop.variable)
        return { text: inner.text, end: closer + 1 };
    }
    const found = plain(index);
    const isStepped = (at: number) => textAt(typed, at) === "+" && textAt(typed, at + 1) === loop.variable;
    if (found === null) return null;
    const axis = axisAt(typed, index);
    if (axis === "y" && isStepped(found.end)) return { text: found.text, end: found.end + 2 };
    if (axis === "y") return { text: `(${found.text} - ${loop.variable})`, end: found.end };
    if (axis !== "x") return found;
    const isFactor =
      ["*", "/", "%"].includes(textAt(typed, index - 1)) ||
      ["*", "/", "%"].includes(textAt(typed, found.end));
    const sum = `${found.text} + ${loop.variable}`;
    return { text: isFactor ? asFactor(sum) : sum, end: found.end };
  };
}

/** The one axis that a name or threadIdx hangs on; null where there are both or none. */
function axisAt(typed: TypedText, index: number): string | null {
  const local = typedLocal(typed, index);
  const span = local?.initializer ?? { first: index, end: index + 3 };
  const axes = [...threadAxesOf(typed, span)];
  return axes.length === 1 ? (axes[0] ?? null) : null;
}

/** `for (int k = 0; k < 4; k++)`: few steps, the same for all threads. */
function stepsOf({ typed, launches }: KernelText, header: Span): TileSteps | null {
  const parts = loopParts(typed, header);
  const [launched] = launches;
  if (parts === null || launched === undefined) return null;
  const { variable, bound, step } = parts;
  const isByOne = spelled(typed, step).replaceAll(variable, "").trim() === "++";
  const count = valueIn(typed, bound, launched);
  const isConstant = count !== null && count <= mostSteps && isFixed(typed, bound);
  return isByOne && isConstant ? { variable, count: spelled(typed, bound) } : null;
}

const mostSteps = 16;

/** Made of numbers and names that are constants of the file: it may be the length of an array. */
export function isFixed(typed: TypedText, { first, end }: Span): boolean {
  for (let index = first; index < end; index++) {
    const token = typed.tokens[index];
    if (token?.kind !== "identifier") continue;
    const definition = fileConstant(typed, token.text);
    if (definition === null || definition.first > index) return false;
  }
  return true;
}

export interface LoopParts {
  readonly variable: string;
  readonly start: Span;
  readonly bound: Span;
  readonly comparison: "<" | "<=" | ">" | ">=";
  readonly step: Span;
}

/** Of `for (T v = 0; v < bound; step)`. */
export function loopParts(typed: TypedText, header: Span): LoopParts | null {
  const parts = anyLoopParts(typed, header);
  const isFromZero = parts !== null && parts.comparison === "<" && spelled(typed, parts.start).trim() === "0";
  return isFromZero ? parts : null;
}

/** Of `for (T v = start; v < bound; step)`, whatever it compares by. */
export function anyLoopParts(typed: TypedText, header: Span): LoopParts | null {
  if (textAt(typed, header.first) !== "for") return null;
  const semicolons: number[] = [];
  for (let index = header.first; index < header.end; index++)
    if (textAt(typed, index) === ";") semicolons.push(index);
  const [one, two] = semicolons;
  if (one === undefined || two === undefined || semicolons.length !== 2) return null;
  let equals = header.first + 2;
  while (equals < one && textAt(typed, equals) !== "=") equals++;
  const start = { first: equals + 1, end: one };
  const variable = textAt(typed, equals - 1);
  const isOne = typed.tokens[equals - 1]?.kind === "identifier" && spelled(typed, start).indexOf(",") === -1;
  const comparison = textAt(typed, one + 2);
  if (!isOne || equals >= one - 1 || textAt(typed, one + 1) !== variable) return null;
  if (comparison !== "<" && comparison !== "<=" && comparison !== ">" && comparison !== ">=") return null;
  const end = trimmed(typed, header).end - 1;
  return {
    variable,
    start,
    bound: { first: one + 3, end: two },
    comparison,
    step: { first: two + 1, end },
  };
}

/** `for (int j = 0; j < TILE; j += ROWS)` over the rows of a tile as wide as the block. */
function tileLoop({ typed, launches, blocks }: KernelText, header: Span): TileLoop | null {
  const parts = loopParts(typed, header);
  if (parts === null) return null;
  const { variable, bound: extent } = parts;
  if (textAt(typed, parts.step.first) !== variable || textAt(typed, parts.step.first + 1) !== "+=")
    return null;
  const step = { first: parts.step.first + 2, end: parts.step.end };
  const [launched] = launches;
  const value = launched === undefined ? null : valueIn(typed, extent, launched);
  const rows = launched === undefined ? null : valueIn(typed, step, launched);
  const fits = value !== null && blocks.every(([x, y]) => x === value && y === rows);
  return fits
    ? { header: trimmed(typed, header), variable, extent: { text: spelled(typed, extent), value } }
    : null;
}

function trimmed(typed: TypedText, { first, end }: Span): Span {
  let last = end;
  while (last > first && textAt(typed, last - 1) !== ")") last--;
  return { first, end: last };
}

/** Names with parts of a condition in them, written anew one by one. */
function rewriteWords(text: string, typed: TypedText, span: Span, rewrite: Role["rewrite"]): string {
  let result = text;
  const seen = new Set<string>();
  for (let index = span.first; index < span.end; index++) {
    const isThread = textAt(typed, index) === "threadIdx";
    const part = { first: index, end: index + (isThread ? 3 : 1) };
    const before = spelled(typed, part);
    if (typed.tokens[index]?.kind !== "identifier" || seen.has(before)) continue;
    seen.add(before);
    const after = rewrite(part);
    if (after === before) continue;
    const pattern = new RegExp(`(?<![\\w.])${before.replaceAll(".", "\\.")}\\b`, "g");
    result = result
      .replace(pattern, `\u0000${seen.size}\u0000`)
      .replaceAll(`\u0000${seen.size}\u0000`, after);
  }
  return result;
}

/** Where locals are declared that the index needs beside those that it gets anew. */
function needsOf(typed: TypedText, spans: readonly Span[], initializers: readonly Span[]): number[] {
  const needed: number[] = [];
  for (const { first, end } of [...spans, ...initializers]) {
    for (let index = first; index < end; index++) {
      const local = typedLocal(typed, index);
      if (local !== null && threadAxesOf(typed, local.initializer).size === 0) needed.push(local.nameToken);
    }
  }
  return needed;
}
