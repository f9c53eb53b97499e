// Numbers as bytes: the same bytes for the same number, whatever the engine that runs this has compiled.
import { expect, it } from "vitest";
import type { ScalarType } from "../../server/src/ir/type.ts";
import { writeScalar } from "../../server/src/semantics/bytes.ts";

const bytesOf = (type: ScalarType, value: number): number[] => {
  const view = new DataView(new ArrayBuffer(8));
  writeScalar(view, 0, type, value);
  return [...new Uint8Array(view.buffer)];
};

it.each(["single", "double"] as const)("every NaN of format %s is written alike", (format) => {
  // What a processor makes of a root of -1 has its sign set; what JavaScript calls NaN has not.
  const [negative = 0] = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0000n]).buffer);
  expect(negative).toBeNaN();
  const type: ScalarType = { kind: "float", format };
  expect(bytesOf(type, negative)).toEqual(bytesOf(type, Number.NaN));
});
