// Indices, loads, values and conditions, as kernels write them.
import { type ArrayParameter, type Draft, isTwoDimensional } from "./draft.ts";

/** An index that is never negative and lies within every array. */
export function anyIndex(draft: Draft): string {
  const { random, counters } = draft;
  const base = random.pick(draft.indices);
  const share = random.between(1, 100);
  const shift = random.pick(["", "", "", " + 1", " + 2", " + m", " + k", " + 32", " + 7"]);
  const index =
    counters.length > 0 && share <= 55
      ? indexWithCounter(draft, base)
      : isTwoDimensional(draft) && share <= 75
        ? indexOfTwo(draft)
        : indexOfOne(draft, base);
  if (shift === "") return index;
  return /^[\w.]+$/.test(index) ? `${index}${shift}` : `(${index})${shift}`;
}

function indexWithCounter({ random, counters }: Draft, base: string): string {
  const at = random.pick(counters);
  return random.pick([
    `${base} + ${at}`,
    `${base} * 4 + ${at}`,
    `${at} * 32 + threadIdx.x`,
    `${base} + ${at} * m`,
    `${base} * m + ${at}`,
    at,
    `${at} * 64 + ${base}`,
    `${base} + ${at} * blockDim.x`,
    `(${base} + ${at}) & 255`,
    `${base} * 8 + ${at}`,
    `min(${base} + ${at}, n - 1)`,
  ]);
}

function indexOfTwo({ random }: Draft): string {
  return random.pick([
    "row * m + col",
    "col * m + row",
    "row * 64 + col",
    "(row + 1) * m + col",
    "row * m + col + 1",
    "row",
    "col",
    "threadIdx.y * 32 + threadIdx.x",
    "row * 64 + (col ^ row)",
    "max(row - 1, 0) * m + col",
    "row * m + min(col + 1, m - 1)",
  ]);
}

function indexOfOne({ random }: Draft, base: string): string {
  return random.pick([
    ...Array.from({ length: 4 }, () => base),
    `${base} * 2`,
    `${base} * 4`,
    `${base} * k`,
    `${base} / 2`,
    `${base} % 8`,
    `${base} ^ 5`,
    `${base} * m`,
    `${base} >> 2`,
    `(${base} & 15) * 16 + (${base} >> 4)`,
    `${base} / k`,
    `${base} % k`,
    "threadIdx.x",
    "blockIdx.x",
    `n + ${base}`,
    `${base} * 4 + 1`,
    `max(${base} - 1, 0)`,
    `min(${base} + 1, n - 1)`,
  ]);
}

/** A load of some input, as a float. */
export function anyLoad(draft: Draft): string {
  return loadOf(draft, draft.random.pick(draft.inputs), anyIndex(draft));
}

export function loadOf(draft: Draft, { name, element }: ArrayParameter, index: string): string {
  const { random } = draft;
  if (element.type !== "float") return random.pick(element.read)(`${name}[${index}]`);
  const share = random.between(1, 100);
  if (draft.inputsAre === "const" && share <= 6) return `pick(${name}, ${index})`;
  if (draft.inputsAre === "const" && share <= 10) return `between(${name}, ${index}, 0.25f)`;
  if (share <= 14) return `__ldg(&${name}[${index}])`;
  if (share <= 18) return `*(${name} + (${index}))`;
  if (share > 95)
    return `reinterpret_cast<const float4 *>(${name})[${random.pick(draft.indices)}].${random.pick(["x", "y", "w"])}`;
  return `${name}[${index}]`;
}

export function anyVariable({ random, values }: Draft): string {
  return values.length > 0 ? random.pick(values) : "1.0f";
}

export function anyValue(draft: Draft): string {
  const { random } = draft;
  const variable = () => anyVariable(draft);
  const share = random.between(1, 100);
  if (share <= 35) return variable();
  if (share <= 55) return `${variable()} * ${random.pick(["2.0f", "0.5f", "1.5f"])} + ${variable()}`;
  if (share <= 75) return anyLoad(draft);
  if (share <= 85) return `${anyLoad(draft)} + ${variable()}`;
  if (share <= 93) return `fmaxf(${variable()}, ${variable()})`;
  return `${variable()} - ${anyLoad(draft)}`;
}

export function anyCondition(draft: Draft): string {
  const { random } = draft;
  const base = random.pick(draft.indices);
  return random.pick([
    ...conditionsOf(base),
    ...(isTwoDimensional(draft) ? conditionsOfTwo : []),
    ...(draft.counters.length > 0 ? conditionsOfCounter(random.pick(draft.counters), base) : []),
  ]);
}

const conditionsOf = (base: string): readonly string[] => [
  `${base} < n`,
  `${base} < n`,
  `${base} + 1 < n`,
  `(${base} & 1) == 0`,
  `${base} % 3 == 0`,
  "threadIdx.x < 16",
  "threadIdx.x == 0",
  "n > 10",
  "m == 33",
  `${base} > 0`,
  `${base} >= k`,
  "threadIdx.x % 4 == 1",
  `${base} < n && ${base} >= k`,
  `${base} > 0 && ${base} + 1 < n`,
  `${base} < 7 || ${base} > 40`,
  "threadIdx.x >= 32",
];

const conditionsOfTwo: readonly string[] = [
  "row < m && col < m",
  "col > 0",
  "row > 0 && col + 1 < m",
  "row > 0 && row + 1 < m && col > 0 && col + 1 < m",
  "threadIdx.y == 0",
  "row == col",
];

const conditionsOfCounter = (counter: string, base: string): readonly string[] => [
  `${counter} > 0`,
  `${counter} & 1`,
  `${base} + ${counter} < n`,
  `${counter} < k`,
  `${counter} == k`,
];
