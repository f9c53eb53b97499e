// What the nodes of a graph reach, against following every edge from each of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Graph, reachedFrom } from "../../server/src/launches/contents/reached.ts";

const count = 12;
const node = fc.nat(count - 1);

/** Marks are the numbers of the marked nodes. */
function plainly(root: number, graph: Graph<number, number>): ReadonlySet<number> | "any" {
  const found = new Set([root]);
  for (const each of found) for (const next of graph.nextOf(each)) found.add(next);
  const marks = [...found].map((each) => graph.markOf(each));
  return marks.includes("any") ? "any" : new Set(marks.filter((mark) => typeof mark === "number"));
}

describe("what nodes reach", () => {
  it("is what one comes to from each of them, through circles too", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(node, node), { maxLength: 3 * count }),
        fc.uniqueArray(node),
        fc.option(node),
        fc.uniqueArray(node),
        (edges, marked, any, roots) => {
          const graph: Graph<number, number> = {
            nextOf: (from) => edges.flatMap(([a, b]) => (a === from ? [b] : [])),
            markOf: (at) => (at === any ? "any" : marked.includes(at) ? at : null),
          };
          const reached = reachedFrom(roots, graph);
          for (const root of roots) expect(reached.get(root)).toEqual(plainly(root, graph));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("is found in a chain of a hundred thousand", () => {
    const length = 100_000;
    const reached = reachedFrom([0], {
      nextOf: (at: number) => (at + 1 < length ? [at + 1] : []),
      markOf: (at) => (at === length - 1 ? at : null),
    });
    expect(reached.get(0)).toEqual(new Set([length - 1]));
  });
});
