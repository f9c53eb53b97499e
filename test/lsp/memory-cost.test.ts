// Kernels and accesses ranked by what they cost over all launches: the tree, the figures at the ends of lines.
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { InlayHint } from "vscode-languageserver/node";
import type { MemoryCostResult } from "../../server/src/lsp/protocol.ts";
import { type Client, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { conflict, unlaunched } from "./texts.ts";

const { folder, start, write, empty } = serving();
beforeEach(empty);

const uri = (path: string) => uriOf(join(folder, path));
const costOf = (client: Client, of: string | null) =>
  client.request<MemoryCostResult>("warplint/memoryCost", { uri: of });
const brief = ({ kernels }: MemoryCostResult) => kernels.map(({ kernel, excess }) => [kernel, excess]);

/** 32 warps of one block, 31 wavefronts too many each: 992 a launch. */
const launching = (count: number) => `#include "transpose.h"
int main() {
  float *out, *in;
  for (int i = 0; i < ${count}; i++) transpose<<<1, dim3(32, 32)>>>(out, in);
}
`;

describe("the memory cost", () => {
  it("of a document has its kernels with all accesses, worst first, over all launches", async () => {
    const client = await start();
    client.open(write("a.cu", conflict.replace("<<<1,", "<<<3,")), conflict.replace("<<<1,", "<<<3,"));
    const { kernels, accesses } = await costOf(client, uri("a.cu"));
    expect(kernels).toMatchObject([
      {
        kernel: "transpose",
        launches: "block (32,32), line 10",
        excess: 3 * 992,
        isExact: true,
        location: { uri: uri("a.cu"), range: { start: { line: 1 } } },
      },
    ]);
    expect(kernels[0]?.accesses[0]).toMatchObject({
      expression: "tile[threadIdx.x][threadIdx.y]",
      space: "shared",
      operation: "load",
      requests: 96,
      cost: 96 * 32,
      ideal: 96,
      excess: 96 * 31,
      share: 1,
      perRequest: "32 wavefronts, 1 ideal",
    });
    expect(kernels[0]?.accesses).toHaveLength(4);
    expect(accesses.filter(({ share }) => share === 1).map(({ range }) => range.start.line)).toEqual([5]);
  });

  it("of a workspace adds up the launches of all sources, each once, and follows documents that are open", async () => {
    write("transpose.h", `#pragma once\n${unlaunched}`);
    // More parts than one, so that several see the header.
    for (let index = 0; index < 3; index++)
      write(`app${index}/main.cu`, launching(index + 1).replace('"', '"../'));
    write("b.cu", conflict.replaceAll("transpose", "other").replace("<<<1,", "<<<4,"));
    const client = await start();
    expect(await costOf(client, null)).toMatchObject({ kernels: [], isWorkspaceLinted: false });
    await client.request("warplint/lintWorkspace", {});
    const result = await costOf(client, null);
    expect(result.isWorkspaceLinted).toBe(true);
    expect(brief(result)).toEqual([
      ["transpose", 6 * 992],
      ["other", 4 * 992],
    ]);
    const edited = conflict.replaceAll("transpose", "other").replace("<<<1,", "<<<9,");
    client.open(join(folder, "b.cu"), edited);
    await client.diagnostics(uri("b.cu"));
    expect(brief(await costOf(client, null))).toEqual([
      ["other", 9 * 992],
      ["transpose", 6 * 992],
    ]);
  });
});

describe("figures at the ends of lines", () => {
  const settings = (inlayHints: string) => () => ({ inlayHints });
  const hintsIn = (client: Client) =>
    client.request<InlayHint[]>("textDocument/inlayHint", {
      textDocument: { uri: uri("a.cu") },
      range: { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } },
    });

  it("stand behind what costs too much", async () => {
    const client = await start();
    client.open(write("a.cu", conflict), conflict);
    expect(await hintsIn(client)).toMatchObject([
      { position: { line: 5, character: 70 }, label: "32.0×, 992 excess wavefronts" },
    ]);
  });

  it("add up what is alike in a line", async () => {
    const text = `struct Pixel { float r, g, b; };
__global__ void grey(float* out, const Pixel* in) {
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i].r + in[i].g + in[i].b;
}
int main() {
  float* out; Pixel* in;
  cudaMalloc(&out, 4096); cudaMalloc(&in, 12288);
  grey<<<10, 32>>>(out, in);
}
`;
    const client = await start();
    client.open(write("a.cu", text), text);
    // 10 requests of each member, 8 sectors too many each.
    expect(await hintsIn(client)).toMatchObject([
      { position: { line: 3 }, label: "3 loads 3.0×, 240 excess sectors" },
    ]);
  });

  it("stand behind every access, or nowhere, as the settings say", async () => {
    const all = await start({ settings: settings("all") });
    all.open(write("a.cu", conflict), conflict);
    expect((await hintsIn(all)).map(({ position, label }) => [position.line, label])).toEqual([
      [3, "store ideal · load ideal"],
      [5, "store ideal · load 32.0×, 992 excess wavefronts"],
    ]);
    const off = await start({ settings: settings("off") });
    off.open(join(folder, "a.cu"), conflict);
    expect(await hintsIn(off)).toEqual([]);
  });
});
