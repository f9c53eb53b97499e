// Reads the expressions of MIR's text.
import type { AccessSite, BinaryOperator, Expression, Place, UnaryOperator } from "../../ir/expression.ts";
import type { FunctionId } from "../../ir/function.ts";
import type { ArrayType, FloatType, IntegerType, PointerType, RecordType, Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { floatNames } from "./names.ts";
import type { Tokens } from "./tokens.ts";

/** Where no text is meant. */
export const nowhere = { file: "", start: 0, end: 0 };

/** The variables and records of a text, by the names that they have there. */
export interface Named {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly records: Map<string, RecordType>;
}

/** Reads expressions, and keeps the values that they name by the nodes that read them. */
export class ExpressionParser {
  readonly #named: Named;
  /** By the leaf that reads them, the names of values: `%x.1`. */
  readonly valuesOf = new Map<Expression, readonly string[]>();

  constructor(named: Named) {
    this.#named = named;
  }

  expression(tokens: Tokens): Expression {
    const token = tokens.next();
    if (token.startsWith("%")) return this.#value(token);
    if (token !== "(") {
      const colon = token.indexOf(":");
      return {
        kind: "constant",
        type: this.type(token.slice(colon + 1)),
        value: scalarOf(token.slice(0, colon)),
      };
    }
    const head = tokens.next();
    const type = this.type(tokens.next());
    const result = this.#node(head, type, tokens);
    tokens.expect(")");
    return result;
  }

  variable(name: string): Variable {
    const variable = this.#named.variables.get(name);
    if (!variable) throw new Error(`no variable ${name}`);
    return variable;
  }

  type(text: string): Type {
    if (text.endsWith("*")) return { kind: "pointer", target: this.type(text.slice(0, -1)) };
    if (text.endsWith("]")) {
      // The count behind an element type is the outermost of an array of arrays.
      const open = text.lastIndexOf("[");
      return {
        kind: "array",
        element: this.type(text.slice(0, open)),
        count: Number(text.slice(open + 1, -1)),
      };
    }
    if (text.startsWith("?")) return { kind: "unknown", reason: JSON.parse(text.slice(1)) as string };
    if (text.startsWith('"')) return this.#record(text);
    const format = (["half", "bfloat16", "single", "double"] as const).find(
      (one) => floatNames[one] === text,
    );
    if (format) return { kind: "float", format } satisfies FloatType;
    if (text === "fn") return { kind: "function" };
    if (text === "bool") return { kind: "boolean" };
    if (text === "void") return { kind: "void" };
    const bits = Number(text.slice(1)) as IntegerType["bits"];
    return { kind: "integer", bits, signed: text.startsWith("i") };
  }

  #record(name: string): RecordType {
    const record = this.#named.records.get(name);
    if (!record) throw new Error(`no record ${name}`);
    return record;
  }

  /** `%v+4.1:f32`: the value alone, or with the type that it is read as where that is not the variable's. */
  #value(token: string): Expression {
    const [name, read] = partsOf(token);
    const { variable, offsetBytes } = this.homeOf(name);
    const type = read === null ? variable.type : this.type(read);
    const place: Place = { kind: "variable", variable, offsetBytes, type };
    const load: Expression = { kind: "load", type, place, site: null };
    this.valuesOf.set(load, [name]);
    return load;
  }

  /** The part of a variable that a value's name says it lives in. */
  homeOf(token: string): { readonly variable: Variable; readonly offsetBytes: number } {
    const match = /^%(.*?)(?:\+(\d+))?\.\d+$/.exec(token);
    if (!match?.[1]) throw new Error(`no value is called ${token}`);
    return { variable: this.variable(match[1]), offsetBytes: Number(match[2] ?? 0) };
  }

  #node(head: string, type: Type, tokens: Tokens): Expression {
    const one = () => this.expression(tokens);
    const number = () => Number(tokens.next());
    const all = () => {
      const list: Expression[] = [];
      while (tokens.peek() !== ")") list.push(one());
      return list;
    };
    switch (head) {
      case "load": {
        const place = this.#place(type, tokens);
        return { kind: "load", type, place, site: siteOf(tokens.next()) };
      }
      case "read": {
        const variable = this.variable(tokens.next());
        const place: Place = { kind: "variable", variable, offsetBytes: number(), type };
        const load: Expression = { kind: "load", type, place, site: siteOf(tokens.next()) };
        this.valuesOf.set(load, valuesIn(tokens));
        return load;
      }
      case "address": {
        const variable = this.variable(tokens.next());
        const place: Place = { kind: "variable", variable, offsetBytes: number(), type: variable.type };
        const address: Expression = { kind: "address", type: type as PointerType, place };
        this.valuesOf.set(address, valuesIn(tokens));
        return address;
      }
      case "address-at":
        return { kind: "address", type: type as PointerType, place: this.#place(type, tokens) };
      case "negate":
      case "complement":
      case "not":
        return { kind: "unary", operator: head satisfies UnaryOperator, type, operand: one() };
      case "and":
      case "or":
        return { kind: "logical", operator: head, type, left: one(), right: one() };
      case "offset": {
        const strideBytes = number();
        return { kind: "offset", type: type as PointerType, pointer: one(), index: one(), strideBytes };
      }
      case "difference": {
        const strideBytes = number();
        return { kind: "difference", type: type as IntegerType, left: one(), right: one(), strideBytes };
      }
      case "convert":
        return { kind: "convert", type, operand: one() };
      case "select":
        return { kind: "conditional", type, condition: one(), whenTrue: one(), whenFalse: one() };
      case "store": {
        const value = one();
        const place = this.#place(type, tokens);
        return { kind: "assign", type, place, value, site: siteOf(tokens.next()) };
      }
      case "do": {
        const list = all();
        const result = list.pop();
        if (!result) throw new Error("a sequence has a result");
        return { kind: "sequence", type, effects: list, result };
      }
      case "call": {
        const callee = JSON.parse(tokens.next()) as FunctionId;
        return { kind: "call", type, callee, arguments: all(), range: nowhere };
      }
      case "call-indirect":
        return { kind: "call-indirect", type, callee: one(), arguments: all(), range: nowhere };
      case "function":
        return { kind: "function", type, callee: JSON.parse(tokens.next()) as FunctionId };
      case "intrinsic": {
        const name = JSON.parse(tokens.next()) as string;
        const site = siteOf(tokens.next());
        return { kind: "intrinsic", name, type, arguments: all(), site, range: nowhere };
      }
      case "aggregate": {
        const parts: { offsetBytes: number; value: Expression }[] = [];
        while (tokens.peek() !== ")") parts.push({ offsetBytes: number(), value: one() });
        return { kind: "aggregate", type: type as RecordType | ArrayType, parts };
      }
      case "extract": {
        const offsetBytes = number();
        return { kind: "extract", type, operand: one(), offsetBytes };
      }
      case "unknown": {
        const reason = JSON.parse(tokens.next()) as string;
        return { kind: "unknown", type, reason, operands: all() };
      }
      default:
        return { kind: "binary", operator: head as BinaryOperator, type, left: one(), right: one() };
    }
  }

  #place(type: Type, tokens: Tokens): Place {
    const offsetBytes = Number(tokens.next());
    const token = tokens.peek();
    const isExpression = token === "(" || token.startsWith("%") || /^[^"]*:/.test(token);
    if (isExpression) return { kind: "memory", pointer: this.expression(tokens), offsetBytes, type };
    return { kind: "variable", variable: this.variable(tokens.next()), offsetBytes, type };
  }
}

function partsOf(token: string): readonly [name: string, type: string | null] {
  const end = /\.\d+:/.exec(token);
  if (!end) return [token, null];
  const colon = end.index + end[0].length - 1;
  return [token.slice(0, colon), token.slice(colon + 1)];
}

/** The values that follow. */
export function valuesIn(tokens: Tokens): readonly string[] {
  const values: string[] = [];
  while (tokens.peek().startsWith("%")) values.push(tokens.next());
  return values;
}

function scalarOf(text: string): Scalar {
  return text.endsWith("n") ? BigInt(text.slice(0, -1)) : Number(text);
}

function siteOf(token: string): AccessSite | null {
  if (token === "!") return null;
  const start = Number.parseInt(token.slice(1), 10);
  return {
    range: { file: "", start, end: start },
    expression: "",
    isVolatile: token.endsWith("v"),
    merged: [],
  };
}
