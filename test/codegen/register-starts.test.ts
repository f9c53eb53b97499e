// Where LLVM starts the register of addresses in a loop of copies, two rows of a tile beside a column of another: where the fewest bits are added to reach
// each word, which is the last one of the second row, and tells ptxas nothing of the alignment (widths as in SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

interface Shape {
  readonly pitch: number;
  readonly rows: readonly string[];
  /** What of another array a trip reads. */
  readonly beside: string;
  readonly copies: number;
}

const kernel = ({ pitch, rows, beside, copies }: Shape) => `
__global__ void k(const float *a, const float *b, float *c, int n) {
  __shared__ float rows[64][${pitch}];
  __shared__ float columns[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += 32) {
    rows[ty][tx] = a[ty * n + first + tx];
    columns[ty][tx] = b[ty * n + first + tx];
    __syncthreads();
    #pragma unroll ${copies}
    for (int k = 0; k < 32; k++) {
      float factor = ${beside};
      ${rows.map((row) => `sum += rows[${row}][k] * factor;`).join("\n      ")}
    }
    __syncthreads();
  }
  c[ty * 32 + tx] = sum;
}
int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaMalloc(&c, 4096);
  k<<<1, dim3(32, 32)>>>(a, b, c, 32);
}`;

/** The widths in bits of the loads of rows, and whether they are sure. */
async function widthsOf(shape: Shape): Promise<{ bits: number[]; isSure: boolean }> {
  const { analysis } = await analyse(kernel(shape));
  const loads = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(
      ({ operation, space, expression }) =>
        operation === "load" && space === "shared" && expression.startsWith("rows"),
    );
  const bits = [...new Set(loads.map(({ bytes }) => 8 * (bytes ?? 0)))].sort((a, b) => a - b);
  return { bits, isSure: loads.every(({ verdict }) => verdict.kind === "exact") };
}

const column = "columns[k][tx]";

describe("the register of rows that a loop's copies read", () => {
  it.each<[string, Shape, number[]]>([
    ["two rows far apart", { pitch: 36, rows: ["ty", "ty + 32"], beside: column, copies: 8 }, [32]],
    ["two rows side by side", { pitch: 40, rows: ["2 * ty", "2 * ty + 1"], beside: column, copies: 8 }, [32]],
    ["four copies", { pitch: 36, rows: ["ty", "ty + 1"], beside: column, copies: 4 }, [32]],
    [
      "a pitch that needs a bit less",
      { pitch: 32, rows: ["ty", "ty + 1"], beside: column, copies: 8 },
      [128],
    ],
    ["three rows", { pitch: 40, rows: ["ty", "ty + 1", "ty + 2"], beside: column, copies: 4 }, [64]],
    ["one row", { pitch: 36, rows: ["ty"], beside: column, copies: 8 }, [128]],
    [
      "nothing else in shared memory",
      { pitch: 40, rows: ["ty", "ty + 1"], beside: "b[k * 77 + tx]", copies: 8 },
      [128],
    ],
  ])("shows as much of the alignment as its start has: %s", async (_, shape, bits) => {
    expect(await widthsOf(shape)).toEqual({ bits, isSure: true });
  });
});
