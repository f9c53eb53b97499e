// Lanes along the other axis: threadIdx.x for threadIdx.y and the reverse, in the kernel alone or together with its launches.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { callAt } from "../text/calls.ts";
import { type BlockExtent, gridExtentFor, writtenDim3 } from "../text/grid-extent.ts";
import { threadAxesOf } from "../text/locals.ts";
import {
  argumentsIn,
  bodyAround,
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "../text/typed-text.ts";
import { callingKernelText, type KernelText } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";

/** The swap in kernel and launches, and that of threadIdx alone. */
export function swapAxesCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const kernel = callingKernelText(access, launches, texts);
  if (typeof kernel === "string") return refusal(kernel);
  const { blocks, typed } = kernel;
  if (blocks.some(([x, y, z]) => x === 1 || y === 1 || z !== 1)) return refusal(otherThreads);
  const axes = threadAxesOf(typed, kernel.access);
  if (axes.size === 0 && access.stack.length < 2)
    return refusal(`the index of ${access.target?.name ?? "the array"} follows no axis of the block`);
  const isSquare = blocks.every(([x, y]) => x === y);
  const atLaunch = launchEdits(kernel, texts);
  const candidates: Candidate[] = [];
  const everywhere = swappedIn(kernel, new Set(["threadIdx", "blockIdx", "blockDim", "gridDim"]));
  if (atLaunch !== null) candidates.push(candidateOf([...everywhere, ...atLaunch], { withLaunch: true }));
  if (isSquare)
    candidates.push(candidateOf(swappedIn(kernel, new Set(["threadIdx"])), { withLaunch: false }));
  return candidates.length > 0
    ? candidatesFound(candidates)
    : refusal("where the launch's grid and block are written is not known");
}

function candidateOf(
  edits: readonly TextEdit[],
  { withLaunch }: { readonly withLaunch: boolean },
): Candidate {
  return {
    kind: "swap-axes",
    edits,
    title: { kind: "swap-axes", withLaunch },
    safety: "suggestion",
    operations: 0,
    estimate: null,
    swapsAxes: withLaunch,
  };
}

const opposite: Readonly<Record<string, string>> = { x: "y", y: "x" };

/** `.x` for `.y` behind the names, everywhere in the kernel. */
function swappedIn({ typed, body }: KernelText, names: ReadonlySet<string>): TextEdit[] {
  return swappedMembers(typed, body, (name) => names.has(name));
}

function swappedMembers(typed: TypedText, { first, end }: Span, isOf: (name: string) => boolean): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let index = first; index < end; index++) {
    if (!isOf(textAt(typed, index)) || textAt(typed, index + 1) !== ".") continue;
    const member = opposite[textAt(typed, index + 2)];
    if (member !== undefined) edits.push(replaced(typed, { first: index + 2, end: index + 3 }, member));
  }
  return edits;
}

/** Grids with their axes swapped, at every launch; null where some is not written as two extents. */
function launchEdits(kernel: KernelText, texts: TypedTexts): TextEdit[] | null {
  const edits = new Map<string, TextEdit>();
  for (const { launch } of kernel.launches) {
    const [site] = launch.origin.path;
    const typed = site === undefined ? null : texts(site.file);
    if (launch.origin.kind !== "launch" || site === undefined || typed === null) return null;
    const [grid, block] = callAt(typed, tokenFrom(typed, site.start))?.configuration ?? [];
    if (grid === undefined || block === undefined) return null;
    const own = gridEdits(typed, grid, extentsOfBlock(typed, block, launch.block), kernel);
    if (own === null) return null;
    for (const edit of own) edits.set(`${edit.file}:${edit.start}`, edit);
  }
  return edits.size === 0 ? null : [...edits.values()];
}

/** The extents of a block; null where they are not in sight, and so may be anything. */
interface BlockExtents {
  readonly isSquare: boolean;
  readonly x: BlockExtent | null;
  readonly y: BlockExtent | null;
}

function extentsOfBlock(typed: TypedText, block: Span, [x, y]: readonly number[]): BlockExtents {
  const made = writtenDim3(typed, block);
  const extentOf = (span: Span | undefined, number: number | undefined, axis: string): BlockExtent | null =>
    span === undefined || number === undefined
      ? null
      : {
          number,
          text: spelled(typed, span).trim(),
          member: made?.name == null ? null : `${made.name}.${axis}`,
        };
  return {
    isSquare: x === y,
    x: extentOf(made?.extents[0], x, "x"),
    y: extentOf(made?.extents[1], y, "y"),
  };
}

function gridEdits(typed: TypedText, grid: Span, block: BlockExtents, kernel: KernelText): TextEdit[] | null {
  if (textAt(typed, grid.first) === "dim3") return swappedExtents(typed, grid.first + 1, block);
  if (grid.end !== grid.first + 1) return null;
  const name = textAt(typed, grid.first);
  const scope = bodyAround(typed, grid.first);
  if (scope === null) return null;
  const mentions = (typed.byName.get(name) ?? []).filter(
    (index) => scope.first <= index && index < scope.end,
  );
  const declared = mentions.filter((index) => textAt(typed, index - 1) === "dim3");
  const [only, ...others] = declared;
  if (only === undefined || others.length > 0) return null;
  const isOwn = mentions.every((index) => index === only || isGridOf(typed, index, kernel));
  if (isOwn) {
    const open = textAt(typed, only + 1) === "=" ? only + 2 : only + 1;
    return swappedExtents(typed, textAt(typed, open) === "dim3" ? open + 1 : open, block);
  }
  // Others go by the same grid: it stays, and the launch turns it.
  return block.isSquare ? [replaced(typed, grid, `dim3(${name}.y, ${name}.x)`)] : null;
}

/** The mention is the grid of a launch of this kernel. */
function isGridOf(typed: TypedText, index: number, { launches }: KernelText): boolean {
  const name = launches[0]?.kernel.name ?? "";
  return (typed.byName.get(name) ?? []).some((at) => callAt(typed, at)?.configuration[0]?.first === index);
}

/** `(a, b)` becomes `(b, a)`, with the block's members in them swapped. */
function swappedExtents(typed: TypedText, open: number, block: BlockExtents): TextEdit[] | null {
  const closer = typed.partners[open] ?? -1;
  if (!["(", "{"].includes(textAt(typed, open)) || closer === -1) return null;
  const [x, y, ...others] = argumentsIn(typed, { first: open + 1, end: closer });
  if (x === undefined || y === undefined || others.length > 0) return null;
  const [forY, forX] = [x, y].map((span) => withMembersSwapped(typed, span));
  if (forX === undefined || forY === undefined) return null;
  if (!block.isSquare && (!forX.hasMembers || !forY.hasMembers)) {
    if (block.x === null || block.y === null) return null;
    const [along, down] = [
      gridExtentFor(typed, y, block.y, block.x),
      gridExtentFor(typed, x, block.x, block.y),
    ];
    return along === null || down === null ? null : [replaced(typed, x, along), replaced(typed, y, down)];
  }
  if (forX.text === forY.text) return [];
  return [replaced(typed, x, forX.text), replaced(typed, y, forY.text)];
}

function withMembersSwapped(
  typed: TypedText,
  span: Span,
): { readonly text: string; readonly hasMembers: boolean } {
  const edits = swappedMembers(typed, span, () => true);
  const start = typed.tokens[span.first]?.start ?? 0;
  let text = typed.text.slice(start, typed.tokens[span.end - 1]?.end ?? start);
  for (const edit of edits.toReversed())
    text = text.slice(0, edit.start - start) + edit.newText + text.slice(edit.end - start);
  return { text, hasMembers: edits.length > 0 };
}
