// Loops in which each thread goes along a row of its own, staged through shared memory: a warp copies 32 columns of its threads' rows, row by
// row, and then each thread goes along its own.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { directivesBefore } from "../text/directives.ts";
import { namesIn, type Substitution, substituted, threadAxesOf, typedLocal } from "../text/locals.ts";
import { mentionsOf } from "../text/mentions.ts";
import { isEarlyReturn, mentionsAny, pathTo, type TypedNode } from "../text/statement-tree.ts";
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
import { elementOf } from "../text/vectors.ts";
import { parameterType } from "./element-type.ts";
import { indentAt, indentStep, type KernelText, kernelText, widthOfRow } from "./kernel-text.ts";
import { extentNames, otherThreads } from "./launch-shape.ts";
import { boundOf } from "./stage-block.ts";
import { anyLoopParts, type LoopParts } from "./thread-role.ts";

const columns = 32;

/** The loop around the access, with its array staged. */
export function stageRowsCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const kernel = kernelText(access, launches, texts);
  if (typeof kernel === "string") return refusal(kernel);
  const threads = widthOfRow(kernel);
  if (threads === null) return refusal(otherThreads);
  if (threads % columns !== 0) return refusal("the block is no whole number of warps");
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
}

interface RowLoop {
  readonly node: TypedNode & { readonly kind: "loop" };
  readonly parts: LoopParts;
  /** Conditions and loops around it. */
  readonly around: readonly TypedNode[];
}

const leaving = new Set(["return", "break", "continue", "__syncthreads", "__syncwarp", "goto"]);

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
      : "the loop deals out its iterations to neighbouring threads already: what they access lies apart all the same";
  if (parts === null || !isByOne) return "the loop does not go along a row one element at a time";
  if (threadAxesOf(typed, parts.bound).size > 0 || hasBrackets(typed, parts.bound))
    return "rows are not of one length for all threads";
  if (mentionsAny(typed, node.body.span, leaving)) return "some threads leave the loop before others";
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
  { target }: AccessProfile,
  kernel: KernelText,
  { node, parts, around }: RowLoop,
  width: number,
): Rows | string {
  const { typed, body, access, nodes } = kernel;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  const type = target === null ? null : parameterType(typed, body, target.name);
  if (target === null || bytes === null || type === null) return otherThreads;
  const name = textAt(typed, access.first);
  const alias = name === target.name ? null : aliasOf(typed, access.first, target.name, body);
  if (name !== target.name && alias === null)
    return /^\w+$/.test(name) && textAt(typed, access.first + 1) === "["
      ? `${name} is no pointer to a row of ${target.name} that is made once`
      : `the access is not written as ${target.name}[…]`;
  const mentions = mentionsOf(typed, { name, nameToken: -1, scope: node.body.span });
  const indices = mentions.map(({ subscripts }) => subscripts[0]);
  const texts = new Set(
    indices.map((index) => (index === undefined ? "" : spelled(typed, index).replaceAll(/\s/g, ""))),
  );
  const [index] = indices;
  if (index === undefined || texts.size !== 1) return `${name} is indexed in several ways in the loop`;
  const offset = alias === null ? [] : [alias];
  const number = numberIn(typed, [index, ...offset], width);
  if (number === null) return `${target.name} is not indexed by the thread's number in the loop`;
  if (!namesIn(typed, index).some((at) => textAt(typed, at) === parts.variable))
    return `${target.name} is not indexed by the variable of the loop`;
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
  const substitution = elementSubstitution(typed, number, parts, names);
  const own = substituted(typed, index, substitution);
  const isStored = mentions.some(({ subscripts }) => isAssigned(typed, (subscripts[0]?.end ?? 0) + 1));
  const isLoaded = mentions.some(({ subscripts }) => textAt(typed, (subscripts[0]?.end ?? 0) + 1) !== "=");
  return {
    array: target.name,
    type,
    pitch: columns + (bytes < 4 ? 4 / bytes : 1),
    accesses: mentions.map(({ nameToken, subscripts }) => ({
      first: nameToken,
      end: (subscripts[0]?.end ?? nameToken) + 1,
    })),
    element: `${target.name}[${alias === null ? own : `${substituted(typed, alias, substitution)} + ${own}`}]`,
    isLoaded,
    isStored,
    number,
    bound,
    names,
  };
}

export function isAssigned(typed: TypedText, index: number): boolean {
  return /^(?:[-+*/%&|^]|<<|>>)?=$/.test(textAt(typed, index)) || ["++", "--"].includes(textAt(typed, index));
}

/** `i < n` and nothing else. */
function isBoundAlone(typed: TypedText, { first, end }: Span, number: string): boolean {
  for (let at = first; at < end; at++) if (["&&", "||", "?"].includes(textAt(typed, at))) return false;
  return textAt(typed, first) === number && ["<", ">="].includes(textAt(typed, first + 1));
}

/** What is added to the array in `T *row = array + offset` or `T *row = &array[offset]`, a pointer that is never set again. */
export function aliasOf(typed: TypedText, token: number, array: string, body: Span): Span | null {
  const mentions = (typed.byName.get(textAt(typed, token)) ?? []).filter(
    (index) => body.first <= index && index < body.end,
  );
  const changed = mentions.filter((index) => isAssigned(typed, index + 1));
  const [declared, ...others] = changed;
  if (declared === undefined || others.length > 0 || textAt(typed, declared + 1) !== "=") return null;
  if (!["*", "__restrict__"].includes(textAt(typed, declared - 1))) return null;
  const first = declared + 2;
  let end = first;
  while (end < body.end && ![";", ","].includes(textAt(typed, end)))
    end = Math.max(end, typed.partners[end] ?? -1) + 1;
  if (textAt(typed, first) === array && textAt(typed, first + 1) === "+") return { first: first + 2, end };
  const isAddress =
    textAt(typed, first) === "&" &&
    textAt(typed, first + 1) === array &&
    typed.partners[first + 2] === end - 1;
  return isAddress ? { first: first + 3, end: end - 1 } : null;
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
