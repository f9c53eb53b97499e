// Rebuilding IR: what does not change stays the node that it was, and what changes keeps all its other parts.
import { expect, test } from "vitest";
import { likeSite, mapOperands, withStored, withWays } from "../../server/src/codegen/walks/rebuild.ts";
import { someExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { AccessSite, Assign, Expression } from "../../server/src/ir/expression.ts";
import type { If, Statement } from "../../server/src/ir/statement.ts";
import { booleanType, int32, pointerTo } from "../../server/src/ir/type.ts";

const range = { file: "a.cu", start: 0, end: 1 };
const one: Expression = { kind: "constant", type: int32, value: 1 };
const two: Expression = { kind: "constant", type: int32, value: 2 };
const pointer: Expression = { kind: "constant", type: pointerTo(int32), value: 0 };
const site: AccessSite = {
  range,
  expression: "s[i]",
  isVolatile: false,
  merged: [],
  uncertain: "loads-vectors",
};
const store: Assign = {
  kind: "assign",
  type: int32,
  place: { kind: "memory", pointer, offsetBytes: 4, type: int32 },
  value: one,
  site,
};

const nodes: readonly Expression[] = [
  { kind: "load", type: int32, place: store.place, site },
  { kind: "address", type: pointerTo(int32), place: store.place },
  { kind: "unary", operator: "negate", type: int32, operand: one },
  { kind: "convert", type: int32, operand: one },
  { kind: "extract", type: int32, operand: one, offsetBytes: 4 },
  { kind: "binary", operator: "-", type: int32, left: one, right: two },
  { kind: "logical", operator: "or", type: booleanType, left: one, right: two },
  { kind: "difference", type: int32, left: one, right: two, strideBytes: 4 },
  { kind: "offset", type: pointerTo(int32), pointer, index: one, strideBytes: 4 },
  { kind: "conditional", type: int32, condition: one, whenTrue: one, whenFalse: two },
  store,
  { kind: "sequence", type: int32, effects: [store], result: one },
  { kind: "intrinsic", name: "min", type: int32, arguments: [one, two], site: null, range },
];

test.each(nodes)("$kind: the node itself over the operands that it has", (node) => {
  expect(mapOperands(node, (operand) => operand)).toBe(node);
});

test.each(nodes)("$kind: copied operands change nothing but which objects they are", (node) => {
  const copied = mapOperands(node, (operand) => ({ ...operand }));
  expect(copied).not.toBe(node);
  expect(copied).toEqual(node);
  expect(Object.keys(copied)).toEqual(Object.keys(node));
});

test("an assignment's value is mapped before the pointer of its place, as it is evaluated", () => {
  const order: Expression[] = [];
  mapOperands(store, (operand) => {
    order.push(operand);
    return operand;
  });
  expect(order).toEqual([one, pointer]);
});

test("a site keeps what it says where only something else changes", () => {
  const merged = likeSite(site, { merged: [range] });
  expect(merged).toEqual({ ...site, merged: [range] });
  expect(likeSite(merged, { stack: [range] })).toEqual({ ...merged, stack: [range] });
});

test("a store and a branch are what they were where nothing changes", () => {
  const branch: If = { kind: "if", condition: one, whenTrue: [], whenFalse: [], range };
  expect(withStored(store, store.place, one)).toBe(store);
  expect(withStored(store, store.place, two)).toEqual({ ...store, value: two });
  expect(withWays(branch, one, branch.whenTrue, branch.whenFalse)).toBe(branch);
  expect(withWays(branch, two, branch.whenTrue, branch.whenFalse)).toEqual({ ...branch, condition: two });
});

test("expressions are looked at until one is found, in statements below too", () => {
  const inner: Statement = { kind: "evaluate", expression: store, range };
  const list: readonly Statement[] = [{ kind: "block", body: [inner] }, inner];
  let looked = 0;
  const isOne = (expression: Expression) => {
    looked++;
    return expression === one;
  };
  expect(someExpressionOf(list, isOne)).toBe(true);
  expect(looked).toBe(2);
  expect(someExpressionOf(list, (expression) => expression === two)).toBe(false);
});
