// What variables hold where ways part and meet, and where others may have written those whose address is taken.
import { expect, test } from "vitest";
import { keyOfId } from "../../server/src/codegen/addresses/address.ts";
import { constantLinear, type Linear, LinearTable } from "../../server/src/codegen/addresses/linear.ts";
import { VariableValues } from "../../server/src/codegen/values/variables.ts";

const own = keyOfId(1, 0);
const escaped = keyOfId(2, 4);
const escapedToo = keyOfId(3, 0);
const temporary = keyOfId(-5, 0);
const [one, two] = [constantLinear(1), constantLinear(2)];

function variables(): VariableValues {
  const linears = new LinearTable();
  return new VariableValues({
    escaped: new Set([2, 3]),
    somethingElse: () => linears.fresh({ divisor: 1, maximum: null, base: null }),
    either: () => null,
  });
}

test("a variable that nobody set holds what it did at the start, until escaped ones are forgotten", () => {
  const values = variables();
  expect([values.get(own), values.get(escaped)]).toEqual([undefined, undefined]);
  values.forgetEscaped();
  expect(values.get(own)).toBe(undefined);
  expect(values.get(escaped)).toBeDefined();
});

test("forgetting escaped variables leaves the others, and what is asked for twice is one value", () => {
  const values = variables();
  values.set(own, one);
  values.set(escaped, one);
  values.forgetEscaped();
  const unnamed = values.get(escaped);
  expect(values.get(own)).toBe(one);
  expect(unnamed).not.toEqual(one);
  expect(values.get(escaped)).toBe(unnamed);
  expect(values.get(escapedToo)).not.toEqual(unnamed);
  values.set(escaped, two);
  expect(values.get(escaped)).toBe(two);
  values.forgetEscaped();
  expect([unnamed, two]).not.toContain(values.get(escaped));
});

test("a way that forgets leaves the state as it was, and both ways find what was unnamed before", () => {
  const values = variables();
  values.forgetEscaped();
  values.set(escapedToo, one);
  const found: (Linear | undefined)[] = [];
  const { changes: first } = values.tryOut(() => found.push(values.get(escaped)));
  const { changes: second } = values.tryOut(() => {
    found.push(values.get(escaped));
    values.forgetEscaped();
    values.set(escapedToo, two);
  });
  expect(found[0]).toBe(found[1]);
  expect([values.get(escaped), values.get(escapedToo)]).toEqual([found[0], one]);
  values.join(first, second);
  expect(values.get(escaped)).not.toEqual(found[0]);
  expect([one, two]).not.toContain(values.get(escapedToo));
});

test("where ways meet, what both leave in a variable stays, though one of them forgot", () => {
  const values = variables();
  const way = (forgets: "forgets" | "keeps") =>
    values.tryOut(() => {
      if (forgets === "forgets") values.forgetEscaped();
      for (const key of [own, escaped]) values.set(key, two);
    }).changes;
  values.join(way("forgets"), way("keeps"));
  expect([values.get(own), values.get(escaped)]).toEqual([two, two]);
});

test("the only way that goes on leaves all that it did", () => {
  const values = variables();
  values.set(escaped, one);
  const { changes } = values.tryOut(() => {
    values.forgetEscaped();
    values.set(escapedToo, two);
  });
  expect(values.get(escaped)).toBe(one);
  values.apply(changes);
  expect(values.get(escapedToo)).toBe(two);
  expect(values.get(escaped)).not.toEqual(one);
});

test("a temporary of one way is none of the other's; a variable that one way sets may hold either", () => {
  const values = variables();
  const { changes: first } = values.tryOut(() => {
    values.set(temporary, one);
    values.set(own, one);
  });
  const { changes: second } = values.tryOut(() => {});
  values.join(first, second);
  expect(values.get(temporary)).toBe(undefined);
  expect(values.get(own)).toBeDefined();
  expect(values.get(own)).not.toEqual(one);
});
