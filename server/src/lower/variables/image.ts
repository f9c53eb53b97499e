// What nvcc makes of braces: where a constant is among them it copies an image of the whole record, padding and all, and stores the rest over it.
import type { Expression } from "../../ir/expression.ts";
import { movesWithPadding, type Piece, paddingOf, piecesOf } from "../../ir/pieces.ts";
import { type RecordType, sizeOf } from "../../ir/type.ts";

interface Part {
  readonly offsetBytes: number;
  readonly value: Expression;
}

/**
 * The parts of a record written as braces, and those of its padding where nvcc gives it a value: where some member is a constant, or is left
 * out and so zero (fixtures/forms/braced_padding). Of braces of nothing but what is computed padding stays undefined.
 */
export function withPadding(type: RecordType, parts: readonly Part[]): readonly Part[] {
  if (!movesWithPadding(type) || !isImaged(type, parts)) return parts;
  return [
    ...parts,
    ...paddingOf(type).map(({ offsetBytes, type: word }): Part => {
      return { offsetBytes, value: { kind: "constant", type: word, value: 0 } };
    }),
  ];
}

function isImaged(type: RecordType, parts: readonly Part[]): boolean {
  if (parts.some(({ value }) => holdsConstant(value))) return true;
  return (piecesOf(type) ?? []).some((piece) => !parts.some((part) => covers(part, piece)));
}

function holdsConstant(value: Expression): boolean {
  if (value.kind === "aggregate") return value.parts.some((part) => holdsConstant(part.value));
  return value.kind === "constant";
}

function covers({ offsetBytes, value }: Part, piece: Piece): boolean {
  return offsetBytes <= piece.offsetBytes && piece.offsetBytes < offsetBytes + (sizeOf(value.type) ?? 0);
}
