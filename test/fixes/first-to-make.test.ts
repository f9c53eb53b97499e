// Which of a kernel's fixes is made first.
import { expect, it } from "vitest";
import { type Fix, firstToMake } from "../../server/src/fixes/fix.ts";

const fixOf = (line: number, safety: Fix["safety"], saved: number): Fix =>
  ({
    rule: "shared-bank-conflict",
    target: { file: "/a.cu", start: line, end: line + 1 },
    safety,
    gain: { unit: "wavefronts", perRequest: { before: 2, after: 1 }, totals: { before: saved, after: 0 } },
  }) as unknown as Fix;

const cheap = fixOf(35, "safe", 6_000);
const dear = fixOf(26, "suggestion", 200_000);

it("is the one that saves most, where suggestions are wanted", () => {
  expect(firstToMake([cheap, dear], "all")).toBe(dear);
  expect(firstToMake([cheap, dear], "safe")).toBe(cheap);
});

it("is of one finding the safe one, though a suggestion saves more", () => {
  const safe = fixOf(26, "safe", 190_000);
  expect(firstToMake([cheap, dear, safe], "all")).toBe(safe);
});

it("is the safe one of two that save as much", () => {
  const safe = fixOf(35, "safe", 200_000);
  expect(firstToMake([dear, safe], "all")).toBe(safe);
});
