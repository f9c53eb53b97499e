// What the figures hang on is told in the user's names, also where a library's text, which is warplint's own, loads it.
import { expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { programOf } from "../launches/program-of.ts";

const text = `#include <thrust/complex.h>
// warplint: launch(block=256, grid=16)
__global__ void k(thrust::complex<float> *a) {
  __shared__ thrust::complex<float> s[256];
  int i = threadIdx.x;
  s[i] = a[i];
  __syncthreads();
  if (s[i].real() > 0) s[i * 2 & 255] = a[i];
  int w = (int)a[i].real();
  a[w] = s[0];
}`;

it("names the array that a library's member was read from", async () => {
  const program = generateCode(await programOf("names.cu", text));
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (launch === undefined) throw new Error("no launch");
  const reasons = evaluateLaunch(program, launch).accesses.flatMap(({ verdict }) =>
    verdict.kind === "unknown" ? [verdict.reason] : [],
  );
  expect([...new Set(reasons)]).toEqual(["which lanes take part depends on s[…]", "a[…]"]);
});
