// Longer rows of an array that is carved out of dynamic shared memory: its pitch in every index, the offsets of what lies behind it, and the
// bytes that the launch asks for.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import { goesTo } from "../text/arrays.ts";
import { parametersIn } from "../text/constants.ts";
import { launchedBytes } from "../text/launched-bytes.ts";
import { asFactor, lengthened } from "../text/spelling.ts";
import { replaced, spelled, type TypedTexts } from "../text/typed-text.ts";
import { accessedName, carvingOf, type Piece, pieceBytes, startsOf } from "./carved.ts";
import { type Pitch, pitchesOf } from "./flattened-pad.ts";
import { estimateOf, isCounted, keepsAlignment, paddedLayout, type Relayout } from "./layout.ts";
import { triedPads, whyRowsAreFixed } from "./pad.ts";

/** Every greater pitch of the piece called `name`. */
export function carvedPadCandidates(
  array: DeclaredArray,
  name: string,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const carving = carvingOf(array);
  if (carving.kind === "refused") return carving;
  const piece = carving.pieces.find((each) => each.name === name);
  if (piece === undefined) return refusal(`${name} is no pointer that is made from ${array.name} once`);
  const makers = new Set(carving.pieces.map(({ parentToken }) => parentToken));
  const mentions = piece.mentions.filter(({ nameToken }) => !makers.has(nameToken));
  const rows: DeclaredArray = { ...array, name, nameToken: piece.nameToken, mentions };
  const reason = whyRowsAreFixed(rows);
  if (reason !== null) return refusal(reason);
  const concerned = launches.filter(({ profile }) =>
    profile.accesses.some((access) => goesTo(array, access)),
  );
  const pitches = pitchesOf(rows, concerned);
  if (pitches === null) return refusal(`${name} is not indexed by a row times a pitch everywhere`);
  const carved: CarvedArray = { array, pieces: carving.pieces, piece };
  const extents = extentsOf(carved, concerned);
  if (extents === null) return refusal(`where the arrays in ${array.name} begin is not known`);
  return candidatesFound(pitches.flatMap((pitch) => candidatesOf(carved, pitch, extents, texts)));
}

interface CarvedArray {
  readonly array: DeclaredArray;
  readonly pieces: readonly Piece[];
  /** The one that is to have longer rows. */
  readonly piece: Piece;
}

/** Of the piece in one launch, in elements from the start of all. */
interface Extent {
  readonly launched: LaunchedKernel;
  readonly start: number;
  /** Where the next piece begins, or shared memory ends. */
  readonly end: number;
  readonly starts: ReadonlyMap<string, number>;
  readonly elementBytes: number;
}

function extentsOf(
  { array, pieces, piece }: CarvedArray,
  concerned: readonly LaunchedKernel[],
): Extent[] | null {
  const extents: Extent[] = [];
  for (const launched of concerned) {
    const starts = startsOf(array, pieces, launched);
    const start = starts?.get(piece.name);
    const elementBytes = pieceBytes(array, pieces, launched);
    const { sharedBytes } = launched.launch;
    if (starts === null || start === undefined || elementBytes === null || sharedBytes === null) return null;
    const behind = [...starts.values()].filter((each) => each > start);
    const end = Math.min(sharedBytes / elementBytes, ...behind);
    if (end > start) extents.push({ launched, start, end, starts, elementBytes });
  }
  return extents.length === concerned.length ? extents : null;
}

function candidatesOf(
  carved: CarvedArray,
  pitch: Pitch,
  extents: readonly Extent[],
  texts: TypedTexts,
): Candidate[] {
  const { piece } = carved;
  const parameters = decidingParameters(carved, pitch, extents);
  const candidates: Candidate[] = [];
  const elementBytes = Math.min(...extents.map((extent) => extent.elementBytes));
  for (const added of triedPads(elementBytes)) {
    const after = lengthened(pitch.text, added);
    const grown = extents.map((extent) => ({
      ...extent,
      extra: Math.ceil((extent.end - extent.start) / (pitch.values.get(extent.launched) ?? 1)) * added,
    }));
    const edits = after === null ? null : editsOf(carved, pitch, grown, after, texts);
    if (after === null || edits === null) continue;
    const costs = grown.map((extent) => costOf(carved, pitch, extent, added));
    candidates.push({
      kind: "pad",
      edits,
      title: { kind: "pad-pitch", array: piece.name, pitch: { before: pitch.text, after } },
      // Numbers that are made of them hold for the launches in sight.
      safety: parameters.length === 0 ? "safe" : "suggestion",
      keptArguments: parameters,
      operations: 0,
      estimate: costs.some((cost) => cost === null)
        ? null
        : {
            cost: costs.reduce((sum, cost) => sum + (cost?.cost ?? 0), 0),
            risesSomewhere: costs.some((cost) => cost?.risesSomewhere),
          },
    });
  }
  return candidates;
}

/** The kernel's parameters that decide where the pieces lie. */
function decidingParameters(
  { array, pieces }: CarvedArray,
  pitch: Pitch,
  extents: readonly Extent[],
): string[] {
  const ofOffsets = pieces.flatMap(({ offset }) =>
    offset === null ? [] : extents.flatMap(({ launched }) => parametersIn(array.typed, offset, launched)),
  );
  return [...new Set([...pitch.parameters, ...ofOffsets])];
}

interface GrownExtent extends Extent {
  /** Elements that the piece takes more. */
  readonly extra: number;
}

/** What the accesses to all pieces would cost in one launch. */
function costOf(
  { array, piece }: CarvedArray,
  pitch: Pitch,
  { launched, start, end, extra, elementBytes }: GrownExtent,
  added: number,
) {
  const shape = { counts: [1, pitch.values.get(launched) ?? 1], elementBytes };
  const accesses = launched.profile.accesses.filter((access) => goesTo(array, access) && isCounted(access));
  const own = accesses.filter(({ expression }) => accessedName(expression) === piece.name);
  if (!keepsAlignment([{ shape, accesses: own }], added)) return null;
  const padded = paddedLayout(shape, [0, added]);
  const [startBytes, endBytes] = [start * elementBytes, end * elementBytes];
  const relayout: Relayout = {
    move: (offset) =>
      offset < startBytes
        ? offset
        : offset < endBytes
          ? startBytes + padded.move(offset - startBytes)
          : offset + extra * elementBytes,
    keepsVectors: true,
  };
  return estimateOf([{ shape, accesses }], () => relayout);
}

/** Null where some number cannot be written so that it holds for every launch. */
function editsOf(
  { array, pieces }: CarvedArray,
  pitch: Pitch,
  extents: readonly GrownExtent[],
  after: string,
  texts: TypedTexts,
): TextEdit[] | null {
  const edits = pitch.factors.map(({ span }) => replaced(array.typed, span, asFactor(after)));
  const [first, ...others] = extents;
  if (first === undefined || others.some(({ extra }) => extra !== first.extra)) return null;
  for (const { name, parent, offset } of pieces) {
    const isMoved = extents.map(({ starts, start }) => {
      const from = starts.get(parent) ?? 0;
      return (starts.get(name) ?? 0) > start && from <= start;
    });
    if (isMoved.every((moved) => !moved)) continue;
    const text = offset === null ? null : lengthened(spelled(array.typed, offset), first.extra);
    if (offset === null || text === null || !isMoved.every((moved) => moved)) return null;
    edits.push(replaced(array.typed, offset, text));
  }
  for (const extent of extents) {
    const launchEdits = launchEditsOf(extent, texts);
    if (launchEdits === null) return null;
    edits.push(...launchEdits);
  }
  return edits;
}

/** The bytes of dynamic shared memory at the launch, with those that come to them. */
function launchEditsOf({ launched, extra, elementBytes }: GrownExtent, texts: TypedTexts): TextEdit[] | null {
  const bytes = launchedBytes(launched, texts);
  if (bytes === null) return null;
  const { typed, spans } = bytes;
  const edits: TextEdit[] = [];
  for (const span of spans) {
    const text = lengthened(spelled(typed, span), extra * elementBytes);
    if (text === null) return null;
    edits.push(replaced(typed, span, text));
  }
  return edits;
}
