// What kernels do with shared memory: tiles that are filled, waited for and read, each form a function.
import { type Draft, declareValue, emit, emitBlock, freshName, isTwoDimensional } from "./draft.ts";
import { anyCondition, anyIndex, anyLoad, anyValue, anyVariable } from "./expressions.ts";

/** Some use of shared memory. Every thread of the block comes here. */
export function sharedMemory(draft: Draft): void {
  const { random } = draft;
  const thread = isTwoDimensional(draft) ? "threadIdx.y * blockDim.x + threadIdx.x" : "threadIdx.x";
  emit(draft, `int t = ${thread};`);
  const form = random.pick([
    flatArray,
    flatArray,
    flatArray,
    tileOfTwo,
    dynamicTile,
    records,
    doubleBuffer,
    reduction,
  ]);
  form(draft);
}

/** Enough for every index of `anySlot`. */
const slotCount = 1100;

function anySlot({ random }: Draft): string {
  return random.pick([
    "t",
    "t",
    "t",
    "t * 2",
    "t * 4",
    "(t & 31) * 33",
    "(t & 31) * 32 + (t >> 5)",
    "t ^ 1",
    "t * 3",
    "(t + 1) & 1023",
    "t / 2",
    "t & 7",
    "t >> 5",
    "0",
    "t + k",
    "(t * 17) & 1023",
    "t + 1",
  ]);
}

function flatArray(draft: Draft): void {
  const { random } = draft;
  emit(draft, `__shared__ ${random.pick(["float", "float", "double", "int"])} s[${slotCount}];`);
  const rounds = random.pick([1, 1, 2]);
  for (let round = 0; round < rounds; round++) {
    const guard = random.oneIn(4) ? `if (${anyCondition(draft)}) ` : "";
    emit(draft, `${guard}s[${anySlot(draft)}] = ${anyValue(draft)};`);
    if (random.oneIn(4)) emit(draft, `s[${anySlot(draft)}] = ${anyVariable(draft)};`);
    emit(draft, "__syncthreads();");
    const uses = random.pick([1, 1, 2]);
    for (let use = 0; use < uses; use++) useOfFlatArray(draft);
    if (random.oneIn(2)) emit(draft, "__syncthreads();");
  }
}

function useOfFlatArray(draft: Draft): void {
  const { random } = draft;
  const use = random.pick(["load", "load", "sum", "update", "store"]);
  if (use === "load") declareValue(draft, `s[${anySlot(draft)}]`);
  else if (use === "update")
    emit(draft, `if (${anyCondition(draft)}) s[${anySlot(draft)}] += ${anyVariable(draft)};`);
  else if (use === "store") emit(draft, `o[${anyIndex(draft)}] = s[${anySlot(draft)}];`);
  else {
    const place = random.pick([
      "t + e",
      "e",
      "t * 4 + e",
      "e * 32 + (t & 31)",
      "(t & 31) * 33 + e",
      "(t >> 3) * 8 + e",
    ]);
    const sum = declareValue(draft, "0.0f");
    emit(draft, `for (int e = 0; e < ${random.pick([4, 8, 32])}; e++)`);
    emit(draft, `  ${sum} += s[${place}];`);
  }
}

function tileOfTwo(draft: Draft): void {
  const { random } = draft;
  const name = freshName(draft, "tile");
  emit(draft, `__shared__ float ${name}[32][${random.pick([32, 33, 36])}];`);
  emit(draft, `for (int e = t; e < 1024; e += blockDim.x * blockDim.y)`);
  emit(draft, `  ${name}[e / 32][e % 32] = ${random.pick(draft.inputs.slice(0, 1)).name}[e];`);
  emit(draft, "__syncthreads();");
  const sum = declareValue(draft, "0.0f");
  emit(draft, `for (int e = 0; e < ${random.pick([8, 16, 32])}; e++)`);
  const left = random.pick(["t / 32 % 32", "t % 32", "e"]);
  const right = random.pick(["e", "t % 32", "(t + e) % 32"]);
  emit(draft, `  ${sum} += ${name}[${left}][e] * ${name}[${right}][t % 32];`);
}

/** Two arrays carved of dynamic shared memory, one with rows of a pitch. */
function dynamicTile(draft: Draft): void {
  const pitch = draft.random.pick([16, 17, 32, 33]);
  draft.sharedBytes = 4 * (32 * pitch + slotCount);
  emit(draft, "extern __shared__ float dynamic[];");
  emit(draft, "float *rows = dynamic;");
  emit(draft, `float *rest = dynamic + 32 * ${pitch};`);
  emit(draft, `rows[(t & 31) * ${pitch} + ((t >> 5) & 15)] = ${anyLoad(draft)};`);
  emit(draft, `rest[${anySlot(draft)}] = ${anyVariable(draft)};`);
  emit(draft, "__syncthreads();");
  declareValue(draft, `rest[${anySlot(draft)}] + rows[(t & 15) * ${pitch} + (t & 7)]`);
}

function records(draft: Draft): void {
  const { type, members } = draft.random.pick([
    { type: "P4", members: ["x", "y", "z", "w"] },
    { type: "P3", members: ["x", "y", "z"] },
    { type: "float2", members: ["x", "y"] },
  ]);
  const name = freshName(draft, "records");
  emit(draft, `__shared__ ${type} ${name}[256];`);
  for (const member of members) emit(draft, `${name}[t].${member} = ${anyVariable(draft)};`);
  emit(draft, "__syncthreads();");
  const sum = declareValue(draft, "0.0f");
  emit(draft, "for (int e = 0; e < 16; e++)");
  const place = draft.random.pick(["e", "t", "(t + e) & 255", "(t & 15) * 16 + e"]);
  emit(draft, `  ${sum} += ${name}[${place}].x * ${name}[${place}].${draft.random.pick(members)};`);
}

function doubleBuffer(draft: Draft): void {
  const [input] = draft.inputs;
  const sum = declareValue(draft, "0.0f");
  emit(draft, "__shared__ float stages[2][256];");
  emit(draft, `stages[0][t] = ${input?.name}[t];`);
  emit(draft, "__syncthreads();");
  emitBlock(draft, "for (int stage = 0; stage < k; stage++)", () => {
    emit(draft, `if (stage + 1 < k) stages[(stage + 1) & 1][t] = ${input?.name}[(stage + 1) * 256 + t];`);
    emit(draft, `${sum} += stages[stage & 1][${draft.random.pick(["t", "t ^ 1", "(t * 4) & 255"])}];`);
    emit(draft, "__syncthreads();");
  });
}

function reduction(draft: Draft): void {
  emit(draft, "__shared__ float partial[256];");
  emit(draft, `partial[t] = ${anyValue(draft)};`);
  emit(draft, "__syncthreads();");
  const half = draft.random.pick(["blockDim.x * blockDim.y / 2", "128"]);
  emitBlock(draft, `for (int half = ${half}; half > 0; half >>= 1)`, () => {
    emit(draft, "if (t < half && t + half < 256) partial[t] += partial[t + half];");
    emit(draft, "__syncthreads();");
  });
  emit(draft, `if (t == 0) o[blockIdx.x] = partial[0];`);
}
