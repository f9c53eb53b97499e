// Small functions of the standard library, and calls that say or do nothing of interest here.
import { booleanType } from "../../ir/type.ts";
import { namedChildren } from "../../syntax/node.ts";
import { temporary } from "../context.ts";
import {
  assignOf,
  binaryOf,
  constantOf,
  hasEffects,
  loadOf,
  sequenceOf,
  unknownValue,
} from "../expressions/build.ts";
import { conditionOf, convertRead } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import {
  type BraceList,
  type LValue,
  opaque,
  readValue,
  rvalueOf,
  siteAt,
  unknownOfType,
  type Value,
} from "../expressions/value.ts";
import { typeArgumentOf } from "../templates/written-arguments.ts";
import {
  boolType,
  type CxxType,
  doubleType,
  floatType,
  intType,
  irTypeOf,
  longLongType,
  qualify,
  unqualified,
  voidType,
} from "../types/cxx-type.ts";
import { withSignature } from "./signature.ts";
import { functions } from "./table.ts";
import { argument, type Builtin, each, expressions, type Use } from "./use.ts";

/** By name: `move`, `swap`, `min`, `printf` and their like. */
export const utilityFunctions: Readonly<Record<string, Builtin>> = {
  move: moved,
  forward: forwarded,
  as_const: constant,
  swap: swapped,
  clamp: clamped,
  ...each("min max", minMax),
  ...each("assert __builtin_assume", asserted),
  ...each("__builtin_huge_valf __builtin_inff __builtin_huge_val __builtin_inf", infinity),
  ...each("__builtin_ctz __builtin_ctzl __builtin_ctzll", trailingZeros),
  __builtin_expect: expected,
  __builtin_assume_aligned: toldAligned,
  __warplint_is_barrier: isBarrier,
  ...each("printf fprintf sprintf snprintf puts", silent(intType)),
  ...each(
    "exit abort srand perror __trap __brkpt __builtin_unreachable __pipeline_commit __pipeline_wait_prior __nanosleep",
    silent(voidType),
  ),
  ...each("rand atoi", silent(intType)),
  ...each("clock64", silent(longLongType)),
};

function moved(use: Use): Value {
  const value = argument(use, 0);
  return value.kind === "place" ? { ...value, category: "xvalue" } : value;
}

function constant(use: Use): Value {
  const value = argument(use, 0);
  return value.kind === "place" ? { ...value, type: qualify(value.type, { isConst: true }) } : value;
}

function forwarded(use: Use): Value {
  const value = argument(use, 0);
  if (value.kind !== "place" || use.list === null) return value;
  const type = typeArgumentOf(use.context, use.list);
  return type?.kind === "reference" && type.binds === "lvalue" ? value : { ...value, category: "xvalue" };
}

function swapped(use: Use): Value {
  const [a, b] = [argument(use, 0), argument(use, 1)];
  if (a.kind !== "place" || b.kind !== "place") return opaque("swap", "a swap of values", expressions(use));
  const { context } = use;
  const first = readValue(context, a).expression;
  const held = temporary(context, first.type);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: held.type } as const;
  const site = (value: LValue) => (value.node ? siteAt(context, value.node) : null);
  return rvalueOf(
    voidType,
    sequenceOf(
      [
        assignOf(place, first, null),
        assignOf(a.place, convertRead(context, readValue(context, b), unqualified(a.type)), site(a)),
        assignOf(b.place, loadOf(place, null), site(b)),
      ],
      constantOf({ kind: "void" }, 0),
    ),
  );
}

function clamped(use: Use): Value {
  const upper = minMax({ ...use, name: "max", given: [argument(use, 0), argument(use, 1)] });
  return minMax({ ...use, name: "min", given: [upper, argument(use, 2)] });
}

function minMax(use: Use): Value {
  const [only, ...others] = use.given;
  if (only?.kind === "list" && others.length === 0) return ofList(use, only);
  const signature = functions.get(use.name);
  if (use.list) {
    const type = typeArgumentOf(use.context, use.list);
    if (type)
      return withSignature(use, { intrinsic: use.name, type: null, parameters: [type, type], result: type });
  }
  return signature ? withSignature(use, signature) : opaque(use.name, `${use.name} is not followed`);
}

/** `max({a, b, c})`. */
function ofList(use: Use, { node, context }: BraceList): Value {
  const [first, ...others] = namedChildren(node).map((child) => expression(context, child));
  if (!first) return opaque(use.name, `${use.name} of nothing`);
  return others.reduce((most, value) => minMax({ ...use, given: [most, value] }), first);
}

/** A barrier of CUDA's library, which has no class here: its name tells. */
function isBarrier(use: Use): Value {
  const given = argument(use, 0);
  const type = given.kind === "place" || given.kind === "value" ? given.type : null;
  const is = type?.kind === "unknown" && /\bbarrier\b/.test(type.name);
  return rvalueOf(boolType, constantOf(booleanType, is ? 1 : 0));
}

function infinity(use: Use): Value {
  const type = use.name.endsWith("f") ? floatType : doubleType;
  return rvalueOf(type, constantOf(irTypeOf(type), Number.POSITIVE_INFINITY));
}

/** One less than the place of the first bit that is set; of 0 it is anything. */
function trailingZeros(use: Use): Value {
  const signature = functions.get(use.name === "__builtin_ctz" ? "__ffs" : "__ffsll");
  if (!signature) return opaque(use.name, `${use.name} is not followed`);
  const first = readValue(use.context, withSignature(use, signature)).expression;
  return rvalueOf(intType, binaryOf("-", irTypeOf(intType), first, constantOf(irTypeOf(intType), 1)));
}

function expected(use: Use): Value {
  return argument(use, 0);
}

/** The pointer itself: what is told of its alignment, by which nvcc merges neighbours, is not followed (programs/cache_hints assumeAligned). */
function toldAligned(use: Use): Value {
  use.context.body?.doubts.add("told-alignment");
  return argument(use, 0);
}

function asserted(use: Use): Value {
  const conditions = use.given.map((value) => conditionOf(use.context, value)).filter(hasEffects);
  return rvalueOf(voidType, unknownValue({ kind: "void" }, "an assertion", conditions));
}

function silent(result: CxxType): (use: Use) => Value {
  return (use) => unknownOfType(result, `${use.name} is not followed`, expressions(use));
}
