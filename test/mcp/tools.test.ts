// The tools of `warplint mcp`, driven by the library's client: each by itself, then a kernel with three faults improved through them alone.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type CallToolResult, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeHost } from "../../server/src/host/node.ts";
import { createMcpServer } from "../../server/src/mcp/server.ts";
import { testPipeline } from "../support/pipeline.ts";
import type { TruthRow } from "../support/truth.ts";

const above = realpathSync(mkdtempSync(join(tmpdir(), "warplint-mcp-")));
const folder = join(above, "project");
let client: Client;

interface Answer {
  readonly isError: boolean;
  readonly texts: readonly string[];
}

async function connected(roots: readonly string[]): Promise<Client> {
  const server = createMcpServer({
    host: nodeHost(folder),
    version: "0.0.0",
    createPipeline: () => testPipeline(),
    worked: () => 0,
    pathOf: (uri) => fileURLToPath(uri),
  });
  const capabilities = roots.length === 0 ? {} : { roots: {} };
  const made = new Client({ name: "test", version: "0" }, { capabilities });
  if (roots.length > 0)
    made.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((root) => ({ uri: String(pathToFileURL(root)) })),
    }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), made.connect(here)]);
  return made;
}

async function call(name: string, input: object, of = client): Promise<Answer> {
  const result = (await of.callTool({
    name,
    arguments: input as Record<string, unknown>,
  })) as CallToolResult;
  const texts = result.content.map((block) => (block.type === "text" ? block.text : ""));
  return { isError: result.isError === true, texts };
}

async function textOf(name: string, input: object): Promise<string> {
  const { isError, texts } = await call(name, input);
  expect(isError, texts.join("\n")).toBe(false);
  return texts.join("\n");
}

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(above, "secret.cu"), "__global__ void k(float *p) { p[threadIdx.x] = 0; }\n");
  writeFileSync(join(above, "secret.cuh"), "#define STRIDE 8\n");
  writeFileSync(join(folder, "pitch.cuh"), "#define PITCH 32\n");
  symlinkSync(join(above, "secret.cu"), join(folder, "link.cu"));
  writeFileSync(
    join(folder, "strided.cu"),
    `__global__ void k(float *out, const float *in) {
  out[threadIdx.x] = in[threadIdx.x * 8];
}
void run(float *out, float *in) { k<<<10, 64>>>(out, in); }
`,
  );
  client = await connected([]);
});

afterAll(async () => {
  await client.close();
  rmSync(above, { recursive: true });
});

const column = `__global__ void k(float *out, int n) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
/** One block of 32 warps. */
const oneBlock = { block: [32, 32], grid: 1 };

describe("each tool", () => {
  it("analyze: a file under its own launch, figures over the launch", async () => {
    const text = await textOf("analyze", { file: "strided.cu" });
    // 10 blocks of 2 warps; a store of 128 bytes is 4 sectors; a load of stride 32 bytes is 32.
    expect(text).toContain("global: 720 sectors, 160 ideal · excess 560");
    expect(text).toContain("2:22 in[threadIdx.x * 8]: global load: 32 sectors, 4 ideal a request");
    expect(text).toContain("1 access ideal");
    expect(text).toContain("[uncoalesced-access]");
  });

  it("analyze: a text under the launch that is given", async () => {
    const text = await textOf("analyze", { text: column, launch: oneBlock });
    expect(text).toContain("k (line 1): block (32,32)");
    expect(text).toContain(
      "shared: 1,056 wavefronts, 64 ideal · global: 128 sectors, 128 ideal · excess 992",
    );
  });

  it("analyze: a text in its place finds its headers, and by itself does not", async () => {
    const text = `#include "pitch.cuh"
__global__ void k(float *out) {
  __shared__ float s[PITCH * 32];
  s[threadIdx.x * PITCH] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * PITCH];
}
`;
    const launch = { block: 32, grid: 1 };
    expect(await textOf("analyze", { text, path: "new.cu", launch })).toContain(
      "shared: 64 wavefronts, 2 ideal",
    );
    expect(await textOf("explain_unknown", { text, launch })).toContain("Header not found: pitch.cuh");
  });

  it("explain: lanes, banks and wavefronts in words", async () => {
    const text = await textOf("explain", { text: column, launch: oneBlock, line: 5, column: 45 });
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        "5:41 tile[threadIdx.x][threadIdx.y]",
        "lanes 0-31: from byte 0, 128 bytes apart",
        "wavefronts 1-32: 1 lane on 1 of 32 banks each",
        "bank 0 is asked for 32 different words",
      ]),
    );
  });

  it("explain: of a line without an access it says which have one", async () => {
    const { isError, texts } = await call("explain", { text: column, line: 4 });
    expect(isError).toBe(true);
    expect(texts[0]).toContain("Lines with one: 3, 5");
  });

  it("fixes and apply_fix: the text with the fix made, nothing written", async () => {
    const input = { text: column, launch: oneBlock };
    expect(await textOf("fixes", input)).toMatch(
      /^1\. 5:41 tile\[threadIdx\.x\]\[threadIdx\.y\]: Pad tile to \[32\]\[33\]: 32 → 1 wavefronts/,
    );
    const { texts } = await call("apply_fix", { ...input, fix: 1 });
    expect(texts[1]).toBe(column.replace("tile[32][32]", "tile[32][33]"));
    const beyond = await call("apply_fix", { ...input, fix: 9 });
    expect(beyond).toMatchObject({ isError: true });
    expect(beyond.texts[0]).toMatch(/^Fixes are numbered 1 to \d\.$/);
  });

  it("fixes: says why there is none", async () => {
    expect(await textOf("fixes", { file: "strided.cu" })).toMatch(
      /^No fix for 2:22 in\[threadIdx\.x \* 8\]: /,
    );
  });

  it("compare: which of two texts pays less, and where", async () => {
    const padded = column.replace("tile[32][32]", "tile[32][33]");
    const better = await textOf("compare", { before: column, after: padded, launch: oneBlock });
    expect(better).toContain("better: k");
    expect(better).toContain("wavefronts 1,056 → 64 (ideal 64), sectors 128 (ideal 128)");
    expect(better).toContain("line 5 of before, tile[threadIdx.x][threadIdx.y]: excess 992 → 0 wavefronts");
    const worse = await textOf("compare", { before: padded, after: column, launch: oneBlock });
    expect(worse).toContain("worse: k");
    expect(worse).toContain(":5 tile[threadIdx.x][threadIdx.y]: excess 0 → 992 wavefronts");
  });

  it("explain_unknown: data, missing arguments, no launch", async () => {
    const text = `__global__ void k(float *out, const int *index, int pitch) {
  out[index[threadIdx.x]] = 1;
  out[threadIdx.x * pitch] = 2;
}
`;
    const open = await textOf("explain_unknown", { text });
    expect(open).toContain("k: nothing launches it: give `launch` with block, grid and arguments.");
    const launched = await textOf("explain_unknown", { text, launch: { block: 32, grid: 1 } });
    expect(launched).toMatch(
      /^2:3 out\[index\[threadIdx\.x\]\]: Not known: .*nothing in the source settles it\.$/m,
    );
    expect(launched).toMatch(/^3:3 out\[threadIdx\.x \* pitch\]: .*Give `launch` with arguments: pitch\.$/m);
    const given = { block: 32, grid: 1, arguments: { pitch: 1 } };
    expect(await textOf("explain_unknown", { text, launch: given })).not.toContain("3:3");
  });
});

describe("inputs", () => {
  it.each([
    [{}, "Give either `file` or `text`."],
    [{ file: "../secret.cu" }, "no such file in the workspace"],
    [{ file: "link.cu" }, "no such file in the workspace"],
    [{ file: "/etc/hostname" }, "no such file in the workspace"],
    [{ text: column, path: "../new.cu" }, "outside of the workspace"],
    [{ text: column, launch: { kernel: "other", block: 32 } }, "There is no kernel other; there is k."],
    [{ text: "int i;", launch: { block: 32 } }, "There is no kernel."],
  ])("%j is refused", async (input, reason) => {
    const { isError, texts } = await call("analyze", input);
    expect(isError).toBe(true);
    expect(texts[0]).toContain(reason);
  });

  it("a block of more than 1024 threads is refused by the schema", async () => {
    const { isError, texts } = await call("analyze", { text: column, launch: { block: [64, 32] } });
    expect(isError).toBe(true);
    expect(texts[0]).toContain("a block has at most 1024 threads");
  });

  it("headers outside of the workspace are not read", async () => {
    const text = '#include "../secret.cuh"\n__global__ void k(float *p) { p[threadIdx.x * STRIDE] = 0; }\n';
    expect(await textOf("explain_unknown", { text, path: "a.cu" })).toContain("../secret.cuh");
  });

  it("the roots that the client names are the workspace", async () => {
    const other = await connected([above]);
    expect((await call("analyze", { file: "secret.cu" }, other)).isError).toBe(false);
    expect((await call("analyze", { file: "project/strided.cu" }, other)).isError).toBe(false);
    await other.close();
  });
});

describe("kernels in strings of Python", () => {
  const scale = `scale = cp.RawKernel(r'''
__global__ void scale(float *x) {
  x[threadIdx.x * 2] = 1;
}
''', "scale")`;
  const module = `source = """
${column}"""`;
  const python = `import cupy as cp
# It's no string: """
note = 'a "quoted" word, __global__'[:3]
${scale}
${module}
formatted = f"""__global__ void f(float *x) { x[{n}] = 1; }"""
`;

  it("are analysed where they stand, one string at a time", async () => {
    writeFileSync(join(folder, "model.py"), python);
    const launch = { block: 32, grid: 1 };
    // Lines of the file: the note's string comes first, and has no kernel.
    const first = await textOf("analyze", { file: "model.py", string: 2, launch });
    expect(first).toContain("scale (line 5): block (32)");
    expect(first).toContain("global: 8 sectors, 4 ideal");
    expect(first).toContain("Note: strings with kernels at lines 3, 4, 9, 17; `string` chooses one.");
  });

  it("are fixed in the text of the file", async () => {
    const input = { text: python, path: "model.py", string: 3, launch: oneBlock };
    expect(await textOf("fixes", input)).toMatch(/^1\. 14:41 tile.*Pad tile to \[32\]\[33\]/);
    const { texts } = await call("apply_fix", { ...input, fix: 1 });
    expect(texts[1]).toBe(python.replace("tile[32][32]", "tile[32][33]"));
  });

  it.each([
    [4, "f-string"],
    [5, "numbered 1 to 4 (lines 3, 4, 9, 17)"],
  ])("string %i is refused", async (string, reason) => {
    const { isError, texts } = await call("analyze", { text: python, path: "model.py", string });
    expect(isError).toBe(true);
    expect(texts[0]).toContain(reason);
  });
});

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));

/** What an H200 counted of the program (scripts/record-truth.py), as `analyze` says it. */
function countedText(program: string): string {
  const rows = readFileSync(join(fixtures, "truth.jsonl"), "utf8").trim().split("\n");
  const row = rows.map((each) => JSON.parse(each) as TruthRow).find((each) => each.case === program);
  const sum = (figure: "wavefronts" | "ideal_wavefronts" | "sectors" | "ideal_sectors") =>
    (row?.sites ?? []).reduce((all, site) => all + (site[figure] ?? 0), 0).toLocaleString("en");
  return (
    `shared: ${sum("wavefronts")} wavefronts, ${sum("ideal_wavefronts")} ideal · ` +
    `global: ${sum("sectors")} sectors, ${sum("ideal_sectors")} ideal`
  );
}

/** The kernel without the program around it. */
function kernelIn(program: string): string {
  return readFileSync(join(fixtures, program), "utf8").split("\nint main")[0] ?? "";
}

it("a kernel with three faults is improved through the tools alone, as the GPU counts it", async () => {
  const faulty = kernelIn("three_faults.cu");
  const launch = { block: [32, 32], grid: [8, 8], arguments: { n: 256 } };
  expect(await textOf("analyze", { text: faulty, launch })).toContain(countedText("three_faults.cu"));
  let text = faulty;
  for (let step = 0; step < 3; step++) {
    expect(await textOf("fixes", { text, launch })).toMatch(/^1\. /);
    text = (await call("apply_fix", { text, launch, fix: 1 })).texts[1] ?? "";
  }
  expect(text).toBe(kernelIn("three_faults_fixed.cu"));
  expect(await textOf("fixes", { text, launch })).toBe("Nothing to fix: there are no findings.");
  const after = await textOf("analyze", { text, launch });
  expect(after).toContain(`${countedText("three_faults_fixed.cu")} · excess 0`);
  expect(await textOf("compare", { before: faulty, after: text, launch })).toContain("better: smooth");
});
