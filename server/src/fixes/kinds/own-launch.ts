// Another block for one launch alone, with the grid that it needs: where other launches go by the same block, or the grid is made of numbers.
import type { Candidate } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { callAt } from "../text/calls.ts";
import { type BlockExtent, gridExtentFor, type WrittenDim3, writtenDim3 } from "../text/grid-extent.ts";
import {
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  tokenFrom,
} from "../text/typed-text.ts";

/** The launch with blocks of so many columns and rows; null where its grid does not say what follows. */
export function ownLaunchCandidate(
  { launch }: LaunchedKernel,
  [columns, rows]: readonly [number, number],
  texts: TypedTexts,
): Candidate | null {
  const [site] = launch.origin.path;
  const typed = site === undefined ? null : texts(site.file);
  if (site === undefined || typed === null) return null;
  const [grid, block] = callAt(typed, tokenFrom(typed, site.start))?.configuration ?? [];
  if (grid === undefined || block === undefined) return null;
  const [gridMade, blockMade] = [writtenDim3(typed, grid), writtenDim3(typed, block)];
  if (gridMade === null || blockMade === null) return null;
  const edits = editsOf(typed, { grid, block, gridMade, blockMade }, launch.block, [columns, rows]);
  return edits === null
    ? null
    : {
        kind: "launch-shape",
        edits,
        title: { kind: "launch-shape", block: [columns, rows] },
        safety: "suggestion",
        operations: 0,
        estimate: null,
        block: [columns, rows, 1],
      };
}

interface Configuration {
  readonly grid: Span;
  readonly block: Span;
  readonly gridMade: WrittenDim3;
  readonly blockMade: WrittenDim3;
}

function editsOf(
  typed: TypedText,
  { grid, block, gridMade, blockMade }: Configuration,
  before: readonly number[],
  after: readonly [number, number],
): TextEdit[] | null {
  const extents = (["x", "y"] as const).map((axis, at): [BlockExtent, BlockExtent] | null => {
    const span = blockMade.extents[at];
    const number = before[at];
    const to = after[at];
    if (span === undefined || number === undefined || to === undefined) return null;
    const member = blockMade.name === null ? null : `${blockMade.name}.${axis}`;
    return [
      { number, text: spelled(typed, span).trim(), member },
      { number: to, text: String(to), member: null },
    ];
  });
  const grids = extents.map((pair, at) => {
    const span = gridMade.extents[at];
    return pair === null || span === undefined ? null : gridExtentFor(typed, span, ...pair);
  });
  if (grids.includes(null) || gridMade.extents.length > 3) return null;
  const deep = gridMade.extents[2];
  const depth = deep === undefined ? [] : [spelled(typed, deep).trim()];
  return [
    replaced(typed, grid, `dim3(${[...grids, ...depth].join(", ")})`),
    replaced(typed, block, `dim3(${after.join(", ")})`),
  ];
}
