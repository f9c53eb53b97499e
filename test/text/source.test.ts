// Places: what a library's own text does belongs to the user's call of it.
import { describe, expect, it } from "vitest";
import { typedStack } from "../../server/src/text/source.ts";

const place = (file: string, start: number) => ({ file, start, end: start + 1 });

describe("the stack that a user typed", () => {
  it("leaves out the frames in a library's own text", () => {
    const typed = [place("a.cu", 7), place("a.cu", 90)];
    expect(typedStack([place("<cuda>", 3), place("<cuda>", 5), ...typed])).toEqual(typed);
  });

  it("is the whole where the innermost place is the user's, or none is", () => {
    const own = [place("a.cu", 7), place("<cuda>", 3)];
    expect(typedStack(own)).toBe(own);
    const library = [place("<cuda>", 3)];
    expect(typedStack(library)).toBe(library);
  });
});
