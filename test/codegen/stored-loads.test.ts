// Ways that each store what they load to one place: one store behind them, of one load from the address that the way came to, on the store's line.
// As nvcc 13.0 -O3 has these kernels in its PTX; of a median filter's border in three channels an H200 counted the load and the store on the
// line of the first way but one.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (
  type: string,
  ways: string,
) => `__global__ void k(const ${type} *in, float *out, int h, int w) {
  __shared__ float s[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * 14 + tx - 1, col = blockIdx.y * 14 + ty - 1;
  ${ways}
  __syncthreads();
  if (row < h && col < w && tx < 14 && ty < 14) out[row * w + col] = s[tx + 1][ty + 1] + s[tx][ty];
}
int main() {
  ${type} *in;
  float *out;
  cudaMalloc(&in, 10000 * sizeof(${type}));
  cudaMalloc(&out, 10000 * sizeof(float));
  k<<<dim3(8, 8), dim3(16, 16)>>>(in, out, 100, 100);
}
`;

/** The lines of loads from global and of stores to shared memory, with how often a warp makes them. */
async function accessesOf(type: string, ways: string): Promise<string[]> {
  const text = kernel(type, ways);
  const { analysis } = await analyse(text);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ space, operation }) => (space === "global") === (operation === "load"))
    .map(({ range, operation, requests }) => {
      const line = text.slice(0, range.start).split("\n").length;
      return `${line} ${operation} ${requests}`;
    })
    .sort();
}

const three = `if (row < 0) s[tx][ty] = in[col];
  else if (col < 0) s[tx][ty] = in[row * w];
  else s[tx][ty] = in[row * w + col];`;

const within = `if (row >= 0 && row < h && col >= 0 && col < w) s[tx][ty] = in[row * w + col];
  else {
    if (row < 0 && col < 0) s[tx][ty] = in[0];
    else if (row < 0) s[tx][ty] = in[col];
    else if (col < 0) s[tx][ty] = in[row * w];
    else s[tx][ty] = in[(h - 1) * w + w - 1];
  }`;

it.each([
  ["three ways", "float", three, 5],
  ["three ways that convert", "unsigned char", three, 5],
  ["ways within a way", "float", within, 6],
  ["ways within a way that convert", "unsigned char", within, 6],
])("%s load and store once", async (_, type, ways, line) => {
  expect(await accessesOf(type, ways)).toEqual([`${line} load 512`, `${line} store 512`]);
});

it("ways of which one stores a zero do not", async () => {
  const ways = three.replace("in[row * w];", "0;");
  expect((await accessesOf("float", ways)).length).toBeGreaterThan(2);
});

it.each([
  ["a store stands between", "s[15 - tx][ty] = 0;", "v", "u"],
  ["the ways compute otherwise", "", "v * 3", "u + 3"],
  ["one is used behind them as well", "", "v", "u + v"],
])("loads in front of ways stay two where %s", async (_, between, first, second) => {
  const ways = `const float v = in[tx + 1], u = in[ty * 16 + tx]; ${between}
  if (tx & 1) s[tx][ty] = ${first}; else s[tx][ty] = ${second};`;
  const loads = (await accessesOf("float", ways)).filter((each) => each.includes("load"));
  expect(loads.length).toBe(2);
});
