// Sizes that the host compares before it launches a kernel: where they are small enough for all lanes to lie side by side, nothing is found.
import { describe, expect, it } from "vitest";
import { found } from "./found.ts";

const rowsLaunchedBy = (host: string) => `template <int Lanes>
__global__ void rows(int *out, const int *in, int width, int n) {
  int lane = threadIdx.x % Lanes, row = threadIdx.x / Lanes + blockIdx.x * (blockDim.x / Lanes);
  if (row < n) out[row] = lane < width ? in[row * width + lane] : 0;
}
void go(int *out, const int *in, int width, int n) {
  ${host}
}`;
const linesOf = (host: string) => found(rowsLaunchedBy(host), "uncoalesced-access").map(({ line }) => line);
const launch = (kernel: string) => `${kernel}<<<n / 128, 128>>>(out, in, width, n);`;

describe("a size that the host compared", () => {
  it("is no larger than it leaves", () => {
    expect(linesOf(launch("rows<1>"))).toEqual([4]);
    expect(linesOf(`if (width > 64) return; ${launch("rows<1>")}`)).toEqual([4]);
    expect(linesOf(`if (width > 4) return; ${launch("rows<1>")}`)).toEqual([]);
    expect(linesOf(`if (width <= 4) ${launch("rows<1>")}`)).toEqual([]);
  });

  it("is no larger than where the kernel was chosen", () => {
    const choose =
      "auto *kernel = rows<1>; if (width > 2) kernel = rows<32>; else if (width > 1) kernel = rows<2>;";
    expect(linesOf(`${choose} ${launch("kernel")}`)).toEqual([]);
    expect(linesOf(`auto *kernel = rows<1>; if (n > 2) kernel = rows<32>; ${launch("kernel")}`)).toEqual([4]);
  });
});
