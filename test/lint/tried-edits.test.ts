// What is remembered of edits that were tried as fixes, and for how long.
import { describe, expect, it } from "vitest";
import type { AnalysedKernels, CheckPair, CheckResult, TextEdit } from "../../server/src/fixes/fix.ts";
import { rememberedTries } from "../../server/src/lint/tried-edits.ts";

const edit = (newText: string): TextEdit => ({ file: "/a.cu", start: 0, end: 1, newText });

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function counting() {
  const asked: string[] = [];
  const tries = rememberedTries({
    *analyse(edits): Generator<void, AnalysedKernels | null> {
      yield;
      asked.push(`analyse ${edits.map(({ newText }) => newText).join()}`);
      return { launches: [], gaps: edits.map(({ newText }) => newText) };
    },
    *check({ patched }, maxSteps): Generator<void, CheckResult> {
      yield;
      asked.push(`check block ${patched.launch.block.join()}`);
      const reason = `block ${patched.launch.block.join()}`;
      return { kind: maxSteps < 10 ? "not-checked" : "differs", reason, steps: 5 };
    },
  });
  return { asked, tries };
}

describe("tried edits", () => {
  it("are analysed once, whichever kernels ask", () => {
    const { asked, tries } = counting();
    const first = drain(tries.analyse([edit("8")]));
    expect(drain(tries.analyse([edit("16")]))?.gaps).toEqual(["16"]);
    expect(drain(tries.analyse([edit("8")]))).toBe(first);
    expect(asked).toEqual(["analyse 8", "analyse 16"]);
  });

  it("are forgotten after some others, for each holds a program", () => {
    const { asked, tries } = counting();
    for (const text of ["1", "2", "3", "4", "5", "6", "7", "7", "1"]) drain(tries.analyse([edit(text)]));
    expect(asked.filter((each) => each === "analyse 1")).toHaveLength(2);
    expect(asked.filter((each) => each === "analyse 7")).toHaveLength(1);
  });

  it("are checked once for each launch, program and place that must run", () => {
    const { asked, tries } = counting();
    const launchOf = (x: number) => ({ block: [x, 1, 1] }) as unknown as CheckPair["original"]["launch"];
    const [program, other] = [{}, {}] as unknown as CheckPair["original"]["program"][];
    if (program === undefined || other === undefined) throw new Error("two programs");
    const [before, eight, four] = [launchOf(32), launchOf(8), launchOf(4)];
    const pair = (patched: CheckPair["patched"], start = 0): CheckPair => ({
      original: { program, launch: before },
      patched,
      originalMisaligns: false,
      keptArguments: [],
      mustRun: [{ file: "/a.cu", start, end: start + 1 }],
    });
    const results = [
      pair({ program, launch: eight }),
      pair({ program, launch: eight }),
      pair({ program, launch: four }),
      pair({ program: other, launch: eight }),
      pair({ program, launch: eight }, 5),
    ].map((each) => drain(tries.check(each, 100)));
    expect(results.map((each) => each.kind === "differs" && each.reason)).toEqual([
      "block 8,1,1",
      "block 8,1,1",
      "block 4,1,1",
      "block 8,1,1",
      "block 8,1,1",
    ]);
    expect(asked).toHaveLength(4);
  });

  it("are checked again where more steps may be taken than those that were too few", () => {
    const { asked, tries } = counting();
    const side = { program: {}, launch: { block: [8, 1, 1] } } as unknown as CheckPair["original"];
    const pair = { original: side, patched: side, originalMisaligns: false, mustRun: [], keptArguments: [] };
    const kinds = [5, 4, 50, 5].map((maxSteps) => drain(tries.check(pair, maxSteps)).kind);
    expect(kinds).toEqual(["not-checked", "not-checked", "differs", "not-checked"]);
    expect(asked).toHaveLength(2);
  });
});
