// Which part of the rows of an array an access touches, over everything that it stands for.
import { sizeOf, type Type } from "../../ir/type.ts";
import { isUniform, laneCount, laneOf } from "../values/lanes.ts";
import { type Linear, type Range, rangeOfTerms, type Term } from "../values/linear.ts";

/** The bytes of the innermost rows of an array of two or more dimensions; null for all other types. */
export function rowBytesOf(type: Type | null): number | null {
  if (type?.kind !== "array" || type.element.kind !== "array") return null;
  let row = type.element;
  while (row.element.kind === "array") row = row.element;
  return sizeOf(row);
}

/** First and last byte of a row, counted from its start, that `bytes` at `address` may touch; null where that may be any. */
export function columnsOf(address: Linear, mask: number, bytes: number, rowBytes: number): Range | null {
  const within =
    address.terms.length === 0 ? address.terms : address.terms.filter((term) => !isWholeRows(term, rowBytes));
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const { least: low, most: high } = within.length === 0 ? unmoved : rangeOfTerms(within, lane);
    const column = modulo(Number(laneOf(address.constant, lane)), rowBytes);
    least = Math.min(least, column + low);
    most = Math.max(most, column + high + bytes - 1);
    if (within.length === 0 && isUniform(address.constant)) break;
  }
  return least >= 0 && most < rowBytes && least <= most ? { least, most } : null;
}

const unmoved: Range = { least: 0, most: 0 };

function isWholeRows({ coefficient, factors }: Term, rowBytes: number): boolean {
  const isWhole = (value: number) => value % rowBytes === 0;
  if (factors.some(({ varies }) => varies)) return false;
  if (isUniform(coefficient)) return isWhole(Number(coefficient));
  for (let lane = 0; lane < laneCount; lane++) if (!isWhole(Number(laneOf(coefficient, lane)))) return false;
  return true;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
