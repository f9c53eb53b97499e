// Reasons as `evaluate` gives them, by how a text has to go on with them.
import { describe, expect, it } from "vitest";
import { isSentence, saysDependence } from "../../server/src/rules/reason.ts";

describe("a reason", () => {
  it.each(["data[i]", "p->next", "rand()", "*bits", "order"])("names an expression: %s", (reason) => {
    expect([isSentence(reason), saysDependence(reason)]).toEqual([false, false]);
  });
  it.each(["which lanes take part depends on a, b", "what it stores depends on data"])(
    "says what it depends on: %s",
    (reason) => {
      expect([isSentence(reason), saysDependence(reason)]).toEqual([true, true]);
    },
  );
  it.each(["the loop has too many trips", "rows of the two arrays overlap"])(
    "says what happens: %s",
    (reason) => {
      expect([isSentence(reason), saysDependence(reason)]).toEqual([true, false]);
    },
  );
});
