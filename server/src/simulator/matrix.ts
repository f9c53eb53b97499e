// ldmatrix and stmatrix: eight rows of 16 bytes a matrix, whose addresses eight lanes give, spread over the warp two 16-bit
// elements a lane.
import type { Intrinsic } from "../ir/expression.ts";
import { sizeOf, uint16, uint32 } from "../ir/type.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { type Access, announce, loadScalar, storeScalar } from "./access.ts";
import { accessOf, type ValueCode } from "./expression.ts";
import type { Scope } from "./function.ts";
import { lanesOf } from "./intrinsic.ts";
import {
  emptyBytes,
  isBytes,
  type LaneValue,
  laneValue,
  placePart,
  scalarPart,
  tainted,
  taintedBytes,
  type Value,
  zeroValue,
} from "./value.ts";

const rowCount = 8;
const rowBytes = 16;

/** The result holds one 32-bit register a matrix. */
export function compileMatrixLoad(
  scope: Scope,
  expression: Intrinsic,
  codes: readonly ValueCode[],
): ValueCode {
  const { matrices, order } = shapeOf(expression.name);
  const access = matrixAccess(scope, expression, "matrix-load");
  const silent: Access = { ...access, site: null };
  const resultBytes = sizeOf(expression.type) ?? 0;
  const isOneWord = expression.type.kind !== "record" && expression.type.kind !== "array";
  const form = isOneWord ? "word" : "bytes";
  return (warp, mask) => {
    const address = lanesOf(codes[0]?.(warp, mask));
    const rows = rowMask(mask, matrices);
    announce(warp, rows, address, 0, rowBytes, access, null);
    if (mask !== -1 || (address.taint & rows) !== 0) return unknownResult(form, resultBytes);
    if (!isOneWord && resultBytes < matrices * 4) return unknownResult(form, resultBytes);
    const whole = emptyBytes(Math.max(4 * matrices, resultBytes));
    for (let matrix = 0; matrix < matrices; matrix++) {
      for (const half of [0, 1] as const) {
        const from = elementAddresses(address, matrix, half, order);
        const elements = loadScalar(warp, -1, from, 0, uint16, silent);
        placePart(whole, matrix * 4 + half * 2, uint16, elements);
      }
    }
    return isOneWord ? scalarPart(whole, 0, uint32) : whole;
  };
}

export function compileMatrixStore(
  scope: Scope,
  expression: Intrinsic,
  codes: readonly ValueCode[],
): ValueCode {
  const { matrices, order } = shapeOf(expression.name);
  const access = matrixAccess(scope, expression, "matrix-store");
  const silent: Access = { ...access, site: null };
  return (warp, mask) => {
    const [address, ...values] = codes.map((code) => code(warp, mask));
    const to = lanesOf(address);
    const rows = rowMask(mask, matrices);
    announce(warp, rows, to, 0, rowBytes, access, null);
    if (mask !== -1 || (to.taint & rows) !== 0) return zeroValue;
    for (let matrix = 0; matrix < matrices; matrix++) {
      const word = registerOf(values, matrix);
      for (const half of [0, 1] as const) {
        const elements = laneValue(
          word.lanes.map((one) => (Number(one) >>> (half * 16)) & 0xffff),
          word.taint,
          word.reason,
        );
        storeScalar(warp, -1, elementAddresses(to, matrix, half, order), 0, uint16, elements, silent);
      }
    }
    return zeroValue;
  };
}

type ElementOrder = "as-stored" | "transposed";

function shapeOf(name: string): { readonly matrices: number; readonly order: ElementOrder } {
  const order = name.endsWith(".trans") ? "transposed" : "as-stored";
  return { matrices: Number(/\.x(\d)/.exec(name)?.[1] ?? 1), order };
}

function matrixAccess(scope: Scope, expression: Intrinsic, operation: Access["operation"]): Access {
  return { ...accessOf(scope, expression.site, operation), intrinsic: expression.name };
}

/** Only the addresses of the first eight lanes a matrix are read. */
function rowMask(mask: number, matrices: number): number {
  return matrices === 4 ? mask : mask & ((1 << (matrices * rowCount)) - 1);
}

/** Where each lane's element of a matrix lies: row lane/4, columns 2*(lane%4) and the next; the other way round if transposed. */
function elementAddresses(rows: LaneValue, matrix: number, half: 0 | 1, order: ElementOrder): LaneValue {
  const lanes: Scalar[] = zeroValue.lanes.slice();
  for (let lane = 0; lane < laneCount; lane++) {
    const [along, across] = [lane >> 2, (lane & 3) * 2 + half];
    const [row, column] = order === "transposed" ? [across, along] : [along, across];
    lanes[lane] = Number(rows.lanes[matrix * rowCount + row] ?? 0) + column * 2;
  }
  return laneValue(lanes);
}

function registerOf(values: readonly (Value | undefined)[], matrix: number): LaneValue {
  const [first] = values;
  if (first !== undefined && isBytes(first)) return scalarPart(first, matrix * 4, uint32);
  return lanesOf(values[matrix]);
}

function unknownResult(form: "word" | "bytes", sizeBytes: number): Value {
  const reason = "a matrix load with inactive lanes or unknown rows";
  return form === "word" ? tainted(reason) : taintedBytes(sizeBytes, reason);
}
