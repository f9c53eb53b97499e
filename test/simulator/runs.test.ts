// Runs of CUDA text on the simulator: what a check asks of it beyond what a kernel means.
import { describe, expect, it } from "vitest";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import {
  type SimulationOptions,
  type SimulationResult,
  simulate,
  simulating,
} from "../../server/src/simulator/simulate.ts";
import { readText } from "../support/parser.ts";

async function launched(text: string) {
  const program = lowerProgram(await readText(text));
  const [launch] = findLaunches(program, { texts: new Map([["a.cu", text]]) }).launches;
  if (launch === undefined) throw new Error("no launch");
  return { program, launch };
}

interface Finished extends SimulationResult {
  /** What the kernel's first argument points to, as integers. */
  readonly out: readonly number[];
}

async function run(text: string, options: SimulationOptions = {}): Promise<Finished> {
  const { program, launch } = await launched(text);
  const result = simulate(program, launch, options);
  const [first] = launch.arguments;
  const bytes = first?.kind === "pointer" ? result.contentsOf(first.allocation.id) : null;
  return { ...result, out: bytes === null ? [] : [...new Int32Array(bytes.buffer)] };
}

const main = (bytes: number, launch: string) =>
  `int main() { int *out, *in; cudaMalloc(&out, ${bytes}); cudaMalloc(&in, ${bytes}); ${launch}; }`;

describe("a run", () => {
  it("lets warps go on in either order", async () => {
    const text = `
__global__ void last(int *out) { __shared__ int s; s = threadIdx.x / 32; __syncthreads(); out[threadIdx.x] = s; }
${main(512, "last<<<1, 128>>>(out)")}`;
    expect(new Set((await run(text)).out)).toEqual(new Set([3]));
    expect(new Set((await run(text, { warpOrder: "descending" })).out)).toEqual(new Set([0]));
  });

  it("can be left between two warps", async () => {
    const { program, launch } = await launched(
      `__global__ void two(int *out) { out[threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = 2; } ${main(512, "two<<<2, 128>>>(out)")}`,
    );
    const steps = simulating(program, launch);
    let count = 0;
    while (steps.next().done !== true) count++;
    // Four warps of two blocks come to a barrier and to their end.
    expect(count).toBe(16);
  });

  it("fills up with zeros what an async copy leaves out", async () => {
    const text = `
#include <cuda_pipeline.h>
__global__ void copy(int *out, const int *in) {
  __shared__ __align__(16) int s[128];
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &in[threadIdx.x * 4], 16, threadIdx.x % 2 ? 8 : 0);
  __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();
  for (int k = 0; k < 4; k++) out[threadIdx.x * 4 + k] = s[threadIdx.x * 4 + k];
}
${main(512, "copy<<<1, 32>>>(out, in)")}`;
    const ones = new Uint8Array(new Int32Array(128).fill(7).buffer);
    const result = await run(text, { contents: () => ones });
    expect(result).toMatchObject({ status: "complete", gaps: [], faults: [], unknownStores: [] });
    expect(result.out.slice(0, 8)).toEqual([7, 7, 7, 7, 7, 7, 0, 0]);
  });

  it("tells what was stored without being known, and why", async () => {
    const text = `
__global__ void unset(int *out) { __shared__ int s[64]; s[threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = s[threadIdx.x + 1]; }
${main(512, "unset<<<1, 32>>>(out)")}`;
    const { unknownStores, faults } = await run(text);
    expect(unknownStores.map(({ reason }) => reason)).toEqual(["memory that was never written"]);
    expect(faults).toMatchObject([{ kind: "uninitialized", count: 1, thread: [31, 0, 0], offsetBytes: 128 }]);
  });

  it("makes up what nobody computes, the same for the same operands", async () => {
    const text = `
__global__ void tails(int *out, const float *in) {
  out[threadIdx.x] = __float_as_int(normcdff(in[threadIdx.x / 2]));
  out[threadIdx.x + 32] = __float_as_int(erfcxf(in[threadIdx.x / 2]));
}
${main(512, "tails<<<1, 32>>>(out, (float *)in)")}`;
    expect((await run(text)).unknownStores).not.toEqual([]);
    const result = await run(text, { uncomputed: "uninterpreted" });
    expect(result.unknownStores).toEqual([]);
    const values = result.out;
    const made = values.slice(0, 32);
    for (let lane = 0; lane < 32; lane += 2) expect(made[lane]).toBe(made[lane + 1]);
    expect(new Set(made).size).toBeGreaterThan(12);
    // Another function of the same operands is another number.
    expect(values.slice(32, 64)).not.toEqual(made);
  });

  it("computes with halves and pairs of halves", async () => {
    const text = `
#include <cuda_fp16.h>
__global__ void pairs(int *out) {
  half2 a = __floats2half2_rn(threadIdx.x, 2049.0f), b = __float2half2_rn(0.5f);
  half2 sum = __hadd2(a, b), fused = __hfma2(a, b, sum), product = a * b;
  out[threadIdx.x] = *(int *)&sum;
  out[threadIdx.x + 32] = *(int *)&fused;
  out[threadIdx.x + 64] = *(int *)&product;
  out[threadIdx.x + 96] = __high2float(a) == 2048.0f && __hbge2(sum, b);
}
${main(512, "pairs<<<1, 32>>>(out)")}`;
    const { out, unknownStores } = await run(text);
    expect(unknownStores).toEqual([]);
    // 2049 is no half: 2048. 3 + 0.5 in the low half, 2048 + 0.5 in the high one, rounded to 2048 (0x6800).
    expect(out[3]).toBe(0x68004300);
    // 3 * 0.5 + 3.5 = 5; 2048 * 0.5 + 2048 = 3072.
    expect(out[35]).toBe(0x6a004500);
    // 1.5 and 1024.
    expect(out[67]).toBe(0x64003e00);
    expect(out[99]).toBe(1);
  });

  it("reads and writes across the pages that memory is kept in", async () => {
    const text = `
struct Twelve { int a, b, c; };
__global__ void swap(Twelve *out, const Twelve *in) {
  Twelve t = in[threadIdx.x]; int k = t.a; t.a = t.c; t.c = k; out[255 - threadIdx.x] = t;
}
int main() { Twelve *out, *in; cudaMalloc(&out, 3072); cudaMalloc(&in, 3072); swap<<<1, 256>>>(out, in); }`;
    const counted = new Uint8Array(Int32Array.from({ length: 768 }, (_, index) => index).buffer);
    const values = (await run(text, { contents: () => counted })).out;
    expect(values.length).toBe(768);
    for (let at = 0; at < 256; at++) {
      const from = (255 - at) * 3;
      expect(values.slice(at * 3, at * 3 + 3)).toEqual([from + 2, from + 1, from]);
    }
  });
});
