// Variables of namespaces, made when first met.
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { writeScalar } from "../semantics/bytes.ts";
import { compileValue } from "./expression.ts";
import type { Scope } from "./function.ts";
import type { Machine } from "./machine.ts";
import type { FillPage, MemoryObject } from "./memory.ts";
import { emptyBytes, known, placePart } from "./value.ts";
import { makeBlock, makeWarp } from "./warp.ts";

/** `fillOf` says what of a variable holds that neither the host nor an initializer fills; where it says nothing, zeros. */
export function makeGlobal(
  machine: Machine,
  variable: Variable,
  fillOf: (variable: Variable) => FillPage | null,
): MemoryObject {
  const sizeBytes = sizeOf(variable.type) ?? 0;
  const copied = variable.storage === "constant" ? machine.copiedByHost(variable) : null;
  const initializer = copied === null ? machine.program.globalInitializer(variable) : null;
  const fill = initializer === null ? fillOf(variable) : null;
  const object = machine.space.add({
    name: variable.name,
    space: variable.storage.startsWith("device") ? "global" : "constant",
    sizeBytes,
    fill: copied === null ? fill : null,
  });
  if (copied !== null) {
    fill?.(object.bytes.subarray(0, sizeBytes), 0);
    for (const { offsetBytes, type, value } of copied) writeScalar(object.view, offsetBytes, type, value);
  }
  // Before the initializer runs, which may name the variable itself.
  machine.globals.set(variable.id, object);
  if (initializer === null) return object;
  const scope: Scope = { machine, registers: new Map(), locals: new Map(), range: initialRange(variable) };
  const code = compileValue(scope, initializer);
  const block = makeBlock([0, 0, 0], 0);
  const warp = makeWarp({ ...machine, onRequest: null, onUnknown: null }, block, 0);
  const value = code(warp, 1);
  const whole = emptyBytes(sizeBytes);
  placePart(whole, 0, variable.type, value);
  object.bytes.set(whole.bytes.subarray(0, sizeBytes));
  const states = whole.states.subarray(0, sizeBytes);
  if (states.some((state) => state !== known)) object.states = states.slice();
  return object;
}

function initialRange(variable: Variable) {
  return variable.range ?? { file: "", start: 0, end: 0 };
}
