// Integers of which a branch asks for some bits: LLVM loads the narrowest part that holds all of them (fixtures/forms/masked_tests). A test of
// bit 0 alone is a truncation to it, one of the highest bits is a comparison, and one for another number than 0 compares: those load words.
import type { Expression } from "../../ir/expression.ts";
import { expressionsOf, forEachStatement, operandsOf } from "../../ir/operands.ts";
import type { Statement, Switch } from "../../ir/statement.ts";
import { type IntegerType, uint8, uint16, uint32 } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";

export interface TestedBits {
  /** Of the temporary that was loaded. */
  readonly id: number;
  readonly narrowing: {
    readonly type: IntegerType;
    readonly offsetBytes: number;
    readonly mask: number;
    /** The statement that asks: nvcc charges the load to its line. */
    readonly asked: SourceRange;
  };
}

/** The temporaries that branches, conditional expressions and switches ask for some bits. */
export function testedBitsIn(body: readonly Statement[]): readonly TestedBits[] {
  const found: (TestedBits | null)[] = [];
  forEachStatement(body, (statement) => {
    if (!("range" in statement)) return;
    const { range } = statement;
    if (statement.kind === "if" || statement.kind === "loop")
      if (statement.condition) found.push(...bitsOfTest(statement.condition, range));
    if (statement.kind === "switch") found.push(chosenBits(statement));
    for (const whole of expressionsOf(statement))
      forEachBelow(whole, (expression) => {
        if (expression.kind === "conditional") found.push(...bitsOfTest(expression.condition, range));
      });
  });
  return found.filter((each) => each !== null);
}

function forEachBelow(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression);
  for (const operand of operandsOf(expression)) forEachBelow(operand, visit);
}

/** What `x & mask` or `(x >> count) & mask` takes: the variable, and which of its bits. */
export function maskedBits(
  expression: Expression,
): { readonly variable: Variable; readonly mask: number } | null {
  if (expression.kind !== "binary" || expression.operator !== "&") return null;
  const { left, right } = expression;
  if (right.kind !== "constant" || left.type.kind !== "integer") return null;
  const mask = left.type.bits > 32 ? Number(right.value) : Number(right.value) >>> 0;
  if (mask < 0) return null;
  if (left.kind === "binary" && left.operator === ">>" && left.right.kind === "constant") {
    const count = Number(left.right.value);
    const moved = mask * 2 ** count;
    return moved < 2 ** 32 ? maskedVariable(left.left, moved) : null;
  }
  return maskedVariable(left, mask);
}

function maskedVariable(expression: Expression, mask: number): ReturnType<typeof maskedBits> {
  if (expression.kind === "convert" && expression.operand.type.kind === "integer")
    return maskedVariable(expression.operand, mask);
  if (expression.kind !== "load" || expression.place.kind !== "variable") return null;
  const { variable, type } = expression.place;
  if (variable.id >= 0 || type.kind !== "integer" || mask >= 2 ** Math.min(32, type.bits)) return null;
  return { variable, mask };
}

/** The tests for zero that a condition is made of. */
function bitsOfTest(condition: Expression, asked: SourceRange): (TestedBits | null)[] {
  switch (condition.kind) {
    case "logical":
      return operandsOf(condition).flatMap((operand) => bitsOfTest(operand, asked));
    case "unary":
      return condition.operator === "not" ? bitsOfTest(condition.operand, asked) : [];
    case "convert":
      return bitsOfTest(condition.operand, asked);
    case "binary": {
      const { operator, left, right } = condition;
      if (operator === "&") return [narrowest(condition, asked)];
      const isZeroTest = operator === "==" || operator === "!=";
      return isZeroTest && right.kind === "constant" && Number(right.value) === 0
        ? bitsOfTest(left, asked)
        : [];
    }
    default:
      return [];
  }
}

/** The narrowest part of the loaded integer that holds the bits which `tested` asks for; null where that is all of it. */
function narrowest(tested: Expression, asked: SourceRange): TestedBits | null {
  const masked = maskedBits(tested);
  if (masked === null || masked.mask <= 1 || isHighest(masked)) return null;
  const { variable, mask } = masked;
  if (variable.type.kind !== "integer") return null;
  for (const type of [uint8, uint16, uint32]) {
    if (type.bits >= variable.type.bits) return null;
    for (let shift = 0; shift + type.bits <= Math.min(32, variable.type.bits); shift += type.bits) {
      const narrow = Math.floor(mask / 2 ** shift);
      if (narrow * 2 ** shift === mask && narrow < 2 ** type.bits)
        return { id: variable.id, narrowing: { type, offsetBytes: shift / 8, mask: narrow, asked } };
    }
  }
  return null;
}

/** Whether the bits are the highest of the type without a gap: the test is a comparison of the whole. */
function isHighest({ variable, mask }: { readonly variable: Variable; readonly mask: number }): boolean {
  const bits = variable.type.kind === "integer" ? variable.type.bits : 0;
  const rest = 2 ** bits - mask;
  return mask >= 2 ** (bits - 1) && Number.isInteger(Math.log2(rest));
}

/** Fewer cases than this are comparisons. */
const fewestCases = 3;

/** A switch chooses by 16 bits where they hold all that is masked; one that knows a single bit alone asks for it. */
function chosenBits({ selector, cases, range }: Switch): TestedBits | null {
  const masked = maskedBits(selector);
  if (masked === null) return null;
  const { variable, mask } = masked;
  const values = cases.flatMap((each) => each.values).filter((value) => value !== null);
  const isOneBit = Number.isInteger(Math.log2(mask));
  if (isOneBit && values.every((value) => value === 0 || Number(value) === mask))
    return narrowest(selector, range);
  if (values.length < fewestCases || mask > 0xffff || variable.type.kind !== "integer") return null;
  if (variable.type.bits <= 16) return null;
  const type = mask === 0xff ? uint8 : uint16;
  return { id: variable.id, narrowing: { type, offsetBytes: 0, mask, asked: range } };
}
