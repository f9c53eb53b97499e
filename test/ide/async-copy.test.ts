// Maps of asynchronous copies: both sides, each as the figure counts it.
import { expect, it } from "vitest";
import { hoverAt } from "../../server/src/ide/hover.ts";
import { drawMap, mapOf } from "../../server/src/render/bank-map.ts";
import { hoverMarkdown } from "../../server/src/render/markdown.ts";
import { analyse, offsetOf } from "./analyse.ts";

const kernel = (body: string) => `#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __shared__ __align__(16) float tile[64][36];
  __shared__ __align__(16) float wide[64][64];
  int t = threadIdx.x;
  ${body}
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[t / 8][t % 8] + wide[t][0];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  k<<<16, 64>>>(a, b);
}
`;

async function hoverOf(body: string): Promise<string[]> {
  const { analysis, places } = await analyse(kernel(body));
  const content = hoverAt(analysis, offsetOf(analysis, "__pipeline_memcpy_async"), {
    places,
    hasDiagnosticAbove: false,
  });
  if (content === null) return [];
  return hoverMarkdown(content, { dialect: "fenced", linkTo: () => "" }).split("\n");
}

it("a copy that is as it should be is drawn in the order of its lanes", async () => {
  expect(await hoverOf("__pipeline_memcpy_async(&wide[t / 16][(t % 16) * 4], &in[t * 4], 16);")).toEqual([
    "4 wavefronts, 4 ideal · shared async copy, 16 B a lane · block (64)",
    "",
    "```text",
    "bank   0       8       16      24     31",
    "pass 1 ████▓▓▓▓████▓▓▓▓████▓▓▓▓████▓▓▓▓  lanes 0-7",
    "pass 2 ████▓▓▓▓████▓▓▓▓████▓▓▓▓████▓▓▓▓  lanes 8-15",
    "pass 3 ████▓▓▓▓████▓▓▓▓████▓▓▓▓████▓▓▓▓  lanes 16-23",
    "pass 4 ████▓▓▓▓████▓▓▓▓████▓▓▓▓████▓▓▓▓  lanes 24-31",
    "```",
    "",
    "16 sectors, 16 ideal · global async copy, 16 B a lane · block (64)",
    "",
    "Nsight Compute will show on this line: L1 Wavefronts Shared 128, Ideal 128 (grid (16))",
    "",
    "[Bank map]() · [Change launch]()",
  ]);
});

it("a copy of a column is a pass for each lane", async () => {
  const lines = await hoverOf("__pipeline_memcpy_async(&wide[t][0], &in[t * 4], 16);");
  expect(lines.slice(0, 7)).toEqual([
    "32 wavefronts, 4 ideal (8.0×) · shared async copy, 16 B a lane · block (64)",
    "",
    "```text",
    "bank   0       8       16      24     31",
    "pass 1 ████····························  lane 0",
    "pass 2 ████····························  lane 1",
    "   ⋮   30 more, one lane each",
  ]);
});

it("a sector that goes to two places is drawn twice, as it is counted", async () => {
  const { analysis } = await analyse(kernel("__pipeline_memcpy_async(&wide[t][0], &in[t * 4], 16);"));
  const copy = analysis.groups.find(
    ({ space, contexts }) => space === "global" && contexts[0]?.access.operation === "async-copy",
  )?.contexts[0]?.access;
  const map = copy && mapOf(copy);
  expect(copy?.worst?.figure).toEqual({ cost: 32, ideal: 16 });
  expect(map && drawMap(map)).toEqual([
    "sector 1 ████····  lane 0  16 of 32 B used",
    "sector 2 ····████  lane 1  16 of 32 B used",
    "   ⋮     30 more: 512 of 1,024 B used (50 %)",
  ]);
});

it("a copy through L1 has no map, for its passes are not known", async () => {
  const lines = await hoverOf("__pipeline_memcpy_async(&wide[t][0], &in[t], 4);");
  expect(lines[0]).toBe("32 wavefronts, 1 ideal (32.0×) · shared async copy, 4 B a lane · block (64)");
  expect(lines.filter((line) => line.startsWith("pass"))).toEqual([]);
});
