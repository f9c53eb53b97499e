// Copies between an array of global memory and one of shared memory in which each thread moves a record, or a run of elements, of its own:
// `tile[threadIdx.x] = bodies[first + threadIdx.x]`. What a block moves lies in one piece on both sides, so that neighbouring threads may move
// neighbouring words of it.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { fileConstant } from "../text/constants.ts";
import { type Polynomial, polynomialOf, writtenSum } from "../text/polynomial.ts";
import { asFactor } from "../text/spelling.ts";
import { pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { replaced, type Span, spelled, type TypedText, type TypedTexts, textAt } from "../text/typed-text.ts";
import { elementOf } from "../text/vectors.ts";
import { isConstantParameter, parameterType } from "./element-type.ts";
import { indentAt, indentStep, type KernelText, kernelText, ofRow } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";

/** The statements around the access that copy a thread's run, as a loop in which the block's threads take words in turn. */
export function copyRunsCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofRow(kernelText(access, launches, texts), (kernel) => {
    const copied = copiedOf(access, kernel);
    const edits = copied === null ? null : editsOf(kernel, copied);
    if (copied === null || edits === null) return refusal(otherThreads);
    return candidatesFound([
      {
        kind: "stripe",
        edits,
        title: { kind: "stripe", array: copied.array },
        safety: "suggestion",
        operations: 0,
        estimate: null,
      },
    ]);
  });
}

/** `to[…] = from[…];` with both indices multiplied out. */
interface Copy {
  readonly statement: Span;
  readonly to: Element;
  readonly from: Element;
}

interface Element {
  readonly name: string;
  readonly index: Polynomial;
  /** The same with the names of numbers in it. */
  readonly written: Polynomial;
}

interface Copied {
  readonly array: string;
  /** Of a record, what it is called; null for scalars. */
  readonly record: string | null;
  /** Elements of a thread, or words of its record. */
  readonly count: number;
  readonly copies: readonly Copy[];
  /** What the statements stand in: a block of nothing else, or the statement itself. */
  readonly place: TypedNode;
  readonly guard: (TypedNode & { readonly kind: "if" }) | null;
}

const thread = "threadIdx.x";
const wordBytes = 4;

function copiedOf({ target }: AccessProfile, kernel: KernelText): Copied | null {
  const { typed, body, nodes } = kernel;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  const type = target === null ? null : parameterType(typed, body, target.name);
  if (target === null || element === null || bytes === null || type === null) return null;
  const path = pathTo(nodes, kernel.access.first);
  const statement = path.at(-1);
  const own = statement === undefined ? null : copyAt(typed, statement, target.name);
  if (statement === undefined || own === null) return null;
  const shared = own.to.name === target.name ? own.from.name : own.to.name;
  if (!isSharedOf(typed, body, shared, type)) return null;
  const isRecord = element.kind === "record";
  const perThread = own.to.index.get(thread) ?? 0;
  if (isRecord ? perThread !== 1 || bytes % wordBytes !== 0 : perThread < 2) return null;
  const parent = path.at(-2);
  const siblings = parent?.kind === "block" ? parent.body : [statement];
  const copies = siblings
    .flatMap((node) => copyAt(typed, node, target.name) ?? [])
    .filter(({ to, from }) => to.name === own.to.name && from.name === own.from.name);
  if (!isWholeRun(copies, isRecord ? 1 : perThread)) return null;
  const isAlone = parent?.kind === "block" && parent.body.length === copies.length;
  const place = isAlone ? parent : statement;
  const around = path[path.indexOf(place) - 1];
  return {
    array: target.name,
    record: isRecord ? type : null,
    count: isRecord ? bytes / wordBytes : perThread,
    copies,
    place,
    guard: around?.kind === "if" && around.otherwise === null && around.then === place ? around : null,
  };
}

/** Null for every other statement, and for one that does not go by elements of both arrays with the thread's number times one length. */
function copyAt(typed: TypedText, { kind, span }: TypedNode, array: string): Copy | null {
  const opener = span.first + 1;
  const closer = typed.partners[opener] ?? -1;
  const other = closer + 2;
  const otherCloser = typed.partners[other + 1] ?? -1;
  const isCopy =
    kind === "plain" &&
    textAt(typed, opener) === "[" &&
    textAt(typed, closer + 1) === "=" &&
    typed.tokens[other]?.kind === "identifier" &&
    textAt(typed, other + 1) === "[" &&
    textAt(typed, otherCloser + 1) === ";" &&
    otherCloser + 2 === span.end;
  if (!isCopy || (textAt(typed, span.first) !== array) === (textAt(typed, other) !== array)) return null;
  const elementOfSpan = (name: number, index: Span): Element | null => {
    const sum = polynomialOf(typed, index, () => false);
    const written = polynomialOf(typed, index, (each) => fileConstant(typed, each) !== null);
    return sum === null || written === null ? null : { name: textAt(typed, name), index: sum, written };
  };
  const to = elementOfSpan(span.first, { first: opener + 1, end: closer });
  const from = elementOfSpan(other, { first: other + 2, end: otherCloser });
  if (to === null || from === null || to.index.get(thread) !== from.index.get(thread)) return null;
  return { statement: span, to, from };
}

/** Declared in the body as `__shared__ T name[…];`. */
function isSharedOf(typed: TypedText, body: Span, name: string, type: string): boolean {
  return (typed.byName.get(name) ?? []).some((at) => {
    if (at <= body.first || at >= body.end || textAt(typed, at + 1) !== "[") return false;
    let first = at;
    while (first > body.first && ![";", "{", "}"].includes(textAt(typed, first - 1))) first--;
    const words = spelled(typed, { first, end: at }).trim();
    return words.startsWith("__shared__ ") && (words.endsWith(` ${type}`) || words.endsWith(` ${type} `));
  });
}

/** Each element of a thread's run once, in the same place of both arrays. */
function isWholeRun(copies: readonly Copy[], count: number): boolean {
  const [first] = copies;
  if (first === undefined || copies.length !== count) return false;
  const distances = copies.map(({ to, from }) => [
    distance(first.to.index, to.index),
    distance(first.from.index, from.index),
  ]);
  const places = distances.flatMap(([one = null, two = null]) => (one === null || one !== two ? [] : [one]));
  const least = Math.min(...places);
  return (
    new Set(places.map((place) => place - least)).size === count && Math.max(...places) - least === count - 1
  );
}

/** By how much one index is beyond another; null where that is no number. */
function distance(from: Polynomial, to: Polynomial): number | null {
  const names = new Set([...from.keys(), ...to.keys()]);
  names.delete("");
  const isSame = [...names].every((each) => from.get(each) === to.get(each));
  return isSame ? (to.get("") ?? 0) - (from.get("") ?? 0) : null;
}

function editsOf(
  kernel: KernelText,
  { array, record, count, copies, place, guard }: Copied,
): TextEdit[] | null {
  const { typed, body } = kernel;
  const [first] = copies.toSorted((a, b) => (a.to.index.get("") ?? 0) - (b.to.index.get("") ?? 0));
  if (first === undefined) return null;
  const k = freshNameIn(typed, body, "k");
  const limit = guard === null ? "" : limitOf(typed, guard.condition, k, count);
  if (limit === null) return null;
  const base = ({ written }: Element) => writtenSum(withoutThread(written));
  const words = (element: Element) => {
    const start = base(element);
    if (record === null) return `${element.name}[${start === "0" ? "" : `${start} + `}${k}]`;
    const isRead = element === first.from;
    const isConstant =
      isRead && (element.name !== array || isConstantParameter(kernel.typed, kernel.body, array));
    const from = start === "0" ? element.name : `${element.name} + ${start}`;
    return `reinterpret_cast<${isConstant ? "const " : ""}int *>(${from})[${k}]`;
  };
  const replacedPlace = (guard ?? place).span;
  const indent = indentAt(typed, replacedPlace.first);
  const loop = [
    `for (int ${k} = ${thread}; ${k} < blockDim.x * ${count}${limit}; ${k} += blockDim.x)`,
    `${indent}${indentStep(typed)}${words(first.to)} = ${words(first.from)};`,
  ].join("\n");
  const isTogether = guard !== null || place.kind === "block" || copies.length === 1;
  if (isTogether && place.kind !== "block") return [replaced(typed, replacedPlace, loop)];
  if (guard !== null) return [replaced(typed, guard.span, loop)];
  const [one, ...others] = copies.map(({ statement }) => statement);
  if (one === undefined) return null;
  return [replaced(typed, one, loop), ...others.map((span) => replaced(typed, span, ""))];
}

/** `i < n` as a condition of the words: ` && first * 7 + k < n * 7`; empty where all threads or none go there; null where it is another condition. */
function limitOf(typed: TypedText, { first, end }: Span, k: string, count: number): string | null {
  let operator = first;
  while (operator < end && textAt(typed, operator) !== "<") operator++;
  const number = operator < end ? polynomialOf(typed, { first, end: operator }, () => false) : null;
  const bound = { first: operator + 1, end };
  if (number?.get(thread) !== 1 || /[<>=&|?]/.test(spelled(typed, bound))) return null;
  const written = polynomialOf(typed, { first, end: operator }, (each) => fileConstant(typed, each) !== null);
  const start = writtenSum(withoutThread(written ?? number));
  const times = (text: string) => `${asFactor(text)} * ${count}`;
  const place = start === "0" ? k : `${times(start)} + ${k}`;
  return ` && ${place} < ${times(spelled(typed, bound).trim())}`;
}

function withoutThread(sum: Polynomial): Polynomial {
  return new Map([...sum].filter(([names]) => !names.split("*").includes(thread)));
}
