// Operators: arithmetic with C's conversions, comparisons, assignments, increments, and operators of classes.
import type { AccessSite, BinaryOperator, Expression } from "../../ir/expression.ts";
import { booleanType, int64 } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { pairOperator } from "../builtins/half.ts";
import { type Context, sideOf, temporary, textOf } from "../context.ts";
import { operatorCall } from "../functions/operator-call.ts";
import { withoutMisreadCasts } from "../misread/cast.ts";
import { withoutMisreadTarget, withoutMisreadTemplates } from "../misread/comparison.ts";
import { withMemberCalls } from "../misread/member-call.ts";
import { chargedCopy } from "../statements/copy-lines.ts";
import {
  boolType,
  type CxxType,
  commonType,
  intType,
  irTypeOf,
  isArithmetic,
  isIntegral,
  longType,
  pointerTo,
  promoted,
  sameType,
  strideOn,
  typeText,
  unknownOf,
  unqualified,
} from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { assignedObject, isCopiedByBytes, readCopy } from "../variables/copy.ts";
import { bitsWritten } from "./bit-field.ts";
import {
  assignOf,
  binaryOf,
  constantOf,
  convertOf,
  hasEffects,
  loadOf,
  offsetOf,
  sequenceOf,
  truthOf,
  unaryOf,
} from "./build.ts";
import { castInDisguise } from "./call.ts";
import { folding } from "./constant.ts";
import { castValue, conditionOf, conversionFor, convertRead, convertValue, readScalar } from "./convert.ts";
import { expression, expressionBy } from "./expression.ts";
import { memberPointer } from "./member-pointer.ts";
import {
  dereference,
  type LValue,
  lvalueOf,
  opaque,
  pointerToPlace,
  type RValue,
  readValue,
  rvalueOf,
  siteOf,
  somewhere,
  somewhereBehind,
  stablePlace,
  unknownSizeOf,
  type Value,
} from "./value.ts";

const spellings: Record<string, string> = {
  and: "&&",
  or: "||",
  not: "!",
  compl: "~",
  bitand: "&",
  bitor: "|",
  xor: "^",
  not_eq: "!=",
};

function operatorOf(context: Context, node: SyntaxNode): string {
  const operator = childOf(node, "operator");
  const text = operator ? textOf(context, operator) : "";
  return spellings[text] ?? text;
}

function operand(context: Context, node: SyntaxNode, field: string): Value {
  const child = childOf(node, field);
  if (child === null) throw new Unsupported("an incomplete expression");
  return expression(context, child);
}

// --- unary

export function unary(context: Context, node: SyntaxNode): Value {
  const repaired = withoutMisreadCasts(context, node);
  if (repaired) return expression(context, repaired);
  const operator = operatorOf(context, node);
  const value = operand(context, node, "argument");
  return applyUnary(context, operator, value, node);
}

function applyUnary(context: Context, operator: string, value: Value, node: SyntaxNode): Value {
  const own =
    operatorCall(context, operator, [value], node) ?? pairOperator(context, operator, [value], node);
  if (own) return own;
  if (operator === "!") {
    return rvalueOf(boolType, unaryOf("not", booleanType, conditionOf(context, value)));
  }
  const read = readScalar(context, value);
  if (operator === "+" && read.type.kind === "pointer") return read;
  if (!isArithmetic(read.type))
    return opaque(operator, `${operator} of ${typeText(read.type)}`, [read.expression]);
  const type = promoted(read.type);
  const converted = convertRead(context, read, type);
  if (operator === "+") return rvalueOf(type, converted);
  return rvalueOf(type, unaryOf(operator === "-" ? "negate" : "complement", irTypeOf(type), converted));
}

/** `*p` and `&x`. */
export function pointerExpression(context: Context, node: SyntaxNode): Value {
  const repaired = withoutMisreadCasts(context, node);
  if (repaired) return expression(context, repaired);
  const operator = operatorOf(context, node);
  const argument = childOf(node, "argument");
  if (argument === null) throw new Unsupported("an incomplete expression");
  if (operator === "&") {
    const pointer = memberPointer(context, argument);
    if (pointer) return pointer;
  }
  const value = expression(context, argument);
  const own = operatorCall(context, operator, [value], node);
  if (own) return own;
  return operator === "*" ? indirection(context, value, node) : addressValue(context, value);
}

function indirection(context: Context, value: Value, node: SyntaxNode): Value {
  if (value.kind === "functions") return value;
  const read = readValue(context, value);
  if (read.type.kind === "pointer") {
    if (read.type.target.kind === "function") return read;
    return placeBehind(read.expression, read.type.target, node);
  }
  const reason = read.type.kind === "unknown" ? read.type.reason : `* of ${typeText(read.type)}`;
  return somewhere(context, reason, [read.expression], node);
}

/** The place at a pointer; what the pointer does first comes first. */
export function placeBehind(pointer: Expression, target: CxxType, node: SyntaxNode | null): LValue {
  if (pointer.kind !== "sequence") return dereference(pointer, target, { node });
  return dereference(pointer.result, target, { node, effects: pointer.effects });
}

function addressValue(context: Context, value: Value): Value {
  if (value.kind === "functions") return readValue(context, value);
  if (value.kind === "place") {
    if (value.type.kind === "function") return readValue(context, value);
    return rvalueOf(pointerTo(value.type), pointerToPlace(value));
  }
  const read = readValue(context, value);
  if (read.type.kind === "unknown") return opaque("&", read.type.reason, [read.expression]);
  throw new Unsupported("the address of a value");
}

// --- binary

export function binary(context: Context, node: SyntaxNode): Value {
  const repaired =
    withoutMisreadCasts(context, node) ??
    withMemberCalls(context, node) ??
    withoutMisreadTemplates(context, node);
  return repaired ? expression(context, repaired) : readBinary(context, node);
}

/** A binary expression in which nothing was misread, nor in those that are its operands. */
function readBinary(context: Context, node: SyntaxNode): Value {
  const operator = operatorOf(context, node);
  const cast = disguisedCast(context, operator, node);
  if (cast) return cast;
  const left = readOperand(context, node, "left");
  if (operator === "&&" || operator === "||") return logical(context, operator, left, node);
  const right = readOperand(context, node, "right");
  return applyBinary(context, operator, left, right, node);
}

function readOperand(context: Context, node: SyntaxNode, field: "left" | "right"): Value {
  const child = childOf(node, field);
  return child?.type === "binary_expression"
    ? expressionBy(readBinary, context, child)
    : operand(context, node, field);
}

/** `(T)-x`, `(T)*p`, `(T)&x`: a cast of a unary expression that the grammar read as a binary one. */
function disguisedCast(context: Context, operator: string, node: SyntaxNode): Value | null {
  const left = childOf(node, "left");
  if (left === null || !/^[-+*&]$/.test(operator)) return null;
  const type = castInDisguise(context, left);
  if (type === null) return null;
  const value = operand(context, node, "right");
  if (operator === "*") return castValue(context, indirection(context, value, node), type);
  if (operator === "&") return castValue(context, addressValue(context, value), type);
  return castValue(context, applyUnary(context, operator, value, node), type);
}

/** `left operator right` for values of any type. */
export function applyBinary(
  context: Context,
  operator: string,
  left: Value,
  right: Value,
  node: SyntaxNode,
): Value {
  const own =
    operatorCall(context, operator, [left, right], node) ??
    pairOperator(context, operator, [left, right], node);
  if (own) return own;
  return arithmetic(context, operator, readScalar(context, left), readScalar(context, right));
}

function logical(context: Context, operator: string, left: Value, node: SyntaxNode): Value {
  const first = conditionOf(context, left);
  const known = truthOf(folding(context, first));
  const isDecided = known !== null && known === (operator === "||");
  if (isDecided) return rvalueOf(boolType, constantOf(booleanType, known ? 1 : 0));
  const second = conditionOf(context, readOperand(context, node, "right"));
  if (known !== null) return rvalueOf(boolType, second);
  return rvalueOf(boolType, {
    kind: "logical",
    operator: operator === "&&" ? "and" : "or",
    type: booleanType,
    left: first,
    right: second,
  });
}

export function logicalOf(operator: string, left: Expression, right: Expression): RValue {
  const kind = operator === "&&" ? "and" : "or";
  return rvalueOf(boolType, { kind: "logical", operator: kind, type: booleanType, left, right });
}

const comparisons = new Set(["<", "<=", ">", ">=", "==", "!="]);

function arithmetic(context: Context, operator: string, left: RValue, right: RValue): Value {
  for (const { type } of [left, right]) {
    if (type.kind === "unknown") return opaque(operator, type.reason, [left.expression, right.expression]);
  }
  if (left.type.kind === "pointer" || right.type.kind === "pointer") {
    return pointerArithmetic(context, operator, left, right);
  }
  if (!isArithmetic(left.type) || !isArithmetic(right.type)) {
    const odd = isArithmetic(left.type) ? right.type : left.type;
    const reason = odd.kind === "unknown" ? odd.reason : `${operator} of ${typeText(odd)}`;
    return opaque(operator, reason, [left.expression, right.expression]);
  }
  if (operator === "<<" || operator === ">>") {
    const type = promoted(left.type);
    const count = convertRead(context, right, promoted(right.type));
    return rvalueOf(type, binaryOf(operator, irTypeOf(type), convertRead(context, left, type), count));
  }
  const type = commonType(left.type, right.type);
  const [a, b] = [convertRead(context, left, type), convertRead(context, right, type)];
  if (comparisons.has(operator)) {
    return rvalueOf(boolType, binaryOf(operator as BinaryOperator, booleanType, a, b));
  }
  if (!/^[-+*/%&|^]$/.test(operator)) throw new Unsupported(`the operator ${operator}`);
  return rvalueOf(type, binaryOf(operator as BinaryOperator, irTypeOf(type), a, b));
}

function pointerArithmetic(context: Context, operator: string, left: RValue, right: RValue): Value {
  if (comparisons.has(operator)) return comparePointers(context, operator, left, right);
  if (operator === "+" && left.type.kind !== "pointer")
    return pointerArithmetic(context, operator, right, left);
  if (left.type.kind !== "pointer") throw new Unsupported(`${operator} of a pointer`);
  const { target } = left.type;
  const strideBytes =
    target.kind === "fundamental" && target.ir.kind === "void" ? 1 : strideOn(sideOf(context), target);
  if (strideBytes === null) {
    if (right.type.kind === "pointer")
      return opaque(operator, unknownSizeOf(target), [left.expression, right.expression]);
    return rvalueOf(unqualified(left.type), somewhereBehind(left.expression, right.expression, target));
  }
  if (operator === "-" && right.type.kind === "pointer") {
    return rvalueOf(longType, {
      kind: "difference",
      type: int64,
      left: left.expression,
      right: right.expression,
      strideBytes,
    });
  }
  if ((operator !== "+" && operator !== "-") || !isIntegral(right.type)) {
    const reason = right.type.kind === "unknown" ? right.type.reason : `${operator} of a pointer`;
    return opaque(operator, reason, [left.expression, right.expression]);
  }
  const index = convertRead(context, right, promoted(right.type));
  const wide = widened(index);
  const signed = operator === "-" ? unaryOf("negate", wide.type, wide) : index;
  return rvalueOf(unqualified(left.type), offsetOf(left.expression, signed, strideBytes, irTypeOf(target)));
}

/** An unsigned index is negated in 64 bits, as the address is computed. */
function widened(index: Expression): Expression {
  return index.type.kind === "integer" && !index.type.signed ? convertOf(index, int64) : index;
}

function comparePointers(context: Context, operator: string, left: RValue, right: RValue): Value {
  const type = left.type.kind === "pointer" ? left.type : right.type;
  const [a, b] = [convertRead(context, left, type), convertRead(context, right, type)];
  return rvalueOf(boolType, binaryOf(operator as BinaryOperator, booleanType, a, b));
}

// --- assignment

export function assignment(context: Context, node: SyntaxNode): Value {
  const comparison = withoutMisreadTarget(context, node);
  if (comparison) return expression(context, comparison);
  // `s[(k += 64, k++)]`: the grammar loses the comma and makes one assignment of two expressions.
  if (node.children.some((child) => child.type === "ERROR")) throw new Unsupported("a syntax error");
  const operator = operatorOf(context, node);
  const target = operand(context, node, "left");
  const value = operand(context, node, "right");
  if (operator === "=") return assign(context, target, value, node);
  return compoundAssign(context, operator, target, value, node);
}

function assign(context: Context, written: Value, value: Value, node: SyntaxNode): Value {
  const own = operatorCall(context, "=", [written, value], node);
  if (own) return own;
  const target = calledPlace(context, written, node);
  if (target.kind !== "place") {
    const read = readValue(context, target);
    const reason = read.type.kind === "unknown" ? read.type.reason : "an assignment to a value";
    return opaque("=", reason, [
      read.expression,
      ...(value.kind === "list" ? [] : [readValue(context, value).expression]),
    ]);
  }
  const assigned = assignedObject(context, target, value);
  if (assigned) return assigned;
  const converted = convertValue(context, value, unqualified(target.type));
  const charged = chargedCopy(context, { target, source: value, node }, converted, siteOf(context, target));
  return readAgain(store(context, target, charged.value, charged.site));
}

/** Where a call's result that is not known is assigned to, `view(i, j) = 1`: it refers to something. */
function calledPlace(context: Context, target: Value, node: SyntaxNode): Value {
  const left = childOf(node, "left");
  if (target.kind !== "value" || target.type.kind !== "unknown" || left?.type !== "call_expression")
    return target;
  return somewhere(context, target.type.reason, [target.expression], left);
}

/**
 * What an assignment gives: the volatile word is loaded again where its value is used (`t = s[i] = v`, SASS), other words give
 * what was stored. A prefix increment of a volatile word gives what it stored all the same.
 */
function readAgain(assigned: LValue | RValue): LValue | RValue {
  return assigned.kind === "place" && assigned.type.isVolatile ? { ...assigned, result: null } : assigned;
}

/** `target = value`, already converted: an lvalue again, unless naming it twice would do something twice. */
export function store(
  context: Context,
  target: LValue,
  value: Expression,
  site: AccessSite | null = siteOf(context, target),
): LValue | RValue {
  const assigned = target.isBitField
    ? bitsWritten(context, target, { value, site })
    : assignOf(target.place, value, site);
  const stored = sequenceOf(target.effects, assigned);
  const isStable = target.place.kind === "variable" || !hasEffects(target.place.pointer);
  if (!isStable) return rvalueOf(unqualified(target.type), stored);
  return { ...target, effects: [stored], result: stored, constant: null };
}

function compoundAssign(
  context: Context,
  operator: string,
  written: Value,
  value: Value,
  node: SyntaxNode,
): Value {
  const own = operatorCall(context, operator, [written, value], node);
  if (own) return own;
  const target = calledPlace(context, written, node);
  const base = operator.slice(0, -1);
  if (target.kind !== "place") {
    const read = readValue(context, target);
    const reason = read.type.kind === "unknown" ? read.type.reason : `${operator} of a value`;
    return opaque(operator, reason, [read.expression, readValue(context, value).expression]);
  }
  const stable = { ...stablePlace(context, target), constant: null, result: null };
  const current = { ...stable, effects: [] };
  const computed = applyBinary(context, base, current, value, node);
  const result = convertValue(context, computed, unqualified(target.type));
  return readAgain(store(context, stable, result));
}

// --- increments

/** `++x`, `x++`, `--x`, `x--`. `use` tells whether the old value of a postfix form is needed. */
export function update(context: Context, node: SyntaxNode, use: "value" | "discarded"): Value {
  const operator = operatorOf(context, node);
  const argument = childOf(node, "argument");
  if (argument === null) throw new Unsupported("an incomplete expression");
  const operatorNode = childOf(node, "operator");
  const isPrefix = operatorNode !== null && operatorNode.start < argument.start;
  const value = expression(context, argument);
  const zero = rvalueOf(intType, constantOf(irTypeOf(intType), 0));
  const own = operatorCall(context, operator, isPrefix ? [value] : [value, zero], node);
  if (own) return own;
  if (value.kind !== "place")
    return opaque(operator, `${operator} of a value`, [readValue(context, value).expression]);
  const stable = { ...stablePlace(context, value), constant: null, result: null };
  const one = rvalueOf(intType, constantOf(irTypeOf(intType), 1));
  if (isPrefix || use === "discarded") {
    const changed = applyBinary(context, operator.charAt(0), { ...stable, effects: [] }, one, node);
    return store(context, stable, convertValue(context, changed, unqualified(value.type)));
  }
  return postfix(context, operator.charAt(0), stable, one, node);
}

function postfix(context: Context, operator: string, stable: LValue, one: RValue, node: SyntaxNode): Value {
  const old = readValue(context, stable);
  const held = temporary(context, old.expression.type);
  const heldPlace = { kind: "variable", variable: held, offsetBytes: 0, type: held.type } as const;
  const kept = assignOf(heldPlace, old.expression, null);
  const current = lvalueOf(old.type, heldPlace);
  const changed = convertValue(context, applyBinary(context, operator, current, one, node), old.type);
  const stored = assignOf(stable.place, changed, siteOf(context, stable));
  return rvalueOf(old.type, sequenceOf([kept, stored], loadOf(heldPlace, null)));
}

// --- conditional

export function conditional(context: Context, node: SyntaxNode): Value {
  const condition = conditionOf(context, operand(context, node, "condition"));
  const known = truthOf(folding(context, condition));
  if (known !== null) return operand(context, node, known ? "consequence" : "alternative");
  const yes = operand(context, node, "consequence");
  const no = operand(context, node, "alternative");
  if (yes.kind === "place" && no.kind === "place") {
    const type = yes.type.isConst ? yes.type : no.type;
    if (
      sameType(type, { ...yes.type, isConst: type.isConst }) &&
      sameType(type, { ...no.type, isConst: type.isConst })
    ) {
      return conditionalPlace(context, condition, { yes, no, type }, node);
    }
  }
  return conditionalValue(context, condition, yes, no);
}

function conditionalValue(context: Context, condition: Expression, yes: Value, no: Value): RValue {
  const [a, b] = [readCopy(context, yes), readCopy(context, no)];
  const type = unqualified(commonResult(context, a.type, b.type));
  const whenTrue = convertValue(context, a, type);
  const whenFalse = convertValue(context, b, type);
  return rvalueOf(type, { kind: "conditional", type: irTypeOf(type), condition, whenTrue, whenFalse });
}

/** Two lvalues of one type are an lvalue, const if either is; read, it is the choice between two loads. */
function conditionalPlace(
  context: Context,
  condition: Expression,
  { yes, no, type }: { readonly yes: LValue; readonly no: LValue; readonly type: CxxType },
  node: SyntaxNode,
): Value {
  const [whenTrue, whenFalse] = [pointerToPlace(yes), pointerToPlace(no)];
  const pointer: Expression = { kind: "conditional", type: whenTrue.type, condition, whenTrue, whenFalse };
  const hasValue = yes.type.kind !== "array" && isCopiedByBytes(context, yes.type);
  const result = hasValue ? conditionalValue(context, condition, yes, no).expression : null;
  return dereference(pointer, type, { node, result });
}

function isUntyped(type: CxxType): boolean {
  return type.kind === "pointer" && typeText(type) === "void*";
}

function commonResult(context: Context, a: CxxType, b: CxxType): CxxType {
  if (sameType(a, b)) return a;
  if (isArithmetic(a) && isArithmetic(b)) return commonType(a, b);
  if (a.kind === "pointer" && b.kind === "pointer") return typeText(a) === "void*" ? b : a;
  if (a.kind === "pointer" && b.kind === "class") return conversionFor(context, b, a) ? a : b;
  // `x ? x.data_ptr<T>() : nullptr` is a pointer to whatever a class that is not in sight has.
  if (a.kind === "unknown" && isUntyped(b)) return a;
  if (b.kind === "unknown" && isUntyped(a)) return b;
  if (a.kind === "pointer" || a.kind === "class") return a;
  if (b.kind === "pointer" || b.kind === "class") return b;
  return unknownOf(
    "?",
    a.kind === "unknown" ? a.reason : b.kind === "unknown" ? b.reason : "a choice between two types",
  );
}
