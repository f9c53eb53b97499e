// A history of twelve commits in a repository of its own: `compare` names the four that make accesses dearer, with what they cost.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIn } from "../support/terminal.ts";
import type { TruthRow } from "../support/truth.ts";
import { history, transpose } from "./history.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-history-")));

function git(...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

beforeAll(() => {
  git("init", "-q");
  for (const { message, files } of history) {
    for (const [path, text] of Object.entries(files)) {
      const absolute = join(folder, path);
      mkdirSync(dirname(absolute), { recursive: true });
      if (text === null) rmSync(absolute);
      else writeFileSync(absolute, text);
    }
    git("add", "-A");
    git("commit", "-q", "-m", message);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runIn(folder, ["compare", ...args]);

const last = history.length - 1;
const revision = (commit: number) => (commit === last ? "HEAD" : `HEAD~${last - commit}`);

async function compareCommit(index: number) {
  const { code, out, errors } = await run(revision(index - 1), revision(index), "--format", "json");
  expect(errors).toBe("");
  const { kernels } = JSON.parse(out) as { kernels: Kernel[] };
  const statuses = new Map(kernels.map((each) => [each.after?.name ?? `-${each.before?.name}`, each.status]));
  return { code, kernels, statuses };
}

interface Figure {
  readonly cost: number;
  readonly ideal: number;
}
interface Kernel {
  readonly before: { readonly name: string; readonly path: string } | null;
  readonly after: { readonly name: string; readonly path: string } | null;
  readonly status: string;
  readonly total: Readonly<
    Record<"wavefronts" | "sectors", { readonly before: Figure; readonly after: Figure }>
  >;
}

/** The commits that cost more, and what of. */
const worse: Readonly<Record<string, { kernel: string; unit: Unit }>> = {
  "pad removed": { kernel: "transpose", unit: "wavefronts" },
  "swizzle deleted": { kernel: "swizzled", unit: "wavefronts" },
  "tile changed in CMake only": { kernel: "rows", unit: "wavefronts" },
  "macro of a header": { kernel: "strided", unit: "sectors" },
};

type Unit = "wavefronts" | "sectors";

/** What an H200 counted after each commit (scripts/record-history.mjs), by kernel. */
const counted = readFileSync(new URL("history.truth.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as TruthRow)
  .map(({ case: folderName, kernel, sites }) => {
    const sum = (figure: "wavefronts" | "ideal_wavefronts" | "sectors" | "ideal_sectors") =>
      sites.reduce((all, site) => all + (site[figure] ?? 0), 0);
    return {
      commit: Number(folderName),
      kernel: kernel.replace(/\(.*/, ""),
      wavefronts: { cost: sum("wavefronts"), ideal: sum("ideal_wavefronts") },
      sectors: { cost: sum("sectors"), ideal: sum("ideal_sectors") },
    };
  });

function countedOf(commit: number, kernel: string | undefined): Record<Unit, Figure> | undefined {
  const found = counted.find((each) => each.commit === commit && each.kernel === kernel);
  return found === undefined ? undefined : { wavefronts: found.wavefronts, sectors: found.sectors };
}

describe("each commit", () => {
  it.each(history.slice(1).map(({ message }, index) => [message, index + 1] as const))(
    "%s",
    async (message, index) => {
      const { code, kernels, statuses } = await compareCommit(index);
      const expected = worse[message];
      const found = kernels.filter(({ status }) => status === "worse");
      expect(code).toBe(expected === undefined ? 0 : 1);
      expect(found.map(({ after }) => after?.name)).toEqual(expected === undefined ? [] : [expected.kernel]);
      for (const { after, total } of found) {
        const unit = expected?.unit ?? "wavefronts";
        expect(total[unit].after.cost - total[unit].after.ideal).toBeGreaterThan(
          total[unit].before.cost - total[unit].before.ideal,
        );
        expect(after?.name).toBe(expected?.kernel);
      }
      // Before and after, of every kernel, what the GPU counted.
      for (const { before, after, total } of kernels) {
        const side = (at: "before" | "after") => ({
          wavefronts: total.wavefronts[at],
          sectors: total.sectors[at],
        });
        if (before !== null) expect(side("before")).toEqual(countedOf(index - 1, before.name));
        if (after !== null) expect(side("after")).toEqual(countedOf(index, after.name));
      }
      expect([...statuses.values()]).not.toContain("unknown");
    },
  );
});

it("a kernel with another name, in another file, is known again", async () => {
  const { out } = await run(revision(5), revision(7), "--format", "json");
  const { kernels } = JSON.parse(out) as { kernels: Kernel[] };
  expect(kernels).toContainEqual(
    expect.objectContaining({
      before: { path: "transpose.cu", name: "transpose" },
      after: { path: "flip.cu", name: "flip" },
      status: "same",
    }),
  );
});

it("a split kernel is gone in part, and what is new is told apart", async () => {
  const { statuses } = await compareCommit(10);
  expect([...statuses.values()].sort()).toEqual(expect.arrayContaining(["new"]));
  expect([...statuses.values()]).not.toContain("worse");
});

it("the working tree stands against a revision, with changes that nobody has committed", async () => {
  const path = join(folder, "flip.cu");
  writeFileSync(path, transpose("32", "flip"));
  try {
    const { code, out } = await run("HEAD");
    expect(code).toBe(1);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "HEAD → working tree",
      "worse: flip (flip.cu)",
      "  block (32,32), grid (1): wavefronts 64 → 1,056 (ideal 64), sectors 256 (ideal 256)",
      "    flip.cu:6 tile[threadIdx.x][threadIdx.y]: excess 0 → 992 wavefronts",
    ]);
    expect((await run("HEAD", "--tolerance", "2000%")).code).toBe(0);
    expect((await run("HEAD", "--tolerance", "992")).code).toBe(0);
    expect((await run("HEAD", "--tolerance", "991")).code).toBe(1);
    expect((await run("HEAD", "--budget", ".git/budget.json", "--update-budget")).code).toBe(0);
    expect((await run("HEAD", "--budget", ".git/budget.json")).code).toBe(0);
  } finally {
    writeFileSync(path, transpose("33", "flip"));
  }
});

it.each([
  [
    ["nothing-of-the-sort"],
    "warplint: nothing-of-the-sort: neither a report, a folder nor a revision of git\n",
  ],
  [["--", "--output=x"], "warplint: --output=x: neither a report, a folder nor a revision of git\n"],
  [["README.md"], "warplint: README.md: not a report of `warplint analyze`: not JSON\n"],
  [["HEAD", "--budget", "none.json"], "warplint: none.json: no such file or directory\n"],
])("%j is refused", async (args, message) => {
  expect(await run(...args)).toEqual({ code: 2, out: "", errors: message });
});
