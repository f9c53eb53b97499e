// Words that stay words although only some of their bits are used: what LLVM loads through the read-only cache, which its narrowing passes by,
// and masks that it moves behind an operation, so that the word itself is used.
import type { AccessSite, Binary, Expression, Load } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Addresses } from "../addresses/address.ts";
import { forEachExpressionOf, rootVariableOf } from "../walks/walk.ts";

/** Variables by their ids. */
export interface HeldValues {
  /** What one is assigned; null where it is more than once. */
  readonly assigned: ReadonlyMap<number, Expression | null>;
  readonly reads: ReadonlyMap<number, number>;
}

/** How many copies a masked word is followed through. */
const mostCopies = 4;

/**
 * The loads that LLVM makes `ld.global.nc`: by `__ldg` and its like, and through a restricted pointer that nothing is stored through, whether
 * it is to const or not (fixtures/forms/masked_read_only).
 */
export class ReadOnlyLoads {
  private readonly addresses: Addresses;
  private readonly asmSites: ReadonlySet<AccessSite>;
  private readonly body: readonly Statement[];
  private written: Set<Variable | null> | null = null;

  constructor(body: readonly Statement[], addresses: Addresses, asmSites: ReadonlySet<AccessSite>) {
    this.body = body;
    this.addresses = addresses;
    this.asmSites = asmSites;
  }

  has(load: Load): boolean {
    if (load.site && this.asmSites.has(load.site)) return true;
    const address = this.addresses.get(load);
    const pointer = [address?.base, address?.parameter].find((each) => each?.isRestrict);
    if (!pointer) return false;
    if (pointer.pointsToConst) return true;
    const written = this.writtenThrough();
    return !written.has(pointer) && !written.has(null);
  }

  /** The pointers that something is stored through; null stands for one that is not known. */
  private writtenThrough(): ReadonlySet<Variable | null> {
    if (this.written) return this.written;
    const written = new Set<Variable | null>();
    forEachExpressionOf(this.body, (node) => {
      const isStore = node.kind === "assign" && node.place.kind === "memory";
      const isCall = node.kind === "call" || node.kind === "call-indirect" || node.kind === "unknown";
      if (isCall) written.add(null);
      if (!isStore && (node.kind !== "intrinsic" || node.site === null)) return;
      const address = this.addresses.get(node);
      written.add(address?.base ?? null);
      if (address?.parameter) written.add(address.parameter);
    });
    this.written = written;
    return written;
  }
}

/**
 * The masked words, or variables that hold them, that an expression uses whole. LLVM turns `(x & 255) << 2` into one mask of the shifted word,
 * and so an index that is scaled; one of 32 bits that is signed, and that 64 bits were not cut to, is widened before where addresses have 64 bits
 * (cases fixtures/forms/unrolled_trips phist, unchanged/maskIndexGlobal, fixtures/forms/long_halves masked, maskedInt). Of two words of one mask it masks the outcome, and a store of eight or
 * sixteen bits takes them from the word (fixtures/forms/masked_read_only).
 */
export function wholeUsesOf(expression: Expression, held: HeldValues): readonly Expression[] {
  switch (expression.kind) {
    case "offset": {
      const index = withoutWidening(expression.index);
      const storage = rootVariableOf(expression.pointer)?.storage;
      const isShared = storage === "shared" || storage === "dynamic-shared";
      const isOne = isPowerOfTwo(expression.strideBytes) && (isShared || !isWidenedMask(index));
      return isOne && !isShift(index) ? [index] : [];
    }
    case "assign":
      return expression.place.kind === "memory" ? storedWords(expression.value, held) : [];
    case "unary":
      return expression.operator === "complement" ? maskedWords([heldBy(expression.operand, held)]) : [];
    case "binary":
      return expression.right.kind === "constant" ? scaledWords(expression) : combinedWords(expression, held);
    default:
      return [];
  }
}

/** A mask of 32 signed bits. */
function isWidenedMask(index: Expression): boolean {
  const isSigned = index.type.kind === "integer" && index.type.signed && index.type.bits <= 32;
  return isSigned && !(index.kind === "binary" && withoutCut(index.left) !== index.left);
}

/** The 64 bits that an integer of 32 is cut from, or the integer. */
export function withoutCut(expression: Expression): Expression {
  if (expression.kind !== "convert") return expression;
  const { type, operand } = expression;
  const isCut =
    type.kind === "integer" &&
    type.bits === 32 &&
    operand.type.kind === "integer" &&
    operand.type.bits === 64;
  return isCut ? operand : expression;
}

export function isShift(expression: Expression): boolean {
  return expression.kind === "binary" && expression.operator === ">>";
}

/** Of `x & mask` or `x >> count` scaled by a power of two; a shift to the right takes high bits, which are loaded by themselves. */
function scaledWords({ operator, left, right }: Binary): readonly Expression[] {
  if (right.kind !== "constant") return [];
  const isScaled = operator === "<<" || (operator === "*" && isPowerOfTwo(Number(right.value)));
  const word = withoutWidening(left);
  return isScaled && !isShift(word) ? [word] : [];
}

/** `(x & 255) ^ (y & 255)`, and any word under a mask that another value masks as well. */
function combinedWords({ operator, left, right }: Binary, held: HeldValues): readonly Expression[] {
  const words = [left, right].map((each) => heldBy(withoutWidening(each), held));
  if (operator === "&") return maskedWords(words);
  const isOfBits = operator === "|" || operator === "^" || operator === "==" || operator === "!=";
  return isOfBits && isAlike(words[0], words[1]) ? words : [];
}

function maskedWords(words: readonly Expression[]): readonly Expression[] {
  return words.filter((word) => !isShift(word));
}

function isAlike(a: Expression | undefined, b: Expression | undefined): boolean {
  if (a?.kind !== "binary" || b?.kind !== "binary" || a.operator !== b.operator) return false;
  const isSame =
    a.right.kind === "constant" && b.right.kind === "constant" && a.right.value === b.right.value;
  return isSame && (a.operator === "&" || a.operator === ">>");
}

/** What a store of eight or sixteen bits takes them from; bits that something else wants as well are loaded by themselves. */
function storedWords(stored: Expression, held: HeldValues): readonly Expression[] {
  const isVariable = stored.kind === "load" && stored.place.kind === "variable";
  if (isVariable && held.reads.get(stored.place.variable.id) !== 1) return [];
  const value = heldBy(stored, held);
  if (value.type.kind !== "integer" || value.type.bits > 16) return [];
  if (value.kind !== "convert" || value.operand.type.kind !== "integer") return [value];
  const { operand } = value;
  if (operand.type.kind !== "integer" || operand.type.bits > 32 || isShift(operand)) return [];
  return [operand.kind === "load" ? value : operand];
}

/**
 * The variable of 64 bits that a byte or 16 bits are stored of, with no operation between: of either ptxas loads 16 (forms/long_halves byteOfLong,
 * shortOfLong).
 */
export function storedCut(expression: Expression, held: HeldValues): number | null {
  if (expression.kind !== "assign" || expression.place.kind !== "memory") return null;
  const value = heldBy(expression.value, held);
  if (value.kind !== "convert" || value.type.kind !== "integer" || value.type.bits > 16) return null;
  const cut = withoutMask(value.operand, 2 ** value.type.bits - 1);
  const isLong = cut.type.kind === "integer" && cut.type.bits === 64;
  return isLong && cut.kind === "load" && cut.place.kind === "variable" ? cut.place.variable.id : null;
}

function withoutMask(expression: Expression, mask: number): Expression {
  const isMasked = expression.kind === "binary" && expression.operator === "&";
  const isByAll = isMasked && expression.right.kind === "constant" && Number(expression.right.value) === mask;
  return isByAll ? expression.left : expression;
}

/** What a variable holds that is assigned once, unless that was loaded from memory. */
function heldBy(expression: Expression, held: HeldValues): Expression {
  let value = expression;
  for (let steps = 0; steps < mostCopies; steps++) {
    if (value.kind !== "load" || value.place.kind !== "variable") return value;
    const next = held.assigned.get(value.place.variable.id);
    if (!next || (next.kind === "load" && next.place.kind === "memory")) return value;
    value = next;
  }
  return value;
}

function withoutWidening(expression: Expression): Expression {
  if (expression.kind !== "convert" || expression.type.kind !== "integer") return expression;
  const from = expression.operand.type;
  const isWider = from.kind === "integer" && from.bits <= expression.type.bits;
  return isWider ? withoutWidening(expression.operand) : expression;
}

function isPowerOfTwo(value: number): boolean {
  return value > 1 && Number.isInteger(Math.log2(value));
}
