// MIR as text, for tests and for people who debug: a value is `%variable.number`, an expression is in brackets with its operator and type in
// front. parse.ts reads it again. Of a site only its place is written.
import type { AccessSite, Expression, Place } from "../../ir/expression.ts";
import type { Type } from "../../ir/type.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { homesAt } from "../homes.ts";
import {
  type Block,
  type Edge,
  edgesOf,
  type Instruction,
  type MirFunction,
  type Operand,
  type Region,
  type Value,
} from "../mir.ts";
import { Names } from "./names.ts";

/** The whole function: records and variables, then its blocks in their order. */
export function printMir(mir: MirFunction): string {
  return new Printer(mir).function(mir);
}

class Printer {
  readonly #names = new Names();
  readonly #values = new Map<Value, string>();
  readonly #counts = new Map<string, number>();
  readonly #blocks: ReadonlyMap<Block, string>;
  /** Of the operand at hand, those of its values that are not written yet. */
  #uses: readonly Value[] = [];
  #at = 0;
  readonly #homes: MirFunction["homes"];

  constructor({ blocks, homes }: MirFunction) {
    this.#blocks = new Map(blocks.map((block, at) => [block, `^${at}`]));
    this.#homes = homes;
  }

  function({ blocks }: MirFunction): string {
    for (const block of blocks) this.#define(block);
    const lines = blocks.flatMap((block) => this.#block(block));
    const variables = this.#names.variableLines();
    return [...this.#names.recordLines(), ...variables, ...lines].join("\n");
  }

  /** Numbers what the block defines, in the order of the text. */
  #define({ arguments: given, instructions }: Block): void {
    for (const value of [...given, ...instructions.flatMap(({ results }) => results)]) {
      const home = this.#home(value);
      const number = (this.#counts.get(home) ?? 0) + 1;
      this.#counts.set(home, number);
      this.#values.set(value, `%${home}.${number}`);
    }
  }

  #home({ home: { variable, offsetBytes } }: Value): string {
    return `${this.#names.of(variable)}${offsetBytes === 0 ? "" : `+${offsetBytes}`}`;
  }

  #value(value: Value): string {
    return this.#values.get(value) ?? `%${this.#home(value)}.0`;
  }

  #block(block: Block): readonly string[] {
    const { arguments: given, instructions, region, loop } = block;
    const name = this.#name(block);
    const list = given.length > 0 ? `(${given.map((value) => this.#value(value)).join(" ")})` : "";
    const outer = region?.block === block && region.kind === "loop" ? region.outer : region;
    const lines = [`${name}${list}${this.#region(outer)}:`];
    if (loop) {
      const { test, unroll } = loop.statement;
      lines.push(
        `  loop ${test} unroll ${unroll ?? "none"} latch ${this.#name(loop.latch)} exit ${this.#name(loop.exit)}`,
      );
    }
    return [
      ...lines,
      ...instructions.map((each) => `  ${this.#instruction(each)}`),
      `  ${this.#terminator(block)}`,
    ];
  }

  #region(region: Region | null): string {
    return region ? ` in ${region.kind} ${this.#name(region.block)}` : "";
  }

  #name(block: Block | null): string {
    return (block && this.#blocks.get(block)) ?? "none";
  }

  #edge({ target, arguments: given }: Edge): string {
    return `${this.#name(target)}${given.length > 0 ? `(${given.map((value) => this.#value(value)).join(" ")})` : ""}`;
  }

  #instruction({ kind, operand, results, origin }: Instruction): string {
    const given = results.length > 0 ? `${results.map((value) => this.#value(value)).join(" ")} = ` : "";
    if (kind === "declare" && "variable" in origin) {
      const value = operand ? ` ${this.#operand(operand)}` : "";
      return `${given}declare ${this.#names.of(origin.variable)}${value}`;
    }
    if (origin.kind === "barrier") return `barrier ${origin.scope}`;
    if (!operand) return kind;
    const { expression, uses } = operand;
    if (origin.kind === "unknown" && "range" in origin && !("type" in origin))
      return `unknown ${JSON.stringify(origin.reason)}${uses.map((value) => ` ${this.#value(value)}`).join("")}`;
    const isSet = results.length > 0 && expression.kind === "assign";
    const word = origin.kind === "launch" ? "launch" : kind;
    return `${given}${word} ${this.#operand(isSet ? { expression: expression.value, uses } : operand)}`;
  }

  #terminator(block: Block): string {
    const { terminator } = block;
    switch (terminator.kind) {
      case "jump":
        return `${terminator.origin?.kind ?? "jump"} ${this.#edge(terminator.edge)}`;
      case "branch": {
        const ways = edgesOf(block).map((edge) => this.#edge(edge));
        const test = this.#operand(terminator.test);
        return terminator.origin
          ? `branch ${test} ${ways.join(" ")} merge ${this.#name(terminator.merge)}`
          : `test ${test} ${ways.join(" ")}`;
      }
      case "switch": {
        const cases = terminator.cases.map(
          ({ values, edge }) =>
            `case ${values.map((value) => value ?? "default").join(" ")} ${this.#edge(edge)}`,
        );
        const otherwise = terminator.otherwise ? ` otherwise ${this.#edge(terminator.otherwise)}` : "";
        return `switch ${this.#operand(terminator.selector)} ${cases.join(" ")}${otherwise} merge ${this.#name(terminator.merge)}`;
      }
      case "return":
        if (!terminator.origin) return "end";
        return terminator.value ? `return ${this.#operand(terminator.value)}` : "return";
    }
  }

  #operand({ expression, uses }: Operand): string {
    this.#uses = uses;
    this.#at = 0;
    return this.#text(expression);
  }

  /** The next values of the operand. */
  #take(count: number): string {
    const values = this.#uses.slice(this.#at, this.#at + count);
    this.#at += count;
    return values.map((value) => ` ${this.#value(value)}`).join("");
  }

  #text(expression: Expression): string {
    const type = () => this.#type(expression.type);
    const all = (list: readonly Expression[]) => list.map((each) => ` ${this.#text(each)}`).join("");
    switch (expression.kind) {
      case "constant":
        return `${scalarText(expression.value)}:${type()}`;
      case "load":
        return this.#load(expression);
      case "address": {
        if (expression.place.kind === "memory")
          return `(address-at ${type()} ${expression.place.offsetBytes} ${this.#text(expression.place.pointer)})`;
        const { variable, offsetBytes } = expression.place;
        const uses = this.#take(this.#homes.byVariable.get(variable.id)?.length ?? 0);
        return `(address ${type()} ${this.#names.of(variable)} ${offsetBytes}${uses})`;
      }
      case "unary":
        return `(${expression.operator} ${type()}${all([expression.operand])})`;
      case "binary":
      case "logical":
        return `(${expression.operator} ${type()}${all([expression.left, expression.right])})`;
      case "offset":
        return `(offset ${type()} ${expression.strideBytes}${all([expression.pointer, expression.index])})`;
      case "difference":
        return `(difference ${type()} ${expression.strideBytes}${all([expression.left, expression.right])})`;
      case "convert":
        return `(convert ${type()}${all([expression.operand])})`;
      case "conditional":
        return `(select ${type()}${all([expression.condition, expression.whenTrue, expression.whenFalse])})`;
      case "assign": {
        const value = this.#text(expression.value);
        return `(store ${type()} ${value} ${this.#place(expression.place)} ${siteText(expression.site)})`;
      }
      case "sequence":
        return `(do ${type()}${all([...expression.effects, expression.result])})`;
      case "call":
        return `(call ${type()} ${JSON.stringify(expression.callee)}${all(expression.arguments)})`;
      case "call-indirect":
        return `(call-indirect ${type()}${all([expression.callee, ...expression.arguments])})`;
      case "function":
        return `(function ${type()} ${JSON.stringify(expression.callee)})`;
      case "intrinsic":
        return `(intrinsic ${type()} ${JSON.stringify(expression.name)} ${siteText(expression.site)}${all(expression.arguments)})`;
      case "aggregate": {
        const parts = expression.parts.map(
          ({ offsetBytes, value }) => ` ${offsetBytes} ${this.#text(value)}`,
        );
        return `(aggregate ${type()}${parts.join("")})`;
      }
      case "extract":
        return `(extract ${type()} ${expression.offsetBytes}${all([expression.operand])})`;
      case "unknown":
        return `(unknown ${type()} ${JSON.stringify(expression.reason)}${all(expression.operands)})`;
    }
  }

  #load({ place, type, site }: Expression & { kind: "load" }): string {
    if (place.kind === "memory") return `(load ${this.#type(type)} ${this.#place(place)} ${siteText(site)})`;
    const homes = homesAt(place, this.#homes);
    const [home] = homes;
    if (home && homes.length === 1 && site === null && home.offsetBytes === place.offsetBytes) {
      const isWhole = home.offsetBytes === 0 && this.#type(type) === this.#type(place.variable.type);
      return `${this.#take(1).trim()}${isWhole ? "" : `:${this.#type(type)}`}`;
    }
    return `(read ${this.#type(type)} ${this.#names.of(place.variable)} ${place.offsetBytes} ${siteText(site)}${this.#take(homes.length)})`;
  }

  #place(place: Place): string {
    if (place.kind === "memory") return `${place.offsetBytes} ${this.#text(place.pointer)}`;
    return `${place.offsetBytes} ${this.#names.of(place.variable)}`;
  }

  #type(type: Type): string {
    return this.#names.type(type);
  }
}

function scalarText(value: Scalar): string {
  return typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : `${value}`;
}

function siteText(site: AccessSite | null): string {
  return site ? `!${site.range.start}${site.isVolatile ? "v" : ""}` : "!";
}
