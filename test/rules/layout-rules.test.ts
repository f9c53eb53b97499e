// ineffective-padding and vectorizable-access on the fixtures that the GPU counted both ways: what is said of the one spelling is what was
// counted of the other, and nothing is said where nothing is gained.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fixture, found, urlOf } from "./found.ts";

/** What the GPU counted for each request of a kernel, over all its accesses of one space. */
function measured(
  name: string,
  kernel: RegExp,
  figure: "wavefronts" | "sectors",
  perRequestOf: number,
): number {
  const rows = readFileSync(urlOf(`fixtures/programs/${name}.truth.jsonl`), "utf8")
    .trim()
    .split("\n");
  const row = rows.map((line) => JSON.parse(line)).find((each) => kernel.test(each.kernel));
  const sites = row.sites.filter((site: Record<string, number>) => site[figure] !== undefined);
  const sum = (key: string) =>
    sites.reduce((total: number, site: Record<string, number>) => total + (site[key] ?? 0), 0);
  return sum(figure) / (sum("inst") / perRequestOf);
}

describe("ineffective-padding", () => {
  it("names the arrays whose rows another length serves better, and no halo", () => {
    const heads = found(fixture("padding_left"), "ineffective-padding").map(({ headline }) => headline);
    expect(heads).toEqual([
      "Padding of tile by 1 leaves 4 wavefronts for 2 accesses: padding by 2 would leave 3",
      "Padding of rows by 1 leaves 4 wavefronts for 2 accesses: no padding would leave 2",
      "Padding of wide by 2 leaves 6 wavefronts for 2 accesses: padding by 1 would leave 4",
    ]);
  });

  it.each([
    ["tile", /turn16<\(int\)1>/, /turn16<\(int\)2>/],
    ["rows", /shift16<\(int\)1>/, /shift16<\(int\)0>/],
    ["wide", /turnDouble<\(int\)2>/, /turnDouble<\(int\)1>/],
  ])("says of %s what the GPU counted", (array, now, then) => {
    const { finding } = found(fixture("padding_left"), "ineffective-padding").find(({ headline }) =>
      headline.includes(` ${array} `),
    ) ?? { finding: null };
    if (finding?.evidence.kind !== "padding") throw new Error("no finding");
    expect(finding.evidence.now).toBe(measured("padding_left", now, "wavefronts", 2));
    expect(finding.evidence.better.sum).toBe(measured("padding_left", then, "wavefronts", 2));
  });

  it("advises shorter rows where the GPU counted less for them, and never 31 elements more", () => {
    const reasons = found(fixture("padding_left"), "shared-bank-conflict").map(({ reason }) => reason);
    const shorter = reasons.filter((reason) => reason.endsWith("Reduce the padding by one element."));
    expect(shorter.length).toBeGreaterThan(0);
    expect(reasons.join(" ")).not.toContain("31 elements");
  });

  const tile = (row: string, load: string) => `__global__ void turn(float *out, const float *in) {
  __shared__ float tile[32][${row}];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = ${load};
}
void run(float *out, const float *in) { turn<<<1, dim3(32, 32)>>>(out, in); }
`;
  const column = "tile[threadIdx.x][threadIdx.y]";

  it.each([
    ["a pad that does what it is for", tile("33", column)],
    ["rows without a pad", tile("32", column)],
    [
      "rows whose every element is touched by some access",
      tile("34", `${column} + tile[threadIdx.x][threadIdx.y + 2]`),
    ],
    [
      "an array of which not every access is known",
      tile("34", `${column} + tile[(int)in[threadIdx.x] & 31][0]`),
    ],
  ])("says nothing of %s", (_what, text) => {
    expect(found(text, "ineffective-padding")).toEqual([]);
  });

  it("says which pad keeps the alignment of vectors", () => {
    const text = `__global__ void turn(float *out, const float4 *in) {
  __shared__ float tile[32][128 + 1];
  *(float4 *)&tile[threadIdx.y][threadIdx.x * 4] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float *out; float4 *in;
  cudaMalloc(&out, 4096 * 4); cudaMalloc(&in, 4096 * 16);
  turn<<<1, dim3(32, 32)>>>(out, in);
}
`;
    const [only] = found(text, "ineffective-padding");
    expect(only?.headline).toBe(
      "Padding of tile by 1 takes the alignment from its float4 accesses: padding by 4 keeps it",
    );
    expect(only?.reason).toMatch(
      /^A row of tile is 129 floats, 128 of them used: 516 bytes, no multiple of 16\. With rows of 132 floats/,
    );
  });

  it("names a swizzle where no pad is better", () => {
    const text = tile("17", "tile[threadIdx.x][threadIdx.y]")
      .replaceAll("[32][17]", "[16][17]")
      .replaceAll("dim3(32, 32)", "dim3(16, 16)")
      .replace("out[threadIdx.y * 32", "out[tile[0][0] + threadIdx.y * 32");
    const heads = found(text, "ineffective-padding").map(({ headline }) => headline);
    expect(heads).toHaveLength(1);
  });
});

describe("vectorizable-access", () => {
  it("finds scalars side by side, and none that alias, lie off the boundary, or are one for all lanes", () => {
    const heads = found(fixture("scalar_rows"), "vectorizable-access").map(
      ({ line, headline }) => `${line}: ${headline}`,
    );
    expect(heads).toEqual([
      "8: 4 adjacent loads of in: 64 sectors where one float4 would take 16 (block (256), line 76)",
      "9: 4 adjacent stores of out: 64 sectors where one float4 would take 16 (block (256), line 76)",
      "24: 8 adjacent loads of in: 256 sectors where 2 float4 would take 64 (block (256), line 78)",
      "40: 2 adjacent loads of in: 32 sectors where one double2 would take 16 (block (256), line 80)",
      "41: 2 adjacent stores of out: 32 sectors where one double2 would take 16 (block (256))",
    ]);
  });

  it("says what the GPU counted", () => {
    const [first] = found(fixture("scalar_rows"), "vectorizable-access");
    if (first?.finding.evidence.kind !== "vector") throw new Error("no finding");
    // A request each of four loads and four stores; of one load and one store.
    expect(first.finding.evidence.before).toBe(measured("scalar_rows", /^scalars/, "sectors", 8) / 2);
    expect(first.finding.evidence.after).toBe(measured("scalar_rows", /^vectors/, "sectors", 2) / 2);
  });

  const sum = (
    index: string,
    argument = "in",
  ) => `__global__ void rows(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[${index}] + in[${index} + 1] + in[${index} + 2] + in[${index} + 3];
}
int main() {
  float *out, *in;
  cudaMalloc(&out, 65536); cudaMalloc(&in, 1 << 20);
  rows<<<16, 256>>>(out, ${argument}, 4);
}
`;
  it.each([
    ["side by side and aligned", sum("4 * i"), 1],
    ["from an aligned place of the allocation", sum("4 * i", "in + 8"), 1],
    ["off its boundary", sum("4 * i", "in + 2"), 0],
    ["at a pitch that only the launch knows", sum("n * i"), 0],
    ["half a vector apart", sum("6 * i"), 0],
    [
      "of volatile memory",
      sum("4 * i").replace("const float *__restrict__ in", "const volatile float *in"),
      0,
    ],
  ])("of four loads %s says something %i times", (_what, text, times) => {
    // 6 * i is even: a float2 is aligned there.
    const heads = found(text, "vectorizable-access").filter(({ headline }) => headline.includes("float4"));
    expect(heads).toHaveLength(times);
  });

  it("says nothing where nobody saw the memory allocated", () => {
    const text = sum("4 * i").replace(
      /int main[\s\S]*/,
      "void run(float *out, float *in) { rows<<<16, 256>>>(out, in, 4); }\n",
    );
    expect(found(text, "vectorizable-access")).toEqual([]);
  });
});
