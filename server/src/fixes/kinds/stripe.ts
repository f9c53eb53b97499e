// A run of elements for each thread becomes every so many-th element of the block's run: neighbouring threads take neighbouring elements in each
// step of the loop, and the block takes what it took.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { isInAnyOrder } from "../text/carried.ts";
import { namesIn, type TypedLocal, typedLocal } from "../text/locals.ts";
import { summandsOf } from "../text/products.ts";
import { asFactor } from "../text/spelling.ts";
import { pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { isThreadNumber } from "../text/thread-index.ts";
import {
  offsetsOf,
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
} from "../text/typed-text.ts";
import { indentAt, type KernelText, kernelText, ofRow } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";
import { type LoopParts, loopParts } from "./thread-role.ts";

/** The loop around the access with the block's elements dealt out in turn. */
export function stripeCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofRow(kernelText(access, launches, texts), (kernel, width) => {
    const path = pathTo(kernel.nodes, kernel.access.first);
    const place = path.findLastIndex(({ kind }) => kind === "loop");
    const loop = path[place];
    const run = loop?.kind === "loop" ? runOf(kernel, loop, width) : null;
    if (run === null) return refusal(otherThreads);
    if (!isInAnyOrder(kernel.typed, run.loop.body.span)) return refusal(inThisOrder);
    // A start that is not declared yet stands in front of the loop.
    const isInBraces = path[place - 1] === undefined || path[place - 1]?.kind === "block";
    const edits = run.first === null && !isInBraces ? null : editsOf(kernel, run);
    if (edits === null) return refusal(otherThreads);
    return candidatesFound([
      {
        kind: "stripe",
        edits,
        title: { kind: "stripe", array: access.target?.name ?? "" },
        safety: "suggestion",
        operations: 0,
        estimate: null,
      },
    ]);
  });
}

/** A refusal. */
const inThisOrder = "each iteration of the loop needs what the one before it found";

type Loop = TypedNode & { readonly kind: "loop" };

/** `first = number * length`, and the loop over the elements from there. */
interface Run {
  /** Null where the product is written in the indices. */
  readonly first: TypedLocal | null;
  /** In the indices. */
  readonly products: readonly Span[];
  /** The local that numbers the threads; null where they are numbered in place. */
  readonly number: TypedLocal | null;
  /** Blocks before this one, as a factor; null where there is one block. */
  readonly blocks: string | null;
  readonly length: string;
  readonly loop: Loop;
  readonly variable: string;
  /** `++i`, where the loop's variable is the element; null where it counts from 0 and is added to `first`. */
  readonly step: Span | null;
}

function runOf({ typed, launches }: KernelText, loop: Loop, width: number): Run | null {
  const header = { first: loop.span.first, end: loop.body.span.first };
  const opened = headOf(typed, loop);
  if (opened === null) return null;
  const { variable, start, condition, step } = opened;
  if (spelled(typed, step).replaceAll(variable, "").trim() !== "++") return null;
  const grid = launches.every(({ launch }) => launch.grid[0] === 1) ? "one block" : "any";
  const shape: LaunchShape = { width, grid };
  const own = start.end === start.first + 1 ? typedLocal(typed, start.first) : null;
  const chunk = own === null ? null : chunkIn(typed, own.initializer, shape);
  if (own !== null && chunk !== null) return { first: own, products: [], ...chunk, loop, variable, step };
  if (spelled(typed, start) !== "0") return null;
  const parts = loopParts(typed, header);
  if (parts === null || condition.end - condition.first < 3) return null;
  for (const index of namesIn(typed, loop.body.span)) {
    const local = typedLocal(typed, index);
    const found = local === null ? null : chunkIn(typed, local.initializer, shape);
    if (local !== null && found !== null && sameText(found.length, spelled(typed, parts.bound)))
      return { first: local, products: [], ...found, loop, variable, step: null };
  }
  const products = productsIn(typed, loop.body.span, parts, shape);
  const [product] = products;
  return product === undefined
    ? null
    : {
        first: null,
        products: products.map(({ span }) => span),
        ...product.chunk,
        loop,
        variable,
        step: null,
      };
}

interface LaunchShape {
  /** Threads of a block. */
  readonly width: number;
  readonly grid: "one block" | "any";
}

interface Chunk {
  readonly number: TypedLocal | null;
  readonly blocks: string | null;
  readonly length: string;
}

/** Every `number * length + variable`. */
function productsIn(
  typed: TypedText,
  body: Span,
  { variable, bound }: LoopParts,
  shape: LaunchShape,
): { readonly span: Span; readonly chunk: Chunk }[] {
  const found: { readonly span: Span; readonly chunk: Chunk }[] = [];
  for (let end = body.first; end < body.end; end++) {
    if (textAt(typed, end) !== "+" || textAt(typed, end + 1) !== variable) continue;
    for (let first = end - 1; first > end - mostTokens && first > body.first; first--) {
      if (!["[", "(", "+", "="].includes(textAt(typed, first - 1))) continue;
      const chunk = chunkIn(typed, { first, end }, shape);
      if (chunk === null || !sameText(chunk.length, spelled(typed, bound))) continue;
      found.push({ span: { first, end }, chunk });
      break;
    }
  }
  return found;
}

interface LoopHead {
  readonly variable: string;
  readonly start: Span;
  readonly condition: Span;
  readonly step: Span;
}

/** `for (int i = start; condition; step)`. */
function headOf(typed: TypedText, { word, head }: Loop): LoopHead | null {
  if (word !== "for") return null;
  const ends: number[] = [];
  for (let index = head.first; index < head.end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (textAt(typed, index) === ";") ends.push(index);
  }
  const [first, second, ...others] = ends;
  if (first === undefined || second === undefined || others.length > 0) return null;
  const assigned = Array.from({ length: first - head.first }, (_, at) => head.first + at).filter(
    (index) => textAt(typed, index) === "=",
  );
  const [equals, ...more] = assigned;
  if (equals === undefined || more.length > 0) return null;
  return {
    variable: textAt(typed, equals - 1),
    start: { first: equals + 1, end: first },
    condition: { first: first + 1, end: second },
    step: { first: second + 1, end: head.end },
  };
}

/** `number * length` of the thread's number; null where a span is something else. */
function chunkIn(typed: TypedText, whole: Span, { width, grid }: LaunchShape): Chunk | null {
  const [only, ...others] = summandsOf(typed, whole) ?? [];
  if (only === undefined || others.length > 0 || only.factors.length !== 2) return null;
  for (const [at, { span, text }] of only.factors.entries()) {
    const length = only.factors[1 - at]?.text ?? "";
    if (text === "threadIdx.x") return grid === "one block" ? { number: null, blocks: null, length } : null;
    const local = span.end === span.first + 1 ? typedLocal(typed, span.first) : null;
    if (local !== null && spelled(typed, local.initializer) === "threadIdx.x")
      return grid === "one block" ? { number: local, blocks: null, length } : null;
    const inner = textAt(typed, span.first) === "(" ? { first: span.first + 1, end: span.end - 1 } : span;
    const asLocal = { name: "", nameToken: -1, type: "", initializer: inner };
    if (isThreadNumber(typed, local ?? asLocal, width))
      return { number: local, blocks: "blockIdx.x", length };
  }
  return null;
}

function sameText(a: string, b: string): boolean {
  return a.replaceAll(/\s/g, "") === b.replaceAll(/\s/g, "");
}

/** Null where the run's start is used for something else. */
function editsOf({ typed, body }: KernelText, run: Run): TextEdit[] | null {
  const { first, products, number, blocks, length, loop, variable, step } = run;
  const size = `blockDim.x * ${asFactor(length)}`;
  const start = blocks === null ? "threadIdx.x" : `${blocks} * ${size} + threadIdx.x`;
  const end = blocks === null ? size : `(${blocks} + 1) * ${size}`;
  const unused =
    number === null ? [] : unusedLocal(typed, body, number, first === null ? products : [first.initializer]);
  if (first === null) {
    const name = freshNameIn(typed, body, "first");
    const [place] = offsetsOf(typed, loop.span);
    const declaration = `const ${number?.type ?? "int"} ${name} = ${start};\n${indentAt(typed, loop.span.first)}`;
    return [
      { file: typed.file, start: place, end: place, newText: declaration },
      ...unused,
      ...products.flatMap((span) => [
        replaced(typed, span, name),
        replaced(typed, { first: span.end + 1, end: span.end + 2 }, `${variable} * blockDim.x`),
      ]),
    ];
  }
  const edits = [...unused, replaced(typed, first.initializer, start)];
  if (step !== null) edits.push(replaced(typed, step, `${variable} += blockDim.x`));
  const mentions = (typed.byName.get(first.name) ?? []).filter(
    (index) => body.first <= index && index < body.end && index !== first.nameToken,
  );
  for (const index of mentions) {
    const isStart =
      step !== null && loop.head.first <= index && index < step.first && textAt(typed, index - 1) === "=";
    if (isStart) continue;
    const sum = { first: index, end: index + 3 };
    if (textAt(typed, index + 1) !== "+") return null;
    if (step === null) {
      const isIndex =
        loop.body.span.first <= index &&
        index < loop.body.span.end &&
        textAt(typed, index + 2) === variable &&
        !["*", "/", "%", "[", "."].includes(textAt(typed, index + 3));
      if (!isIndex) return null;
      edits.push(replaced(typed, { first: index + 2, end: index + 3 }, `${variable} * blockDim.x`));
    } else {
      const tokens = lengthTokens(typed, index + 2, length);
      if (tokens === null || !isWholeSum(typed, { first: index, end: tokens })) return null;
      edits.push(replaced(typed, { ...sum, end: tokens }, end));
    }
  }
  return edits;
}

/** Whether a sum is no part of another: elements that several threads take part in stay theirs. */
function isWholeSum(typed: TypedText, { first, end }: Span): boolean {
  const arithmetic = ["+", "-", "*", "/", "%"];
  return !arithmetic.includes(textAt(typed, first - 1)) && !arithmetic.includes(textAt(typed, end));
}

/** The token behind `length` where it stands at a token; null where something else does. */
function lengthTokens(typed: TypedText, index: number, length: string): number | null {
  for (let end = index + 1; end <= index + mostTokens; end++) {
    const text = spelled(typed, { first: index, end });
    if (sameText(text, length) || sameText(text, `(${length})`)) return end;
  }
  return null;
}

const mostTokens = 8;

/** The edit that takes a local out which nothing but some spans mentions, with its line. */
function unusedLocal(
  typed: TypedText,
  body: Span,
  { name, nameToken, initializer }: TypedLocal,
  spans: readonly Span[],
): TextEdit[] {
  const mentions = (typed.byName.get(name) ?? []).filter(
    (index) => body.first <= index && index < body.end && index !== nameToken,
  );
  if (!mentions.every((index) => spans.some(({ first, end }) => first <= index && index < end))) return [];
  const { file, text, tokens } = typed;
  let first = nameToken;
  while (![";", "{", "}"].includes(textAt(typed, first - 1))) first--;
  const isAlone =
    textAt(typed, initializer.end) === ";" && !spelled(typed, { first, end: nameToken }).includes(",");
  const start = text.lastIndexOf("\n", tokens[first]?.start ?? 0) + 1;
  const end = text.indexOf("\n", tokens[initializer.end]?.end ?? 0) + 1;
  const before = text.slice(start, tokens[first]?.start ?? 0);
  const after = text.slice(tokens[initializer.end]?.end ?? 0, end);
  return isAlone && before.trim() === "" && after.trim() === "" ? [{ file, start, end, newText: "" }] : [];
}
