// Actions and the edits of launches, on texts as people have them: tabs, CRLF, macros of several lines, comments that are there already.
import { describe, expect, it } from "vitest";
import { noFixes } from "../../server/src/fixes/fix.ts";
import { actionsAt } from "../../server/src/ide/actions.ts";
import { launchChoicesOf, launchTextProblems, setLaunchEdits } from "../../server/src/ide/launch-choice.ts";
import type { TextEdit } from "../../server/src/ide/types.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { analyse, offsetOf } from "./analyse.ts";

const unsearched = { found: noFixes, pending: [], places: createPlaces(new Map(), (path) => path) };

const apply = (text: string, edits: readonly TextEdit[]) =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((edited, { start, end, newText }) => edited.slice(0, start) + newText + edited.slice(end), text);

const kernel = (body: string) =>
  `__global__ void spread(float *out) {\n\t__shared__ float s[2048];\n${body}\n\t__syncthreads();\n\tout[threadIdx.x] = s[threadIdx.x];\n}\nvoid run(float *o) { spread<<<1, 64>>>(o); }\n`;

const conflict = "\ts[threadIdx.x * 2] = out[threadIdx.x];";

const ignoresAt = (analysis: FileAnalysis, word: string) => {
  const offset = offsetOf(analysis, word);
  return actionsAt(analysis, { start: offset, end: offset }, unsearched).filter(
    ({ origin, title }) => origin === "ignore" && title.startsWith("Ignore"),
  );
};

describe("ignoring a finding", () => {
  it("puts a comment above, indented as the line, that silences it", async () => {
    const { analysis } = await analyse(kernel(conflict));
    const [action] = ignoresAt(analysis, "s[threadIdx");
    expect(action?.diagnostics.map(({ rule }) => rule)).toEqual(["shared-bank-conflict"]);
    const edited = apply(analysis.text, action?.edits ?? []);
    expect(edited).toContain(`\t// warplint-disable-next-line shared-bank-conflict -- reason\n${conflict}`);
    const again = await analyse(edited);
    expect(again.analysis.report.findings).toEqual([]);
  });

  it("keeps the file's ends of lines", async () => {
    const { analysis } = await analyse(kernel(conflict).replaceAll("\n", "\r\n"));
    const [action] = ignoresAt(analysis, "s[threadIdx");
    expect(action?.edits[0]?.newText).toBe(
      "\t// warplint-disable-next-line shared-bank-conflict -- reason\r\n",
    );
  });

  it("adds the rule to a comment that is there", async () => {
    const comment = "\t// warplint-disable-next-line uncoalesced-access -- known";
    const { analysis } = await analyse(kernel(`${comment}\n${conflict}`));
    const [action] = ignoresAt(analysis, "s[threadIdx");
    expect(apply(analysis.text, action?.edits ?? [])).toContain(
      "\t// warplint-disable-next-line uncoalesced-access, shared-bank-conflict -- known\n",
    );
  });

  it("is not offered in a macro of several lines, or where the line starts within a comment", async () => {
    const macro = "#define PUT(i) \\\n\ts[(i) * 2] = 1;\n";
    const body = "\tfloat x; \\\n\ts[threadIdx.x * 2] = 1;";
    const inMacro = await analyse(macro + kernel(body));
    expect(ignoresAt(inMacro.analysis, "s[threadIdx")).toEqual([]);
    const commented = await analyse(kernel("\t/* a\n\tb */ s[threadIdx.x * 2] = 1;"));
    expect(commented.analysis.report.findings).toHaveLength(1);
    expect(ignoresAt(commented.analysis, "s[threadIdx")).toEqual([]);
  });

  it("is offered once for two findings of a rule on a line", async () => {
    const { analysis } = await analyse(kernel("\ts[threadIdx.x * 2] = 1; s[threadIdx.x * 4 + 1] = 2;"));
    const line = analysis.text.indexOf("\ts[threadIdx");
    const end = analysis.text.indexOf("\n", line);
    const actions = actionsAt(analysis, { start: line, end }, unsearched);
    expect(actions.map(({ title }) => title)).toEqual([
      "Ignore shared-bank-conflict on this line…",
      "Disable shared-bank-conflict in this file…",
    ]);
    expect(actions[0]?.diagnostics).toHaveLength(2);
  });
});

describe("while fixes are searched for", () => {
  it("the menu of a finding says so, before what ignores it", async () => {
    const { analysis } = await analyse(kernel(conflict));
    const offset = offsetOf(analysis, "s[threadIdx.x * 2]");
    const pending = analysis.report.findings;
    const actions = actionsAt(analysis, { start: offset, end: offset }, { ...unsearched, pending });
    expect(actions.map(({ title }) => title)).toEqual([
      "Searching for fixes… Open the menu again",
      "Ignore shared-bank-conflict on this line…",
      "Disable shared-bank-conflict in this file…",
    ]);
    expect(actions[0]?.edits).toEqual([]);
    expect(actions[0]?.command?.kind).toBe("pick-fix");
  });
});

describe("a suppression that suppresses nothing", () => {
  const clean = "\ts[threadIdx.x] = out[threadIdx.x];";
  const removal = async (body: string) => {
    const { analysis } = await analyse(kernel(body));
    const offset = offsetOf(analysis, "warplint-disable");
    const [action] = actionsAt(analysis, { start: offset, end: offset }, unsearched);
    return action === undefined ? null : { title: action.title, text: apply(analysis.text, action.edits) };
  };

  it("can be removed, with its line where it stands alone", async () => {
    const title = "Remove the unused suppression";
    const text = kernel(clean);
    const above = "\t// warplint-disable-next-line shared-bank-conflict -- reason";
    expect(await removal(`${above}\n${clean}`)).toEqual({ title, text });
    expect(await removal(`${clean} // warplint-disable-line`)).toEqual({ title, text });
  });

  it("stays where one of its rules is needed", async () => {
    const comment = "\t// warplint-disable-next-line shared-bank-conflict, uncoalesced-access";
    expect(await removal(`${comment}\n${conflict}`)).toBeNull();
  });
});

describe("setting a launch", () => {
  const unlaunched = [
    "template <typename T>",
    "__global__ void scale(T *x, float alpha, const int m, unsigned n) {",
    "  x[threadIdx.y * n + threadIdx.x] *= alpha;",
    "}",
  ].join("\n");

  it("offers the assumed shapes with sizes to start from", async () => {
    const { analysis, places } = await analyse(unlaunched);
    const choices = launchChoicesOf(analysis, offsetOf(analysis, "threadIdx"), places);
    expect(choices?.annotation).toBeNull();
    expect(choices?.choices[0]).toEqual({
      label: "T=float, block (32,8)",
      description: "assumed",
      annotation: "block=(32,8), T=float, m=1024, n=1024",
      isCurrent: false,
    });
  });

  it("writes an annotation above the template, and the figures follow", async () => {
    const { analysis } = await analyse(`// Scales.\n${unlaunched}`);
    const edits = setLaunchEdits(analysis, offsetOf(analysis, "alpha;"), "block=(32,8), n=1024, T=float");
    const edited = apply(analysis.text, edits);
    expect(edited).toBe(`// Scales.\n// warplint: launch(block=(32,8), n=1024, T=float)\n${unlaunched}`);
    const again = await analyse(edited);
    expect(again.analysis.kernels[0]?.launches.map(({ profile }) => profile.launch.origin.kind)).toEqual([
      "annotation",
    ]);
    const changed = setLaunchEdits(again.analysis, offsetOf(again.analysis, "alpha;"), "block=(16,16)");
    expect(apply(edited, changed)).toBe(`// Scales.\n// warplint: launch(block=(16,16))\n${unlaunched}`);
    const choices = launchChoicesOf(again.analysis, offsetOf(again.analysis, "alpha;"), again.places);
    expect(choices?.annotation).toBe("block=(32,8), n=1024, T=float");
    expect(choices?.choices.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  it("offers what the source launches, with its arguments", async () => {
    const { analysis, places } = await analyse(
      "__global__ void fill(float *x, int n) { x[threadIdx.x] = n; }\nvoid run(float *x) { fill<<<dim3(4, 2), 128, 64>>>(x, 77); }\n",
    );
    expect(launchChoicesOf(analysis, offsetOf(analysis, "fill"), places)?.choices).toEqual([
      {
        label: "block (128), grid (4,2)",
        description: "line 2",
        annotation: "block=(128), grid=(4,2), shared=64, n=77",
        isCurrent: false,
      },
    ]);
  });

  it("says what is wrong with a launch typed by hand", async () => {
    const { analysis } = await analyse(unlaunched);
    const at = offsetOf(analysis, "alpha;");
    expect(launchTextProblems(analysis, at, "block=(32,8), m=1<<10")).toEqual([]);
    expect(launchTextProblems(analysis, at, "block=(32), m=(1<<10 | 3) ^ 1")).toEqual([]);
    expect(launchTextProblems(analysis, at, "m=1")).toEqual(["Give at least block=(…)."]);
    expect(launchTextProblems(analysis, at, "block=(32,64)")).toEqual(["block must have 1 to 1024 threads"]);
    expect(launchTextProblems(analysis, at, "block=(32), k=1")[0]).toMatch(
      /^k is no parameter of the kernel/,
    );
  });
});
