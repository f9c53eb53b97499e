// How large LLVM takes a loop's body for.
import { expect, test } from "vitest";
import { operationsOf } from "../../server/src/codegen/linearise/operations.ts";
import { int32 } from "../../server/src/ir/type.ts";
import { assign, binary, evaluate, read, variable } from "./build.ts";

test("values made of values, each twice, count once a statement however long the chain is", () => {
  const x = variable("x", int32);
  const squared = evaluate(assign(x, binary("*", read(x), binary("+", read(x), read(x)))));
  const body = Array.from({ length: 60 }, () => squared);
  expect(operationsOf(body, new Set(), Number.POSITIVE_INFINITY).operations).toBe(2 * body.length);
});
