// The operands and registers of one asm statement: inputs are evaluated once before it, outputs assigned after it, registers that it
// declares are variables of the lowering's own.
import type { AccessSite, Expression, Place } from "../../ir/expression.ts";
import {
  bfloat16,
  booleanType,
  float32,
  float64,
  half,
  int32,
  sameType,
  sizeOf,
  type Type,
  uint32,
} from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { entryOf } from "../../table.ts";
import { type Context, rangeOf, temporary, textOf } from "../context.ts";
import {
  assignOf,
  binaryOf,
  constantOf,
  convertOf,
  hasEffects,
  loadOf,
  unknownValue,
} from "../expressions/build.ts";
import { expression } from "../expressions/expression.ts";
import { store } from "../expressions/operator.ts";
import { type LValue, readValue, siteOf } from "../expressions/value.ts";
import { irTypeOf, unqualified } from "../types/cxx-type.ts";
import { chargedToken } from "./charged-line.ts";
import type { PtxInstruction } from "./ptx.ts";

export interface AsmOperand {
  readonly constraint: SyntaxNode | null;
  readonly value: SyntaxNode;
}

export interface AsmBlock {
  readonly context: Context;
  readonly node: SyntaxNode;
  /** The type of a register or operand; null where nothing of that name was met. */
  typeOf(name: string): Type | null;
  /** The value of an operand, register, special register or number as `type`; unknown where the bits would be seen as another kind of number. */
  read(name: string, type: Type): Expression;
  /** The same in its own type; `type` is that of numbers. */
  readAny(name: string, type: Type): Expression;
  /** Writes a register or output; under the instruction's guard, where it has one. */
  write(instruction: PtxInstruction, name: string, value: Expression): void;
  /** Adds an effect; under the instruction's guard, where it has one. */
  add(instruction: PtxInstruction, effect: Expression): void;
  /** All effects in order, the stores to the outputs last. */
  finish(): readonly Expression[];
}

const specialRegisters: Record<string, string> = {
  "%laneid": "laneid",
  "%warpid": "warpid",
  "%tid.x": "threadIdx.x",
  "%tid.y": "threadIdx.y",
  "%tid.z": "threadIdx.z",
  "%ntid.x": "blockDim.x",
  "%ntid.y": "blockDim.y",
  "%ntid.z": "blockDim.z",
  "%ctaid.x": "blockIdx.x",
  "%ctaid.y": "blockIdx.y",
  "%ctaid.z": "blockIdx.z",
  "%nctaid.x": "gridDim.x",
  "%nctaid.y": "gridDim.y",
  "%nctaid.z": "gridDim.z",
};

export function createAsmBlock(
  context: Context,
  node: SyntaxNode,
  outputs: readonly AsmOperand[],
  inputs: readonly AsmOperand[],
  size: "one instruction" | "several",
): AsmBlock {
  const effects: Expression[] = [];
  const variables = new Map<string, Variable>();
  const written: { readonly target: LValue; readonly variable: Variable }[] = [];
  /** Outputs that a single instruction writes without a detour, and what it writes. */
  const direct = new Map<
    string,
    { readonly target: LValue; readonly type: Type; value: Expression | null }
  >();
  const place = (variable: Variable): Place => ({
    kind: "variable",
    variable,
    offsetBytes: 0,
    type: variable.type,
  });
  const hold = (name: string, type: Type, value: Expression | null): Variable => {
    const variable = temporary(context, type);
    variables.set(name, variable);
    if (value) effects.push(assignOf(place(variable), value, null));
    return variable;
  };
  for (const [index, { constraint, value }] of outputs.entries()) {
    const target = expression(context, value);
    if (target.kind !== "place") continue;
    const type = irTypeOf(unqualified(target.type));
    const isRead = constraint !== null && textOf(context, constraint).includes("+");
    if (!isRead && size === "one instruction") {
      direct.set(`%${index}`, { target, type, value: null });
      continue;
    }
    const held = isRead ? readValue(context, target).expression : null;
    const variable = hold(`%${index}`, type, held);
    written.push({ target, variable });
  }
  const constants = new Map<string, Expression>();
  for (const [index, { value }] of inputs.entries()) {
    const name = `%${outputs.length + index}`;
    const given = readValue(context, expression(context, value)).expression;
    const isPlain = size === "one instruction" && !hasEffects(given);
    if (given.kind === "constant" || isPlain) constants.set(name, given);
    else hold(name, given.type, given);
  }

  const readAny = (name: string, type: Type): Expression => {
    const isNegative = name.startsWith("-");
    const plain = isNegative ? name.slice(1) : name;
    const constant = constants.get(plain);
    if (constant) return constant;
    const variable = variables.get(plain);
    if (variable) return loadOf(place(variable), null);
    const special = entryOf(specialRegisters, plain);
    if (special)
      return {
        kind: "intrinsic",
        name: special,
        type: uint32,
        arguments: [],
        site: null,
        range: rangeOf(context, node),
      };
    const lanes = laneMask(plain, () => readAny("%laneid", uint32));
    if (lanes) return lanes;
    if (plain === "WARP_SZ") return constantOf(uint32, 32);
    if (/^(0[xX][\da-fA-F]+|\d+)U?$/.test(plain) && type.kind === "integer")
      return constantOf(type, Number(plain.replace(/U$/, "")) * (isNegative ? -1 : 1));
    return unknownValue(type, `the PTX register ${plain} is not followed`);
  };

  const read = (name: string, type: Type): Expression => {
    const value = readAny(name, type);
    if (sameType(value.type, type)) return value;
    const isNumber = (one: Type) =>
      one.kind === "integer" || one.kind === "boolean" || one.kind === "pointer";
    if (isNumber(value.type) && isNumber(type)) return convertOf(value, type);
    if (sizeOf(value.type) === sizeOf(type) && value.kind === "constant" && Number(value.value) === 0)
      return constantOf(type, 0);
    return unknownValue(type, "bits seen as another kind of number", [value]);
  };

  const guarded = (instruction: PtxInstruction, effect: Expression): Expression => {
    const { guard } = instruction;
    if (guard === null) return effect;
    const nothing = constantOf(int32, 0);
    const done: Expression = { kind: "sequence", type: int32, effects: [effect], result: nothing };
    return {
      kind: "conditional",
      type: int32,
      condition: read(guard.register, booleanType),
      whenTrue: guard.isNegated ? nothing : done,
      whenFalse: guard.isNegated ? done : nothing,
    };
  };

  const last = inputs.length + outputs.length > 0 ? chargedToken(node) : undefined;
  const storeOutput = (target: LValue, value: Expression): void => {
    const stored = store(context, target, value, outputSite(context, target, last));
    if (stored.kind === "value") effects.push(stored.expression);
    else if (stored.result) effects.push(stored.result);
  };

  return {
    context,
    node,
    typeOf: (name) =>
      variables.get(name)?.type ?? direct.get(name)?.type ?? constants.get(name)?.type ?? null,
    read,
    readAny,
    write(instruction, name, value) {
      const output = instruction.guard === null ? direct.get(name) : undefined;
      if (output) {
        output.value = readAs(value, output.type);
        return;
      }
      const variable = variables.get(name) ?? hold(name, value.type, null);
      const converted = readAs(value, variable.type);
      effects.push(guarded(instruction, assignOf(place(variable), converted, null)));
    },
    add(instruction, effect) {
      effects.push(guarded(instruction, effect));
    },
    finish() {
      for (const [name, { target, type, value }] of direct) {
        const variable = variables.get(name);
        const written = variable ? loadOf(place(variable), null) : value;
        storeOutput(target, written ?? unknownValue(type, "an output of inline PTX"));
      }
      for (const { target, variable } of written) {
        storeOutput(target, loadOf(place(variable), null));
      }
      return effects;
    },
  };
}

/** Where an output is stored: nvcc charges the store to the line of the statement's last operand. */
function outputSite(context: Context, target: LValue, last: SyntaxNode | undefined): AccessSite | null {
  const site = siteOf(context, target);
  return site && last ? { ...site, merged: [...site.merged, rangeOf(context, last)] } : site;
}

/** `%lanemask_lt` and its like, computed from the lane; null for other registers. */
function laneMask(name: string, lane: () => Expression): Expression | null {
  const one = constantOf(uint32, 1);
  const equal = () => binaryOf("<<", uint32, one, lane());
  const less = () => binaryOf("-", uint32, equal(), one);
  const inverted = (value: Expression) => binaryOf("^", uint32, value, constantOf(uint32, 0xffffffff));
  switch (name) {
    case "%lanemask_eq":
      return equal();
    case "%lanemask_lt":
      return less();
    case "%lanemask_le":
      return binaryOf("|", uint32, less(), equal());
    case "%lanemask_gt":
      return inverted(binaryOf("|", uint32, less(), equal()));
    case "%lanemask_ge":
      return inverted(less());
    default:
      return null;
  }
}

/** A value for a register of another type: numbers are converted, the bits of floats are not followed. */
function readAs(value: Expression, type: Type): Expression {
  if (sameType(value.type, type) || value.kind === "unknown") return convertOf(value, type);
  if (value.type.kind === "float" || type.kind === "float")
    return unknownValue(type, "bits seen as another kind of number", [value]);
  return convertOf(value, type);
}

const types: Record<string, Type> = {
  f16: half,
  bf16: bfloat16,
  f32: float32,
  f64: float64,
  pred: booleanType,
};
for (const bits of [8, 16, 32, 64] as const) {
  types[`u${bits}`] = { kind: "integer", bits, signed: false };
  types[`b${bits}`] = { kind: "integer", bits, signed: false };
  types[`s${bits}`] = { kind: "integer", bits, signed: true };
}

/** The type that the last type suffix of an opcode names; null where it has none that is a number. */
export function typeOfWords(words: readonly string[]): Type | null {
  for (const word of [...words].reverse()) {
    const type = entryOf(types, word);
    if (type) return type;
  }
  return null;
}
