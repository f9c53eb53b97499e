// The statements of kernels, each form a function.
import { type Draft, declareValue, emit, emitBlock, freshName, inScope } from "./draft.ts";
import { anyCondition, anyIndex, anyLoad, anyValue, anyVariable } from "./expressions.ts";

/** How deep branches and loops nest. */
const deepest = 3;
const mostLoops = 2;
const mostIndices = 5;

type Form = (draft: Draft) => void;

/** How often people write it, and the form. */
type WeightedForm = readonly [number, Form];

/** Forms that hold no other statements, some more often than others. */
const plainForms: readonly WeightedForm[] = [
  [24, declareLoad],
  [8, changeVariable],
  [18, store],
  [5, chooseLoad],
  [2, clampLoad],
  [4, registerArray],
  [3, atomic],
  [3, storeInPlace],
  [2, byPolicy],
  [2, guardedStore],
];

const indexForms: readonly WeightedForm[] = [[3, declareIndex]];

/** Of functions that take pointers to const. */
const functionForms: readonly WeightedForm[] = [[2, byReference]];

/** Of all lanes together. */
const warpForms: readonly WeightedForm[] = [[2, shuffle]];

const nestingForms: readonly WeightedForm[] = [
  [15, branch],
  [2, switchOf],
];

const loopForms: readonly WeightedForm[] = [
  [13, countedLoop],
  [2, pointerLoop],
  [2, pairsAndRest],
  [1, doUntil],
];

/** Some statement that may stand here. */
export function statement(draft: Draft): void {
  const nests = draft.depth < deepest;
  const { inputsAre, lanes, depth, indices } = draft;
  const forms: WeightedForm[] = [
    ...plainForms,
    // An index of an index of an index would leave the arrays.
    ...(indices.length < mostIndices ? indexForms : []),
    ...(inputsAre === "const" ? functionForms : []),
    ...(lanes === "stay" && depth === 0 ? warpForms : []),
    ...(nests ? nestingForms : []),
    ...(nests && draft.loopDepth < mostLoops ? loopForms : []),
  ];
  const drawn = forms.flatMap(([weight, form]) => Array.from({ length: weight }, () => form));
  draft.random.pick(drawn)(draft);
}

function statements(draft: Draft, counts: readonly number[]): void {
  const count = draft.random.pick(counts);
  for (let done = 0; done < count; done++) statement(draft);
}

function declareLoad(draft: Draft): void {
  if (draft.depth > 0 && draft.values.length > 0) emit(draft, `${anyVariable(draft)} += ${anyLoad(draft)};`);
  else declareValue(draft, anyLoad(draft));
}

function changeVariable(draft: Draft): void {
  const name = draft.values.length > 0 ? anyVariable(draft) : declareValue(draft, "0.0f");
  emit(draft, `${name} ${draft.random.pick(["+=", "+=", "*=", "="])} ${anyLoad(draft)};`);
}

export function store(draft: Draft): void {
  const { name, element } = draft.random.pick(draft.outputs);
  emit(draft, `${draft.random.pick(element.write)(`${name}[${anyIndex(draft)}]`, anyValue(draft))};`);
}

function chooseLoad(draft: Draft): void {
  const otherwise = draft.random.pick(["0.0f", anyVariable(draft), anyLoad(draft)]);
  declareValue(draft, `${anyCondition(draft)} ? ${anyLoad(draft)} : ${otherwise}`);
}

function clampLoad(draft: Draft): void {
  const base = draft.random.pick(draft.indices);
  const { name } = firstInput(draft);
  declareValue(
    draft,
    `${base} - 1 >= 0 ? ${name}[${base} - 1] : ${name}[${draft.random.pick(["0", base, "n - 1"])}]`,
  );
}

function registerArray(draft: Draft): void {
  const { random } = draft;
  const length = random.pick([2, 3, 4, 8]);
  const base = random.pick(draft.indices);
  const place = random.pick([
    `${base} * ${length} + e`,
    `${base} + e * 32`,
    `${base} + e`,
    `${base} * m + e`,
  ]);
  const name = freshName(draft, "r");
  emit(draft, `float ${name}[${length}];`);
  emit(draft, "#pragma unroll");
  emit(draft, `for (int e = 0; e < ${length}; e++)`);
  emit(draft, `  ${name}[e] = ${firstInput(draft).name}[${place}];`);
  const sum = declareValue(draft, "0.0f");
  const weight = random.pick(["", ` * ${name}[${length - 1} - e]`]);
  emit(draft, `for (int e = 0; e < ${length}; e++) ${sum} += ${name}[e]${weight};`);
  if (random.oneIn(2)) return;
  emit(draft, `for (int e = 0; e < ${length}; e++)`);
  emit(draft, `  o[${random.pick([place, place, anyIndex(draft)])}] = ${name}[e];`);
}

function declareIndex(draft: Draft): void {
  const name = freshName(draft, "i");
  emit(draft, `int ${name} = ${anyIndex(draft)};`);
  draft.indices.push(name);
}

function atomic(draft: Draft): void {
  emit(draft, `atomicAdd(&o[${anyIndex(draft)}], ${anyVariable(draft)});`);
}

function storeInPlace(draft: Draft): void {
  const target = draft.inputsAre === "const" ? "o" : draft.random.pick(["o", firstInput(draft).name]);
  emit(draft, `${target}[${anyIndex(draft)}] += ${anyVariable(draft)};`);
}

/** A device function that changes what it is handed a reference to. */
function byReference(draft: Draft): void {
  const sum = draft.values.length > 0 ? anyVariable(draft) : declareValue(draft, "0.0f");
  emit(draft, `accumulate(${firstInput(draft).name}, ${anyIndex(draft)}, ${sum});`);
}

/** A function object that a template takes. */
function byPolicy(draft: Draft): void {
  const operation = draft.random.pick(["Sum", "Greatest"]);
  declareValue(draft, `combine<${operation}>(${anyLoad(draft)}, ${anyVariable(draft)})`);
}

function shuffle(draft: Draft): void {
  const name = declareValue(draft, anyValue(draft));
  emit(draft, "for (int offset = 16; offset > 0; offset >>= 1)");
  emit(draft, `  ${name} += __shfl_down_sync(0xffffffffu, ${name}, offset);`);
}

function guardedStore(draft: Draft): void {
  emit(draft, `if (${anyCondition(draft)}) o[${anyIndex(draft)}] = ${anyValue(draft)};`);
}

function branch(draft: Draft): void {
  const { random } = draft;
  emit(draft, `if (${anyCondition(draft)}) {`);
  inScope(draft, () => statements(draft, [1, 1, 2, 3]));
  if (random.oneIn(12)) {
    emit(draft, `} else if (${anyCondition(draft)}) {`);
    inScope(draft, () => statements(draft, [1, 2]));
  }
  if (random.oneIn(3)) {
    emit(draft, "} else {");
    inScope(draft, () => statements(draft, [1, 1, 2]));
  }
  emit(draft, "}");
}

function switchOf(draft: Draft): void {
  const selector = draft.random.pick(["k", "threadIdx.x & 3", `${draft.random.pick(draft.indices)} % 3`]);
  emitBlock(draft, `switch (${selector})`, () => {
    for (const label of ["case 0:", "case 1:", "default:"]) {
      emit(draft, label);
      inScope(draft, () => {
        if (draft.values.length > 0) changeVariable(draft);
        else store(draft);
        emit(draft, "break;");
      });
    }
  });
}

function countedLoop(draft: Draft): void {
  const { random } = draft;
  const at = freshName(draft, "j");
  const { head, counter } = random.pick(countedHeads(at, random.pick([2, 3, 4, 5, 8, 9, 16])));
  if (random.oneIn(8)) emit(draft, "#pragma unroll");
  const sum = random.oneIn(3) ? null : declareValue(draft, "0.0f");
  const exits = ["continue", "break", ...(draft.lanes === "leave" ? ["return"] : [])];
  loop(draft, `for (${head})`, counter, () => {
    if (random.oneIn(6)) emit(draft, `if (${anyCondition(draft)}) ${random.pick(exits)};`);
    if (sum === null) return statements(draft, [1, 2]);
    const factor = random.pick(["", ` * ${anyVariable(draft)}`, ` * ${anyLoad(draft)}`]);
    emit(draft, `${sum} += ${anyLoad(draft)}${factor};`);
    statements(draft, [0, 1, 1, 2]);
  });
}

interface CountedHead {
  readonly head: string;
  /** As an index that is not negative. */
  readonly counter: string;
}

function countedHeads(at: string, count: number): readonly CountedHead[] {
  const heads = [
    `int ${at} = 0; ${at} < ${count}; ${at}++`,
    `int ${at} = 0; ${at} < ${count}; ${at}++`,
    `int ${at} = 0; ${at} < k; ${at}++`,
    `int ${at} = 0; ${at} < m; ${at}++`,
    `int ${at} = 0; ${at} < m; ${at} += 4`,
    `int ${at} = threadIdx.x; ${at} < n; ${at} += blockDim.x`,
    `int ${at} = blockIdx.x * blockDim.x + threadIdx.x; ${at} < n; ${at} += gridDim.x * blockDim.x`,
    `int ${at} = threadIdx.x / 32; ${at} < m; ${at} += (blockDim.x + 31) / 32`,
    `int ${at} = blockIdx.x; ${at} < k; ${at} += gridDim.x`,
    `int ${at} = 16; ${at} > 0; ${at} >>= 1`,
    `int ${at} = 1; ${at} < k; ${at}++`,
    `int ${at} = k; ${at} >= 0; ${at}--`,
  ].map((head) => ({ head, counter: at }));
  return [...heads, { head: `int ${at} = -1; ${at} <= 1; ${at}++`, counter: `(${at} + 1)` }];
}

function loop(draft: Draft, head: string, counter: string | null, body: () => void): void {
  draft.loopDepth++;
  emitBlock(draft, head, () => {
    if (counter !== null) draft.counters.push(counter);
    body();
  });
  draft.loopDepth--;
}

/** `while` that moves a pointer to an end. */
function pointerLoop(draft: Draft): void {
  const { name } = firstInput(draft);
  const [at, end] = [freshName(draft, "p"), freshName(draft, "p")];
  const sum = declareValue(draft, "0.0f");
  emit(draft, `const float *${at} = ${name} + ${draft.random.pick(draft.indices)};`);
  emit(draft, `const float *${end} = ${name} + n;`);
  const step = draft.random.pick(["m", "blockDim.x", "32", "4"]);
  loop(draft, `while (${at} < ${end})`, null, () => {
    emit(draft, `${sum} += *${at};`);
    if (draft.random.oneIn(3)) statement(draft);
    emit(draft, `${at} += ${step};`);
  });
}

/** Two at a time, then what is left over. */
function pairsAndRest(draft: Draft): void {
  const { name } = firstInput(draft);
  const [at, base] = [freshName(draft, "j"), draft.random.pick(draft.indices)];
  const sum = declareValue(draft, "0.0f");
  const place = draft.random.pick([`${base} * m + ${at}`, `${at} * 32 + ${base}`, `${base} + ${at}`]);
  emit(draft, `int ${at} = 0;`);
  emit(draft, `for (; ${at} + 1 < m; ${at} += 2)`);
  emit(draft, `  ${sum} += ${name}[${place}] * ${name}[${place} + 1];`);
  emit(draft, `for (; ${at} < m; ${at}++)`);
  emit(draft, `  ${sum} += ${name}[${place}];`);
}

function doUntil(draft: Draft): void {
  const at = freshName(draft, "j");
  emit(draft, `int ${at} = 0;`);
  emit(draft, "do {");
  draft.loopDepth++;
  inScope(draft, () => {
    draft.counters.push(at);
    statements(draft, [1, 2]);
    emit(draft, `${at}++;`);
  });
  draft.loopDepth--;
  emit(draft, `} while (${at} < k);`);
}

/** The input that is always of floats. */
function firstInput(draft: Draft) {
  const [first] = draft.inputs;
  if (first === undefined) throw new RangeError("a kernel without inputs");
  return first;
}
