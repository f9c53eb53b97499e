// The parts of a JSON text, one behind another, are the text that JSON.stringify would give.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonParts } from "../../server/src/render/json-text.ts";

describe("the parts of a JSON text", () => {
  it("are together what is written at once", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 7 }), (value) => {
        expect([...jsonParts(value)].join("")).toBe(JSON.stringify(value, null, 1));
      }),
    );
  });

  it("leave out what has no value", () => {
    const value = { a: undefined, b: [{ c: undefined, d: "x\ny" }] };
    expect([...jsonParts(value)].join("")).toBe(JSON.stringify(value, null, 1));
  });

  it("are a launch each, at most", () => {
    const launches = Array.from({ length: 100 }, (_, index) => ({ index, accesses: ["a".repeat(100)] }));
    const parts = [...jsonParts({ schemaVersion: 1, files: [{ path: "a.cu", launches }] })];
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(200);
  });
});
