// Elements of an array in a record that the text names by constants: nvcc moves them as the vectors that the record's alignment allows, as it does
// members; by a counter it does not, and not where the record is aligned as a float is (seen in SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (type: string, body: string) => `
struct __align__(16) Aligned { float at[4]; };
struct __align__(16) Either { union { float at[4]; unsigned bits[4]; }; };
struct Plain { float at[4]; };
__global__ void k(const ${type} *in, ${type} *out, float *sums) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  ${body}
}
int main() { ${type} *in, *out; float *sums; cudaMalloc(&in, 65536); cudaMalloc(&out, 65536); cudaMalloc(&sums, 16384); k<<<32, 128>>>(in, out, sums); }`;

async function accessesOf(type: string, body: string): Promise<string[]> {
  const { analysis } = await analyse(kernel(type, body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ expression }) => expression.includes(".at["))
    .map(({ operation, bytes }) => `${operation} ${bytes}`);
}

const sum = "float s = in[t].at[0]; s += in[t].at[1]; s += in[t].at[2]; s += in[t].at[3]; sums[t] = s;";
const counted = "float s = 0; for (int i = 0; i < 4; ++i) s += in[t].at[i]; sums[t] = s;";
const stores =
  "float v = sums[t]; out[t].at[0] = v; out[t].at[1] = 2 * v; out[t].at[2] = 3 * v; out[t].at[3] = 4 * v;";
const pair = "sums[t] = in[t].at[0] + in[t].at[1];";

describe("elements of an array in an aligned record", () => {
  it.each(["Aligned", "Either"])("are loaded and stored at once in %s", async (type) => {
    expect(await accessesOf(type, sum)).toEqual(["load 16"]);
    expect(await accessesOf(type, pair)).toEqual(["load 8"]);
    expect(await accessesOf(type, stores)).toEqual(["store 16"]);
  });

  it("are loaded one by one where a counter names them", async () => {
    expect(await accessesOf("Aligned", counted)).toEqual(["load 4"]);
  });

  it("are loaded and stored one by one in a record that is aligned as they are", async () => {
    expect(await accessesOf("Plain", sum)).toEqual(["load 4", "load 4", "load 4", "load 4"]);
    expect(await accessesOf("Plain", stores)).toEqual(["store 4", "store 4", "store 4", "store 4"]);
  });
});
