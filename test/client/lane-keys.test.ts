// Which lane each key of the panel's list leads to.
import { describe, expect, it } from "vitest";
import { laneAfterKey } from "../../client/src/webview/lane-keys.ts";

describe("keys in the panel's list of lanes", () => {
  const cases: readonly [string, number, number | null][] = [
    ["ArrowRight", 0, 1],
    ["ArrowRight", 31, 31],
    ["ArrowLeft", 0, 0],
    ["ArrowDown", 3, 19],
    ["ArrowDown", 20, 31],
    ["ArrowUp", 19, 3],
    ["ArrowUp", 3, 0],
    ["Home", 17, 0],
    ["End", 17, 31],
    ["Tab", 5, null],
  ];
  it.each(cases)("%s in lane %i leads to %s", (key, lane, to) => {
    expect(laneAfterKey(key, lane, 32)).toBe(to);
  });
});
