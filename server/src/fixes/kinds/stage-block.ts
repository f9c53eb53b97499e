// Records and runs of elements that each thread has to itself, staged through shared memory: a block's records lie behind one another, so that its
// threads copy them word by word, whoever they belong to.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { parametersIn, valueIn } from "../text/constants.ts";
import { typedLocal } from "../text/locals.ts";
import { mentionsOf } from "../text/mentions.ts";
import { summandsOf } from "../text/products.ts";
import { asFactor } from "../text/spelling.ts";
import { isEarlyReturn, mentionsAny, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { type ThreadNumber, threadNumberIn } from "../text/thread-index.ts";
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
import { callingKernelText, indentAt, indentStep, type KernelText, ofRow } from "./kernel-text.ts";
import { extentNames, otherThreads } from "./launch-shape.ts";
import { closingEdit, openingEdits } from "./stage-opening.ts";
import { hangsOn } from "./stage-patch.ts";
import { stagedOperations } from "./staged-operations.ts";

/** The array of an access staged for the whole block, where each thread has a record or a few elements: copied there before, and back behind. */
export function stageBlockCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return stagedWhole(access, launches, texts, "few");
}

/** The same where each thread has as many elements as fit: more shared memory than a loop that is staged step by step takes. */
export function stagePartCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return stagedWhole(access, launches, texts, "many");
}

type Length = "few" | "many";

function stagedWhole(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
  length: Length,
): Candidates {
  return ofRow(callingKernelText(access, launches, texts), (kernel, threads) => {
    const operations = stagedOperations(access, kernel);
    if (typeof operations === "string") return refusal(operations);
    const { isLoaded, isStored } = operations;
    const records = recordsOf(access, kernel, { width: threads, length, isStored });
    if (typeof records === "string") return refusal(records);
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
          "the end of the array is not tested by one comparison of the thread's index, or threads leave at several places",
        );
  });
}

interface Records {
  readonly array: string;
  readonly tile: string;
  readonly type: string;
  /** Elements of a thread, as typed; null for one record. */
  readonly count: string | null;
  /** Of a thread in the tile, where they are numbered. */
  readonly pitch: string;
  /** Words of a record; null for scalars. */
  readonly words: number | null;
  /** Each thread's part is followed by an element, or a word, that nobody uses, so that threads do not meet in one bank. */
  readonly isPadded: boolean;
  /** Where the elements of a thread are written in the indices as a number. */
  readonly counts: readonly Span[];
  /** Where the thread's number is written times something else. */
  readonly products: readonly Span[];
  /** Before the thread's number: `(size_t)`. */
  readonly cast: string;
  /** Parameters that say how many elements a thread has. */
  readonly keptArguments: readonly string[];
  /** Indices of the array, the thread's number in them. */
  readonly indices: readonly Span[];
  readonly mentions: readonly number[];
  readonly number: ThreadNumber;
}

interface Wanted {
  readonly width: number;
  readonly length: Length;
  readonly isStored: boolean;
}

function recordsOf(
  { target }: AccessProfile,
  kernel: KernelText,
  { width, length, isStored }: Wanted,
): Records | string {
  const { typed, body } = kernel;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  const type = target === null ? null : parameterType(typed, body, target.name);
  if (target === null || element === null || bytes === null || type === null) return otherThreads;
  const isRecord = element.kind === "record";
  const mentions = mentionsOf(typed, { name: target.name, nameToken: -1, scope: body });
  const counts = new Map<string, Count>();
  const all: Count[] = [];
  const numbers = new Map<string, ThreadNumber>();
  const indices: Span[] = [];
  const staged: number[] = [];
  const isAccess = (at: number) => kernel.access.first <= at && at < kernel.access.end;
  for (const { subscripts, nameToken } of mentions) {
    const index =
      subscripts[0] ?? (textAt(typed, nameToken + 1) === "+" ? operandBehind(typed, nameToken + 2) : null);
    const number = index === null ? null : threadNumberIn(typed, index, width);
    // What nothing stores to may be read in its place as well.
    if ((index === null || number === null) && !isStored && !isAccess(nameToken)) continue;
    if (index === null || number === null)
      return `${target.name} is not indexed by the thread's number everywhere`;
    const count = countIn(kernel, index, number.name, isRecord);
    if (count === null && !isStored && !isAccess(nameToken)) continue;
    if (count === null)
      return `${target.name} is not indexed by the thread's number times a length everywhere`;
    counts.set(count.text, count);
    all.push(count);
    numbers.set(number.name, number);
    indices.push(index);
    staged.push(nameToken);
  }
  const [count, ...otherCounts] = counts.values();
  const [number, ...otherNumbers] = numbers.values();
  if (count === undefined || number === undefined || otherCounts.length + otherNumbers.length > 0)
    return `${target.name} is indexed in several ways`;
  const { value } = count;
  const isNumber = /^\d+$/.test(count.text);
  if (length === "few" && (!isNumber || value > mostOfFew)) return otherThreads;
  const words = (bytes * value) / wordBytes;
  if (isRecord && !Number.isInteger(words))
    return `a record of ${target.name} is not a whole number of words`;
  if (!isRecord && value < 2) return otherThreads;
  const isPadded = (Number.isInteger(words) ? greatestCommonDivisor(words, 32) : 1) > mostWay;
  if (length === "many" && width * (value + (isPadded ? 1 : 0)) * bytes > mostTileBytes)
    return `what a block's threads have of ${target.name} does not fit into the 48 KB of shared memory that it may declare`;
  const longer = isNumber || count.parameters.length > 0 ? String(value + 1) : `(${count.text} + 1)`;
  const same = count.parameters.length > 0 ? String(value) : asFactor(count.text);
  return {
    array: target.name,
    tile: freshNameIn(typed, body, "tile"),
    type,
    count: isRecord ? null : count.text,
    pitch: isPadded ? longer : same,
    words: isRecord ? words : null,
    isPadded,
    counts: all.flatMap(({ span }) => span ?? []),
    products: all.flatMap(({ product }) => product ?? []),
    cast: count.cast,
    keptArguments: count.parameters,
    indices,
    mentions: staged,
    number,
  };
}

const mostTileBytes = 48 * 1024;
const mostOfFew = 64;
const wordBytes = 4;
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

interface Count {
  readonly text: string;
  readonly value: number;
  /** The number, where the product is of it and the thread's number alone. */
  readonly span: Span | null;
  /** The product, where it is of more. */
  readonly product: Span | null;
  readonly cast: string;
  readonly parameters: readonly string[];
}

/** What the thread's number is multiplied by, the same in all launches; 1 for a record; null where that cannot be told. */
function countIn(
  { typed, launches }: KernelText,
  index: Span,
  number: string,
  isRecord: boolean,
): Count | null {
  const one = { text: "1", value: 1, span: null, product: null, cast: "", parameters: [] };
  if (isRecord) return spelled(typed, index).trim() === number ? one : null;
  const isNumber = ({ text }: { readonly text: string }) => text.replace(castBefore, "") === number;
  const own = (summandsOf(typed, index) ?? []).filter(({ factors }) => factors.some(isNumber));
  const [only, ...others] = own;
  const [launched] = launches;
  if (only === undefined || others.length > 0 || launched === undefined) return null;
  const lengths = only.factors.filter((factor) => !isNumber(factor));
  const [length, ...more] = lengths;
  const first = only.factors[0]?.span.first ?? 0;
  const end = only.factors.at(-1)?.span.end ?? first;
  if (length === undefined || only.factors.length !== lengths.length + 1) return null;
  const cast = castBefore.exec(only.factors.find(isNumber)?.text ?? "")?.[0] ?? "";
  if (more.length === 0 && cast === "" && /^\d+$/.test(length.text))
    return { ...one, text: length.text, value: Number(length.text), span: length.span };
  const values = launches.map((each) => productOf(lengths.map(({ span }) => valueIn(typed, span, each))));
  const [value, ...otherValues] = new Set(values);
  if (value === undefined || value === null || otherValues.length > 0) return null;
  return {
    text: lengths.map(({ span }) => spelled(typed, span).trim()).join(" * "),
    value,
    span: null,
    product: { first, end },
    cast,
    parameters: lengths.flatMap(({ span }) => parametersIn(typed, span, launched)),
  };
}

const castBefore = /^\((?:std::)?(?:size_t|int|unsigned|long|long long|int64_t|uint64_t)\)\s*/;

function productOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (product, value) => (product === null || value === null ? null : product * value),
    1,
  );
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
  const bound = boundOf(typed, nodes, number.name);
  if (bound !== null && isDeclaredBehind(typed, bound, first.span.first)) return null;
  if (isDeclaredBehind(typed, number.span, first.span.first)) return null;
  // A block's part copied past its end would be read where nothing lies.
  const spans = records.mentions.map((at) => ({ first: at, end: at + 1 }));
  if (bound === null && hangsOn(kernel, spans, "x")) return null;
  const indent = indentAt(typed, first.span.first);
  const names = { first: freshNameIn(typed, body, "first"), k: freshNameIn(typed, body, "k") };
  const perThread = words === null ? asFactor(count ?? "1") : freshNameIn(typed, body, "words");
  const firstElement = `${records.cast}${names.first} * ${perThread}`;
  const limit =
    bound === null
      ? ""
      : ` && ${firstElement} + ${names.k} < ${records.cast}${asFactor(spelled(typed, bound))} * ${perThread}`;
  const header = `for (int ${names.k} = threadIdx.x; ${names.k} < blockDim.x * ${perThread}${limit}; ${names.k} += blockDim.x)`;
  const tileWord = wordOf(records, names.k, perThread);
  const { isPadded } = records;
  const padded = freshNameIn(typed, body, "Padded");
  const from =
    words === null
      ? `${array}[${firstElement} + ${names.k}]`
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
    `const ${number.type} ${names.first} = ${number.first};`,
    ...(way.isCopiedIn ? [header, `${step}${tileWord} = ${from};`, "__syncthreads();"] : []),
  ];
  const isWrapped = way.isStored && returns.length > 0;
  const edits = openingEdits(kernel, {
    lines: opening,
    indent,
    first,
    last,
    returns,
    isWrapped,
    mentions: records.mentions,
  });
  if (edits === null) return null;
  for (const mention of records.mentions) edits.push(edit(typed, { first: mention, end: mention + 1 }, tile));
  for (const product of records.products) edits.push(edit(typed, product, `threadIdx.x * ${records.pitch}`));
  const isInProduct = (at: number) => records.products.some(({ first, end }) => first <= at && at < end);
  for (const index of records.indices) {
    const isNumber = spelled(typed, index).trim() === number.name;
    if (isNumber) edits.push(edit(typed, index, "threadIdx.x"));
    for (let at = index.first; !isNumber && at < index.end; at++)
      if (textAt(typed, at) === number.name && !isInProduct(at))
        edits.push(edit(typed, { first: at, end: at + 1 }, "threadIdx.x"));
  }
  if (isPadded && words === null)
    for (const span of records.counts) edits.push(edit(typed, span, records.pitch));
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

function sizeOfTile({ words, pitch }: Records, width: string): string {
  return words === null ? `${width} * ${pitch}` : width;
}

/** A word of the tile, or an element where it holds scalars. */
function wordOf({ tile, words, pitch, isPadded }: Records, k: string, perThread: string): string {
  if (words === null)
    return isPadded ? `${tile}[${k} / ${perThread} * ${pitch} + ${k} % ${perThread}]` : `${tile}[${k}]`;
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
    keptArguments: records.keptArguments,
  };
}
