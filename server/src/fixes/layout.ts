// Where the elements of an array lie, and what its accesses would cost if they lay elsewhere: a cheap look by the dearest request of each
// access, so that only the best few candidates go through the whole pipeline.
import type { AccessProfile } from "../evaluate/profile.ts";
import { sharedFigure } from "../hardware/figure.ts";
import { sizeOf, type Type } from "../ir/type.ts";

/** From the byte offset of an element's part to where it would lie instead. */
export type Relayout = (offsetBytes: number) => number;

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
  return (offsetBytes) => {
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
}

/** Whether rows with `added` more elements still begin on the boundary of the widest access, in every shape. */
export function keepsAlignment(uses: readonly ShapedAccesses[], added: number): boolean {
  return uses.every(({ shape: { counts, elementBytes }, accesses }) => {
    const widest = Math.max(...accesses.map(({ bytes }) => bytes));
    return widest <= elementBytes || (((counts.at(-1) ?? 0) + added) * elementBytes) % widest === 0;
  });
}

/** How a swizzle makes of the row what it XORs to the column: `(row >> right << left) & mask`, in elements. */
export interface Swizzle {
  readonly right: number;
  readonly left: number;
  readonly mask: number;
}

/** Columns of rows of `rowElements` (a power of two) XORed with bits of the row. */
export function swizzledLayout(
  rowElements: number,
  rowCount: number,
  elementBytes: number,
  { right, left, mask }: Swizzle,
): Relayout {
  return (offsetBytes) => {
    const element = Math.floor(offsetBytes / elementBytes);
    const within = offsetBytes - element * elementBytes;
    const column = modulo(element, rowElements);
    const row = (element - column) / rowElements;
    const bits = ((modulo(row, rowCount) >> right) << left) & mask;
    return (row * rowElements + (column ^ bits)) * elementBytes + within;
  };
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/**
 * What the accesses would cost in all, each as often as it is made, if each request were like its dearest one. Null where some lane would be
 * off the boundary of its access, or where some access has no sample.
 */
export function estimatedCost(accesses: readonly AccessProfile[], relayout: Relayout): number | null {
  let sum = 0;
  for (const access of accesses) {
    const { worst, bytes, operation, variant, requests } = access;
    if (requests === 0) continue;
    if (worst === null) return null;
    const laneAddresses = worst.laneAddresses.map((address) => (address === null ? null : relayout(address)));
    const boundary = operation === "matrix-load" || operation === "matrix-store" ? 16 : bytes;
    if (laneAddresses.some((address) => address !== null && address % boundary !== 0)) return null;
    sum += (requests ?? 1) * sharedFigure({ laneAddresses, bytes, operation, variant }).cost;
  }
  return sum;
}

/** The same over all shapes of an array, each with a layout of its own. */
export function estimatedCostOf(
  uses: readonly ShapedAccesses[],
  relayoutOf: (shape: ArrayShape) => Relayout,
): number | null {
  let sum = 0;
  for (const { shape, accesses } of uses) {
    const cost = estimatedCost(accesses, relayoutOf(shape));
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}
