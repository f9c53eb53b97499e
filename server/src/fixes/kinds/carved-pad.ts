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
  const found = padsOf(array, name, launches);
  return typeof found === "string"
    ? refusal(found)
    : candidatesFound(found.flatMap((pad) => candidateOf([pad], texts) ?? []));
}

/** The best pad of each of these pieces, all in one edit; none where one of them has none, or they would need different numbers in one place. */
export function jointPadCandidates(
  array: DeclaredArray,
  names: readonly string[],
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): readonly Candidate[] {
  const best: PiecePad[] = [];
  for (const name of names) {
    const found = padsOf(array, name, launches);
    const pads = typeof found === "string" ? [] : found.filter(({ estimate }) => estimate !== null);
    const [first] = pads.toSorted(
      (a, b) => (a.estimate?.cost ?? 0) - (b.estimate?.cost ?? 0) || a.added - b.added,
    );
    if (first === undefined) return [];
    best.push(first);
  }
  const joint = candidateOf(best, texts);
  return joint === null ? [] : [joint];
}

/** So many elements more in each row of one piece. */
interface PiecePad {
  readonly carved: CarvedArray;
  readonly pitch: Pitch;
  readonly added: number;
  readonly after: string;
  readonly grown: readonly GrownExtent[];
  readonly estimate: Candidate["estimate"];
}

/** In words why there are none. */
function padsOf(
  array: DeclaredArray,
  name: string,
  launches: readonly LaunchedKernel[],
): readonly PiecePad[] | string {
  const carving = carvingOf(array);
  if (carving.kind === "refused") return carving.reason;
  const piece = carving.pieces.find((each) => each.name === name);
  if (piece === undefined) return `${name} is no pointer that is made from ${array.name} once`;
  const makers = new Set(carving.pieces.map(({ parentToken }) => parentToken));
  const mentions = piece.mentions.filter(({ nameToken }) => !makers.has(nameToken));
  const rows: DeclaredArray = { ...array, name, nameToken: piece.nameToken, mentions };
  const reason = whyRowsAreFixed(rows);
  if (reason !== null) return reason;
  const concerned = launches.filter(({ profile }) =>
    profile.accesses.some((access) => goesTo(array, access)),
  );
  const pitches = pitchesOf(rows, concerned);
  if (pitches === null) return `${name} is not indexed by a row times a pitch everywhere`;
  const carved: CarvedArray = { array, pieces: carving.pieces, piece };
  const extents = extentsOf(carved, concerned);
  if (extents === null) return `where the arrays in ${array.name} begin is not known`;
  return pitches.flatMap((pitch) => padsOfPitch(carved, pitch, extents));
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

function padsOfPitch(carved: CarvedArray, pitch: Pitch, extents: readonly Extent[]): PiecePad[] {
  const elementBytes = Math.min(...extents.map((extent) => extent.elementBytes));
  return triedPads(elementBytes).flatMap((added): PiecePad[] => {
    const after = lengthened(pitch.text, added);
    if (after === null) return [];
    const grown = extents.map((extent) => ({
      ...extent,
      extra: Math.ceil((extent.end - extent.start) / (pitch.values.get(extent.launched) ?? 1)) * added,
    }));
    const costs = grown.map((extent) => costOf(carved, pitch, extent, added));
    const estimate = costs.some((cost) => cost === null)
      ? null
      : {
          cost: costs.reduce((sum, cost) => sum + (cost?.cost ?? 0), 0),
          risesSomewhere: costs.some((cost) => cost?.risesSomewhere),
        };
    return [{ carved, pitch, added, after, grown, estimate }];
  });
}

/** Null where some number cannot be written so that it holds for every launch. */
function candidateOf(pads: readonly PiecePad[], texts: TypedTexts): Candidate | null {
  const [first] = pads;
  const edits = editsOf(pads, texts);
  if (first === undefined || edits === null) return null;
  const parameters = new Set(
    pads.flatMap(({ carved, pitch, grown }) => decidingParameters(carved, pitch, grown)),
  );
  const names = pads.map(({ carved }) => carved.piece.name);
  return {
    kind: "pad",
    edits,
    title:
      pads.length === 1
        ? { kind: "pad-pitch", array: names.join(), pitch: { before: first.pitch.text, after: first.after } }
        : { kind: "pad-pitches", arrays: names },
    // Numbers that are made of them hold for the launches in sight.
    safety: parameters.size === 0 ? "safe" : "suggestion",
    keptArguments: [...parameters],
    operations: 0,
    estimate: pads.length === 1 ? first.estimate : null,
  };
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
function editsOf(pads: readonly PiecePad[], texts: TypedTexts): TextEdit[] | null {
  const [some] = pads;
  const [extent] = some?.grown ?? [];
  if (some === undefined || extent === undefined) return null;
  const { array, pieces } = some.carved;
  if (pads.some(({ grown }) => grown.some(({ extra }) => extra !== grown[0]?.extra))) return null;
  const edits = pads.flatMap(({ pitch, after }) =>
    pitch.factors.map(({ span }) => replaced(array.typed, span, asFactor(after))),
  );
  for (const { name, parent, offset } of pieces) {
    let more = 0;
    for (const { grown } of pads) {
      const isMoved = grown.map(({ starts, start }) => {
        const from = starts.get(parent) ?? 0;
        return (starts.get(name) ?? 0) > start && from <= start;
      });
      if (isMoved.every((moved) => !moved)) continue;
      if (!isMoved.every((moved) => moved)) return null;
      more += grown[0]?.extra ?? 0;
    }
    if (more === 0) continue;
    const text = offset === null ? null : lengthened(spelled(array.typed, offset), more);
    if (offset === null || text === null) return null;
    edits.push(replaced(array.typed, offset, text));
  }
  for (const { launched, elementBytes } of some.grown) {
    const elements = pads.reduce((sum, { grown }) => sum + (grown[0]?.extra ?? 0), 0);
    const launchEdits = launchEditsOf(launched, elements * elementBytes, texts);
    if (launchEdits === null) return null;
    edits.push(...launchEdits);
  }
  return edits;
}

/** The bytes of dynamic shared memory at the launch, with those that come to them. */
function launchEditsOf(launched: LaunchedKernel, addedBytes: number, texts: TypedTexts): TextEdit[] | null {
  const bytes = launchedBytes(launched, texts);
  if (bytes === null) return null;
  const { typed, spans } = bytes;
  const edits: TextEdit[] = [];
  for (const span of spans) {
    const text = lengthened(spelled(typed, span), addedBytes);
    if (text === null) return null;
    edits.push(replaced(typed, span, text));
  }
  return edits;
}
