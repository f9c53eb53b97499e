// XOR of the low bits of an index with bits further up, in every access of an array: steps of a power of two, as in FFTs, scans and sorting
// networks, spread over the banks, and what lies in whole rows of banks stays there.
import { type Candidate, type Candidates, candidatesFound } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { type DeclaredArray, goesTo } from "../text/arrays.ts";
import { parametersIn } from "../text/constants.ts";
import { type Reached, whyIndicesAreShared } from "../text/reached.ts";
import { asFactor } from "../text/spelling.ts";
import { replaced, type Span, spelled, type TypedText } from "../text/typed-text.ts";
import { accessedName, carvingOf, type Piece, pieceBytes, startsOf } from "./carved.ts";
import { type IndexHelper, indexHelper } from "./index-helper.ts";
import { type Estimate, estimateOf, isCounted, type ShapedAccesses } from "./layout.ts";
import { hasEffect, whyNotReindexed } from "./reindex.ts";
import { elementBytesOf, wavefrontBytes } from "./spread.ts";

/** Bits that an index is XORed with, where `bits` of it number the elements of a wavefront. */
interface IndexSwizzle {
  readonly moved: (index: number, bits: number) => number;
  readonly text: (index: string, bits: number) => string;
  /** Integer operations. */
  readonly operations: number;
}

const maskOf = (bits: number) => 2 ** bits - 1;

/** The bits above; the first of them in every place, which parts the two halves of a butterfly; both; and the bits above those as well. */
const swizzles: readonly IndexSwizzle[] = [
  {
    moved: (index, bits) => index ^ ((index >> bits) & maskOf(bits)),
    text: (index, bits) => `${index} ^ ((${index} >> ${bits}) & ${maskOf(bits)})`,
    operations: 3,
  },
  {
    moved: (index, bits) => index ^ (((index >> bits) & 1) * maskOf(bits)),
    text: (index, bits) => `${index} ^ (((${index} >> ${bits}) & 1) * ${maskOf(bits)})`,
    operations: 4,
  },
  {
    moved: (index, bits) =>
      index ^ ((index >> bits) & maskOf(bits)) ^ (((index >> bits) & 1) * (maskOf(bits) - 1)),
    text: (index, bits) =>
      `${index} ^ ((${index} >> ${bits}) & ${maskOf(bits)}) ^ (((${index} >> ${bits}) & 1) * ${maskOf(bits) - 1})`,
    operations: 6,
  },
  {
    moved: (index, bits) => index ^ (((index >> bits) ^ (index >> (2 * bits))) & maskOf(bits)),
    text: (index, bits) =>
      `${index} ^ (((${index} >> ${bits}) ^ (${index} >> ${2 * bits})) & ${maskOf(bits)})`,
    operations: 5,
  },
];

/** What is swizzled: an array, all that share its names with it, or a piece of dynamic shared memory. */
export interface SwizzledPart {
  readonly name: string;
  readonly typed: TypedText;
  /** The name's token where the array is declared. */
  readonly nameToken: number;
  readonly indices: readonly Span[];
  /** Bits of an index that number the elements of a wavefront. */
  readonly bits: number;
  readonly uses: readonly SwizzledUses[];
  /** Parameters of the kernel that its place hangs on. */
  readonly parameters: readonly string[];
  readonly safety: Candidate["safety"];
}

interface SwizzledUses extends ShapedAccesses {
  /** Where the part begins in the array that its accesses go to. */
  readonly startBytes: number;
  /** Elements of a row; 0 where all is one row. */
  readonly row: number;
}

/** An array of whole words that is accessed element by element, by its last index; in words why it cannot be. */
export function swizzledArray(
  array: DeclaredArray,
  uses: readonly ShapedAccesses[],
  launches: readonly LaunchedKernel[],
): SwizzledPart | string {
  const reason = whyNotReindexed(array);
  if (reason !== null) return reason;
  const indices = array.mentions.flatMap(({ subscripts, isSizeof }) => {
    const index = subscripts.at(-1);
    return index === undefined || isSizeof ? [] : [index];
  });
  return partOf({ arrays: [array], indices }, uses, launches);
}

/** The same of an array that is reached by other names, and of all that share these names with it. */
export function swizzledReached(
  reached: Reached,
  uses: readonly ShapedAccesses[],
  launches: readonly LaunchedKernel[],
): SwizzledPart | string {
  const { arrays, indices } = reached;
  const shared = whyIndicesAreShared(reached);
  if (shared !== null) return shared;
  // Of several dimensions a pointer may be to a row or to all of them.
  if (arrays.some(({ dimensions }) => dimensions.length !== 1)) return "a pointer may be to a row of several";
  return partOf({ arrays, indices }, uses, launches);
}

function partOf(
  { arrays, indices }: Pick<Reached, "arrays" | "indices">,
  uses: readonly ShapedAccesses[],
  launches: readonly LaunchedKernel[],
): SwizzledPart | string {
  const [array] = arrays;
  const bits = bitsOf(uses);
  const name = arrays.map((each) => each.name).join(" and ");
  if (array === undefined || bits === null) return `${name} is not accessed element by element`;
  if (indices.some((index) => isSwizzled(spelled(array.typed, index)))) return swizzledAlready(name);
  const isDynamic = arrays.some(({ storage }) => storage === "dynamic");
  const isWhole = isDynamic
    ? arrays.length === 1 &&
      launchesOf(array, launches).every(({ launch }) => (launch.sharedBytes ?? 1) % wavefrontBytes === 0)
    : uses.every(({ shape }) => (shape.counts.at(-1) ?? 1) % 2 ** bits === 0);
  if (!isWhole) return notWhole(name);
  return {
    name,
    typed: array.typed,
    nameToken: array.nameToken,
    indices,
    bits,
    uses: uses.map((each) => ({
      ...each,
      startBytes: 0,
      row: isDynamic ? 0 : (each.shape.counts.at(-1) ?? 0),
    })),
    parameters: [],
    safety: isDynamic ? "suggestion" : "safe",
  };
}

/** As this file writes it: once is enough. */
function isSwizzled(index: string): boolean {
  return /\bswizzled\d*\(|\^ \(\(/.test(index);
}

function swizzledAlready(name: string): string {
  return `the indices of ${name} are swizzled already`;
}

function notWhole(name: string): string {
  return `a row of ${name} is no multiple of ${wavefrontBytes} bytes`;
}

/** For the smallest elements that an array has; null where they are no whole words, or several are accessed at once. */
function bitsOf(uses: readonly ShapedAccesses[]): number | null {
  const sizes = uses.map((each) => elementBytesOf([each]));
  return sizes.length === 0 || sizes.includes(null)
    ? null
    : Math.log2(wavefrontBytes / Math.min(...sizes.map((each) => each ?? 0)));
}

function launchesOf(array: DeclaredArray, launches: readonly LaunchedKernel[]): LaunchedKernel[] {
  return launches.filter(({ profile }) => profile.accesses.some((access) => goesTo(array, access)));
}

/** A piece of dynamic shared memory. How long it is hangs on what the launches in sight give. */
export function swizzledPiece(
  array: DeclaredArray,
  name: string,
  launches: readonly LaunchedKernel[],
): SwizzledPart | string {
  const carving = carvingOf(array);
  if (carving.kind === "refused") return carving.reason;
  const { pieces } = carving;
  const piece = pieces.find((each) => each.name === name);
  if (piece === undefined) return `${name} is no pointer that is made from ${array.name} once`;
  const concerned = launchesOf(array, launches);
  const places = concerned.flatMap((launched) => placeOf({ array, pieces }, name, launched) ?? []);
  if (places.length < concerned.length) return `where the arrays in ${array.name} begin is not known`;
  const uses = places.map(({ launched, start, elementBytes }) => ({
    shape: { counts: [0], elementBytes },
    accesses: launched.profile.accesses.filter(
      (access) => goesTo(array, access) && isCounted(access) && accessedName(access.expression) === name,
    ),
    startBytes: start * elementBytes,
    row: 0,
  }));
  const bits = bitsOf(uses);
  if (bits === null) return `${name} is not accessed element by element`;
  const { typed } = array;
  const makers = new Set(pieces.map(({ parentToken }) => parentToken));
  const mentions = piece.mentions.filter(({ nameToken }) => !makers.has(nameToken));
  const indices = mentions.flatMap(({ subscripts }) => subscripts.slice(0, 1));
  const isReindexed = mentions.every(
    ({ subscripts, isInMacro, address }) =>
      subscripts.length === 1 && !isInMacro && (address === "not-taken" || address === "accessed"),
  );
  if (!isReindexed) return `${name} is reached in another way than by an index`;
  if (indices.some((index) => isSwizzled(spelled(typed, index)))) return swizzledAlready(name);
  if (places.some(({ start, end }) => (end - start) % 2 ** bits !== 0)) return notWhole(name);
  const parameters = pieces.flatMap(({ offset }) =>
    offset === null ? [] : concerned.flatMap((launched) => parametersIn(typed, offset, launched)),
  );
  return {
    name,
    typed,
    nameToken: array.nameToken,
    indices,
    bits,
    uses,
    parameters: [...new Set(parameters)],
    safety: "suggestion",
  };
}

interface Carved {
  readonly array: DeclaredArray;
  readonly pieces: readonly Piece[];
}

interface PiecePlace {
  readonly launched: LaunchedKernel;
  readonly start: number;
  readonly end: number;
  readonly elementBytes: number;
}

/** Where a piece begins and ends under a launch, in elements. */
function placeOf({ array, pieces }: Carved, name: string, launched: LaunchedKernel): PiecePlace | null {
  const starts = startsOf(array, pieces, launched);
  const start = starts?.get(name);
  const elementBytes = pieceBytes(array, pieces, launched);
  const { sharedBytes } = launched.launch;
  if (starts === null || start === undefined || elementBytes === null || sharedBytes === null) return null;
  const ends = [...starts.values(), sharedBytes / elementBytes].filter((each) => each > start);
  return ends.length === 0 ? null : { launched, start, end: Math.min(...ends), elementBytes };
}

/** The swizzles of all parts together. */
export function indexSwizzleCandidates(parts: readonly SwizzledPart[]): Candidates {
  const candidates = swizzles.flatMap((swizzle): Candidate[] => {
    const estimates = parts.map((part) => estimateWith(part, swizzle));
    const edits = editsOf(parts, swizzle);
    if (estimates.includes(null) || edits === null) return [];
    return [
      {
        kind: "swizzle",
        edits,
        title: { kind: "swizzle-index", arrays: parts.map(({ name }) => name) },
        safety: parts.some(({ safety }) => safety === "suggestion") ? "suggestion" : "safe",
        keptArguments: [...new Set(parts.flatMap(({ parameters }) => parameters))],
        operations: swizzle.operations,
        estimate: sumOf(estimates),
      },
    ];
  });
  return candidatesFound(candidates);
}

function estimateWith({ uses, bits }: SwizzledPart, { moved }: IndexSwizzle): Estimate | null {
  const estimates = uses.map((each) => {
    const { startBytes, row, shape } = each;
    return estimateOf([each], () => ({
      move: (offsetBytes) => {
        const element = Math.floor((offsetBytes - startBytes) / shape.elementBytes);
        const first = row === 0 ? 0 : Math.floor(element / row) * row;
        return offsetBytes + (first + moved(element - first, bits) - element) * shape.elementBytes;
      },
      keepsVectors: false,
    }));
  });
  return estimates.includes(null) ? null : sumOf(estimates);
}

function sumOf(estimates: readonly (Estimate | null)[]): Estimate {
  return {
    cost: estimates.reduce((sum, each) => sum + (each?.cost ?? 0), 0),
    risesSomewhere: estimates.some((each) => each?.risesSomewhere),
  };
}

/** Formulas in the brackets; where they are many or do something, calls of a function that is made beside the array. Null where there can be none. */
function editsOf(parts: readonly SwizzledPart[], swizzle: IndexSwizzle): TextEdit[] | null {
  const helper = helperOf(parts, swizzle);
  if (helper === null && isChanging(parts)) return null;
  const edits = parts.flatMap(({ typed, indices, bits }) =>
    indices.flatMap((index): TextEdit[] => {
      const before = spelled(typed, index);
      const after = /^\d+$/.test(before)
        ? String(swizzle.moved(Number(before), bits))
        : helper === null
          ? swizzle.text(asFactor(before), bits)
          : `${helper.name}(${before})`;
      return after === before ? [] : [replaced(typed, index, after)];
    }),
  );
  return helper === null ? edits : [helper.edit, ...edits];
}

const mostFormulas = 3;

/** Null where few indices change and none does anything, or where they stand in several functions or mean words of several lengths. */
function helperOf(parts: readonly SwizzledPart[], swizzle: IndexSwizzle): IndexHelper | null {
  const [part] = parts;
  const indices = parts.flatMap((each) => each.indices);
  const isNeeded = indices.length > mostFormulas || isChanging(parts);
  if (part === undefined || !isNeeded || parts.some(({ bits }) => bits !== part.bits)) return null;
  return indexHelper({
    typed: part.typed,
    nameTokens: parts.map(({ nameToken }) => nameToken),
    indices,
    name: "swizzled",
    formula: swizzle.text("i", part.bits),
  });
}

function isChanging(parts: readonly SwizzledPart[]): boolean {
  return parts.some(({ typed, indices }) => indices.some((index) => hasEffect(spelled(typed, index))));
}
