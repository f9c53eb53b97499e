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
  { title: "the name of the function", body: 'printf("%s %s", __func__, __FUNCTION__);' },
  {
    title: "sine and cosine at once",
    body: "float s, c; sincosf(x[0], &s, &c); double a, b; sincos(d[0], &a, &b); x[1] = s + c; d[1] = a + b;",
  },
  {
    title: "floating-point operations that name their rounding",
    body: "d[0] = __dadd_ru(d[1], __dmul_rd(d[2], d[3])); x[0] = __fsub_rz(x[1], __fdiv_rn(x[2], x[3]));",
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
