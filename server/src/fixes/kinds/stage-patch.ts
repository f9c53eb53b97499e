// Records, pixels and short runs of a row of threads, staged through shared memory: what they have lies behind one another, so that the row copies it
// word by word, whoever it belongs to. For blocks of two dimensions, and wherever the index is a sum of products that says so.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { fileConstant } from "../text/constants.ts";
import { threadAxesOf, typedLocal } from "../text/locals.ts";
import { mentionsOf } from "../text/mentions.ts";
import { type Polynomial, polynomialOf, writtenSum } from "../text/polynomial.ts";
import { asFactor, asSummand } from "../text/spelling.ts";
import { isEarlyReturn, mentionsAny, pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { isThreadNumber } from "../text/thread-index.ts";
import { replaced, type Span, spelled, type TypedTexts, textAt } from "../text/typed-text.ts";
import { elementOf } from "../text/vectors.ts";
import { isConstantParameter, parameterType } from "./element-type.ts";
import { indentAt, indentStep, type KernelText, kernelText, ofKernel } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";
import { closingEdit, openingEdits } from "./stage-opening.ts";
import { stagedOperations } from "./staged-operations.ts";
import { isFixed } from "./thread-role.ts";

/** The array of an access staged for each row of the block: copied there before, and back behind. */
export function stagePatchCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofKernel(kernelText(access, launches, texts), (kernel) => {
    const [block, ...others] = kernel.blocks;
    if (block === undefined || others.length > 0 || block[0] === 1 || block[2] !== 1)
      return refusal(otherThreads);
    const patch = patchOf(access, kernel);
    if (typeof patch === "string") return refusal(patch);
    const operations = stagedOperations(access, kernel);
    if (typeof operations === "string") return refusal(operations);
    const { isLoaded, isStored } = operations;
    const copies = isStored && !isLoaded ? [false, true] : [true];
    const candidates = copies.flatMap((isCopiedIn) => {
      const edits = editsOf(kernel, patch, { isCopiedIn, isStored });
      return edits === null ? [] : [edits];
    });
    if (candidates.length === 0) return refusal("threads leave the kernel at several places");
    return candidatesFound(
      candidates.map((edits) => ({
        kind: "stage-tile",
        edits,
        title: {
          kind: "stage-tile",
          array: patch.array,
          operation: isStored ? (isLoaded ? "access" : "store") : "load",
          tile: patch.tile,
          dimensions: dimensionsOf(patch),
        },
        safety: "suggestion",
        operations: 0,
        estimate: null,
      })),
    );
  });
}

interface Patch {
  readonly array: string;
  readonly type: string;
  readonly tile: string;
  readonly isConstant: boolean;
  /** Elements of a thread. */
  readonly count: number;
  /** What a record is copied by; null for scalars, which are copied as they are. */
  readonly unit: Unit | null;
  /** As the author writes the number of elements. */
  readonly countText: string;
  /** An element that nobody uses behind those of each thread, so that threads do not meet in one bank. */
  readonly isPadded: boolean;
  /** The name of the thread's number along y; null in a block of one row. */
  readonly y: string | null;
  /** What the elements are fewer than, and what bounds the rows. */
  readonly bounds: { readonly element: ElementBound | null; readonly y: Span | null };
  readonly block: readonly [number, number];
  /** The first element of a row of threads, behind what they are before it: `(y * width + first) * 3`. */
  readonly startOf: (first: string) => string;
  readonly accesses: readonly { readonly span: Span; readonly offset: string }[];
}

/** `first + k < n`, or of threads: `first * 3 + k < width * 3`. */
interface ElementBound {
  readonly span: Span;
  readonly counts: "threads" | "elements";
}

interface Unit {
  readonly type: string;
  readonly count: number;
}

const units = [
  { type: "int", bytes: 4 },
  { type: "short", bytes: 2 },
  { type: "char", bytes: 1 },
];
const mostElements = 32;

function patchOf({ target }: AccessProfile, kernel: KernelText): Patch | string {
  const { typed, body, blocks } = kernel;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  const type = target === null ? null : parameterType(typed, body, target.name);
  if (target === null || element === null || bytes === null || type === null) return otherThreads;
  const [width, height] = blocks[0] ?? [0, 0];
  const x = numberAlong(kernel, "x", width);
  const y = height === 1 ? null : numberAlong(kernel, "y", height);
  if (y === null && height !== 1) return otherThreads;
  const isKept = (name: string) => name === x || name === y;
  const accesses: { readonly span: Span; readonly offset: string }[] = [];
  const bases = new Map<string, Polynomial>();
  const counts = new Set<number>();
  for (const { nameToken, subscripts, address } of mentionsOf(typed, {
    name: target.name,
    nameToken: -1,
    scope: body,
  })) {
    const index = subscripts[0];
    const sum = index === undefined || address !== "not-taken" ? null : polynomialOf(typed, index, isKept);
    if (index === undefined || sum === null)
      return `${target.name} is not indexed by sums of products everywhere`;
    const { count, rest } = alongThreads(sum, x, width);
    if (count === 0) return `${target.name} is not indexed by the thread's number along x times a length`;
    const offset = new Map([...rest].filter(([names]) => isOffset(kernel, names)));
    const base = new Map([...rest].filter(([names]) => !isOffset(kernel, names)));
    const words = [...base.keys()].flatMap((names) => names.split("*"));
    if (words.some((word) => word === x || word.startsWith("threadIdx") || word === "blockIdx.x"))
      return `${target.name} is not indexed by the thread's number along x times a length`;
    if (y !== null && !words.includes(y)) return `${target.name} is not indexed by a row of the block`;
    counts.add(count);
    bases.set(writtenSum(base), base);
    accesses.push({ span: { first: nameToken, end: index.end + 1 }, offset: writtenSum(offset) });
  }
  const [count = 0, ...otherCounts] = counts;
  const [base] = bases.values();
  if (base === undefined || bases.size > 1 || otherCounts.length > 0)
    return `the elements of ${target.name} that a thread accesses are not consecutive`;
  const isRecord = element.kind === "record";
  if (isRecord ? count !== 1 : count < 2 || count > mostElements) return otherThreads;
  const alignment = element.kind === "record" ? element.alignmentBytes : 1;
  const unit = units.find((each) => bytes % each.bytes === 0 && alignment % each.bytes === 0);
  const bounds = {
    element: elementBound(kernel, { x, width, count, base, isKept }),
    y: y === null ? null : boundOf(kernel, y),
  };
  const spans = accesses.map(({ span }) => span);
  // A row copied past its end would be read where nothing lies.
  if (bounds.element === null && hangsOn(kernel, spans, "x")) return unknownEnd(target.name);
  if (y !== null && bounds.y === null && hangsOn(kernel, spans, "y")) return unknownEnd(target.name);
  const countText = countNamed(kernel, accesses, count);
  return {
    array: target.name,
    type,
    tile: freshNameIn(typed, body, "tile"),
    isConstant: isConstantParameter(kernel.typed, kernel.body, target.name),
    count,
    countText,
    isPadded: !isRecord && greatestCommonDivisor((bytes * count) / 4, 32) > 2,
    unit: !isRecord || unit === undefined ? null : { type: unit.type, count: bytes / unit.bytes },
    y,
    bounds,
    block: [width, height],
    startOf: (first) => startText(base, { count, countText, first, leading: y }),
    accesses,
  };
}

function unknownEnd(array: string): string {
  return `the end of ${array} is not tested by one comparison of the thread's index, as in if (x < width)`;
}

function greatestCommonDivisor(a: number, b: number): number {
  if (!Number.isInteger(a)) return 1;
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** How often the thread's number along x is in a sum, and what is left of the sum without it; 0 where it is not a multiple. */
function alongThreads(
  sum: Polynomial,
  x: string | null,
  width: number,
): { readonly count: number; readonly rest: Polynomial } {
  const named = x === null ? 0 : (sum.get(x) ?? 0);
  const own = sum.get("threadIdx.x") ?? 0;
  const inBlocks = (sum.get("blockDim.x*blockIdx.x") ?? 0) + (sum.get("blockIdx.x") ?? 0) / width;
  const rest = new Map(sum);
  if (named !== 0 && own === 0 && inBlocks === 0) rest.delete(x ?? "");
  else if (named === 0 && own === inBlocks)
    for (const names of ["threadIdx.x", "blockDim.x*blockIdx.x", "blockIdx.x"]) rest.delete(names);
  else return { count: 0, rest };
  return { count: Math.max(0, named + own), rest };
}

/** The name of the constant that the indices multiply by, else the number. */
function countNamed({ typed }: KernelText, accesses: Patch["accesses"], count: number): string {
  for (const { span } of accesses)
    for (let index = span.first + 1; index < span.end; index++) {
      const name = typed.tokens[index];
      const definition = name?.kind === "identifier" ? fileConstant(typed, name.text) : null;
      if (name !== undefined && definition !== null && spelled(typed, definition).trim() === String(count))
        return name.text;
    }
  return String(count);
}

interface Elements {
  readonly x: string | null;
  readonly width: number;
  readonly count: number;
  readonly base: Polynomial;
  readonly isKept: (name: string) => boolean;
}

/** `x < width`, or `i + 1 < n` where `i` is the thread's first element. */
function elementBound(kernel: KernelText, { x, width, count, base, isKept }: Elements): ElementBound | null {
  const { typed } = kernel;
  const threads = x === null ? null : boundOf(kernel, x);
  if (threads !== null) return { span: threads, counts: "threads" };
  for (const { left, right } of boundsIn(kernel)) {
    const sum = polynomialOf(typed, left, isKept);
    if (sum === null) continue;
    const { count: own, rest } = alongThreads(sum, x, width);
    const others = new Map([...rest].filter(([names]) => names !== ""));
    if (own === count && writtenSum(others) === writtenSum(base)) return { span: right, counts: "elements" };
  }
  return null;
}

/** Conditions that the access hangs on. */
function conditionsOf({ typed, nodes, access }: KernelText): TypedNode[] {
  return [...nodes.filter((node) => isEarlyReturn(typed, node)), ...pathTo(nodes, access.first)];
}

/** The comparisons that let a thread take part: `left < right`. */
function boundsIn(kernel: KernelText): { readonly left: Span; readonly right: Span }[] {
  const { typed } = kernel;
  return conditionsOf(kernel).flatMap((node) => {
    if (node.kind !== "if" || node.otherwise !== null) return [];
    const isReturn = isEarlyReturn(typed, node);
    return partsOf(kernel, node.condition, isReturn ? "||" : "&&").flatMap(({ first, end }) => {
      for (let index = first; index < end; index++) {
        const partner = typed.partners[index] ?? -1;
        if (partner > index) index = partner;
        else if (textAt(typed, index) === (isReturn ? ">=" : "<"))
          return [{ left: { first, end: index }, right: { first: index + 1, end } }];
      }
      return [];
    });
  });
}

/** Whether some access hangs on where its thread stands along an axis. */
export function hangsOn({ typed, nodes }: KernelText, accesses: readonly Span[], axis: "x" | "y"): boolean {
  const hangs = (node: TypedNode) => node.kind === "if" && threadAxesOf(typed, node.condition).has(axis);
  return (
    nodes.some((node) => isEarlyReturn(typed, node) && hangs(node)) ||
    accesses.some(({ first }) => pathTo(nodes, first).some(hangs))
  );
}

function boundOf(kernel: KernelText, name: string): Span | null {
  const { typed } = kernel;
  const found = boundsIn(kernel).find(
    ({ left }) =>
      left.end === left.first + 1 && textAt(typed, left.first) === name && textAt(typed, left.end) !== "<=",
  );
  return found?.right ?? null;
}

function partsOf({ typed }: KernelText, { first, end }: Span, operator: string): Span[] {
  const parts: Span[] = [];
  let start = first;
  for (let index = first; index < end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (textAt(typed, index) === operator) {
      parts.push({ first: start, end: index });
      start = index + 1;
    }
  }
  parts.push({ first: start, end });
  return parts;
}

interface StartNames {
  readonly count: number;
  readonly countText: string;
  readonly first: string;
  readonly leading: string | null;
}

/** `(y * width + first) * 3`: what all is a multiple of stands outside. */
function startText(base: Polynomial, { count, countText, first, leading }: StartNames): string {
  if (count === 1) return writtenSum(new Map([...base, [first, 1]]), leading);
  if ([...base.values()].some((each) => each % count !== 0))
    return `${writtenSum(base, leading)} + ${first} * ${countText}`;
  const inner = new Map([...base].map(([names, each]) => [names, each / count] as const));
  return `${asFactor(writtenSum(new Map([...inner, [first, 1]]), leading))} * ${countText}`;
}

/** Numbers and variables that loops count alone: what a thread adds to where its own elements begin. */
function isOffset({ typed, body }: KernelText, names: string): boolean {
  if (names === "") return true;
  return (typed.byName.get(names) ?? []).some(
    (index) =>
      body.first <= index &&
      index < body.end &&
      textAt(typed, index + 1) === "=" &&
      textAt(typed, index - 2) === "(" &&
      textAt(typed, index - 3) === "for",
  );
}

/** The local that numbers the threads of the grid along an axis. */
function numberAlong({ typed, body }: KernelText, axis: "x" | "y", extent: number): string | null {
  for (const [name, places] of typed.byName) {
    const place = places.find((index) => body.first <= index && index < body.end);
    const local = place === undefined ? null : typedLocal(typed, place);
    if (local !== null && isThreadNumber(typed, local, extent, axis)) return name;
  }
  return null;
}

function dimensionsOf({ block: [width, height], unit, y, ...patch }: Patch): string[] {
  const columns = unit !== null ? String(width) : `${width} * ${lengthOf(patch)}`;
  return y === null ? [columns] : [String(height), columns];
}

/** Of what a thread has in the tile. */
function lengthOf({ countText, isPadded }: Pick<Patch, "countText" | "isPadded">): string {
  if (!isPadded) return countText;
  return /^\d+$/.test(countText) ? String(Number(countText) + 1) : `(${countText} + 1)`;
}

interface Way {
  readonly isCopiedIn: boolean;
  readonly isStored: boolean;
}

/** Null where threads leave in several ways, or what bounds them is not known in front. */
function editsOf(kernel: KernelText, patch: Patch, way: Way): TextEdit[] | null {
  const { typed, nodes, body } = kernel;
  const { tile, type, bounds, y, accesses } = patch;
  const returns = nodes.filter((node): node is TypedNode & { readonly kind: "if" } =>
    isEarlyReturn(typed, node),
  );
  const first = nodes.find(
    (node) =>
      returns.some((each) => each === node) ||
      accesses.some(({ span }) => node.span.first <= span.first && span.first < node.span.end),
  );
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return null;
  const others = nodes.filter((node) => !returns.some((each) => each === node));
  if (others.some((node) => mentionsAny(typed, node.span, new Set(["return"])))) return null;
  const needed = [bounds.element?.span, bounds.y].flatMap((span) => span ?? []);
  if (needed.some((span) => isDeclaredBehind(kernel, span, first.span.first))) return null;
  const indent = indentAt(typed, first.span.first);
  const names = { first: freshNameIn(typed, body, "first"), k: freshNameIn(typed, body, "k") };
  const copy = (direction: "in" | "out") => copyLines(kernel, patch, names, direction);
  const opening = [
    `__shared__ ${type} ${tile}${dimensionsOf(patch)
      .map((each) => `[${each}]`)
      .join("")};`,
    `const int ${names.first} = blockIdx.x * blockDim.x;`,
    ...(way.isCopiedIn ? [...copy("in"), "__syncthreads();"] : []),
  ];
  const isWrapped = way.isStored && returns.length > 0;
  const edits = openingEdits(kernel, {
    lines: opening,
    indent,
    first,
    last,
    returns,
    isWrapped,
    mentions: accesses.map(({ span }) => span.first),
  });
  if (edits === null) return null;
  const own = patch.count === 1 ? "threadIdx.x" : `threadIdx.x * ${lengthOf(patch)}`;
  const row = y === null ? "" : "[threadIdx.y]";
  for (const { span, offset } of accesses) {
    const plus = offset === "0" ? "" : offset.startsWith("-") ? ` - ${offset.slice(1)}` : ` + ${offset}`;
    edits.push(replaced(typed, span, `${tile}${row}[${own}${plus}]`));
  }
  if (way.isStored) {
    const lines = [...(isWrapped ? ["}"] : []), "__syncthreads();", ...copy("out")];
    edits.push(closingEdit(kernel, { lines, indent, last }));
  }
  return edits;
}

function copyLines(
  { typed }: KernelText,
  patch: Patch,
  { first, k }: { readonly first: string; readonly k: string },
  direction: "in" | "out",
): string[] {
  const { array, tile, countText, unit, bounds, y, startOf, isConstant, isPadded } = patch;
  const step = indentStep(typed);
  const perThread = unit === null ? countText : String(unit.count);
  const times = (text: string) => (perThread === "1" ? text : `${text} * ${perThread}`);
  const start = startOf(first);
  const { element } = bounds;
  const limit =
    element === null
      ? ""
      : element.counts === "elements"
        ? ` && ${start} + ${k} < ${asSummand(spelled(typed, element.span))}`
        : ` && ${times(first)} + ${k} < ${times(asFactor(spelled(typed, element.span)))}`;
  const pointer = `reinterpret_cast<${isConstant && direction === "in" ? "const " : ""}${unit?.type} *>`;
  const there = unit === null ? `${array}[${start} + ${k}]` : `${pointer}(${array} + ${start})[${k}]`;
  const row = y === null ? "" : "[threadIdx.y]";
  const place = isPadded ? `${k} / ${countText} * ${lengthOf(patch)} + ${k} % ${countText}` : k;
  const here =
    unit === null ? `${tile}${row}[${place}]` : `reinterpret_cast<${unit.type} *>(${tile}${row})[${k}]`;
  const lines = [
    `for (int ${k} = threadIdx.x; ${k} < ${times("blockDim.x")}${limit}; ${k} += blockDim.x)`,
    `${step}${direction === "in" ? `${here} = ${there}` : `${there} = ${here}`};`,
  ];
  if (bounds.y === null || y === null) return lines;
  return [`if (${y} < ${asSummand(spelled(typed, bounds.y))})`, ...lines.map((line) => step + line)];
}

function isDeclaredBehind({ typed }: KernelText, span: Span, place: number): boolean {
  if (isFixed(typed, span)) return false;
  for (let at = span.first; at < span.end; at++)
    if ((typedLocal(typed, at)?.nameToken ?? -1) > place) return true;
  return false;
}
