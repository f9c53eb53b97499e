// Every seed lowers whole: no gaps, the launches that the GPU saw, the templates that the host instantiates.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { printFunction } from "../../server/src/ir/print.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";
import { reachable } from "./support.ts";

const folder = new URL("../../fixtures/seeds/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".cu"));

const kernels: Record<string, string[]> = {
  "seed0_mat_trans.cu": [
    "kernel_mat_trans_fp32",
    "kernel_mat_trans_fp32_4",
    "kernel_mat_trans_fp32_4_shared",
    "kernel_mat_trans_fp32_4_shared_smc",
  ],
  "seed1_matrix_trans.cu": [
    "matrix_trans_step1<float>",
    "matrix_trans_step2<float>",
    "matrix_trans_step3<float>",
    "matrix_trans_step1<double>",
    "matrix_trans_step2<double>",
    "matrix_trans_step3<double>",
  ],
  "seed2_mat_transpose.cu": [
    "mat_transpose_kernel_v0",
    "mat_transpose_kernel_v1<16>",
    "mat_transpose_kernel_v2<16>",
    "mat_transpose_kernel_v3<32,4>",
  ],
  "seed3_float4.cu": ["transpose_v2<32,128>", "transpose_v2<64,64>"],
  "seed3_naive.cu": ["transpose_v1"],
  "seed3_padding.cu": ["transpose_v2<32,32,0>", "transpose_v2<32,32,1>", "transpose_v2<32,32,2>"],
  "seed4_transpose.cu": [
    "transposeRow",
    "transposeCol",
    "transposeUnroll8Col",
    "transposeCoalesced",
    "transposeCoalescedPad",
  ],
};

describe.each(files)("%s", (file) => {
  const text = readFileSync(new URL(file, folder), "utf8");

  test("lowers without gaps or assumptions", async () => {
    const program = lowerProgram(await readText(text));
    const definitions = reachable(program).map((id) => program.functionOf(id));
    for (const definition of definitions) {
      expect(definition, "every function reached is defined").not.toBeNull();
      expect(definition?.gaps).toEqual([]);
      expect(definition?.assumptions).toEqual([]);
    }
    const launched = definitions.filter((definition) => definition?.kind === "kernel");
    expect(launched.map((definition) => definition?.id.replace(/\(.*/, ""))).toEqual(kernels[file]);
  });

  test("instantiates its kernels without a launch", async () => {
    const program = lowerProgram(await readText(text));
    for (const kernel of program.kernels) {
      const given = kernel.templateParameters.map(({ kind }) => (kind === "type" ? "float" : "16"));
      const id = program.instantiateKernel(kernel, given);
      const definition = id && program.functionOf(id);
      expect(definition?.gaps).toEqual([]);
      expect(definition?.templateArguments).toEqual(given);
    }
  });
});

test("a transposing kernel, whole", async () => {
  const text = readFileSync(new URL("seed3_padding.cu", folder), "utf8");
  const program = lowerProgram(await readText(text));
  const id = reachable(program).find((each) => each.startsWith("transpose_v2<32,32,1>"));
  const definition = id ? program.functionOf(id) : null;
  expect(definition && printFunction(definition)).toBe(
    `kernel void transpose_v2<32,32,1>(float*,float*,int,int) (f32* output, f32* input, i32 M, i32 N)
  shared f32[32][33] tile
  i32 id_x = i32((threadIdx.x + (blockIdx.x * blockDim.x)))
  i32 id_y = i32((threadIdx.y + (blockIdx.y * blockDim.y)))
  i32 thread_in = ((id_y * M) + id_x)
  i32 bidx = i32(((threadIdx.y * blockDim.x) + threadIdx.x))
  i32 idx_row = i32((u32(bidx) / blockDim.y))
  i32 idx_col = i32((u32(bidx) % blockDim.y))
  i32 trans_x = i32(((blockIdx.y * blockDim.y) + u32(idx_col)))
  i32 trans_y = i32(((blockIdx.x * blockDim.x) + u32(idx_row)))
  i32 thread_out = ((trans_y * N) + trans_x)
  if ((id_x < M) and (id_y < N))
    *f32[((&tile + threadIdx.y*132) + threadIdx.x*4)] = *f32[(input + thread_in*4)]
  barrier block
  if ((trans_x < N) and (trans_y < M))
    *f32[(output + thread_out*4)] = *f32[((&tile + idx_col*132) + idx_row*4)]`,
  );
});
