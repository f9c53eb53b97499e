// nvcuda::wmma: what a warp reads and writes for load_matrix_sync and store_matrix_sync, as plain accesses of each lane. Which lane
// accesses what was measured on an H200 (sm_90) for every shape, type and layout: fixtures/tensor/wmma_*.cu.
import type { AccessSite, Expression, Place } from "../../ir/expression.ts";
import {
  booleanType,
  int32,
  voidType as irVoid,
  pointerTo,
  type Type,
  uint8,
  uint32,
} from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, noteGap, rangeOf, temporary } from "../context.ts";
import {
  assignOf,
  binaryOf,
  constantOf,
  convertOf,
  loadOf,
  offsetOf,
  placeAt,
  sequenceOf,
  unknownValue,
} from "../expressions/build.ts";
import { convertValue } from "../expressions/convert.ts";
import { readValue, rvalueOf, siteAt, type Value } from "../expressions/value.ts";
import type { TemplateArgument } from "../names/entity.ts";
import { irTypeOf, unsignedType, voidType } from "../types/cxx-type.ts";

interface Fragment {
  readonly use: "matrix_a" | "matrix_b" | "accumulator";
  /** Rows and columns of the matrix as C++ sees it. */
  readonly rows: number;
  readonly columns: number;
  readonly element: "half" | "bfloat16" | "byte" | "tf32" | "double" | "word";
  readonly layout: "row" | "column" | null;
}

/** One access of every lane: element row * pitch + column, of `bytes` bytes. */
interface Piece {
  readonly row: Expression;
  readonly column: Expression;
  readonly bytes: number;
}

const elementBytes = { half: 2, bfloat16: 2, byte: 1, tf32: 4, double: 8, word: 4 } as const;

/** fill_fragment, mma_sync, load_matrix_sync and store_matrix_sync of a fragment; null where `name` is none of them. */
export function matrixFunction(
  context: Context,
  qualifiedName: string,
  given: readonly Value[],
  node: SyntaxNode,
): Value | null {
  const name = qualifiedName.replace(/^(::)?(nvcuda::)?(wmma::)?/, "");
  switch (name) {
    case "fill_fragment":
    case "mma_sync":
    case "bmma_sync":
      return computed(context, name, given);
    case "__float_to_tf32":
      return given[0] ? readValue(context, given[0]) : null;
    case "load_matrix_sync":
      return moved(context, "load", given, node);
    case "store_matrix_sync":
      return moved(context, "store", given, node);
    default:
      return null;
  }
}

/** The first fragment becomes something that is not known, from the values of the others. */
function computed(context: Context, name: string, given: readonly Value[]): Value | null {
  const [target, ...sources] = given;
  if (target?.kind !== "place") return null;
  const operands = sources.map((source) => readValue(context, source).expression);
  const type = irTypeOf(target.type);
  const value = madeOf(type, `the result of ${name}`, operands);
  return rvalueOf(voidType, sequenceOf([...target.effects, assignOf(target.place, value, null)], nothing));
}

const nothing = constantOf(irVoid, 0);

/** What the tensor cores give: always the same for the same operands. */
function madeOf(type: Type, reason: string, operands: readonly Expression[]): Expression {
  return { ...unknownValue(type, reason, operands), isPure: true };
}

/** load_matrix_sync(fragment, pointer, pitch[, layout]) and store_matrix_sync(pointer, fragment, pitch, layout). */
function moved(
  context: Context,
  direction: "load" | "store",
  given: readonly Value[],
  node: SyntaxNode,
): Value | null {
  const [first, second, pitchValue, layoutValue] = given;
  const held = direction === "load" ? first : second;
  const pointerValue = direction === "load" ? second : first;
  if (held?.kind !== "place" || !pointerValue || !pitchValue) return null;
  const chosen = layoutValue ? layoutOf(readValue(context, layoutValue).expression) : null;
  const fragment = fragmentOf(held, chosen);
  if (fragment === null || (fragment.layout === null && direction === "load")) {
    noteGap(context, "a matrix fragment of a kind that was not measured");
    return null;
  }
  const pointer = hold(context, readValue(context, pointerValue).expression);
  const pitch = hold(context, convertValue(context, pitchValue, unsignedType));
  const site = siteAt(context, node);
  const pieces = piecesOf(fragment, laneOf(context, node));
  const size = elementBytes[fragment.element];
  const placeOf = (piece: Piece): Place => {
    const index = binaryOf("+", uint32, binaryOf("*", uint32, piece.row, pitch.value), piece.column);
    const type = wordOf(piece.bytes);
    return placeAt(offsetOf(convertOf(pointer.value, pointerTo(type)), index, size, type), type);
  };
  const before = [...held.effects, pointer.effect, pitch.effect];
  if (direction === "store") {
    const whole = loadOf(held.place, null);
    const stores = pieces.map((piece, index) => {
      const place = placeOf(piece);
      const operands = [whole, constantOf(int32, index)];
      return assignOf(place, madeOf(place.type, "a matrix fragment", operands), site);
    });
    return rvalueOf(voidType, sequenceOf([...before, ...stores], nothing));
  }
  const loads = pieces.map((piece) => loadOf(placeOf(piece), site));
  const rows = matrixLoads(context, fragment, { pointer: pointer.value, pitch: pitch.value, site, node });
  const type = irTypeOf(held.type);
  const whole = (operands: readonly Expression[]) =>
    assignOf(held.place, madeOf(type, "a matrix fragment", operands), null);
  const effect: Expression =
    rows === null
      ? whole(loads)
      : {
          kind: "conditional",
          type: int32,
          condition: {
            kind: "intrinsic",
            name: "__isShared",
            type: booleanType,
            arguments: [pointer.value],
            site: null,
            range: rangeOf(context, node),
          },
          whenTrue: done(whole(rows)),
          whenFalse: done(whole(loads)),
        };
  return rvalueOf(voidType, sequenceOf([...before, effect], nothing));
}

function done(effect: Expression): Expression {
  return { kind: "sequence", type: int32, effects: [effect], result: constantOf(int32, 0) };
}

function hold(
  context: Context,
  value: Expression,
): { readonly effect: Expression; readonly value: Expression } {
  const variable = temporary(context, value.type);
  const place = { kind: "variable", variable, offsetBytes: 0, type: value.type } as const;
  return { effect: assignOf(place, value, null), value: loadOf(place, null) };
}

function layoutOf(value: Expression): "row" | "column" | null {
  if (value.kind === "convert") return layoutOf(value.operand);
  return value.kind !== "constant" ? null : Number(value.value) === 0 ? "row" : "column";
}

function fragmentOf(value: Value, chosen: Fragment["layout"]): Fragment | null {
  if (value.kind !== "place" || value.type.kind !== "class") return null;
  const list = value.type.info.instanceOf?.arguments;
  if (value.type.info.name.replace(/<.*/s, "") !== "fragment" || !list) return null;
  const [use, m, n, k, element, layout] = list;
  const [rows, columns, depth] = [numberOf(m), numberOf(n), numberOf(k)];
  const useName = nameOf(use);
  const kind = elementOf(element);
  if (rows === null || columns === null || depth === null || kind === null) return null;
  const layoutName = nameOf(layout);
  const own = layoutName === "row_major" ? "row" : layoutName === "col_major" ? "column" : null;
  const common = { element: kind, layout: own ?? chosen };
  if (useName === "matrix_a") return { ...common, use: "matrix_a", rows, columns: depth };
  if (useName === "matrix_b") return { ...common, use: "matrix_b", rows: depth, columns };
  return useName === "accumulator" ? { ...common, use: "accumulator", rows, columns } : null;
}

function numberOf(argument: TemplateArgument | undefined): number | null {
  return argument?.kind === "value" ? Number(argument.value) : null;
}

function nameOf(argument: TemplateArgument | undefined): string | null {
  return argument?.kind === "type" && argument.type.kind === "class" ? argument.type.info.name : null;
}

function elementOf(argument: TemplateArgument | undefined): Fragment["element"] | null {
  if (argument?.kind !== "type") return null;
  if (nameOf(argument) === "tf32") return "tf32";
  const type = irTypeOf(argument.type);
  if (type.kind === "float")
    return type.format === "single" ? "word" : type.format === "double" ? "double" : type.format;
  if (type.kind !== "integer") return null;
  return type.bits === 8 ? "byte" : type.bits === 32 ? "word" : null;
}

interface Lane {
  /** lane / 4 and lane % 4, and the lane itself. */
  readonly group: Expression;
  readonly member: Expression;
  readonly number: Expression;
}

function laneOf(context: Context, node: SyntaxNode): Lane {
  const number: Expression = {
    kind: "intrinsic",
    name: "laneid",
    type: uint32,
    arguments: [],
    site: null,
    range: rangeOf(context, node),
  };
  return {
    number,
    group: binaryOf(">>", uint32, number, constantOf(uint32, 2)),
    member: binaryOf("&", uint32, number, constantOf(uint32, 3)),
  };
}

function plus(value: Expression, by: number): Expression {
  return by === 0 ? value : binaryOf("+", uint32, value, constantOf(uint32, by));
}

function times(value: Expression, by: number): Expression {
  return by === 1 ? value : binaryOf("*", uint32, value, constantOf(uint32, by));
}

function steps(count: number, by: number): number[] {
  return Array.from({ length: count / by }, (_, index) => index * by);
}

/** Rows and columns as memory has them: a row is contiguous. */
function memoryShape({ rows, columns, layout }: Fragment): {
  readonly rows: number;
  readonly columns: number;
} {
  return layout === "column" ? { rows: columns, columns: rows } : { rows, columns };
}

/** Whether the fragment is accessed by blocks of 8 rows of 16 bytes, of which each lane has 4 bytes. */
function isBlocked(fragment: Fragment): boolean {
  const { element, use, layout } = fragment;
  if (element === "half" || element === "bfloat16") return true;
  return element === "byte" && layout === (use === "matrix_a" ? "row" : "column");
}

function piecesOf(fragment: Fragment, lane: Lane): readonly Piece[] {
  const { rows, columns } = memoryShape(fragment);
  const size = elementBytes[fragment.element];
  if (isBlocked(fragment))
    return steps(rows, 8).flatMap((row) =>
      steps(columns, 16 / size).map((column) => ({
        row: plus(lane.group, row),
        column: plus(times(lane.member, 4 / size), column),
        bytes: 4,
      })),
    );
  if (fragment.use === "accumulator") return accumulatorPieces(fragment, lane);
  // The groups of lanes go along the matrix's own side (m or n), the members of a group along k: with bytes, four of k each.
  const isDepthContiguous = fragment.layout === (fragment.use === "matrix_a" ? "row" : "column");
  const side = isDepthContiguous ? rows : columns;
  const depth = isDepthContiguous ? columns : rows;
  const each = fragment.element === "byte" ? 4 : 1;
  return steps(side, 8).flatMap((along) =>
    steps(depth, 4 * each).flatMap((deep) =>
      steps(each, 1).map((part) => {
        const inSide = plus(lane.group, along);
        const inDepth = plus(times(lane.member, each), deep + part);
        return isDepthContiguous
          ? { row: inSide, column: inDepth, bytes: size }
          : { row: inDepth, column: inSide, bytes: size };
      }),
    ),
  );
}

/** Accumulators of 4 and 8 bytes: a lane has pairs of neighbours along n; of the shape 8×32, along m. Contiguous pairs are one access. */
function accumulatorPieces(fragment: Fragment, lane: Lane): readonly Piece[] {
  const size = elementBytes[fragment.element];
  const isPairedAlongRows = fragment.rows < fragment.columns;
  const paired = isPairedAlongRows ? fragment.rows : fragment.columns;
  const grouped = isPairedAlongRows ? fragment.columns : fragment.rows;
  const isContiguous = (fragment.layout === "column") === isPairedAlongRows;
  return steps(grouped, 8).flatMap((group) =>
    steps(paired, 8).flatMap((pair) =>
      steps(isContiguous ? 1 : 2, 1).map((part) => {
        const inGroup = plus(lane.group, group);
        const inPair = plus(times(lane.member, 2), pair + part);
        return isContiguous
          ? { row: inGroup, column: inPair, bytes: 2 * size }
          : { row: inPair, column: inGroup, bytes: size };
      }),
    ),
  );
}

/** ldmatrix, by which blocks of half and of bytes come from shared memory; null for what is loaded otherwise. */
function matrixLoads(
  context: Context,
  fragment: Fragment,
  from: {
    readonly pointer: Expression;
    readonly pitch: Expression;
    readonly site: AccessSite;
    readonly node: SyntaxNode;
  },
): readonly Expression[] | null {
  const { element, use } = fragment;
  if (!isBlocked(fragment) || use === "accumulator" || element === "bfloat16") return null;
  const size = elementBytes[element];
  const { rows, columns } = memoryShape(fragment);
  const high = rows / 8;
  const blocks = (rows * columns * size) / 128;
  const { number } = laneOf(context, from.node);
  const count = Math.min(4, blocks);
  return steps(blocks, count).map((start) => {
    const block = plus(binaryOf(">>", uint32, number, constantOf(uint32, 3)), start);
    const inBlock = binaryOf("&", uint32, number, constantOf(uint32, 7));
    const above = binaryOf("&", uint32, block, constantOf(uint32, high - 1));
    const before = binaryOf(">>", uint32, block, constantOf(uint32, Math.log2(high)));
    const row = binaryOf("+", uint32, inBlock, times(above, 8));
    const index = binaryOf("+", uint32, binaryOf("*", uint32, row, from.pitch), times(before, 16 / size));
    const target = { kind: "array", element: uint32, count: 4 } as const;
    return {
      kind: "intrinsic",
      name: `ldmatrix.x${count}`,
      type: uint32,
      arguments: [offsetOf(convertOf(from.pointer, pointerTo(target)), index, size, target)],
      site: from.site,
      range: rangeOf(context, from.node),
    };
  });
}

/** One machine word of that many bytes. */
function wordOf(bytes: number): Type {
  if (bytes === 16)
    return {
      kind: "record",
      name: "16 bytes",
      sizeBytes: 16,
      alignmentBytes: 16,
      fields: [
        { name: "x", type: { kind: "float", format: "double" }, offsetBytes: 0 },
        { name: "y", type: { kind: "float", format: "double" }, offsetBytes: 8 },
      ],
    };
  if (bytes === 8) return { kind: "float", format: "double" };
  return bytes === 4 ? uint32 : uint8;
}
