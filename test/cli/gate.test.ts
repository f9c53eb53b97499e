// What teams and CI use of `check`: formats against their schemas, baseline, limits, standard input.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { runIn } from "../support/terminal.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-gate-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kernel = (access: string, above = "") => `${above}__global__ void k(float *out, const float *in) {
  out[threadIdx.x] = ${access};
}
void run() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 1 << 20);
  k<<<1, 32>>>(out, in);
}
`;
const strided = kernel("in[threadIdx.x * 8]");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  write("strided.cu", strided);
  // Three bytes of UTF-8 and one of UTF-16 stand before the access.
  write("umlaut.cu", kernel("/* \u20ac */ in[threadIdx.x * 8]"));
  write("clean.cu", kernel("in[threadIdx.x]"));
  write("tests/a.cu", strided);
});

const check = (...args: string[]) =>
  runIn(folder, ["check", "--no-fixes", "--no-cache", "--jobs", "1", ...args]);

function validated(schema: string, text: string): unknown {
  const json = JSON.parse(readFileSync(new URL(`schemas/${schema}.json`, import.meta.url), "utf8"));
  return z.fromJSONSchema(json).parse(JSON.parse(text));
}

/** The part of https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd that is written. */
const junit: Readonly<
  Record<string, { within: string | null; needed: readonly string[]; allowed: readonly string[] }>
> = {
  testsuites: { within: null, needed: [], allowed: ["name", "time", "tests", "failures", "errors"] },
  testsuite: {
    within: "testsuites",
    needed: ["name"],
    allowed: ["tests", "failures", "errors", "time", "skipped", "timestamp", "hostname", "id", "package"],
  },
  testcase: {
    within: "testsuite",
    needed: ["name"],
    allowed: ["classname", "time", "file", "line", "status"],
  },
  failure: { within: "testcase", needed: [], allowed: ["type", "message"] },
};

describe("formats", () => {
  it("concise: a line a finding", async () => {
    const { out, code } = await check("--format", "concise", ".");
    expect(code).toBe(1);
    expect(out.split("\n").map((line) => line.replace(/Uncoalesced.*(?= \[)/, "…"))).toEqual([
      "strided.cu:2:22: warning: … [uncoalesced-access]",
      "tests/a.cu:2:22: information: … [uncoalesced-access]",
      "umlaut.cu:2:30: warning: … [uncoalesced-access]",
      "",
    ]);
  });

  it("github: a command a finding, with line ends and percent signs escaped", async () => {
    const lines = (await check("--format", "github", ".")).out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^::warning file=strided\.cu,line=2,endLine=2,col=22,endColumn=41,title=uncoalesced-access::Uncoalesced load: [^\n]*%0A/,
    );
    expect(lines[1]).toMatch(/^::notice file=tests\/a\.cu,/);
  });

  it("gitlab: a report of code quality, with fingerprints that tell findings apart", async () => {
    const report = validated("gitlab", (await check("--format", "gitlab", ".")).out) as {
      fingerprint: string;
    }[];
    expect(new Set(report.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });

  it("gitlab: a fingerprint stays when lines move", async () => {
    const fingerprints = async () =>
      (JSON.parse((await check("--format", "gitlab", "strided.cu")).out) as { fingerprint: string }[]).map(
        ({ fingerprint }) => fingerprint,
      );
    const before = await fingerprints();
    write("strided.cu", kernel("in[threadIdx.x * 8]", "// moved\n\n"));
    expect(await fingerprints()).toEqual(before);
  });

  it("rdjson: reviewdog's diagnostics, with columns in bytes", async () => {
    const { diagnostics } = validated("rdjson", (await check("--format", "rdjson", ".")).out) as {
      diagnostics: { location: { range: { start: { column: number } } } }[];
    };
    expect(diagnostics.map(({ location }) => location.range.start.column)).toEqual([22, 22, 32]);
  });

  it("sarif: the whole schema, and what GitHub takes of it", async () => {
    const { out } = await check("--format", "sarif", ".");
    validated("sarif", out);
    validated("sarif-github", out);
  });

  it("junit: a suite a file, well-formed", async () => {
    const { out } = await check("--format", "junit", ".");
    expect(out).toContain('<testsuites name="warplint" tests="4" failures="3" errors="0">');
    expect(out).toContain('<testcase name="no findings" classname="clean.cu"/>');
    const open: string[] = [];
    for (const [, end, name = "", written = "", empty] of out.matchAll(
      /<(\/?)(\w+)((?: [\w:]+="[^"<]*")*)(\/?)>/g,
    )) {
      if (end) {
        expect(open.pop()).toBe(name);
        continue;
      }
      const { within, needed, allowed } = junit[name] ?? { within: "no", needed: [], allowed: [] };
      expect(open.at(-1) ?? null).toBe(within);
      const attributes = [...written.matchAll(/ ([\w:]+)=/g)].map(([, attribute]) => attribute);
      expect(attributes).toEqual(expect.arrayContaining([...needed]));
      expect([...needed, ...allowed]).toEqual(expect.arrayContaining(attributes));
      if (!empty) open.push(name);
    }
    expect(open).toEqual([]);
    expect(out.replace(/<[^<>]*>/g, "")).not.toMatch(/[<>]|&(?!\w+;|#\d+;)/);
  });

  it("markdown: a table, and the summary", async () => {
    const { out } = await check("--format", "markdown", ".");
    expect(out.split("\n").filter((line) => line.startsWith("|"))).toHaveLength(5);
    expect(out).toContain("| `strided.cu:2` | `k` | Uncoalesced load: 32 sectors");
    expect(out).toMatch(/\n2 warnings, 1 information in 3 of 4 files/);
  });
});

describe("what fails", () => {
  it.each([
    [["--max-warnings", "2"], 0],
    [["--max-warnings", "1"], 1],
    [["--quiet", "tests"], 0],
    [["tests"], 1],
  ])("%j: %i", async (args, code) => {
    expect((await check(...args)).code).toBe(code);
  });

  it("--quiet prints findings alone, without information", async () => {
    const { out } = await check("--quiet", ".");
    expect(out).not.toMatch(/information|files|By cost|Most expensive/);
    expect(out).toMatch(/^strided\.cu:2:22: warning/);
  });

  it("--output-file takes what standard output would get", async () => {
    const { out } = await check("--format", "concise", ".");
    const silent = await check("--format", "concise", "--output-file", "out.txt", ".");
    expect(silent).toMatchObject({ out: "", code: 1 });
    expect(readFileSync(join(folder, "out.txt"), "utf8")).toBe(out);
  });
});

describe("a baseline", () => {
  const baseline = ["--baseline", "known.json"];

  it("takes what it knows, wherever it moved, and tells what is new and what is stale", async () => {
    expect(await check(...baseline, "--update-baseline", ".")).toMatchObject({
      code: 0,
      errors: "warplint: 3 findings written to known.json\n",
    });
    write("strided.cu", kernel("in[threadIdx.x * 8]", "// moved\n"));
    expect(await check(...baseline, "--format", "concise", ".")).toEqual({ code: 0, out: "", errors: "" });
    write("strided.cu", kernel("in[threadIdx.x * 16]"));
    const { code, out, errors } = await check(...baseline, "--format", "concise", ".");
    expect(code).toBe(1);
    expect(out).toMatch(/^strided\.cu:2:22: warning: [^\n]*\n$/);
    expect(errors).toBe(
      "warplint: known.json: 1 entry is stale, --update-baseline removes them:\n" +
        "  strided.cu, k, in[threadIdx.x * 8] [uncoalesced-access]\n",
    );
  });

  it("says nothing of files that were not linted, and keeps their entries", async () => {
    await check(...baseline, "--update-baseline", ".");
    expect((await check(...baseline, "tests")).errors).toBe("");
    const before = readFileSync(join(folder, "known.json"), "utf8");
    await check(...baseline, "--update-baseline", "tests");
    expect(readFileSync(join(folder, "known.json"), "utf8")).toBe(before);
    rmSync(join(folder, "tests"), { recursive: true });
    await check(...baseline, "--update-baseline", "strided.cu");
    expect(readFileSync(join(folder, "known.json"), "utf8")).not.toContain("tests/a.cu");
  });

  it("reports the second of two accesses that are alike, where one is known", async () => {
    await check(...baseline, "--update-baseline", "strided.cu");
    write("strided.cu", kernel("in[threadIdx.x * 8]; out[threadIdx.x + 32] = in[threadIdx.x * 8]"));
    expect((await check(...baseline, "strided.cu")).code).toBe(1);
  });

  it.each([
    [["--baseline", "none.json"], "none.json: no such file or directory"],
    [["--baseline", "strided.cu"], "strided.cu: not a baseline: not JSON"],
    [["--update-baseline"], "--update-baseline needs --baseline FILE"],
  ])("%j is refused", async (args, message) => {
    expect(await check(...args, ".")).toEqual({ code: 2, out: "", errors: `warplint: ${message}\n` });
  });
});

describe("standard input", () => {
  const stdin = (input: string, ...args: string[]) =>
    runIn(folder, ["check", "--no-fixes", "--stdin", "--format", "concise", ...args], input);

  it("stands for the file of that name, whether or not it is there", async () => {
    const { out, code } = await stdin(strided, "--stdin-filename", "tests/new.cu");
    expect(code).toBe(1);
    expect(out).toMatch(/^tests\/new\.cu:2:22: information: /);
    expect(await stdin(kernel("in[threadIdx.x]"), "--stdin-filename", "strided.cu")).toMatchObject({
      code: 0,
    });
  });

  it("needs a name", async () => {
    expect((await stdin(strided)).errors).toBe(
      "warplint: --stdin needs --stdin-filename FILE, and no paths\n",
    );
  });
});
