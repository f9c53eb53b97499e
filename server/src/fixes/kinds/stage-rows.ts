// Loops in which each thread goes along a row of its own, staged through shared memory: a warp copies 32 columns of its threads' rows, row by
// row, and then each thread goes along its own.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { isAssigned } from "../text/assigned.ts";
import { directivesBefore } from "../text/directives.ts";
import { namesIn, type Substitution, substituted, threadAxesOf, typedLocal } from "../text/locals.ts";
import { isEarlyReturn, pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { isRowNumber } from "../text/thread-index.ts";
import {
  offsetsOf,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
} from "../text/typed-text.ts";
import { indentAt, indentStep, type KernelText, kernelText, ofRow } from "./kernel-text.ts";
import { extentNames, otherThreads } from "./launch-shape.ts";
import { rowAccessOf } from "./row-access.ts";
import { boundOf } from "./stage-block.ts";
import { anyLoopParts, type LoopParts } from "./thread-role.ts";
import { whyNotWhole } from "./whole-trips.ts";

const columns = 32;

/** The loop around the access, with its array staged. */
export function stageRowsCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofRow(kernelText(access, launches, texts), (kernel, threads) => {
    if (threads % columns !== 0) return refusal("the block is not a whole number of warps");
    const loop = loopAround(kernel);
    if (typeof loop === "string") return refusal(loop);
    const rows = rowsOf(access, kernel, loop, threads);
    if (typeof rows === "string") return refusal(rows);
    const width = extentNames(launches, texts, kernel.body.first).x ?? String(threads);
    const edits = editsOf(kernel, loop, rows, width);
    return candidatesFound([
      {
        kind: "stage-tile",
        edits,
        title: {
          kind: "stage-tile",
          array: rows.array,
          operation: rows.isStored ? (rows.isLoaded ? "access" : "store") : "load",
          tile: rows.names.tile,
          dimensions: [width, String(rows.pitch)],
        },
        safety: "suggestion",
        operations: 0,
        estimate: null,
      },
    ]);
  });
}

interface RowLoop {
  readonly node: TypedNode & { readonly kind: "loop" };
  readonly parts: LoopParts;
  /** Conditions and loops around it. */
  readonly around: readonly TypedNode[];
}

function loopAround({ typed, nodes, access }: KernelText): RowLoop | string {
  const path = pathTo(nodes, access.first);
  const place = path.findLastIndex(({ kind }) => kind === "loop");
  const node = path[place];
  if (node === undefined || node.kind !== "loop") return otherThreads;
  const parts = anyLoopParts(typed, { first: node.span.first, end: node.body.span.first });
  const step = parts === null ? "" : spelled(typed, parts.step).replaceAll(/\s/g, "");
  const isByOne = parts !== null && stepsByOne(parts).includes(step);
  if (threadAxesOf(typed, node.head).size > 0)
    return parts === null || isByOne
      ? "the bounds of the loop differ between threads: its rows do not begin in one column, or are not of one length"
      : "the loop already gives its iterations to neighbouring threads, but their elements are apart";
  if (parts === null || !isByOne) return "the loop does not go along a row one element at a time";
  if (threadAxesOf(typed, parts.bound).size > 0 || hasBrackets(typed, parts.bound))
    return "rows are not of one length for all threads";
  const notWhole = whyNotWhole(typed, node.body.span);
  if (notWhole !== null) return notWhole;
  const parent = path[place - 1];
  const isBare = parent !== undefined && parent.kind !== "block";
  if (isBare && typed.isInDirective(node.span.first - 1))
    return "a directive stands before the loop, which has no braces around it";
  return { node, parts, around: path.slice(0, place) };
}

function stepsByOne(parts: LoopParts): string[] {
  const { variable } = parts;
  const { step, plus } = directionOf(parts);
  return [`${step}${variable}`, `${variable}${step}`, `${variable}${plus}=1`];
}

function hasBrackets(typed: TypedText, { first, end }: Span): boolean {
  for (let index = first; index < end; index++) if (textAt(typed, index) === "[") return true;
  return false;
}

interface Rows {
  readonly array: string;
  readonly type: string;
  readonly pitch: number;
  /** Every `name[index]` in the loop. */
  readonly accesses: readonly Span[];
  /** The element of another row and column, as the array is indexed. */
  readonly element: string;
  readonly isLoaded: boolean;
  readonly isStored: boolean;
  /** The local that numbers the threads, and what bounds it. */
  readonly number: string;
  readonly bound: Span | null;
  readonly names: Names;
}

interface Names {
  readonly tile: string;
  readonly lane: string;
  readonly first: string;
  readonly active: string;
  readonly mask: string;
  readonly row: string;
  readonly column: string;
  readonly from: string;
}

function rowsOf(
  access: AccessProfile,
  kernel: KernelText,
  { node, parts, around }: RowLoop,
  width: number,
): Rows | string {
  const { typed, body, nodes } = kernel;
  const row = rowAccessOf(access, kernel, node.body.span);
  if (typeof row === "string") return row;
  const { array, type, bytes, accesses, indices } = row;
  const number = numberIn(typed, indices, width);
  if (number === null) return `${array} is not indexed by the thread's number in the loop`;
  if (!indices.some((index) => namesIn(typed, index).some((at) => textAt(typed, at) === parts.variable)))
    return `${array} is not indexed by the variable of the loop`;
  const bound = boundOf(typed, [...nodes, ...around], number);
  const strange = [...nodes.filter((each) => isEarlyReturn(typed, each)), ...around].some(
    (each) =>
      (each.kind === "if" &&
        !isBoundAlone(typed, each.condition, number) &&
        threadAxesOf(typed, each.condition).size > 0) ||
      (each.kind === "loop" && threadAxesOf(typed, each.head).size > 0),
  );
  const bounds = [...nodes.filter((each) => isEarlyReturn(typed, each)), ...around].flatMap((each) =>
    each.kind === "if" && isBoundAlone(typed, each.condition, number)
      ? [spelled(typed, { first: each.condition.first + 2, end: each.condition.end })]
      : [],
  );
  if (strange || new Set(bounds).size > 1) return "not all threads of a warp come to the loop";
  const names = namesFor(typed, body, parts.variable);
  return {
    array,
    type,
    pitch: columns + (bytes < 4 ? 4 / bytes : 1),
    accesses,
    element: row.element(elementSubstitution(typed, number, parts, names)),
    isLoaded: accesses.some(({ end }) => textAt(typed, end) !== "="),
    isStored: accesses.some(({ end }) => isAssigned(typed, end)),
    number,
    bound,
    names,
  };
}

/** `i < n` and nothing else. */
function isBoundAlone(typed: TypedText, { first, end }: Span, number: string): boolean {
  for (let at = first; at < end; at++) if (["&&", "||", "?"].includes(textAt(typed, at))) return false;
  return textAt(typed, first) === number && ["<", ">="].includes(textAt(typed, first + 1));
}

function numberIn(typed: TypedText, spans: readonly Span[], width: number): string | null {
  const numbers = new Set<string>();
  const visit = (span: Span, depth: number) => {
    for (const index of namesIn(typed, span)) {
      const local = depth < mostDepth ? typedLocal(typed, index) : null;
      if (local === null) continue;
      if (isRowNumber(typed, local, width)) numbers.add(local.name);
      else visit(local.initializer, depth + 1);
    }
  };
  for (const span of spans) visit(span, 0);
  return numbers.size === 1 ? ([...numbers][0] ?? null) : null;
}

const mostDepth = 4;

function namesFor(typed: TypedText, body: Span, variable: string): Names {
  const fresh = (name: string) => freshNameIn(typed, body, name);
  return {
    tile: fresh("tile"),
    lane: fresh("lane"),
    first: fresh("first"),
    active: fresh("active"),
    mask: fresh("mask"),
    row: fresh("r"),
    column: fresh("c"),
    from: fresh(`${variable}0`),
  };
}

/** Another row and another column in the place of the thread's own; locals between are written out. */
function elementSubstitution(
  typed: TypedText,
  number: string,
  parts: LoopParts,
  { first, row, from, column }: Names,
): Substitution {
  const substitution: Substitution = (index) => {
    const text = textAt(typed, index);
    if (typed.tokens[index]?.kind !== "identifier" || [".", "->", "::"].includes(textAt(typed, index - 1)))
      return null;
    const end = index + 1;
    const isFactor =
      textAt(typed, index - 1) === "-" ||
      ["*", "/", "%"].some((sign) => sign === textAt(typed, index - 1) || sign === textAt(typed, end));
    const written = (sum: string) => ({ text: isFactor ? `(${sum})` : sum, end });
    if (text === number) return written(`${first} + ${row}`);
    if (text === parts.variable) return written(`${from} ${directionOf(parts).plus} ${column}`);
    const local = typedLocal(typed, index);
    if (local === null || threadAxesOf(typed, local.initializer).size === 0) return null;
    return written(substituted(typed, local.initializer, substitution));
  };
  return substitution;
}

/** Upwards or downwards by one. */
interface Direction {
  readonly plus: "+" | "-";
  readonly step: "++" | "--";
}

const upwards: Direction = { plus: "+", step: "++" };
const downwards: Direction = { plus: "-", step: "--" };

function directionOf({ comparison }: LoopParts): Direction {
  return comparison.startsWith("<") ? upwards : downwards;
}

/** Columns of the tile from the first that it holds. */
function tileColumn({ variable, comparison }: LoopParts, { from }: Names): string {
  return comparison.startsWith("<") ? `${variable} - ${from}` : `${from} - ${variable}`;
}

function editsOf(
  { typed }: KernelText,
  { node, parts, around }: RowLoop,
  rows: Rows,
  width: string,
): TextEdit[] {
  const { names, pitch, type, number, bound, element, isLoaded, isStored, accesses } = rows;
  const { tile, lane, first, active, mask, row, column, from } = names;
  const indent = indentAt(typed, node.span.first);
  const step = indentStep(typed);
  const parent = around.at(-1);
  const isBare = parent !== undefined && parent.kind !== "block";
  const { plus, step: stepSign } = directionOf(parts);
  const isWithin = (value: string) => `${value} ${parts.comparison} ${spelled(typed, parts.bound).trim()}`;
  const left = bound === null ? null : `${spelled(typed, bound)} - ${first}`;
  const copy = (to: string, what: string) => [
    `${step}for (int ${row} = 0; ${row} < ${active}; ++${row})`,
    `${step}${step}for (int ${column} = ${lane}; ${column} < ${columns} && ${isWithin(`${from} ${plus} ${column}`)}; ${column} += ${active})`,
    `${step}${step}${step}${to} = ${what};`,
    `${step}__syncwarp(${mask});`,
  ];
  const staged = `${tile}[threadIdx.x - ${lane} + ${row}][${column}]`;
  const before = [
    `__shared__ ${type} ${tile}[${width}][${pitch}];`,
    `const int ${lane} = threadIdx.x % ${columns}, ${first} = ${number} - ${lane};`,
    `const int ${active} = ${left === null ? String(columns) : `${left} < ${columns} ? ${left} : ${columns}`};`,
    `const unsigned ${mask} = ${active} < ${columns} ? (1u << ${active}) - 1 : 0xffffffffu;`,
    `for (int ${from} = ${spelled(typed, parts.start).trim()}; ${isWithin(from)}; ${from} ${plus}= ${columns}) {`,
    ...(isLoaded ? copy(staged, element) : []),
  ];
  const own = parts.variable;
  const isBefore = `${own} ${plus === "+" ? "<" : ">"} ${from} ${plus} ${columns}`;
  const header = `${step}for (int ${own} = ${from}; ${isBefore} && ${isWithin(own)}; ${stepSign}${own})`;
  const directives = directivesBefore(typed, node.span.first);
  const inner = [...directives.lines.map((line) => step + line), header];
  const after = [`${step}__syncwarp(${mask});`, ...(isStored ? copy(element, staged) : []), "}"];
  const [start, end] = offsetsOf(typed, node.span);
  const [bodyStart] = offsetsOf(typed, node.body.span);
  const headEnd = typed.tokens[node.body.span.first - 1]?.end ?? bodyStart;
  const { file, text } = typed;
  // What the loop hangs on alone has several statements now.
  const closing = isBare ? `\n${indentAt(typed, parent.span.first)}}` : "";
  const opened = typed.tokens[node.span.first - 1]?.end ?? start;
  const opening = isBare ? [{ file, start: opened, end: opened, newText: " {" }] : [];
  const edits: TextEdit[] = [
    {
      file,
      start: directives.start ?? start,
      end: headEnd,
      newText: [...before, ...inner].join(`\n${indent}`),
    },
    { file, start: end, end, newText: after.map((line) => `\n${indent}${line}`).join("") + closing },
    ...opening,
  ];
  for (
    let line = text.indexOf("\n", headEnd) + 1;
    line > 0 && line <= end;
    line = text.indexOf("\n", line) + 1
  )
    if (/^[^\S\n]*[^\s#]/.test(text.slice(line))) edits.push({ file, start: line, end: line, newText: step });
  for (const span of accesses) {
    const [from_, to] = offsetsOf(typed, span);
    edits.push({ file, start: from_, end: to, newText: `${tile}[threadIdx.x][${tileColumn(parts, names)}]` });
  }
  return edits;
}
