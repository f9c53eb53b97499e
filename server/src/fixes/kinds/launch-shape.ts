// Another block shape at the launch, of as many threads, that lowers the sectors of a kernel's global accesses.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { callAt, functionAround } from "../text/calls.ts";
import { definitionOf } from "../text/constants.ts";
import { traceValue, type WrittenValue } from "../text/trace-constant.ts";
import {
  argumentsIn,
  bodyAround,
  offsetsOf,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "../text/typed-text.ts";
import { ownLaunchCandidate } from "./own-launch.ts";

/** What is said where no kind of fix says more. */
export const otherThreads = "which thread touches what would have to change";

/**
 * Every other two-dimensional shape of as many threads, where both extents of the launch's block are written in the text; of accesses that go
 * along rows, wider ones alone.
 */
export function launchShapeCandidates(
  launched: LaunchedKernel,
  texts: TypedTexts,
  lie: "along rows" | "otherwise",
): Candidates {
  const { launch } = launched;
  const [x, y, z] = launch.block;
  const [site] = launch.origin.path;
  if (launch.origin.kind !== "launch" || site === undefined)
    return refusal("the launch that decides the block is not in the text");
  if (z !== 1 || y === 1) return refusal(otherThreads);
  const extents = writtenExtents(launch, texts);
  // Columns of threads become rows of them.
  const widths = x === 1 || lie === "along rows" ? [32, 16, 8] : [8, 4, 32, 16];
  const shapes = shapesOf(x * y, widths).filter(([columns]) =>
    lie === "along rows" ? columns > x : columns !== x,
  );
  // Where both extents are constants with names, what else hangs on them follows if the definitions change.
  const written = extents === null ? null : (definedExtents(extents) ?? extents);
  const everywhere = written === null ? [] : shapes.map((shape) => candidateOf(written, shape));
  const alone = shapes.flatMap((shape) => ownLaunchCandidate(launched, shape, texts) ?? []);
  const candidates = [...everywhere, ...alone];
  return candidates.length > 0
    ? candidatesFound(candidates)
    : refusal("the block's extents are not written where the launch takes them from");
}

/** Shapes worth trying, those first that leave neighbouring lanes in both directions. */
function shapesOf(threads: number, widths: readonly number[]): (readonly [number, number])[] {
  return widths
    .filter((columns) => threads % columns === 0 && threads / columns > 1)
    .map((columns) => [columns, threads / columns] as const);
}

interface WrittenExtents {
  readonly x: WrittenValue;
  readonly y: WrittenValue;
}

/** The outermost places where the two extents are written, apart from each other. */
function writtenExtents(
  { origin: { path } }: LaunchedKernel["launch"],
  texts: TypedTexts,
): WrittenExtents | null {
  const [site] = path;
  const typed = site === undefined ? null : texts(site.file);
  if (site === undefined || typed === null) return null;
  const block = callAt(typed, tokenFrom(typed, site.start))?.configuration[1];
  const extents = block === undefined ? null : extentsOf(typed, block);
  if (extents === null) return null;
  const xs = traceValue(texts, path, { typed, span: extents[0] });
  const ys = traceValue(texts, path, { typed, span: extents[1] });
  for (let level = Math.min(xs.length, ys.length) - 1; level >= 0; level--) {
    const x = xs[level];
    const y = ys[level];
    if (x !== undefined && y !== undefined && isNumberOrConstant(x) && isNumberOrConstant(y)) {
      const isSame = x.typed === y.typed && x.span.first === y.span.first;
      if (!isSame) return { x, y };
    }
  }
  return null;
}

/** The constants of the file that all launches take their extents from, if they are declared before a token; null where they are not. */
export function extentNames(
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
  before: number,
): { readonly x: string | null; readonly y: string | null } {
  const names = { x: new Set<string | null>(), y: new Set<string | null>() };
  for (const { launch } of launches) {
    const extents = writtenExtents(launch, texts);
    names.x.add(extents === null ? null : constantName(extents.x, before));
    names.y.add(extents === null ? null : constantName(extents.y, before));
  }
  const only = (each: ReadonlySet<string | null>) => (each.size === 1 ? ([...each][0] ?? null) : null);
  return { x: only(names.x), y: only(names.y) };
}

function constantName({ typed, span, isLiteral }: WrittenValue, before: number): string | null {
  if (isLiteral || span.end !== span.first + 1) return null;
  const name = textAt(typed, span.first);
  const definition = definitionOf(typed, name);
  return definition !== null && definition.end <= before && bodyAround(typed, definition.first) === null
    ? name
    : null;
}

/** The definitions of two constants that are numbers; null where an extent is none, or both are one. */
function definedExtents({ x, y }: WrittenExtents): WrittenExtents | null {
  const [columns, rows] = [x, y].map(definitionOfValue);
  if (!columns || !rows || columns.span.first === rows.span.first) return null;
  return { x: columns, y: rows };
}

function definitionOfValue({ typed, span, isLiteral }: WrittenValue): WrittenValue | null {
  if (isLiteral || span.end !== span.first + 1) return null;
  const definition = definitionOf(typed, textAt(typed, span.first));
  const isNumber = definition !== null && /^\d+$/.test(spelled(typed, definition));
  return isNumber ? { typed, span: definition, isLiteral: true } : null;
}

function isNumberOrConstant({ typed, span, isLiteral }: WrittenValue): boolean {
  if (isLiteral) return true;
  // A parameter's name means what every caller gives; a constant's name may be replaced by a number here.
  if (span.end !== span.first + 1) return false;
  const head = functionAround(typed, span.first);
  const name = textAt(typed, span.first);
  return head !== null && !head.parameters.includes(name) && !head.templateParameters.includes(name);
}

/** The extents of a block given as `dim3(x, y)`, or as a variable declared with them in the same function. */
function extentsOf(typed: TypedText, block: Span): [Span, Span] | null {
  const direct = constructedAt(typed, block.first);
  if (direct !== null) return direct;
  if (block.end !== block.first + 1) return null;
  const head = functionAround(typed, block.first);
  if (head === null) return null;
  const declared = (typed.byName.get(textAt(typed, block.first)) ?? []).filter(
    (index) => head.body.first <= index && index < block.first && textAt(typed, index - 1) === "dim3",
  );
  const [only, ...others] = declared;
  return only === undefined || others.length > 0 ? null : initializerAt(typed, only + 1);
}

/** `dim3(x, y)` at a token. */
function constructedAt(typed: TypedText, index: number): [Span, Span] | null {
  return textAt(typed, index) === "dim3" ? pairIn(typed, index + 1) : null;
}

/** What follows a declared name: `(x, y)`, `{x, y}`, `= dim3(x, y)`, `= {x, y}`. */
function initializerAt(typed: TypedText, index: number): [Span, Span] | null {
  if (textAt(typed, index) !== "=") return pairIn(typed, index);
  return constructedAt(typed, index + 1) ?? pairIn(typed, index + 1);
}

function pairIn(typed: TypedText, open: number): [Span, Span] | null {
  const closer = typed.partners[open] ?? -1;
  if (!["(", "{"].includes(textAt(typed, open)) || closer === -1) return null;
  const [x, y] = argumentsIn(typed, { first: open + 1, end: closer });
  return x === undefined || y === undefined ? null : [x, y];
}

function candidateOf({ x, y }: WrittenExtents, [columns, rows]: readonly [number, number]): Candidate {
  return {
    kind: "launch-shape",
    edits: [editOf(x, columns), editOf(y, rows)],
    title: { kind: "launch-shape", block: [columns, rows] },
    safety: "suggestion",
    operations: 0,
    estimate: null,
    block: [columns, rows, 1],
  };
}

function editOf({ typed, span }: WrittenValue, value: number): TextEdit {
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText: String(value) };
}
