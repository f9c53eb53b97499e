// Where LLVM starts the register of addresses that a loop counts through an array: at the first of few, or where the loop needs its counter for
// something else, at the middle one of many, which shows ptxas 8 bytes of alignment (widths as in SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (trip: string, pragma: string) => `
struct Body { float x, y, z; };
__global__ void k(const float *in, const Body *bodies, float *out, int *which) {
  __shared__ float row[128];
  __shared__ Body body[128];
  __shared__ float mass[128];
  int t = threadIdx.x;
  Body own = bodies[t];
  row[t] = in[t];
  body[t] = own;
  mass[t] = in[t + 128];
  __syncthreads();
  float sum = 0;
  int at = 0;
  ${pragma}
  for (int k = 0; k < 128; k++) { ${trip} }
  out[t] = sum;
  which[t] = at;
}
int main() {
  float *in, *out; Body *bodies; int *which;
  cudaMalloc(&in, 4096); cudaMalloc(&out, 4096); cudaMalloc(&bodies, 4096); cudaMalloc(&which, 4096);
  k<<<1, 128>>>(in, bodies, out, which);
}`;

/** The widths of a round's loads that begin with the name, each once. */
async function widthsOf(name: string, trip: string, pragma = "#pragma unroll 4"): Promise<number[]> {
  const { analysis } = await analyse(kernel(trip, pragma));
  const widths = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(
      ({ operation, space, expression }) =>
        operation === "load" && space === "shared" && expression.startsWith(name),
    )
    .map(({ bytes }) => bytes);
  return [...new Set(widths)].sort((a, b) => (a ?? 0) - (b ?? 0)).map((bytes) => 8 * (bytes ?? 0));
}

const distance = `float dx = body[k].x - own.x; float dy = body[k].y - own.y; float dz = body[k].z - own.z;
  float square = dx * dx + dy * dy + dz * dz;`;

describe("the register of addresses that a loop counts through an array", () => {
  it.each([
    ["of four", "row", "sum += row[k] * own.x;"],
    ["of four, beside another's", "row", "sum += row[k] * mass[k];"],
    ["where the counter is a factor", "body", "sum += (body[k].x * body[k].y + body[k].z) * k;"],
    [
      "where the counter is kept",
      "body",
      "float f = body[k].x * body[k].y + body[k].z; if (f < sum) { sum = f; at = k; }",
    ],
    ["where another array counts with it", "body", "sum += (body[k].x * body[k].y + body[k].z) * mass[k];"],
  ])("starts at the first, %s", async (_, name, trip) => {
    expect(await widthsOf(name, trip)).toEqual([128]);
  });

  it("starts at the first where the counter is compared: three words of four are one load", async () => {
    expect(await widthsOf("body", `${distance} if (k != t) sum += dx / square;`)).toEqual([32, 64, 128]);
  });

  it("starts at the middle of twelve", async () => {
    expect(await widthsOf("body", "sum += body[k].x * body[k].y + body[k].z;")).toEqual([64]);
    expect(await widthsOf("body", `${distance} if (square < own.x) sum += dx / square;`)).toEqual([32, 64]);
  });
});

describe("a quotient in every trip of a loop that was unrolled", () => {
  it("parts the loads of two trips, though its variables are named as in the trip before", async () => {
    expect(await widthsOf("body", `${distance} sum += 1 / square;`, "")).toEqual([32, 64, 128]);
  });
});
