// What a warp loads from memory that the host filled, and that the kernel leaves as it is.
import { isScalar, sameType, sizeOf, type Type, uint8 } from "../../ir/type.ts";
import { type HostContents, typeAt } from "../../launches/launch.ts";
import { readScalar, writeScalar } from "../../semantics/bytes.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { type Machine, spend } from "../machine.ts";
import { factorsOf, splitOf } from "../values/derive.ts";
import {
  allLanes,
  foldLanes,
  isMultiple,
  type Lanes,
  laneCount,
  laneOf,
  mapLanes,
  uniformOver,
} from "../values/lanes.ts";
import {
  add,
  isKnown,
  isUniformOver,
  known,
  type Linear,
  type Range,
  rangeOf,
  scale,
  symbolic,
} from "../values/linear.ts";
import type { Mask } from "../values/mask.ts";
import { rangeOfType } from "../values/symbols.ts";
import { type Cell, decided, type PointerValue, unknownValue, type Value } from "../values/value.ts";
import { leavesOf, scalarValue } from "./objects.ts";

/** What the lanes of `mask` load; null where that is not known. */
export function loadedFromHost(
  machine: Machine,
  pointer: PointerValue,
  type: Type,
  mask: Mask,
): Value | null {
  const { hostContents } = pointer.object;
  if (hostContents === null || mask.active === 0) return null;
  if (type.kind === "record" || type.kind === "array") return aggregateFromHost(machine, pointer, type, mask);
  if (type.kind !== "integer" && type.kind !== "boolean") return null;
  return isKnown(pointer.offset)
    ? integersAt(machine, hostContents, pointer, type, mask)
    : settledByPlace(machine, pointer, type, mask);
}

type IntegerOrBoolean = Extract<Type, { kind: "integer" | "boolean" }>;

function integersAt(
  machine: Machine,
  contents: HostContents,
  { offset }: PointerValue,
  type: IntegerOrBoolean,
  { active }: Mask,
): Value | null {
  const one = uniformOver(offset.constant, active);
  if (one !== null) {
    const value = scalarAt(contents, Number(one), type);
    return value === null ? null : scalarValue(value, type);
  }
  spend(machine, stepsOfGather);
  const values: Scalar[] = [];
  for (let lane = 0; lane < laneCount; lane++) {
    const isActive = ((active >>> lane) & 1) === 1;
    const value = isActive ? scalarAt(contents, Number(laneOf(offset.constant, lane)), type) : 0;
    if (value === null) return null;
    values.push(value);
  }
  if (type.kind === "integer") return known(foldLanes(values));
  return decided(values.reduce<number>((mask, value, lane) => (value === 0 ? mask : mask | (1 << lane)), 0));
}

/** What gathering a value for each lane takes beside evaluating one node. */
const stepsOfGather = 4;

function scalarAt(contents: HostContents, offsetBytes: number, type: IntegerOrBoolean): Scalar | null {
  const unit = unitAt(contents, offsetBytes);
  const written = typeAt(contents, unit);
  if (written !== undefined && unit * contents.unitBytes === offsetBytes && sameType(written, type))
    return contents.values[unit] ?? null;
  if (written === undefined && isZeroAt(contents, offsetBytes, type)) return 0;
  return fromBytes(contents, offsetBytes, type);
}

/** Where the value begins that stands at a place. */
function unitAt(contents: HostContents, offsetBytes: number): number {
  let unit = Math.floor(offsetBytes / contents.unitBytes);
  while (typeAt(contents, unit)?.kind === "void") unit--;
  return unit;
}

/** Put together of the bytes of all values that stand there, whatever their types; null where one of them is not known. */
function fromBytes(contents: HostContents, offsetBytes: number, type: IntegerOrBoolean): Scalar | null {
  const view = new DataView(new ArrayBuffer(8));
  const source = new DataView(new ArrayBuffer(8));
  const size = sizeOf(type) ?? 0;
  let done = 0;
  while (done < size) {
    const unit = unitAt(contents, offsetBytes + done);
    const written = typeAt(contents, unit);
    if (written === undefined && isZeroAt(contents, offsetBytes + done, uint8)) {
      view.setUint8(done++, 0);
      continue;
    }
    const value = contents.values[unit] ?? null;
    if (written === undefined || value === null || !isScalar(written)) return null;
    writeScalar(source, 0, written, value);
    const first = offsetBytes + done - unit * contents.unitBytes;
    const end = Math.min(sizeOf(written) ?? 0, first + size - done);
    if (end <= first) return null;
    for (let byte = first; byte < end; byte++) view.setUint8(done++, source.getUint8(byte));
  }
  return readScalar(view, 0, type);
}

/** Whether nobody wrote there, and all is zero that nobody wrote; not behind the array's end. */
function isZeroAt(contents: HostContents, offsetBytes: number, type: Type): boolean {
  const { unitBytes, zeroBytes } = contents;
  const bytes = sizeOf(type) ?? 0;
  if (offsetBytes < 0 || offsetBytes + bytes > zeroBytes) return false;
  if (unitBytes === 0) return true;
  const first = Math.floor(offsetBytes / unitBytes);
  const last = Math.ceil((offsetBytes + bytes) / unitBytes);
  for (let unit = first; unit < last; unit++) if (typeAt(contents, unit) !== undefined) return false;
  return true;
}

/** Where the blocks or warps that are folded read different places: a row of numbers in even steps stays linear in them, all else asks to be split. */
function settledByPlace(
  machine: Machine,
  { object, offset }: PointerValue,
  type: IntegerOrBoolean,
  mask: Mask,
): Value | null {
  const { hostContents } = object;
  // What some of them read is not known: it stays data.
  if (type.kind !== "integer" || !hostContents?.isComplete) return null;
  const row = evenRow(hostContents, rangeOf(offset, mask.active), offset, type);
  if (row !== null) return row;
  const split = splitOf(factorsOf([offset]), null);
  if (split === null) return null;
  const name = `${object.name}[…]`;
  return symbolic(
    machine.symbols.create({
      name,
      role: "derived",
      varies: true,
      ...rangeOfType(type),
      reason: name,
      split,
    }),
  );
}

/** The value as a function of the place, where all that may be read is one row of numbers in even steps. */
function evenRow(contents: HostContents, { least, most }: Range, offset: Linear, type: Type): Linear | null {
  const { unitBytes, values } = contents;
  const bytes = sizeOf(type) ?? 0;
  if (bytes !== unitBytes || least < 0 || most >= values.length * unitBytes || least % bytes !== 0)
    return null;
  const first = least / unitBytes;
  const last = Math.floor(most / unitBytes);
  const start = values[first];
  const next = values[first + 1];
  if (typeof start !== "number" || typeof next !== "number" || last - first > longestRow) return null;
  const step = next - start;
  for (let unit = first; unit <= last; unit++) {
    const written = typeAt(contents, unit);
    if (written === undefined || !sameType(written, type)) return null;
    if (values[unit] !== start + step * (unit - first)) return null;
  }
  if (step === 0) return known(start);
  const steps = dividedExactly(add(offset, known(-least)), bytes);
  return steps === null ? null : add(scale(steps, step), known(start));
}

/** Longer ones are not looked at for one load. */
const longestRow = 1 << 16;

function dividedExactly(form: Linear, divisor: number): Linear | null {
  const divided = (lanes: Lanes) => mapLanes(lanes, (value) => Number(value) / divisor);
  const isExact =
    isMultiple(form.constant, divisor, allLanes) &&
    form.terms.every(({ coefficient }) => isMultiple(coefficient, divisor, allLanes));
  if (!isExact) return null;
  return {
    kind: "linear",
    constant: divided(form.constant),
    terms: form.terms.map((term) => ({ ...term, coefficient: divided(term.coefficient) })),
  };
}

function aggregateFromHost(
  machine: Machine,
  pointer: PointerValue,
  type: Extract<Type, { kind: "record" | "array" }>,
  mask: Mask,
): Value | null {
  const cells = new Map<number, Cell>();
  const unknown = unknownValue(`${pointer.object.name}[…]`, {
    varies: !isUniformOver(pointer.offset, mask.active),
    dependsOnData: true,
  });
  for (const leaf of leavesOf(type, 0, pointer.object.name)) {
    const place = { ...pointer, offset: add(pointer.offset, known(leaf.offsetBytes)) };
    const value = loadedFromHost(machine, place, leaf.type, mask) ?? unknown;
    cells.set(leaf.offsetBytes, { type: leaf.type, value });
  }
  return { kind: "aggregate", cells, rest: unknown };
}
