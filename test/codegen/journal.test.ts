// What passes of codegen know at a point: changes that are taken back, and the effects of statements in any order.
import { expect, test } from "vitest";
import { JournalMap, keysOf } from "../../server/src/codegen/walks/journal.ts";

const entries = <V>(changes: ReadonlyMap<number, V | undefined>) => [...changes].sort(([a], [b]) => a - b);

test("changes since a mark are taken back and given", () => {
  const map = new JournalMap<string>();
  map.set(1, "one");
  map.set(2, "two");
  const mark = map.mark();
  map.set(1, "changed");
  map.set(1, "changed again");
  map.delete(2);
  map.set(3, "new");
  const changes = map.takeBack(mark);
  expect([1, 2, 3].map((key) => map.get(key))).toEqual(["one", "two", undefined]);
  expect(entries(changes)).toEqual([
    [1, "changed again"],
    [2, undefined],
    [3, "new"],
  ]);
  map.apply(changes);
  expect([1, 2, 3].map((key) => map.get(key))).toEqual(["changed again", undefined, "new"]);
});

test("marks nest: what an inner way did is known to the outer one only if it is applied", () => {
  const map = new JournalMap<number>();
  const outer = map.mark();
  map.set(1, 10);
  const inner = map.mark();
  map.set(1, 11);
  map.set(2, 20);
  const ofInner = map.takeBack(inner);
  expect([map.get(1), map.get(2)]).toEqual([10, undefined]);
  map.apply(ofInner);
  expect(entries(map.takeBack(outer))).toEqual([
    [1, 11],
    [2, 20],
  ]);
  expect(map.get(1)).toBe(undefined);
});

test("a way without changes takes nothing back, and what follows is noted all the same", () => {
  const map = new JournalMap<number>();
  const outer = map.mark();
  expect(map.takeBack(map.mark()).size).toBe(0);
  map.set(1, 1);
  expect(entries(map.takeBack(outer))).toEqual([[1, 1]]);
  expect(map.get(1)).toBe(undefined);
});

test("a value like no other is made anew only where somebody has read the last one", () => {
  const map = new JournalMap<object>();
  map.renew(1, () => ({ first: true }));
  map.renew(1, () => ({ second: true }));
  const read = map.get(1);
  expect(read).toEqual({ first: true });
  map.renew(1, () => ({ third: true }));
  expect(map.get(1)).toEqual({ third: true });
});

test("the keys of two ways are those that either changes", () => {
  const keys = (a: [number, number][], b: [number, number][]) => [...keysOf(new Map(a), new Map(b))];
  expect(keys([[1, 1]], [])).toEqual([1]);
  expect(keys([], [[2, 2]])).toEqual([2]);
  expect(
    keys(
      [
        [1, 1],
        [2, 2],
      ],
      [
        [2, 0],
        [3, 3],
      ],
    ),
  ).toEqual([1, 2, 3]);
});
