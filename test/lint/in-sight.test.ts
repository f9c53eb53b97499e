// Kernels that somebody looks at are analysed first and shown while the others wait. What stands there in the end is what a fresh analysis has,
// also where edits come in the midst.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { FileAnalysis, KernelSummary } from "../../server/src/lint/analysis.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";
import { editedAtRandom, type Random, randomOf } from "./edits.ts";
import { meantEdits } from "./meant-edits.ts";

const file = "/w/a.cu";
const programOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/programs/${name}.cu`, import.meta.url)), "utf8");

let pipeline: Pipeline;
/** So much more than it takes, evaluation is said to take: budgets end early. */
let stepsOfStep = 1;
let evaluations: string[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    evaluatorOf: (program) => {
      const evaluate = real.evaluatorOf(program);
      return function* (launch, { stepLimit, sweeps }) {
        evaluations.push(launch.kernel.replace(/[<(].*/, ""));
        const profile = yield* evaluate(launch, { stepLimit: stepLimit / stepsOfStep, sweeps });
        return { ...profile, steps: profile.steps * stepsOfStep };
      };
    },
  };
});

interface Editing {
  readonly session: LintSession;
  edit(text: string): void;
  /** Names of kernels that are in sight. */
  look(kernels: readonly string[]): void;
}

function editing(text: string): Editing {
  let now = text;
  let inSight: readonly string[] = [];
  const files = () => memoryHost({ [file]: now }, "/w");
  const host: Host = {
    ...files(),
    openText: (path) => (path === file ? now : null),
    sizeOf: (path) => files().sizeOf(path),
    readBytes: (path) => files().readBytes(path),
  };
  const session = createLintSession({
    host,
    project: createProject(host, { configPath: null, overrides: {}, includePaths: [] }),
    pipeline,
    options: { block: null },
    isInSight: ({ start, end }) => inSight.some((name) => now.slice(start, end).includes(`${name}(`)),
  });
  return {
    session,
    edit: (next) => {
      now = next;
      session.update([file]);
    },
    look: (kernels) => {
      inSight = kernels;
    },
  };
}

/** All drafts on the way to the whole, and the whole. */
function analysed(session: LintSession): { drafts: FileAnalysis[]; whole: FileAnalysis } {
  const drafts: FileAnalysis[] = [];
  for (;;) {
    const whole = session.analyse(file, { isCancelled: () => true });
    if (whole !== null) return { drafts, whole };
    const draft = session.draft(file);
    if (draft !== null) drafts.push(draft);
  }
}

/** All that people can see; numbers that only tell objects apart are left out. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => {
      if (key === "id" || key === "steps" || key === "layout") return undefined;
      if (each instanceof Map) return [...each];
      return typeof each === "bigint" ? `${each}` : each;
    }),
  );
}

const visible = ({ report, kernels, groups, notes }: FileAnalysis) =>
  plain({ report, kernels, groups: groups.length, notes });
const fresh = (text: string) => visible(analysed(editing(text).session).whole);
const namesOf = (text: string) =>
  [...text.matchAll(/__global__[^;{(]*?(\w+)\(/g)].map(([, name = ""]) => name);
const named = (kernels: readonly KernelSummary[], name: string) =>
  plain(kernels.filter((kernel) => kernel.name === name));

const programs = ["tiled_clean", "sorts_and_scans", "template_traits", "functors_lambdas"];

describe("with kernels in sight", () => {
  it.each(programs)(
    "%s: drafts have them as they are in the end, and the end is that of a fresh analysis",
    (name) => {
      stepsOfStep = 1;
      const text = programOf(name);
      const names = namesOf(text);
      const { session, look } = editing(text);
      const seen = names.slice(-1);
      look(seen);
      const { drafts, whole } = analysed(session);
      expect(visible(whole)).toEqual(fresh(text));
      expect(whole.state).toBe("whole");
      if (names.length === 1) return expect(drafts).toEqual([]);
      const [draft] = drafts;
      expect(draft?.state).toBe("draft");
      expect(draft?.kernels.map((kernel) => kernel.name)).toEqual(seen);
      for (const each of seen) expect(named(draft?.kernels ?? [], each)).toEqual(named(whole.kernels, each));
    },
  );

  it.each(programs)("%s: the same where the budget ends", (name) => {
    stepsOfStep = 400;
    const text = programOf(name);
    const expected = fresh(text);
    for (const seen of namesOf(text)) {
      const { session, look } = editing(text);
      look([seen]);
      expect(visible(analysed(session).whole), seen).toEqual(expected);
    }
  });

  it("what comes into sight meanwhile is in the next draft", () => {
    stepsOfStep = 1;
    const text = programOf("sorts_and_scans");
    const names = namesOf(text);
    const [first = "", second = ""] = [names.at(-1), names.at(-2)];
    const { session, look } = editing(text);
    look([first]);
    const shown: string[][] = [];
    while (session.analyse(file, { isCancelled: () => true }) === null) {
      const draft = session.draft(file);
      if (draft === null) continue;
      shown.push(draft.kernels.map(({ name }) => name));
      look([second]);
    }
    expect(shown).toEqual([[first], [second, first]]);
  });

  it("an edit in the midst keeps what was evaluated by then", () => {
    stepsOfStep = 1;
    const text = programOf("sorts_and_scans");
    const [seen = "", ...others] = namesOf(text).reverse();
    const { session, edit, look } = editing(text);
    look([seen]);
    let draft: FileAnalysis | null = null;
    while (draft === null) {
      session.analyse(file, { isCancelled: () => true });
      draft = session.draft(file);
    }
    evaluations = [];
    edit(`// above\n${text}`);
    const { whole } = analysed(session);
    expect(evaluations).not.toContain(seen);
    expect(evaluations).toEqual(expect.arrayContaining(others.slice(0, 1)));
    expect(visible(whole)).toEqual(fresh(`// above\n${text}`));
  });

  it("a suppression is not called unused by a draft", () => {
    stepsOfStep = 1;
    const text = `__global__ void a(float* out, const float* in) {
  // warplint-disable-next-line uncoalesced-access -- meant
  out[threadIdx.x * 8] = in[threadIdx.x];
}
__global__ void b(float* out) { out[threadIdx.x * 8] = 1; }
int main() { float* p; cudaMalloc(&p, 1 << 20); a<<<1, 32>>>(p, p); b<<<1, 32>>>(p); }
`;
    const { session, look } = editing(text);
    look(["b"]);
    const { drafts, whole } = analysed(session);
    const rules = ({ report }: FileAnalysis) => report.findings.map(({ rule }) => rule);
    expect(drafts.map(rules)).toEqual([["uncoalesced-access"]]);
    expect(rules(whole)).toEqual(["uncoalesced-access"]);
  });
});

describe("after edits in the midst of analyses everything is as a fresh analysis has it", () => {
  const editsOf = (text: string, random: Random): string =>
    random(3) === 0
      ? editedAtRandom(text, random)
      : (meantEdits[random(meantEdits.length)]?.of(text, random) ?? text);

  it.each([
    ["tiled_clean", 1],
    ["sorts_and_scans", 1],
    ["template_traits", 1],
    ["template_traits", 400],
    ["functors_lambdas", 400],
  ] as const)("%s, with %i steps a step", (name, factor) => {
    stepsOfStep = factor;
    const random = randomOf(name.length + factor);
    const start = programOf(name);
    let text = start;
    const { session, edit, look } = editing(text);
    let compared = 0;
    for (let round = 0; round < 14; round++) {
      const names = namesOf(text);
      look([names[random(names.length)] ?? ""]);
      for (let polls = random(400); polls > 0; polls--) {
        if (session.analyse(file, { isCancelled: () => true }) !== null) break;
        session.draft(file);
      }
      text = random(4) === 0 ? start : editsOf(text, random);
      edit(text);
      if (round % 3 !== 2) continue;
      const { whole } = analysed(session);
      // What does not parse keeps what was known, which a fresh analysis cannot know; when it is mended they agree again.
      if (whole.kernels.some(({ isStale }) => isStale)) {
        text = start;
        edit(text);
        continue;
      }
      compared++;
      expect(visible(whole), `round ${round}`).toEqual(fresh(text));
    }
    expect(compared).toBeGreaterThan(1);
  });
});
