// Where the elements of an array lie, and what its accesses would cost if they lay elsewhere: a cheap look by the most expensive request of each
// access, so that only the best few candidates go through the whole pipeline.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sharedFigure } from "../../hardware/figure.ts";
import { sizeOf, type Type } from "../../ir/type.ts";

/** Where elements would lie instead. */
export interface Relayout {
  /** From the byte offset of an element's part to the new one. */
  readonly move: (offsetBytes: number) => number;
  /** The compiler still sees that neighbours lie side by side, where they do. */
  readonly keepsVectors: boolean;
}

export const layoutAsItIs: Relayout = { move: (offsetBytes) => offsetBytes, keepsVectors: true };

export interface ArrayShape {
  /** Elements along each dimension, outermost first. */
  readonly counts: readonly number[];
  readonly elementBytes: number;
}

/** The shape of an array type; null for what is no array, or of an element whose size is not known. */
export function shapeOf(type: Type | null | undefined): ArrayShape | null {
  const counts: number[] = [];
  let element = type;
  while (element?.kind === "array") {
    counts.push(element.count);
    element = element.element;
  }
  const elementBytes = element ? sizeOf(element) : null;
  return counts.length === 0 || elementBytes === null || elementBytes === 0 ? null : { counts, elementBytes };
}

/** Whether an access is made, and something is known of what it costs. */
export function isCounted({ requests, verdict, perRequest }: AccessProfile): boolean {
  return requests !== 0 && (verdict.kind !== "unknown" || perRequest !== null);
}

/** Accesses of one instantiation's array: its shape may hang on template arguments. */
export interface ShapedAccesses {
  readonly shape: ArrayShape;
  readonly accesses: readonly AccessProfile[];
}

/** The accesses to one array, by its shapes; null where some access has none. */
export function byShape(accesses: readonly AccessProfile[]): ShapedAccesses[] | null {
  const shapes = new Map<string, { shape: ArrayShape; accesses: AccessProfile[] }>();
  for (const access of accesses) {
    const shape = shapeOf(access.target?.type);
    if (shape === null) return null;
    const key = `${shape.counts.join(",")}:${shape.elementBytes}`;
    const known = shapes.get(key);
    if (known === undefined) shapes.set(key, { shape, accesses: [access] });
    else known.accesses.push(access);
  }
  return [...shapes.values()];
}

/** Elements of each dimension beyond the first lengthened by `pads` (one for each dimension, 0 for the first). */
export function paddedLayout({ counts, elementBytes }: ArrayShape, pads: readonly number[]): Relayout {
  const lengths = counts.map((count, dimension) => count + (pads[dimension] ?? 0));
  const move = (offsetBytes: number) => {
    let rest = Math.floor(offsetBytes / elementBytes);
    const within = offsetBytes - rest * elementBytes;
    let moved = 0;
    let stride = 1;
    for (let dimension = counts.length - 1; dimension > 0; dimension--) {
      const count = counts[dimension] ?? 1;
      const index = modulo(rest, count);
      moved += index * stride;
      rest = (rest - index) / count;
      stride *= lengths[dimension] ?? 1;
    }
    return (moved + rest * stride) * elementBytes + within;
  };
  return { move, keepsVectors: true };
}

/** Whether rows with `added` more elements still begin on the boundary of the widest access, in every shape. */
export function keepsAlignment(uses: readonly ShapedAccesses[], added: number): boolean {
  return uses.every(({ shape: { counts, elementBytes }, accesses }) => {
    const widest = Math.max(
      0,
      ...accesses.filter((access) => isTyped(access, elementBytes)).map(({ bytes }) => bytes),
    );
    return widest <= elementBytes || (((counts.at(-1) ?? 0) + added) * elementBytes) % widest === 0;
  });
}

/** Whether no access touches the last `elements` of a row, as far as is known. */
export function isEndUnused(uses: readonly ShapedAccesses[], elements: number): boolean {
  return uses.every(({ shape: { counts, elementBytes }, accesses }) => {
    const usedBytes = ((counts.at(-1) ?? 0) - elements) * elementBytes;
    return accesses.every(({ columns }) => columns === null || columns.most < usedBytes);
  });
}

/** How a swizzle makes of the row what it XORs to the column: `(row >> right << left) & mask`, in elements. */
export interface Swizzle {
  readonly right: number;
  readonly left: number;
  readonly mask: number;
}

/** Rows of an array before and after: a swizzle wants `elements` to be a power of two, so a pad that was there goes. */
export interface SwizzledRows {
  readonly elementsBefore: number;
  readonly elements: number;
  readonly count: number;
}

/** Columns XORed with bits of the row. */
export function swizzledLayout(
  { elementsBefore, elements, count }: SwizzledRows,
  elementBytes: number,
  { right, left, mask }: Swizzle,
): Relayout["move"] {
  return (offsetBytes) => {
    const element = Math.floor(offsetBytes / elementBytes);
    const within = offsetBytes - element * elementBytes;
    const column = modulo(element, elementsBefore);
    const row = (element - column) / elementsBefore;
    const bits = ((modulo(row, count) >> right) << left) & mask;
    return (row * elements + (column ^ bits)) * elementBytes + within;
  };
}

/** The last two dimensions in each other's place, where a row loses `pad` elements at its end. */
export function transposedLayout({ counts, elementBytes }: ArrayShape, pad: number): Relayout["move"] {
  const columns = counts.at(-1) ?? 1;
  const rows = counts.at(-2) ?? 1;
  return (offsetBytes) => {
    const element = Math.floor(offsetBytes / elementBytes);
    const within = offsetBytes - element * elementBytes;
    const column = modulo(element, columns);
    const row = modulo((element - column) / columns, rows);
    const plane = (element - column - row * columns) / (rows * columns);
    return ((plane * (columns - pad) + column) * rows + row) * elementBytes + within;
  };
}

/** One element left free behind every `period` of them. */
export function spreadLayout(elementBytes: number, period: number): Relayout["move"] {
  return (offsetBytes) => offsetBytes + Math.floor(offsetBytes / elementBytes / period) * elementBytes;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The user wrote an access of this width: the compiler did not make it of those to single elements. */
export function isTyped({ bytes, expression, target }: AccessProfile, elementBytes: number): boolean {
  return bytes <= elementBytes || target === null || !expression.startsWith(`${target.name}[`);
}

/** What accesses would cost by their samples. */
export interface Estimate {
  /** In all, each access as often as it is made. */
  readonly cost: number;
  /** Some access would cost more than it does. */
  readonly risesSomewhere: boolean;
}

/**
 * What the accesses of all shapes would cost, each with a layout of its own, if each request were like its dearest one. Null where some lane
 * would be off the boundary of its access, or where some access has no sample.
 */
export function estimateOf(
  uses: readonly ShapedAccesses[],
  relayoutOf: (shape: ArrayShape) => Relayout,
): Estimate | null {
  let sum = 0;
  let risesSomewhere = false;
  for (const { shape, accesses } of uses) {
    const relayout = relayoutOf(shape);
    for (const access of accesses) {
      if (access.requests === 0) continue;
      const cost = costOfSample(access, shape.elementBytes, relayout);
      const now = costOfSample(access, shape.elementBytes, layoutAsItIs);
      if (cost === null) return null;
      risesSomewhere ||= now !== null && cost > now;
      sum += (access.requests ?? 1) * cost;
    }
  }
  return { cost: sum, risesSomewhere };
}

function costOfSample(access: AccessProfile, elementBytes: number, relayout: Relayout): number | null {
  const { worst, bytes } = access;
  if (worst === null) return null;
  // Elements narrower than a word: which of them share one hangs on where in it the request begins.
  const shifts = elementBytes < wordBytes ? wordBytes / elementBytes : 1;
  let sum = 0;
  for (let shift = 0; shift < shifts; shift++) {
    const offset = worst.movedBytes + shift * bytes;
    const from = worst.laneAddresses.map((address) => (address === null ? null : address + offset));
    const cost = costOfLanes(access, from, elementBytes, relayout);
    if (cost === null) return null;
    sum += cost / shifts;
  }
  return sum;
}

const wordBytes = 4;

type Addresses = readonly (number | null)[];

function costOfLanes(
  access: AccessProfile,
  from: Addresses,
  elementBytes: number,
  { move, keepsVectors }: Relayout,
): number | null {
  const { bytes, operation } = access;
  const moved = from.map((address) => (address === null ? null : move(address)));
  const boundary = operation === "matrix-load" || operation === "matrix-store" ? matrixRowBytes : bytes;
  const isOff = moved.some((address) => address !== null && address % boundary !== 0);
  if (isTyped(access, elementBytes)) return isOff ? null : figureOf(access, moved, bytes);
  const staysWhole = keepsVectors && !isOff;
  if (staysWhole) return figureOf(access, moved, bytes);
  let sum = 0;
  for (let offset = 0; offset < bytes; offset += elementBytes) {
    const part = from.map((address) => (address === null ? null : move(address + offset)));
    sum += figureOf(access, part, elementBytes);
  }
  return sum;
}

const matrixRowBytes = 16;

function figureOf({ operation, variant }: AccessProfile, laneAddresses: Addresses, bytes: number): number {
  return sharedFigure({ laneAddresses, bytes, operation, variant }).cost;
}
