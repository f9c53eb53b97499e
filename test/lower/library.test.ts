// Library functions that kernels call must be understood: a name that nobody knows leaves a gap.
import { expect, test } from "vitest";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";
import { reachable, testPrelude } from "./support.ts";

const kernels: readonly { title: string; body: string }[] = [
  {
    title: "groups parted by what data say",
    body: `auto tile = cg::tiled_partition<32>(cg::this_thread_block());
      auto odd = cg::binary_partition(tile, x[threadIdx.x] > 0);
      if (odd.thread_rank() == 0) atomicAdd(&y[0], odd.size());
      cg::coalesced_group same = cg::labeled_partition(tile, y[1]);
      y[2] = same.ballot(1) + same.thread_rank() + same.any(0);
      x[2] = cg::reduce(odd, x[3], cg::plus<float>()) + nan("");`,
  },
  {
    title: "groups of several warps, with the memory that they ask for",
    body: `__shared__ cg::block_tile_memory<256> scratch;
      auto tile = cg::tiled_partition<64>(cg::this_thread_block(scratch));
      if (tile.thread_rank() == 0) x[tile.meta_group_rank()] = cg::reduce(tile, x[0], cg::plus<float>());`,
  },
  {
    title: "a copy between registers, however long",
    body: `struct Words { unsigned words[16]; } packed; unsigned words[16];
      for (int i = 0; i < 16; i++) words[i] = y[i * 32 + threadIdx.x];
      memcpy(&packed, words, sizeof(packed)); y[threadIdx.x] = packed.words[threadIdx.y];`,
  },
  {
    title: "a pipeline of one thread",
    body: `__shared__ float s[64]; cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
      pipe.producer_acquire(); cuda::memcpy_async(&s[threadIdx.x], &x[threadIdx.x], sizeof(float), pipe); pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<0>(pipe); x[threadIdx.x] = s[0]; pipe.consumer_release();`,
  },
  { title: "the name of the function", body: 'printf("%s %s", __func__, __FUNCTION__);' },
  {
    title: "sine and cosine at once",
    body: "float s, c; sincosf(x[0], &s, &c); double a, b; sincos(d[0], &a, &b); x[1] = s + c; d[1] = a + b;",
  },
  {
    title: "floating-point operations that name their rounding",
    body: "d[0] = __dadd_ru(d[1], __dmul_rd(d[2], d[3])); x[0] = __fsub_rz(x[1], __fdiv_rn(x[2], x[3]));",
  },
  {
    title: "a number's mantissa, exponent and whole part; bytes of a word; votes of a block",
    body: `int e; x[0] = frexpf(x[1], &e) + ldexpf(x[2], e); double w; d[0] = modf(d[1], &w) + w + sinpi(d[2]);
      y[0] = __vmaxs4(y[1], UINT32_C(5)) + __dp4a((int)y[2], e, 4) + isfinite(x[3]) + __syncthreads_count(x[4] > 0);`,
  },
  {
    title: "complex numbers and 8-bit floats",
    body: `cuDoubleComplex z = cuCmul(make_cuDoubleComplex(d[0], d[1]), cuConj(make_cuDoubleComplex(d[2], 0)));
      cufftComplex c = {x[1], x[2]}; cufftDoubleReal r = c.x; d[3] = cuCreal(z) + r + sizeof(cufftDoubleComplex); y[0] = __nv_cvt_float_to_fp8(x[0], __NV_SATFINITE, __NV_E4M3);`,
  },
];

test.each(kernels)("$title", async ({ body }) => {
  const source = `namespace cg = cooperative_groups; __global__ void k(float* x, double* d, unsigned* y) { ${body} }`;
  const program = lowerProgram(await readText(source), { prelude: await testPrelude() });
  const ids = program.kernels
    .map((kernel) => program.instantiateKernel(kernel, []))
    .filter((id) => id !== null);
  expect(ids).toHaveLength(1);
  const gaps = reachable(program, ids).flatMap((id) => program.functionOf(id)?.gaps ?? []);
  expect(gaps).toEqual([]);
});
