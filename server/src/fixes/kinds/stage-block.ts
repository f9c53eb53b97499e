// Records and runs of elements that each thread has to itself, staged through shared memory: a block's records lie behind one another, so that its
// threads copy them word by word, whoever they belong to.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { typedLocal } from "../text/locals.ts";
import { mentionsOf } from "../text/mentions.ts";
import { summandsOf } from "../text/products.ts";
import { asFactor } from "../text/spelling.ts";
import { isEarlyReturn, mentionsAny, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { threadNumberIn } from "../text/thread-index.ts";
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
import { closingEdit, openingEdits } from "./stage-opening.ts";
import { hangsOn } from "./stage-patch.ts";
import { stagedOperations } from "./staged-operations.ts";

/** The array of an access staged for the whole block: copied there before, and back behind. */
export function stageBlockCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const kernel = kernelText(access, launches, texts);
  if (typeof kernel === "string") return refusal(kernel);
  const threads = widthOfRow(kernel);
  if (threads === null) return refusal(otherThreads);
  const records = recordsOf(access, kernel, threads);
  if (typeof records === "string") return refusal(records);
  const operations = stagedOperations(access, launches, records.array);
  if (typeof operations === "string") return refusal(operations);
  const { isLoaded, isStored } = operations;
  const width = extentNames(launches, texts, kernel.body.first).x ?? String(threads);
  const ways =
    isStored && !isLoaded
      ? [
          { isCopiedIn: false, isStored },
          { isCopiedIn: true, isStored },
        ]
      : [{ isCopiedIn: true, isStored }];
  const operation = isStored ? (isLoaded ? "access" : "store") : "load";
  const candidates = ways.flatMap((way) => {
    const edits = editsOf(kernel, records, width, way);
    return edits === null ? [] : [candidateOf(records, operation, width, edits)];
  });
  return candidates.length > 0
    ? candidatesFound(candidates)
    : refusal(
        "what ends the array is not one comparison of the thread's number, or threads leave at several places",
      );
}

interface Records {
  readonly array: string;
  readonly tile: string;
  readonly type: string;
  /** Elements of a thread, as typed; null for one record. */
  readonly count: string | null;
  /** Words of a record; null for scalars. */
  readonly words: number | null;
  /** Each thread's part is followed by an element, or a word, that nobody uses, so that threads do not meet in one bank. */
  readonly isPadded: boolean;
  /** Where the elements of a thread are written in the indices. */
  readonly counts: readonly Span[];
  /** Indices of the array, the thread's number in them. */
  readonly indices: readonly Span[];
  readonly mentions: readonly number[];
  /** The name of the thread's number. */
  readonly number: string;
}

function recordsOf({ target }: AccessProfile, kernel: KernelText, width: number): Records | string {
  const { typed, body } = kernel;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  const type = target === null ? null : parameterType(typed, body, target.name);
  if (target === null || element === null || bytes === null || type === null) return otherThreads;
  const isRecord = element.kind === "record";
  const mentions = mentionsOf(typed, { name: target.name, nameToken: -1, scope: body });
  const counts = new Set<string>();
  const countSpans: Span[] = [];
  const numbers = new Set<string>();
  const indices: Span[] = [];
  for (const { subscripts, nameToken } of mentions) {
    const index =
      subscripts[0] ?? (textAt(typed, nameToken + 1) === "+" ? operandBehind(typed, nameToken + 2) : null);
    const number = index === null ? null : threadNumberIn(typed, index, width);
    if (index === null || number === null)
      return `${target.name} is not indexed by the thread's number everywhere`;
    const count = countIn(typed, index, number, isRecord);
    if (count === null)
      return `${target.name} is not indexed by the thread's number times a length everywhere`;
    counts.add(count.text);
    if (count.span !== null) countSpans.push(count.span);
    numbers.add(number);
    indices.push(index);
  }
  const [count, ...otherCounts] = counts;
  const [number, ...otherNumbers] = numbers;
  if (count === undefined || number === undefined || otherCounts.length + otherNumbers.length > 0)
    return `${target.name} is indexed in several ways`;
  const scalars = isRecord ? 1 : Number(count);
  const words = (bytes * scalars) / wordBytes;
  if (isRecord && !Number.isInteger(words)) return `a record of ${target.name} is no whole number of words`;
  if (!isRecord && (!Number.isInteger(scalars) || scalars < 2 || scalars > mostElements)) return otherThreads;
  const way = Number.isInteger(words) ? greatestCommonDivisor(words, 32) : 1;
  return {
    array: target.name,
    tile: freshNameIn(typed, body, "tile"),
    type,
    count: isRecord ? null : count,
    words: isRecord ? words : null,
    isPadded: way > mostWay,
    counts: countSpans,
    indices,
    mentions: mentions.map(({ nameToken }) => nameToken),
    number,
  };
}

const wordBytes = 4;
const mostElements = 64;
const mostWay = 2;

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function operandBehind(typed: TypedText, first: number): Span | null {
  for (let at = first; at < typed.tokens.length; at++) {
    const partner = typed.partners[at] ?? -1;
    if (partner > at) at = partner;
    else if ([",", ")", ";"].includes(textAt(typed, at))) return { first, end: at };
  }
  return null;
}

/** What the thread's number is multiplied by; "1" for a record; null where that cannot be told. */
function countIn(
  typed: TypedText,
  index: Span,
  number: string,
  isRecord: boolean,
): { readonly text: string; readonly span: Span | null } | null {
  if (isRecord) return index.end === index.first + 1 ? { text: "1", span: null } : null;
  const own = (summandsOf(typed, index) ?? []).filter(({ factors }) =>
    factors.some(({ text }) => text === number),
  );
  const [only, ...others] = own;
  if (only === undefined || others.length > 0 || only.factors.length !== 2) return null;
  const count = only.factors.find(({ text }) => text !== number);
  return count !== undefined && /^\d+$/.test(count.text) ? count : null;
}

interface Way {
  readonly isCopiedIn: boolean;
  readonly isStored: boolean;
}

function editsOf(kernel: KernelText, records: Records, width: string, way: Way): TextEdit[] | null {
  const { typed, nodes, body } = kernel;
  const { tile, type, array, count, words, number } = records;
  const returns = nodes.filter((node): node is TypedNode & { readonly kind: "if" } =>
    isEarlyReturn(typed, node),
  );
  const first = nodes.find(
    (node) =>
      returns.includes(node as (typeof returns)[number]) ||
      records.mentions.some((at) => node.span.first <= at && at < node.span.end),
  );
  const last = nodes.at(-1);
  const others = nodes.filter((node) => !returns.some((each) => each === node));
  if (first === undefined || last === undefined) return null;
  if (others.some((node) => mentionsAny(typed, node.span, new Set(["return"])))) return null;
  const bound = boundOf(typed, nodes, number);
  if (bound !== null && isDeclaredBehind(typed, bound, first.span.first)) return null;
  // A block's part copied past its end would be read where nothing lies.
  const spans = records.mentions.map((at) => ({ first: at, end: at + 1 }));
  if (bound === null && hangsOn(kernel, spans, "x")) return null;
  const indent = indentAt(typed, first.span.first);
  const names = { first: freshNameIn(typed, body, "first"), k: freshNameIn(typed, body, "k") };
  const perThread = words === null ? (count ?? "1") : freshNameIn(typed, body, "words");
  const limit =
    bound === null
      ? ""
      : ` && ${names.first} * ${perThread} + ${names.k} < ${asFactor(spelled(typed, bound))} * ${perThread}`;
  const header = `for (int ${names.k} = threadIdx.x; ${names.k} < blockDim.x * ${perThread}${limit}; ${names.k} += blockDim.x)`;
  const tileWord = wordOf(records, names.k, perThread);
  const { isPadded } = records;
  const padded = freshNameIn(typed, body, "Padded");
  const from =
    words === null
      ? `${array}[${names.first} * ${perThread} + ${names.k}]`
      : `reinterpret_cast<const int *>(${array} + ${names.first})[${names.k}]`;
  const to = words === null ? from : `reinterpret_cast<int *>(${array} + ${names.first})[${names.k}]`;
  const step = indentStep(typed);
  const size = sizeOfTile(records, width);
  const isPaddedRecord = words !== null && isPadded;
  const opening = [
    ...(isPaddedRecord
      ? [
          "// A word more a record: threads meet in no bank.",
          `struct ${padded} { ${type} record; int unused; };`,
        ]
      : []),
    `__shared__ ${isPaddedRecord ? padded : type} ${tile}[${size}];`,
    ...(words === null ? [] : [`constexpr int ${perThread} = sizeof(${type}) / sizeof(int);`]),
    `const int ${names.first} = blockIdx.x * blockDim.x;`,
    ...(way.isCopiedIn ? [header, `${step}${tileWord} = ${from};`, "__syncthreads();"] : []),
  ];
  const isWrapped = way.isStored && returns.length > 0;
  const edits = openingEdits(kernel, { lines: opening, indent, first, last, returns, isWrapped });
  if (edits === null) return null;
  for (const mention of records.mentions) edits.push(edit(typed, { first: mention, end: mention + 1 }, tile));
  for (const index of records.indices)
    for (let at = index.first; at < index.end; at++)
      if (textAt(typed, at) === number) edits.push(edit(typed, { first: at, end: at + 1 }, "threadIdx.x"));
  if (isPadded && words === null)
    for (const span of records.counts) edits.push(edit(typed, span, String(Number(count) + 1)));
  if (isPaddedRecord)
    for (const index of records.indices)
      edits.push({
        file: typed.file,
        start: typed.tokens[index.end]?.end ?? 0,
        end: typed.tokens[index.end]?.end ?? 0,
        newText: ".record",
      });
  if (way.isStored) {
    const lines = [...(isWrapped ? ["}"] : []), "__syncthreads();", header, `${step}${to} = ${tileWord};`];
    edits.push(closingEdit(kernel, { lines, indent, last }));
  }
  return edits;
}

function sizeOfTile({ words, count, isPadded }: Records, width: string): string {
  return words === null ? `${width} * ${isPadded ? Number(count) + 1 : count}` : width;
}

/** A word of the tile, or an element where it holds scalars. */
function wordOf({ tile, words, count, isPadded }: Records, k: string, perThread: string): string {
  if (words === null)
    return isPadded ? `${tile}[${k} / ${count} * ${Number(count) + 1} + ${k} % ${count}]` : `${tile}[${k}]`;
  return isPadded
    ? `reinterpret_cast<int *>(&${tile}[${k} / ${perThread}])[${k} % ${perThread}]`
    : `reinterpret_cast<int *>(${tile})[${k}]`;
}

function edit(typed: TypedText, span: Span, newText: string): TextEdit {
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText };
}

/** What bounds the thread's number: `n` of `if (i < n)` or `if (i >= n) return;`. */
export function boundOf(typed: TypedText, nodes: readonly TypedNode[], number: string): Span | null {
  for (const node of nodes) {
    if (node.kind !== "if") continue;
    const { first, end } = node.condition;
    const operator = isEarlyReturn(typed, node) ? ">=" : "<";
    if (textAt(typed, first) !== number || textAt(typed, first + 1) !== operator) continue;
    let to = first + 2;
    while (to < end && !["&&", "||"].includes(textAt(typed, to)))
      to = Math.max(to, typed.partners[to] ?? -1) + 1;
    return { first: first + 2, end: to };
  }
  return null;
}

function isDeclaredBehind(typed: TypedText, { first, end }: Span, place: number): boolean {
  for (let at = first; at < end; at++) if ((typedLocal(typed, at)?.nameToken ?? -1) > place) return true;
  return false;
}

function candidateOf(
  records: Records,
  operation: "load" | "store" | "access",
  width: string,
  edits: readonly TextEdit[],
): Candidate {
  return {
    kind: "stage-tile",
    edits,
    title: {
      kind: "stage-tile",
      array: records.array,
      operation,
      tile: records.tile,
      dimensions: [sizeOfTile(records, width)],
    },
    safety: "suggestion",
    operations: 0,
    estimate: null,
  };
}
