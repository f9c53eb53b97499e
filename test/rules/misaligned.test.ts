// Vectors that the text asks for off their boundary: nvcc takes the type at its word (13.0, sm_90: LDG.128, LDS.128, STS.128 for each of
// these, `nvcc -cubin`), and what lies off the boundary faults.
import { describe, expect, it } from "vitest";
import { found } from "./found.ts";

const rule = "misaligned-vector-access";

/** A kernel with `statement` in its line 4, launched with whole blocks. */
function kernel(statement: string): string {
  return `__global__ void move(float* out, const float* in, int n) {
  __shared__ float s[1040];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ${statement}
  __syncthreads();
  out[i] = s[threadIdx.x];
}
int main() {
  float *out, *in;
  cudaMalloc(&out, 1 << 24);
  cudaMalloc(&in, 1 << 24);
  move<<<64, 256>>>(out, in, 1000);
}
`;
}

describe("a float4 that lies off its boundary by a constant", () => {
  const cases: readonly [what: string, statement: string][] = [
    ["behind a pointer, cast as in C", "*(float4*)&s[4 * threadIdx.x] = *(const float4*)(in + 4 * i + 1);"],
    [
      "behind a pointer and a size",
      "*(float4*)&s[4 * threadIdx.x] = *reinterpret_cast<const float4*>(in + 4 * n + 4 * i - 2);",
    ],
    ["in global memory, by its index", "*(float4*)&s[4 * threadIdx.x] = *(const float4*)&in[4 * i + 1];"],
    ["in shared memory, written", "*(float4*)&s[4 * threadIdx.x + 1] = make_float4(1, 2, 3, 4);"],
    [
      "in shared memory, read",
      "float4 v = *(float4*)(s + 4 * threadIdx.x + 6); out[n + i] = v.x + v.y + v.z + v.w;",
    ],
  ];
  it.each(cases)("%s: one access, which faults", (_, statement) => {
    const findings = found(kernel(statement), rule);
    expect(findings.map(({ line }) => line)).toEqual([4]);
  });

  it("says by how much", () => {
    const [finding] = found(kernel(cases[0]?.[1] ?? ""), rule);
    expect(finding?.reason).toBe(
      "Every lane's address must be a multiple of 16 (else cudaErrorMisalignedAddress); these lie 4 bytes past one.",
    );
  });
});

describe("a float4 on its boundary", () => {
  const cases: readonly [what: string, statement: string][] = [
    [
      "a constant number of vectors on",
      "*(float4*)&s[4 * threadIdx.x + 8] = *(const float4*)(in + 4 * i + 4);",
    ],
    [
      "by two steps that only together are whole",
      "*(float4*)(s + 4 * threadIdx.x) = *((const float4*)(in + 4 * i - 4) + 1);",
    ],
    ["of which one word is read, off the boundary", "s[threadIdx.x] = ((const float4*)(in + 4 * i + 1))->y;"],
  ];
  it.each(cases)("%s: nothing is said", (_, statement) => {
    expect(found(kernel(statement), rule)).toEqual([]);
  });
});

// Recorded (fixtures/codegen/shared_scalars): nvcc stores the two as 64 bits, and they run.
describe("numbers that stand side by side in shared memory", () => {
  const program = (declared: string, first: string, second: string) => `__global__ void scale(float* out) {
  __shared__ float rows[64];
  __shared__ float ${declared};
  rows[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) { ${first} = rows[5]; ${second} = rows[9] + rows[7]; }
  __syncthreads();
  out[threadIdx.x] = rows[threadIdx.x] * ${second} + ${first};
}
int main() {
  float *out;
  cudaMalloc(&out, 256);
  scale<<<1, 64>>>(out);
}
`;
  const cases: readonly [what: string, ...names: [string, string, string]][] = [
    ["elements of an array", "a[2]", "a[0]", "a[1]"],
    ["elements of an array, the last first", "a[2]", "a[1]", "a[0]"],
    ["variables", "a, b", "a", "b"],
  ];
  it.each(cases)("%s: one access, and nothing is said", (_, ...names) => {
    expect(found(program(...names), rule)).toEqual([]);
  });
});

// Each was launched on an H200 (nvcc 13.0, sm_90): `cudaDeviceSynchronize` gave cudaErrorMisalignedAddress, or no error.
describe("float4 of an array of floats behind", () => {
  const cases: readonly [what: string, declarations: string, stored: string, read: string, faults: string][] =
    [
      ["an int", "int n; __shared__ float a[64];", "if (t == 0) n = in[0];", "n", "faults"],
      [
        "three floats",
        "float s[3]; __shared__ float a[64];",
        "if (t < 3) s[t] = in[t];",
        "s[t % 3]",
        "faults",
      ],
      [
        "five floats",
        "float s[5]; __shared__ float a[64];",
        "if (t < 5) s[t] = in[t];",
        "s[t % 5]",
        "faults",
      ],
      ["five chars", "char s[5]; __shared__ float a[64];", "if (t < 5) s[t] = in[t];", "s[t % 5]", "faults"],
      [
        "a double and an int",
        "double d; __shared__ int n; __shared__ float a[64];",
        "if (t == 0) { d = in[0]; n = in[1]; }",
        "d + n",
        "faults",
      ],
      [
        "three rows of 33",
        "float s[3][33]; __shared__ float a[64];",
        "s[t % 3][t] = in[t];",
        "s[(t + 1) % 3][31 - t]",
        "faults",
      ],
      ["nothing, an int behind it", "float a[64]; __shared__ int n;", "if (t == 0) n = in[0];", "n", "runs"],
      [
        "three floats that are scalars to nvcc",
        "float s[3]; __shared__ float a[64];",
        "if (t == 0) { s[0] = in[t]; s[1] = in[t + 1]; s[2] = in[t + 2]; }",
        "s[0] + s[1] * s[2]",
        "runs",
      ],
      ["three floats that nobody uses", "float s[3]; __shared__ float a[64];", "", "1", "runs"],
    ];
  it.each(cases)("%s", (_, declarations, stored, read, faults) => {
    const text = `__global__ void k(const float* in, float* out) {
  const int t = threadIdx.x;
  __shared__ ${declarations}
  ${stored}
  a[t] = in[t]; a[t + 32] = in[t + 32];
  __syncthreads();
  float4 v = *reinterpret_cast<float4*>(&a[(t & 15) * 4]);
  out[t] = v.x + v.y * v.z - v.w + ${read};
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 1024);
  k<<<1, 32>>>(in, out);
}
`;
    const findings = found(text, rule);
    expect(findings.map(({ line }) => line)).toEqual(faults === "faults" ? [7] : []);
    for (const { reason } of findings)
      expect(reason).toMatch(
        /^a begins (4|8|12) bytes past a multiple of 16, behind what is declared before it .*: declare it __align__\(16\)\.$/,
      );
  });
});
