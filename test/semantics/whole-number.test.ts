// Whole numbers without a type: what C gives, and null where it gives nothing or a double would lose bits.
import { expect, it } from "vitest";
import { operateOnWholeNumbers } from "../../server/src/semantics/whole-number.ts";

it.each([
  ["+", 2, 3, 5],
  ["-", 2, 3, -1],
  ["*", 6, 7, 42],
  ["/", -7, 2, -3],
  ["%", -7, 2, -1],
  ["<<", 1, 40, 2 ** 40],
  [">>", -5, 1, -3],
  ["&", -2, 255, 254],
  ["|", 1, 2, 3],
  ["^", 6, 3, 5],
  // Past 32 bits, where JavaScript's own operators wrap around.
  ["&", 2 ** 40 + 5, 2 ** 40 + 3, 2 ** 40 + 1],
  ["|", 2 ** 40, 1, 2 ** 40 + 1],
  ["^", 2 ** 40 + 1, 1, 2 ** 40],
])("%s of %d and %d", (operator, left, right, result) => {
  expect(operateOnWholeNumbers(operator, left, right)).toBe(result);
});

it.each([
  ["/", 1, 0],
  ["%", 1, 0],
  ["<<", 1, -1],
  ["<<", 1, 64],
  [">>", 1, -1],
  ["&", Number.POSITIVE_INFINITY, 1],
  ["|", 2 ** 60, 1],
  ["&&", 1, 1],
])("%s of %d and %d is not known", (operator, left, right) => {
  expect(operateOnWholeNumbers(operator, left, right)).toBeNull();
});
