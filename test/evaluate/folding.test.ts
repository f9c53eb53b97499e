// Blocks and trips that are folded against every thread by itself, on random integer indices and guards.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { sharedFigure } from "../../server/src/hardware/figure.ts";
import type { Expression } from "../../server/src/ir/expression.ts";
import { booleanType, int32, type Type, uint32 } from "../../server/src/ir/type.ts";
import { constant, kernelOf, launchOf, masked, textOf, valueIn, warpsOf } from "./brute.ts";

const intrinsic = (name: string): Expression => ({
  kind: "convert",
  type: int32,
  operand: {
    kind: "intrinsic",
    name,
    type: uint32,
    arguments: [],
    site: null,
    range: { file: "a.cu", start: 0, end: 1 },
  },
});

const names = ["threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y"];
const leaf = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names).map(intrinsic) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 70 }).map((value) => constant(value)) },
);
const positive = fc.constantFrom(1, 2, 3, 4, 7, 8, 12, 16, 31, 32, 33, 64);

const binary = (
  operator: "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>",
  left: Expression,
  right: Expression,
): Expression => ({
  kind: "binary",
  operator,
  type: int32,
  left,
  right,
});

const compare = (operator: "<" | "==" | ">=", left: Expression, right: Expression): Expression => ({
  kind: "binary",
  operator,
  type: booleanType,
  left,
  right,
});

/** x as another type and back, which wraps. */
const through = (type: Type, operand: Expression): Expression => ({
  kind: "convert",
  type: int32,
  operand: { kind: "convert", type, operand },
});

const { expression, condition } = fc.letrec<{ expression: Expression; condition: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    leaf,
    fc
      .tuple(fc.constantFrom("+" as const, "-" as const, "*" as const), tie("expression"), tie("expression"))
      .map(([operator, left, right]) => binary(operator, masked(left), masked(right))),
    fc
      .tuple(fc.constantFrom("/" as const, "%" as const), tie("expression"), positive)
      .map(([operator, left, right]) => binary(operator, left, constant(right))),
    fc
      .tuple(
        fc.constantFrom("&" as const, "|" as const, "^" as const),
        tie("expression"),
        fc.oneof(leaf, tie("expression")),
      )
      .map(([operator, left, right]) => binary(operator, left, right)),
    fc
      .tuple(fc.constantFrom("<<" as const, ">>" as const), tie("expression"), fc.integer({ min: 0, max: 5 }))
      .map(([operator, left, right]) => binary(operator, masked(left), constant(right))),
    tie("expression").map((operand) => through(uint32, operand)),
    fc.tuple(tie("condition"), tie("expression"), tie("expression")).map(
      ([test, whenTrue, whenFalse]): Expression => ({
        kind: "conditional",
        type: int32,
        condition: test,
        whenTrue,
        whenFalse,
      }),
    ),
  ),
  condition: fc
    .tuple(fc.constantFrom("<" as const, "==" as const, ">=" as const), tie("expression"), tie("expression"))
    .map(([operator, left, right]) => compare(operator, left, right)),
}));

const block = fc.constantFrom<[number, number, number]>(
  [32, 8, 1],
  [16, 4, 2],
  [8, 16, 1],
  [64, 2, 1],
  [24, 3, 1],
  [7, 9, 1],
  [128, 1, 1],
);
const grid = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }), fc.constant(1));

describe("folded evaluation", () => {
  it("gives the totals of every thread by itself, for any integer index and guard", {
    timeout: 600_000,
  }, () => {
    fc.assert(
      fc.property(expression, condition, block, grid, (index, guard, blockShape, gridShape) => {
        const launch = launchOf(gridShape, blockShape);
        const expected = { requests: 0, cost: 0, ideal: 0, lanes: 0 };
        for (const warp of warpsOf(launch)) {
          const laneAddresses = warp.map((thread) =>
            thread && valueIn(guard, thread) !== 0n ? Number(valueIn(masked(index), thread)) * 4 : null,
          );
          const lanes = laneAddresses.filter((address) => address !== null).length;
          if (lanes === 0) continue;
          const figure = sharedFigure({ laneAddresses, bytes: 4, operation: "store", variant: "store" });
          expected.requests++;
          expected.lanes += lanes;
          expected.cost += figure.cost;
          expected.ideal += figure.ideal;
        }
        const profile = evaluateLaunch(kernelOf(index, guard), launch);
        const access = profile.accesses[0];
        const actual = {
          requests: access?.requests ?? 0,
          lanes: access?.laneCount ?? 0,
          cost: access?.totals?.cost ?? 0,
          ideal: access?.totals?.ideal ?? 0,
        };
        expect(profile.gaps, textOf(index)).toEqual([]);
        expect(
          actual,
          `if (${textOf(guard)}) s[${textOf(index)} & 1023] with block ${blockShape}, grid ${gridShape}`,
        ).toEqual(expected);
      }),
      { numRuns: Number(process.env.RUNS ?? 400) },
    );
  });
});
