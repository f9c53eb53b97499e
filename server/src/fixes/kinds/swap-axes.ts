// Lanes along another axis: threadIdx.x for threadIdx.y or threadIdx.z and the reverse, in the kernel alone or together with its launches.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { entryOf } from "../../table.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { AxisPair, LaunchedKernel, TextEdit } from "../fix.ts";
import { callAt } from "../text/calls.ts";
import { type BlockExtent, gridExtentFor, writtenDim3 } from "../text/grid-extent.ts";
import { threadAxesOf } from "../text/locals.ts";
import {
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "../text/typed-text.ts";
import { callingKernelText, type Extents, type KernelText, ofKernel } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";

/** For each other axis of the block the swap in kernel and launches, and that of threadIdx alone. */
export function swapAxesCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofKernel(callingKernelText(access, launches, texts), (kernel) => {
    const { blocks, typed } = kernel;
    const pairs = axisPairs.filter((pair) => blocks.every((block) => hasBoth(block, pair)));
    if (pairs.length === 0) return refusal(otherThreads);
    const axes = threadAxesOf(typed, kernel.access);
    if (axes.size === 0 && access.stack.length < 2)
      return refusal(`the index of ${access.target?.name ?? "the array"} follows no axis of the block`);
    const candidates = pairs.flatMap((pair) => candidatesOf(kernel, texts, pair));
    return candidates.length > 0
      ? candidatesFound(candidates)
      : refusal("where the launch's grid and block are written is not known");
  });
}

const axisPairs: readonly AxisPair[] = ["xy", "xz"];

function placesOf(pair: AxisPair): readonly [0, 1 | 2] {
  return [0, pair === "xy" ? 1 : 2];
}

function hasBoth(block: Extents, pair: AxisPair): boolean {
  return placesOf(pair).every((axis) => block[axis] > 1);
}

function candidatesOf(kernel: KernelText, texts: TypedTexts, axes: AxisPair): Candidate[] {
  const [x, other] = placesOf(axes);
  const isSquare = kernel.blocks.every((block) => block[x] === block[other]);
  const fitsGrid = kernel.launches.every(({ launch }) => (launch.grid[x] ?? 0) <= mostBlocksAlongOthers);
  const atLaunch = fitsGrid ? launchEdits(kernel, texts, axes) : null;
  const everywhere = swappedIn(kernel, new Set(["threadIdx", "blockIdx", "blockDim", "gridDim"]), axes);
  const threads = swappedIn(kernel, new Set(["threadIdx"]), axes);
  return [
    ...(atLaunch === null ? [] : [candidateOf([...everywhere, ...atLaunch], { axes, withLaunch: true })]),
    ...(isSquare ? [candidateOf(threads, { axes, withLaunch: false })] : []),
  ];
}

/** Along y and z, a grid has no more. */
const mostBlocksAlongOthers = 65_535;

interface Swap {
  readonly axes: AxisPair;
  readonly withLaunch: boolean;
}

function candidateOf(edits: readonly TextEdit[], { axes, withLaunch }: Swap): Candidate {
  return {
    kind: "swap-axes",
    edits,
    title: { kind: "swap-axes", axes, withLaunch },
    safety: "suggestion",
    operations: 0,
    estimate: null,
    swappedAxes: withLaunch ? axes : null,
  };
}

const opposites: Readonly<Record<AxisPair, Readonly<Record<string, string>>>> = {
  xy: { x: "y", y: "x" },
  xz: { x: "z", z: "x" },
};

/** `.x` for `.y` behind the names, everywhere in the kernel. */
function swappedIn({ typed, body }: KernelText, names: ReadonlySet<string>, axes: AxisPair): TextEdit[] {
  return swappedMembers(typed, body, axes, (name) => names.has(name));
}

function swappedMembers(
  typed: TypedText,
  { first, end }: Span,
  axes: AxisPair,
  isOf: (name: string) => boolean,
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let index = first; index < end; index++) {
    if (!isOf(textAt(typed, index)) || textAt(typed, index + 1) !== ".") continue;
    const member = entryOf(opposites[axes], textAt(typed, index + 2));
    if (member !== undefined) edits.push(replaced(typed, { first: index + 2, end: index + 3 }, member));
  }
  return edits;
}

/** Grids with their axes swapped, at every launch; null where some is not written as two extents. */
function launchEdits(kernel: KernelText, texts: TypedTexts, axes: AxisPair): TextEdit[] | null {
  const edits = new Map<string, TextEdit>();
  for (const { launch } of kernel.launches) {
    const [site] = launch.origin.path;
    const typed = site === undefined ? null : texts(site.file);
    if (launch.origin.kind !== "launch" || site === undefined || typed === null) return null;
    const [grid, block] = callAt(typed, tokenFrom(typed, site.start))?.configuration ?? [];
    if (grid === undefined || block === undefined) return null;
    const own = gridEdits(typed, grid, extentsOfBlock(typed, block, launch.block, axes), kernel);
    if (own === null) return null;
    for (const edit of own) edits.set(`${edit.file}:${edit.start}`, edit);
  }
  // Extents that read alike swap by staying as they are.
  return kernel.launches.length === 0 ? null : [...edits.values()];
}

/** The extents of a block along two axes; null where they are not in sight, and so may be anything. */
interface BlockExtents {
  readonly axes: AxisPair;
  /** The variable that holds them; null where there is none. */
  readonly name: string | null;
  readonly isSquare: boolean;
  readonly x: BlockExtent | null;
  readonly other: BlockExtent | null;
}

function extentsOfBlock(typed: TypedText, block: Span, numbers: Extents, axes: AxisPair): BlockExtents {
  const [x, other] = placesOf(axes);
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
    axes,
    name: made?.name ?? null,
    isSquare: numbers[x] === numbers[other],
    x: extentOf(made?.extents[x], numbers[x], "x"),
    other: extentOf(made?.extents[other], numbers[other], axes[1] ?? ""),
  };
}

function gridEdits(typed: TypedText, grid: Span, block: BlockExtents, kernel: KernelText): TextEdit[] | null {
  const made = writtenDim3(typed, grid);
  const swapped = made === null ? null : swappedExtents(typed, made.extents, block);
  if (made === null || swapped === null) return null;
  const isOwn = made.mentions.every((index) => isGridOf(typed, index, kernel));
  if (isOwn) return swapped.flatMap(({ span, text }) => replacedWhereNew(typed, span, text));
  // Others go by the same grid: it stays, and the launch has its own.
  const members = turned[block.axes]
    .slice(0, Math.max(2, made.extents.length))
    .map((axis) => `${made.name}.${axis}`);
  const texts = made.extents.map(
    (span) => swapped.find((each) => each.span === span)?.text ?? spelled(typed, span),
  );
  return [replaced(typed, grid, `dim3(${(block.isSquare ? members : texts).join(", ")})`)];
}

const turned: Readonly<Record<AxisPair, readonly string[]>> = {
  xy: ["y", "x", "z"],
  xz: ["z", "y", "x"],
};

function replacedWhereNew(typed: TypedText, span: Span, text: string): TextEdit[] {
  return spelled(typed, span).trim() === text ? [] : [replaced(typed, span, text)];
}

/** The mention is the grid of a launch of this kernel. */
function isGridOf(typed: TypedText, index: number, { launches }: KernelText): boolean {
  const name = launches[0]?.kernel.name ?? "";
  return (typed.byName.get(name) ?? []).some((at) => callAt(typed, at)?.configuration[0]?.first === index);
}

interface SwappedExtent {
  readonly span: Span;
  /** What stands there afterwards. */
  readonly text: string;
}

/** `(a, b)` becomes `(b, a)`, with the block's members in them swapped. */
function swappedExtents(
  typed: TypedText,
  extents: readonly Span[],
  block: BlockExtents,
): SwappedExtent[] | null {
  const [x, other] = placesOf(block.axes).map((axis) => extents[axis]);
  // What is left out is 1.
  if (x === undefined || other === undefined || extents.length > 3) return null;
  const [forOther, forX] = [x, other].map((span) => withMembersSwapped(typed, span, block));
  if (forX === undefined || forOther === undefined) return null;
  if (block.isSquare || (forX.hasMembers && forOther.hasMembers))
    return [
      { span: x, text: forX.text },
      { span: other, text: forOther.text },
    ];
  if (block.x === null || block.other === null) return null;
  const [along, down] = [
    gridExtentFor(typed, other, block.other, block.x),
    gridExtentFor(typed, x, block.x, block.other),
  ];
  return along === null || down === null
    ? null
    : [
        { span: x, text: along },
        { span: other, text: down },
      ];
}

function withMembersSwapped(
  typed: TypedText,
  span: Span,
  { axes, name }: BlockExtents,
): { readonly text: string; readonly hasMembers: boolean } {
  const edits = swappedMembers(typed, span, axes, (each) => name === null || each === name);
  const start = typed.tokens[span.first]?.start ?? 0;
  let text = typed.text.slice(start, typed.tokens[span.end - 1]?.end ?? start);
  for (const edit of edits.toReversed())
    text = text.slice(0, edit.start - start) + edit.newText + text.slice(edit.end - start);
  return { text, hasMembers: edits.length > 0 };
}
