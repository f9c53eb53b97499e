// Fixes as an editor shows them: actions and their order, the lens that leads to them, why there is none, before and after in the panel.
import { describe, expect, it } from "vitest";
import type { Fix, FixSearchResult } from "../../server/src/fixes/fix.ts";
import { actionsAt } from "../../server/src/ide/actions.ts";
import { fixAllAction } from "../../server/src/ide/fixes.ts";
import { hoverAt } from "../../server/src/ide/hover.ts";
import { lensesOf } from "../../server/src/ide/lenses.ts";
import { fixShownAt, noChoice, panelAt } from "../../server/src/ide/panel.ts";
import { contextsAfter, placeAfter } from "../../server/src/lint/after-fix.ts";
import { keptFixes } from "../../server/src/lint/kept-fixes.ts";
import { hoverMarkdown } from "../../server/src/render/markdown.ts";
import { padTools } from "../support/pad-search.ts";
import { type Analysed, analyse, offsetOf } from "./analyse.ts";

const kernel = (array: string) => `__global__ void turn(float *out, const float *in) {
  __shared__ float ${array}[32][32];
  ${array}[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = ${array}[threadIdx.x][threadIdx.y];
}
void run(float *out, const float *in) { turn<<<1, dim3(32, 32)>>>(out, in); }
`;

const padTitle = "Pad tile to [32][32 + 1]: 32 → 1 wavefronts, +128 B (output checked)";

const searched = (array = "tile") => analyse(kernel(array), { tools: padTools() });
const readOf = ({ analysis }: Analysed, array = "tile") => offsetOf(analysis, `${array}[threadIdx.x][`);
const actionsOf = (seen: Analysed, found = seen.found) => {
  const offset = readOf(seen);
  return actionsAt(
    seen.analysis,
    { start: offset, end: offset },
    { found, pending: [], places: seen.places },
  );
};

const withFixes = (found: FixSearchResult, change: (fix: Fix) => readonly Fix[]): FixSearchResult => ({
  ...found,
  fixes: found.fixes.flatMap(change),
});

describe("the actions of a finding", () => {
  it("begin with the fix, which is preferred, and end with ignoring", async () => {
    const seen = await searched();
    expect(actionsOf(seen).map(({ title, isPreferred, origin }) => [title, isPreferred, origin])).toEqual([
      [padTitle, true, "fix"],
      ["Ignore shared-bank-conflict on this line…", false, "ignore"],
      ["Disable shared-bank-conflict in this file…", false, "ignore"],
    ]);
    expect(actionsOf(seen)[0]?.diagnostics.map(({ rule }) => rule)).toEqual(["shared-bank-conflict"]);
  });

  it("have safe fixes before suggestions, the first alone preferred, and each edit once", async () => {
    const seen = await searched();
    const elsewhere = (fix: Fix, newText: string): Fix => ({
      ...fix,
      edits: fix.edits.map((edit) => ({ ...edit, newText })),
    });
    const found = withFixes(seen.found, (fix) => [
      { ...elsewhere(fix, " + 2"), safety: "suggestion" },
      elsewhere(fix, " + 3"),
      fix,
      fix,
    ]);
    const fixes = actionsOf(seen, found).filter(({ origin }) => origin === "fix");
    expect(fixes.map(({ edits, isPreferred }) => [edits[0]?.newText, isPreferred])).toEqual([
      [" + 3", true],
      [" + 1", false],
      [" + 2", false],
    ]);
  });

  it("prefer no suggestion", async () => {
    const seen = await searched();
    const found = withFixes(seen.found, (fix) => [{ ...fix, safety: "suggestion" }]);
    expect(actionsOf(seen, found).map(({ isPreferred }) => isPreferred)).toEqual([false, false, false]);
  });

  it("of another place have no fix", async () => {
    const { analysis, found, places } = await searched();
    const offset = offsetOf(analysis, "tile[threadIdx.y][");
    expect(actionsAt(analysis, { start: offset, end: offset }, { found, pending: [], places })).toEqual([]);
  });

  it("that make all safe fixes are one", async () => {
    const { found } = await searched();
    expect(fixAllAction(found.fixes)).toMatchObject({ kind: "fix-all", edits: found.fixes[0]?.edits });
    expect(fixAllAction([])).toBeNull();
  });
});

describe("the lens", () => {
  it("leads to the finding once a fix is ready", async () => {
    const { analysis, places, found } = await searched();
    const [offset] = analysis.report.findings.map(({ range }) => range.start);
    expect(lensesOf(analysis, places, found).at(-1)).toMatchObject({
      title: "Fix",
      command: { kind: "pick-fix", offset },
    });
    expect(lensesOf(analysis, places).map(({ title }) => title)).not.toContain("Fix");
  });
});

describe("the hover", () => {
  const textOf = ({ analysis, places, found }: Analysed, offset: number, hasDiagnosticAbove: boolean) => {
    const content = hoverAt(analysis, offset, { places, hasDiagnosticAbove, found });
    return content === null ? "" : hoverMarkdown(content, { dialect: "fenced", linkTo: () => null });
  };

  it.each([true, false])("says why there is no fix (diagnostic above: %s)", async (isAbove) => {
    const seen = await searched("other");
    expect(textOf(seen, readOf(seen, "other"), isAbove)).toContain("No fix: nobody pads that.");
  });

  it("says nothing of fixes where there is one", async () => {
    const seen = await searched();
    expect(textOf(seen, readOf(seen), false)).not.toContain("No fix");
  });
});

describe("the panel", () => {
  it("shows 32 rows against one", async () => {
    const seen = await searched();
    const { analysis, places, programOf, found, material } = seen;
    const offset = readOf(seen);
    const fix = fixShownAt(analysis, offset, found);
    if (fix === null) throw new Error("no fix");
    const steps = contextsAfter(fix, analysis.texts, material);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const contexts = step.value;
    if (contexts === null) throw new Error("the access is gone");
    const state = panelAt(analysis, offset, noChoice, places, programOf, { fix, contexts });
    expect(state?.map?.rows.filter(({ cells }) => cells.length > 0)).toHaveLength(32);
    expect(state?.after).toMatchObject({ title: padTitle, headline: "1 wavefront, 1 ideal" });
    expect(state?.after?.map?.rows.filter(({ cells }) => cells.length > 0)).toHaveLength(1);
  });
});

describe("a place after edits", () => {
  const edit = (start: number, end: number, newText: string) => ({ file: "a", start, end, newText });
  it.each([
    ["moves with what is before it", [edit(2, 2, "xy")], 12, 22],
    ["stays before what is behind it", [edit(30, 31, "")], 10, 20],
    ["grows with what is in it", [edit(12, 13, "xyz")], 10, 22],
    ["is not moved by edits of other files", [{ ...edit(2, 2, "xy"), file: "b" }], 10, 20],
  ])("%s", (_what, edits, start, end) => {
    expect(placeAfter({ file: "a", start: 10, end: 20 }, edits)).toEqual({ file: "a", start, end });
  });
});

describe("what was found before an edit", () => {
  const search = (key: string) => ({
    kernel: "turn",
    findings: [],
    key,
    run: () => [][Symbol.iterator]() as never,
  });

  it("moves with the text, as long as the key is the same", async () => {
    const { analysis, found } = await searched();
    const before = { key: "k", found, texts: analysis.texts };
    const later = new Map([[analysis.file, `// a line more\n${analysis.text}`]]);
    const shift = "// a line more\n".length;
    const kept = keptFixes(before, search("k"), later);
    expect(kept?.fixes[0]?.edits[0]?.start).toBe((found.fixes[0]?.edits[0]?.start ?? 0) + shift);
    expect(kept?.fixes[0]?.target.start).toBe((found.fixes[0]?.target.start ?? 0) + shift);
    expect(keptFixes(before, search("other"), later)).toBeNull();
    expect(keptFixes(undefined, search("k"), later)).toBeNull();
  });

  it("is looked for again where a place of it was typed in", async () => {
    const { analysis, found } = await searched();
    const before = { key: "k", found, texts: analysis.texts };
    const spaced = analysis.text.replace("[32][32]", "[32][32 ]");
    expect(keptFixes(before, search("k"), new Map([[analysis.file, spaced]]))).toBeNull();
  });
});
