// Programs of random kernels as people write them, to be held against what a GPU counts.
import { type Random, seededRandom } from "../../../test/random/random.ts";
import { type ArrayParameter, type Draft, emit, type Shape } from "./draft.ts";
import { float, inputElements, outputElements } from "./elements.ts";
import { sharedMemory } from "./shared.ts";
import { statement, store } from "./statements.ts";

/** The program of a seed, always the same: `kernelCount` kernels, each launched once on memory of zeros. */
export function randomProgram(seed: number, kernelCount: number): string {
  const random = seededRandom(seed);
  const kernels = Array.from({ length: kernelCount }, (_, index) => randomKernel(random, `kernel${index}`));
  return [preamble, ...kernels.map(({ text }) => text), main(kernels.map(({ launch }) => launch))].join("\n");
}

const preamble = `#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
struct P4 { float x, y, z, w; };
struct P3 { float x, y, z; };
struct Q2 { int key; float val; };
struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };
struct Greatest { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
template <typename Operation> __device__ float combine(float a, float b) { return Operation()(a, b); }
__device__ __forceinline__ float pick(const float *p, int i) {
  return p[i] * 0.5f
       + p[i + 1];
}
__device__ float between(const float *a, int i, float t) {
  float low = a[i];
  float high = a[i + 8];
  return low + t * (high - low);
}
__device__ void accumulate(const float *a, int i, float &sum) {
  sum += a[i];
  if (sum < 0.0f) sum = a[i + 1];
}
`;

interface Kernel {
  readonly text: string;
  /** The statement that launches it. */
  readonly launch: string;
}

function randomKernel(random: Random, name: string): Kernel {
  const draft = randomDraft(random);
  const { inputs, outputs, shape } = draft;
  writeBody(draft);
  const restrict = random.oneIn(2) ? "__restrict__ " : "";
  const constant = draft.inputsAre === "const" ? "const " : "";
  const parameters = [
    ...inputs.map((each) => `${constant}${each.element.type} *${restrict}${each.name}`),
    ...outputs.map((each) => `${each.element.type} *${restrict}${each.name}`),
    "int n, int m, int k",
  ].join(", ");
  const handed = [
    ...inputs.map(({ element }, index) => `(${element.type} *)memory[${index}]`),
    ...outputs.map(({ element }, index) => `(${element.type} *)memory[${3 + index}]`),
    shape.n,
    shape.m,
    shape.k,
  ].join(", ");
  const configuration = [`dim3(${shape.grid})`, `dim3(${shape.block})`, draft.sharedBytes].join(", ");
  return {
    text: [`__global__ void ${name}(${parameters}) {`, ...draft.lines, "}", ""].join("\n"),
    launch: `  ${name}<<<${configuration}>>>(${handed});`,
  };
}

function randomDraft(random: Random): Draft {
  const shape = randomShape(random);
  const isTwo = shape.block[1] > 1;
  return {
    random,
    shape,
    lines: [],
    inputs: randomArrays(random, ["a", "b", "c"].slice(0, random.pick([1, 2, 2, 3])), inputElements),
    outputs: randomArrays(random, ["o", "u"].slice(0, random.pick([1, 1, 2])), outputElements),
    inputsAre: random.oneIn(4) ? "plain" : "const",
    lanes: random.oneIn(3) ? "leave" : "stay",
    sharedBytes: 0,
    depth: 0,
    loopDepth: 0,
    nameCount: 0,
    values: [],
    indices: isTwo ? ["i", "col", "row"] : ["i"],
    counters: [],
  };
}

function randomShape(random: Random): Shape {
  const block = random.oneIn(3)
    ? random.pick([
        [32, 4],
        [16, 8],
        [16, 16],
        [8, 8],
        [32, 8],
      ] as const)
    : random.pick([
        [64, 1],
        [128, 1],
        [96, 1],
        [32, 1],
        [256, 1],
      ] as const);
  const [n, m, k] = [
    random.pick([500, 100, 256, 77, 64]),
    random.pick([37, 64, 33, 20, 128]),
    random.pick([3, 4, 7, 2]),
  ];
  return { block, grid: [random.pick([1, 2, 3]), block[1] > 1 ? 2 : 1], n, m, k };
}

/** The first is of floats. */
function randomArrays(
  random: Random,
  names: readonly string[],
  elements: typeof inputElements,
): readonly ArrayParameter[] {
  return names.map((name, index) => ({ name, element: index === 0 ? float : random.pick(elements) }));
}

function writeBody(draft: Draft): void {
  const { random, shape, lanes } = draft;
  if (shape.block[1] > 1) {
    emit(draft, "int col = blockIdx.x * blockDim.x + threadIdx.x;");
    emit(draft, "int row = blockIdx.y * blockDim.y + threadIdx.y;");
    emit(draft, "int i = row * 64 + col;");
  } else emit(draft, "int i = blockIdx.x * blockDim.x + threadIdx.x;");
  if (lanes === "leave" && random.oneIn(2)) emit(draft, "if (i >= n) return;");
  const before = random.pick([1, 2, 3]);
  for (let done = 0; done < before; done++) statement(draft);
  if (lanes === "stay" && random.oneIn(2)) sharedMemory(draft);
  const behind = random.pick([1, 2, 3, 4]);
  for (let done = 0; done < behind; done++) statement(draft);
  if (draft.values.length > 0) emit(draft, `o[i] = ${draft.values.join(" + ")};`);
  else store(draft);
}

function main(launches: readonly string[]): string {
  return `int main() {
  const size_t bytes = 1 << 28;
  char *memory[5];
  for (int i = 0; i < 5; i++) {
    cudaMalloc(&memory[i], bytes);
    cudaMemset(memory[i], 0, bytes);
  }
${launches.join("\n")}
  cudaDeviceSynchronize();
  printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
}
`;
}
