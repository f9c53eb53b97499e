// C's integer operations on linear forms: exact on known lanes, linear where it can be, else a derived symbol that keeps range and
// congruence.
import type { ArithmeticOperator } from "../../ir/expression.ts";
import type { BooleanType, IntegerType } from "../../ir/type.ts";
import { binary, normalize } from "../../semantics/arithmetic.ts";
import { lanesIn } from "../../semantics/lanes.ts";
import { areInGroups, areShared, rowByMultiplier, rowOfWarp } from "../cost/rows.ts";
import { deriveLinear, factorsOf } from "./derive.ts";
import {
  addLanes,
  divisorOfLanes,
  floorDivide,
  floorModulo,
  foldLanes,
  greatestDivisor,
  isMultiple,
  isSafe,
  isUniform,
  type Lanes,
  laneCount,
  laneOf,
  mapLanes,
  multiplyLanes,
  nearestOf64Bits,
  subtractLanes,
} from "./lanes.ts";
import {
  add,
  agreedWithin,
  isKnown,
  isMultipleLinear,
  known,
  type Linear,
  multiply,
  type Range,
  rangeOf,
  rangeOfTerms,
  scale,
  subtract,
  type Term,
} from "./linear.ts";
import { powerBehindMask, powerOfTwo } from "./powers.ts";
import { quotientSplit, thresholdSplit } from "./split-points.ts";
import { rangeOfType, type SymbolTable } from "./symbols.ts";

type IntegerLike = IntegerType | BooleanType;

const mostTermsOfSum = 32;
// Lanes less than this share of all values apart, of 32 bits or more, are neighbours in one array: they do not lie at both its ends.
const shareOfNeighbours = 2 ** -8;
const leastModulusOfIndex = 2 ** 32;

/** `left operator right` in `type`. Lanes outside `mask` may hold anything. */
export function integerBinary(
  symbols: SymbolTable,
  operator: ArithmeticOperator,
  type: IntegerLike,
  leftOfAll: Linear,
  rightOfAll: Linear,
  mask: number,
): Linear {
  const left = agreedWithin(mask, leftOfAll);
  const right = agreedWithin(mask, rightOfAll);
  if (isKnown(left) && isKnown(right))
    return known(knownBinary(operator, type, left.constant, right.constant, mask));
  switch (operator) {
    case "+":
    case "-": {
      const sum = operator === "+" ? add(left, right) : subtract(left, right);
      if (sum.terms.length <= mostTermsOfSum) return fit(symbols, type, sum, mask);
      const short = shortened(symbols, sum, mask);
      if (short.terms.length <= mostTermsOfSum) return fit(symbols, type, short, mask);
      return derived(symbols, operator, type, left, right, rangeOfType(type));
    }
    case "*": {
      const product =
        multiply(left, right) ?? multiply(shortened(symbols, left, mask), shortened(symbols, right, mask));
      return product
        ? fit(symbols, type, product, mask)
        : derived(symbols, "*", type, left, right, rangeOfType(type));
    }
    case "/":
      return quotient(symbols, type, left, right, mask);
    case "%":
      return remainder(symbols, type, left, right, mask);
    case "<<":
      return shiftLeft(symbols, type, left, right, mask);
    case ">>":
      return shiftRight(symbols, type, left, right, mask);
    case "&":
    case "|":
    case "^":
      return bitwise(symbols, operator, type, left, right, mask);
  }
}

/**
 * The value of `form` converted to `type`: wrapped where its lanes are known, congruent modulo 2^bits always. Sizes are taken not to
 * wrap; only data and folded dimensions may.
 */
export function wrapped(symbols: SymbolTable, type: IntegerLike, form: Linear, mask: number): Linear {
  if (isKnown(form)) return known(fitLanes(type, form.constant));
  const limits = rangeOfType(type);
  const back = asStepBack(form, mask);
  if (back !== null) return wrapped(symbols, type, back, mask);
  const range = rangeOf(form, mask);
  if (range.least >= limits.least && range.most <= limits.most) return form;
  const unknowns = factorsOf([form]);
  const mayWrap = unknowns.every(
    (unknown) => unknown.role === "dimension" || unknown.role === "data" || unknown.split,
  );
  if (!mayWrap) return form;
  const modulus = limits.most - limits.least + 1;
  const decisive = decisiveOfWraps(form, modulus, mask);
  const decisiveRange = rangeOf(decisive, mask);
  const wraps = deriveLinear(symbols, {
    operation: `wrap${limits.least},${limits.most}`,
    operands: [decisive],
    least: Math.floor((decisiveRange.least - limits.least) / modulus),
    most: Math.floor((decisiveRange.most - limits.least) / modulus),
    split: thresholdSplit(form, range.least < limits.least ? limits.least : limits.most + 1, mask),
  });
  return subtract(form, scale(wraps, modulus));
}

/** `index + (2^64 - 64)` as `index - 64`, of which ranges, which are doubles, can tell whether it wraps; null where it is no such sum. */
function asStepBack(form: Linear, mask: number): Linear | null {
  const constant = nearestOf64Bits(form.constant);
  if (constant === form.constant || !isSafe(constant)) return null;
  const back = { ...form, constant };
  return rangeOf(back, mask).most >= 0 ? back : null;
}

/**
 * The part of `form` that decides how often it wraps. Where lanes differ only by what is known, all of them or those of each group, they
 * wrap together: surely where a step of what is unknown is longer than the distance between them, and otherwise as indices do,
 * `start + threadIdx.x`, whose lanes are neighbours in one array.
 */
function decisiveOfWraps(form: Linear, modulus: number, mask: number): Linear {
  if (!areShared(form.terms) && !areInGroups(form.terms)) return form;
  const step = stepOf(form, modulus, mask);
  const lanes = rangeOf(known(form.constant), mask);
  const reach = modulus >= leastModulusOfIndex ? modulus * shareOfNeighbours : 0;
  const isWithinStep = lanes.least >= 0 && lanes.most < step;
  const areNeighbours = lanes.least > -reach && lanes.most < reach;
  return isWithinStep || areNeighbours ? { ...form, constant: 0 } : form;
}

/**
 * Hashes and random numbers add up without end, and indices of many dimensions are products of many sizes: the terms that are the same for all
 * lanes become one unknown.
 */
function shortened(symbols: SymbolTable, sum: Linear, mask: number): Linear {
  const terms = sum.terms.filter((term) => areShared([term]));
  if (terms.length === 0 || (terms.length === 1 && terms[0]?.factors.length === 1)) return sum;
  const step = terms.reduce(
    (common, term) => greatestDivisor(common, divisorOfLanes(term.coefficient, mask)),
    0,
  );
  const whole = deriveLinear(symbols, {
    operation: "sum",
    operands: [{ kind: "linear", constant: 0, terms }],
    least: -Infinity,
    most: Infinity,
  });
  return add(
    { ...sum, terms: sum.terms.filter((term) => !areShared([term])) },
    scale(whole, Math.max(1, step)),
  );
}

/** The result of arithmetic in `type`: overflow of signed integers is undefined, so that it need not be thought of. */
export function fit(symbols: SymbolTable, type: IntegerLike, form: Linear, mask: number): Linear {
  return type.kind === "integer" && type.signed && !isKnown(form) ? form : wrapped(symbols, type, form, mask);
}

/** Rounds `form` down to a multiple of 2^bits, divided: an arithmetic shift. */
function shiftRight(
  symbols: SymbolTable,
  type: IntegerLike,
  left: Linear,
  right: Linear,
  mask: number,
): Linear {
  if (isKnown(right) && isUniform(right.constant)) {
    const count = Number(right.constant);
    if (count >= 0 && count < 53) return floorQuotient(symbols, left, 2 ** count, mask);
  }
  const row = rowByMultiplier(symbols, left, right, mask) ?? rowOfShift(symbols, left, right, mask);
  if (row !== null) return row;
  return derived(symbols, ">>", type, left, right, shrunk(rangeOf(left, mask)));
}

/** `left >> right` by a size: the same for all lanes where they differ in bits alone that every such shift drops, or lie within a row of 2^size. */
function rowOfShift(symbols: SymbolTable, left: Linear, right: Linear, mask: number): Linear | null {
  const power = powerOfTwo(symbols, right);
  if (power === null) return null;
  const divisor = Math.max(1, rangeOf(power, mask).least);
  const { whole, rest } = splitTerms(left, divisor, mask);
  const quotient = quotientOfRest(rest, divisor, mask);
  if (quotient === null || !isUniform(quotient) || !areShared(whole))
    return rowOfWarp(symbols, left, [power], mask)?.quotient ?? null;
  return deriveLinear(symbols, {
    operation: ">>",
    operands: [{ kind: "linear", constant: multiplyLanes(quotient, divisor), terms: whole }, right],
    ...shrunk(rangeOf(left, mask)),
  });
}

function shiftLeft(
  symbols: SymbolTable,
  type: IntegerLike,
  left: Linear,
  right: Linear,
  mask: number,
): Linear {
  if (isKnown(right) && inRange(right, 0, 52, mask)) {
    const factor = mapLanes(right.constant, (count) => 2 ** Math.max(0, Math.min(52, Number(count))));
    return fit(symbols, type, scale(left, factor), mask);
  }
  const power = powerOfTwo(symbols, right);
  const product = power && multiply(left, power);
  if (product) return fit(symbols, type, product, mask);
  return derived(symbols, "<<", type, left, right, rangeOfType(type));
}

function quotient(
  symbols: SymbolTable,
  type: IntegerLike,
  left: Linear,
  right: Linear,
  mask: number,
): Linear {
  const divisor = positiveConstant(right);
  const range = rangeOf(left, mask);
  // What divides without a rest does so whatever its sign.
  if (divisor !== null && (range.least >= 0 || isMultipleLinear(left, divisor, mask)))
    return floorQuotient(symbols, left, divisor, mask);
  const row = divisor === null ? rowOfWarp(symbols, left, [right], mask) : null;
  if (row !== null) return row.quotient;
  const bound = divisor ?? 1;
  const limits = rangeOfType(type);
  const lanes = divisor !== null && areShared(left.terms) ? wholeLanes(left, divisor, mask) : null;
  if (lanes !== null && !isUniform(lanes.quotients)) {
    const shared = deriveLinear(symbols, {
      operation: `/${divisor}`,
      operands: [lanes.rest],
      ...shrunk(rangeOf(lanes.rest, mask)),
      condition: `what is divided by ${divisor} has one sign within a warp`,
    });
    return add(shared, known(lanes.quotients));
  }
  return derived(symbols, "/", type, left, right, {
    least: Math.max(limits.least, range.least >= 0 ? 0 : Math.floor(range.least / bound)),
    most: Math.min(limits.most, Math.ceil(range.most / bound)),
  });
}

function remainder(
  symbols: SymbolTable,
  type: IntegerLike,
  left: Linear,
  right: Linear,
  mask: number,
): Linear {
  const divisor = positiveConstant(right);
  const range = rangeOf(left, mask);
  if (divisor !== null && (range.least >= 0 || isMultipleLinear(left, divisor, mask)))
    return floorRemainder(symbols, left, divisor, mask);
  if (divisor !== null)
    return derived(symbols, "%", type, left, right, { least: 1 - divisor, most: divisor - 1 });
  // With an unknown divisor the remainder is a - b * (a / b), so that (a / b) * b + a % b is a again.
  const product = multiply(right, quotient(symbols, type, left, right, mask));
  if (product) return subtract(left, product);
  const row = rowOfWarp(symbols, left, [right], mask);
  if (row !== null) return row.remainder;
  return derived(symbols, "%", type, left, right, rangeOfType(type));
}

/** floor(form / divisor), exact where the terms allow. */
function floorQuotient(symbols: SymbolTable, form: Linear, divisor: number, mask: number): Linear {
  if (divisor === 1) return form;
  const { whole, rest } = splitTerms(form, divisor, mask);
  const quotients = quotientOfRest(rest, divisor, mask);
  if (quotients !== null)
    return { kind: "linear", constant: quotients, terms: exactQuotients(whole, divisor) };
  // What lies below a step of the unknown part changes no quotient: floor((16 * u + lane) / 32) = floor(16 * u / 32) for lanes below 16.
  const stepped = subtract(rest, known(belowStep(rest, stepOf(rest, divisor, mask))));
  const lanes = wholeLanes(stepped, divisor, mask);
  const unsettled = lanes?.rest ?? stepped;
  const range = rangeOf(unsettled, mask);
  const derived = deriveLinear(symbols, {
    operation: `/${divisor}`,
    operands: [unsettled],
    least: Math.floor(range.least / divisor),
    most: Math.floor(range.most / divisor),
    split: quotientSplit(rest, divisor, mask),
  });
  return add(derived, {
    kind: "linear",
    constant: lanes?.quotients ?? 0,
    terms: exactQuotients(whole, divisor),
  });
}

function exactQuotients(whole: readonly Term[], divisor: number): Term[] {
  return whole.map((term) => ({
    ...term,
    coefficient: mapLanes(term.coefficient, (value) => floorDivide(value, divisor)),
  }));
}

/**
 * Where the lanes differ by multiples of the divisor alone, their quotients by it, and what is left, the same for all lanes as far as it is
 * known: floor((u + 32 * lane) / 32) = lane + floor(u / 32).
 */
function wholeLanes(form: Linear, divisor: number, mask: number): { quotients: Lanes; rest: Linear } | null {
  const remainders = mapLanes(form.constant, (value) => floorModulo(value, divisor));
  const [first, ...others] = lanesIn(mask).map((lane) => laneOf(remainders, lane));
  if (first === undefined || others.some((other) => other !== first)) return null;
  const quotients = mapLanes(form.constant, (value) => floorDivide(value, divisor));
  return { quotients, rest: { ...form, constant: first } };
}

/** form - divisor * floor(form / divisor), exact where the terms allow. */
function floorRemainder(symbols: SymbolTable, form: Linear, divisor: number, mask: number): Linear {
  const { rest } = splitTerms(form, divisor, mask);
  const quotients = quotientOfRest(rest, divisor, mask);
  if (quotients !== null)
    return { ...rest, constant: subtractLanes(rest.constant, multiplyLanes(quotients, divisor)) };
  const step = stepOf(rest, divisor, mask);
  const offset = belowStep(rest, step);
  const steps = deriveLinear(symbols, {
    operation: `%${divisor}`,
    operands: [subtract(rest, known(offset))],
    ...(step === 1 ? {} : { meaning: null }),
    least: 0,
    most: divisor / step - 1,
    split: quotientSplit(rest, divisor, mask),
  });
  return add(scale(steps, step), known(offset));
}

/** The unknown part of `form` moves in steps of this, a divisor of `divisor`. */
function stepOf(form: Linear, divisor: number, mask: number): number {
  return form.terms.reduce(
    (common, term) => greatestDivisor(common, divisorOfLanes(term.coefficient, mask)),
    divisor,
  );
}

/** What all of `form` is congruent to modulo `step`: its known part alone, lane by lane. */
function belowStep(form: Linear, step: number): Lanes {
  return mapLanes(form.constant, (value) => floorModulo(value, step));
}

/** The terms that `divisor` divides, and what is left of the form. */
function splitTerms(form: Linear, divisor: number, mask: number): { whole: Term[]; rest: Linear } {
  const whole = form.terms.filter((term) => isMultiple(term.coefficient, divisor, mask));
  const others = form.terms.filter((term) => !isMultiple(term.coefficient, divisor, mask));
  return { whole, rest: { kind: "linear", constant: form.constant, terms: others } };
}

/** floor(rest / divisor) for each lane where the unknown part cannot change it, else null. */
function quotientOfRest(rest: Linear, divisor: number, mask: number): Lanes | null {
  if (rest.terms.length === 0) return mapLanes(rest.constant, (value) => floorDivide(value, divisor));
  const quotients: number[] = [];
  for (let lane = 0; lane < laneCount; lane++) {
    const constant = Number(laneOf(rest.constant, lane));
    const terms = rangeOfTerms(rest.terms, lane);
    const low = Math.floor((constant + terms.least) / divisor);
    if ((mask >>> lane) & 1 && low !== Math.floor((constant + terms.most) / divisor)) return null;
    quotients.push(Number.isFinite(low) ? low : 0);
  }
  return foldLanes(quotients);
}

/** `&`, `|` and `^`: what lies above the low bits that are known on both sides passes through where one side has no high bits. */
function bitwise(
  symbols: SymbolTable,
  operator: "&" | "|" | "^",
  type: IntegerLike,
  left: Linear,
  right: Linear,
  mask: number,
): Linear {
  if (isKnown(left)) return bitwise(symbols, operator, type, right, left, mask);
  if (operator === "&" && isKnown(right) && isUniform(right.constant)) {
    // Not as a double: ~127 of 64 bits would be all ones.
    const lane = laneOf(right.constant, 0);
    const bits = typeof lane === "bigint" ? lane : BigInt(Math.trunc(Number.isFinite(lane) ? lane : 0));
    if (bits >= 0n && (bits & (bits + 1n)) === 0n)
      return floorRemainder(symbols, left, Number(bits + 1n), mask);
    const cleared = clearedLowBits(bits, type);
    if (cleared !== null) return subtract(left, floorRemainder(symbols, left, cleared, mask));
  }
  const row = operator === "&" ? rowOfMask(symbols, left, right, mask) : null;
  if (row !== null) return row;
  const range = rangeOf(right, mask);
  const otherRange = rangeOf(left, mask);
  if (range.least >= 0 && Number.isFinite(range.most) && otherRange.least >= 0) {
    const size = 2 ** Math.ceil(Math.log2(range.most + 1));
    const low = floorRemainder(symbols, left, size, mask);
    if (isKnown(low) && isKnown(right)) {
      const combined = known(knownBinary(operator, type, low.constant, right.constant, mask));
      return operator === "&" ? combined : add(subtract(left, low), combined);
    }
    if (isKnown(low) && isZeroOver(low, mask)) return operator === "&" ? known(0) : add(left, right);
    const result = derived(symbols, operator, type, low, right, { least: 0, most: size - 1 });
    return operator === "&" ? result : add(subtract(left, low), result);
  }
  if (
    otherRange.least >= 0 &&
    Number.isFinite(otherRange.most) &&
    range.least >= 0 &&
    otherRange.most < range.most
  )
    return bitwise(symbols, operator, type, right, left, mask);
  const bothPositive = range.least >= 0 && otherRange.least >= 0;
  const most = Math.max(range.most, otherRange.most);
  const limits = rangeOfType(type);
  return derived(symbols, operator, type, left, right, {
    least:
      bothPositive || (operator === "&" && (range.least >= 0 || otherRange.least >= 0)) ? 0 : limits.least,
    most: bothPositive && Number.isFinite(most) ? 2 ** Math.ceil(Math.log2(most + 1)) - 1 : limits.most,
  });
}

/** `i & (n - 1)` with a size n: i % n, as such an n is a power of two. Null for other masks. */
function rowOfMask(symbols: SymbolTable, left: Linear, right: Linear, mask: number): Linear | null {
  const divisor = powerBehindMask(symbols, right);
  if (divisor !== null) return rowOfWarp(symbols, left, [divisor], mask)?.remainder ?? null;
  const other = powerBehindMask(symbols, left);
  return other && (rowOfWarp(symbols, right, [other], mask)?.remainder ?? null);
}

/** For a mask such as ~31 in its type: 32; null for others. */
function clearedLowBits(bits: bigint, type: IntegerLike): number | null {
  const limits = type.kind === "integer" ? type.bits - Number(type.signed) : 1;
  const cleared = bits < 0n ? -bits : 2n ** BigInt(limits) - bits;
  const isPower = cleared > 0n && cleared <= 2n ** 52n && (cleared & (cleared - 1n)) === 0n;
  return isPower ? Number(cleared) : null;
}

function isZeroOver(form: Linear, mask: number): boolean {
  return isMultiple(form.constant, Number.MAX_SAFE_INTEGER, mask);
}

function derived(
  symbols: SymbolTable,
  operator: string,
  type: IntegerLike,
  left: Linear,
  right: Linear,
  range: Range,
): Linear {
  const bits = type.kind === "integer" ? `${type.signed ? "s" : "u"}${type.bits}` : "b";
  return deriveLinear(symbols, { operation: `${operator}${bits}`, operands: [left, right], ...range });
}

function knownBinary(
  operator: ArithmeticOperator,
  type: IntegerLike,
  left: Lanes,
  right: Lanes,
  mask: number,
): Lanes {
  if (isUniform(left) && isUniform(right)) return binary(operator, type, left, right) ?? 0;
  if (operator === "+") return fitLanes(type, addLanes(left, right));
  if (operator === "-") return fitLanes(type, subtractLanes(left, right));
  const result = [];
  for (let lane = 0; lane < laneCount; lane++)
    result.push(
      (mask >>> lane) & 1 ? (binary(operator, type, laneOf(left, lane), laneOf(right, lane)) ?? 0) : 0,
    );
  return foldLanes(result);
}

function fitLanes(type: IntegerLike, lanes: Lanes): Lanes {
  const limits = rangeOfType(type);
  // Limits are doubles: that of 64 bits is a power of two, one more than what fits. A BigInt is brought into range by its bits.
  const isInside = (value: number | bigint) =>
    typeof value === "number" && value >= limits.least && value <= limits.most;
  if (isUniform(lanes)) return isInside(lanes) ? lanes : normalize(type, lanes);
  return lanes.every(isInside) ? lanes : mapLanes(lanes, (value) => normalize(type, value));
}

function positiveConstant(form: Linear): number | null {
  if (!isKnown(form) || typeof form.constant !== "number") return null;
  return form.constant > 0 ? form.constant : null;
}

function inRange(form: Linear, least: number, most: number, mask: number): boolean {
  const range = rangeOf(form, mask);
  return range.least >= least && range.most <= most;
}

function shrunk(range: Range): Range {
  return { least: Math.min(0, range.least), most: Math.max(0, range.most) };
}
