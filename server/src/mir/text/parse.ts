// Reads MIR's text. What it gives passes can work on; it cannot be raised, for it was built from no statements.
import type { Expression } from "../../ir/expression.ts";
import type { Barrier, Loop, Statement } from "../../ir/statement.ts";
import { type RecordField, type RecordType, sizeOf } from "../../ir/type.ts";
import type { Storage, Variable } from "../../ir/variable.ts";
import { forEachExpression } from "../../ir/walk.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { type Home, type Homes, homeOf } from "../homes.ts";
import {
  type Block,
  type Edge,
  edgesOf,
  type Instruction,
  type MirFunction,
  type Operand,
  type Region,
  type SwitchBranch,
  type Terminator,
  type Value,
} from "../mir.ts";
import { ExpressionParser, nowhere, valuesIn } from "./parse-expression.ts";
import { Tokens } from "./tokens.ts";

/** The function that a text describes. Throws where the text is none: it is for tests. */
export function parseMir(text: string): MirFunction {
  return new Parser(text).function();
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };

class Parser {
  readonly #lines: readonly string[];
  readonly #variables = new Map<string, Variable>();
  readonly #records = new Map<string, RecordType>();
  readonly #expressions: ExpressionParser;
  readonly #blocks = new Map<string, Block>();
  readonly #regions = new Map<string, Region>();
  readonly #values = new Map<string, Draft<Value>>();
  readonly #homes: Homes;
  readonly #latches = new Set<Block>();
  #nextInstruction = 0;

  constructor(text: string) {
    this.#lines = text.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith(";"));
    this.#expressions = new ExpressionParser({ variables: this.#variables, records: this.#records });
    this.#declarations();
    this.#homes = this.#homesIn(this.#lines.join("\n"));
  }

  function(): MirFunction {
    let block: Block | null = null;
    for (const line of this.#lines) {
      const tokens = new Tokens(line);
      const first = tokens.peek();
      if (first.startsWith("^")) block = this.#head(tokens);
      else if (block && first !== "record" && first !== "var") this.#line(tokens, block);
    }
    const blocks = [...this.#blocks.values()].sort((a, b) => a.id - b.id);
    for (const one of blocks) for (const { target } of edgesOf(one)) target.predecessors.push(one);
    const [entry] = blocks;
    if (!entry) throw new Error("a function has blocks");
    const [instructionCount, valueCount] = [this.#nextInstruction, this.#values.size];
    return { entry, blocks, homes: this.#homes, instructionCount, valueCount, body: [] };
  }

  /** Records may name those behind them. */
  #declarations(): void {
    const fieldsOf = new Map<RecordField[], Tokens>();
    for (const line of this.#lines) {
      const tokens = new Tokens(line);
      if (!tokens.takes("record")) continue;
      const name = tokens.next();
      const fields: RecordField[] = [];
      const record: RecordType = {
        kind: "record",
        name: JSON.parse(name) as string,
        sizeBytes: Number(tokens.next()),
        alignmentBytes: Number(tokens.next()),
        fields,
      };
      this.#records.set(name, record);
      fieldsOf.set(fields, tokens);
    }
    for (const [fields, tokens] of fieldsOf)
      while (tokens.peek() !== "") {
        const name = JSON.parse(tokens.next()) as string;
        const offsetBytes = Number(tokens.next());
        fields.push({ name, type: this.#expressions.type(tokens.next()), offsetBytes });
      }
    for (const line of this.#lines) {
      const tokens = new Tokens(line);
      if (tokens.takes("var")) this.#variable(tokens);
    }
  }

  #variable(tokens: Tokens): void {
    const name = tokens.next();
    const storage = tokens.next() as Storage;
    const alignmentBytes = Number(tokens.next());
    const type = this.#expressions.type(tokens.next());
    const plain = name.startsWith('"') ? (JSON.parse(name) as string) : name;
    const id = this.#variables.size + 1;
    this.#variables.set(name, {
      id,
      name: plain.replace(/'\d+$/, ""),
      type,
      storage,
      alignmentBytes,
      range: null,
    });
  }

  /** Each part of a variable that a value names begins a home. */
  #homesIn(text: string): Homes {
    const offsets = new Map<Variable, Set<number>>();
    for (const [token] of text.matchAll(/%(?:"(?:[^"\\]|\\.)*"|[\w$'])+(?:\+\d+)?\.\d+/g)) {
      const { variable, offsetBytes } = this.#expressions.homeOf(token);
      const known = offsets.get(variable);
      if (known) known.add(offsetBytes);
      else offsets.set(variable, new Set([offsetBytes]));
    }
    const all: Home[] = [];
    const byVariable = new Map<number, readonly Home[]>();
    for (const [variable, starts] of offsets) {
      const sorted = [...starts].sort((a, b) => a - b);
      const homes = sorted.map((offsetBytes, at) => {
        const end = sorted[at + 1] ?? sizeOf(variable.type) ?? Number.POSITIVE_INFINITY;
        return homeOf({
          index: all.length + at,
          variable,
          offsetBytes,
          bytes: end - offsetBytes,
          isLocal: false,
        });
      });
      all.push(...homes);
      byVariable.set(variable.id, homes);
    }
    const inMemory = [...this.#variables.values()].filter(
      ({ id, storage }) => storage === "automatic" && !byVariable.has(id),
    );
    return { all, byVariable, inMemory: new Set(inMemory.map(({ id }) => id)) };
  }

  #value(token: string): Draft<Value> {
    const known = this.#values.get(token);
    if (known) return known;
    const { variable, offsetBytes } = this.#expressions.homeOf(token);
    const home = this.#homes.byVariable.get(variable.id)?.find((one) => one.offsetBytes === offsetBytes);
    if (!home) throw new Error(`${token} has no home`);
    const value: Draft<Value> = { id: this.#values.size, home, definition: null };
    this.#values.set(token, value);
    return value;
  }

  /** A block, by its name; null for `none`. */
  #block(name: string): Block | null {
    if (name === "none") return null;
    const known = this.#blocks.get(name);
    if (known) return known;
    const terminator: Terminator = { kind: "return", value: null, origin: null };
    const block: Block = {
      id: Number(name.slice(1)),
      arguments: [],
      instructions: [],
      terminator,
      predecessors: [],
      region: null,
      loop: null,
    };
    this.#blocks.set(name, block);
    return block;
  }

  #blockNamed(name: string): Block {
    const block = this.#block(name);
    if (!block) throw new Error("a block is missing");
    return block;
  }

  /** `^3(%x.1) in branch ^1:` */
  #head(tokens: Tokens): Block {
    const name = tokens.next();
    const block = this.#blockNamed(name.replace(":", ""));
    for (const value of this.#list(tokens)) {
      value.definition = block;
      block.arguments.push(value);
    }
    if (tokens.takes("in")) {
      const kind = tokens.next() as Region["kind"];
      block.region = this.#region(kind, this.#blockNamed(tokens.next().replace(":", "")));
    }
    return block;
  }

  #region(kind: Region["kind"], block: Block): Region {
    const key = `${kind} ${block.id}`;
    const known = this.#regions.get(key);
    if (known) return known;
    const region: Region = { kind, block, outer: block.region };
    this.#regions.set(key, region);
    return region;
  }

  #line(tokens: Tokens, block: Block): void {
    const results = valuesIn(tokens).map((token) => this.#value(token));
    if (results.length > 0) tokens.expect("=");
    const word = tokens.next();
    if (word === "loop") this.#loop(tokens, block);
    else if (terminatorWords.has(word)) block.terminator = this.#terminator(word, tokens);
    else this.#instruction(word, tokens, results, block);
  }

  /** `loop top unroll none latch ^4 exit ^5`, of the header of a loop. */
  #loop(tokens: Tokens, block: Block): void {
    const test = tokens.next() as Loop["test"];
    tokens.expect("unroll");
    const count = tokens.next();
    const unroll = count === "none" ? null : count === "full" ? count : Number(count);
    tokens.expect("latch");
    const latch = this.#block(tokens.next());
    tokens.expect("exit");
    const exit = this.#block(tokens.next());
    if (latch) this.#latches.add(latch);
    block.loop = {
      statement: { kind: "loop", condition: null, step: [], body: [], test, unroll, range: nowhere },
      latch,
      exit,
    };
    block.region = this.#region("loop", block);
  }

  #instruction(word: string, tokens: Tokens, results: readonly Draft<Value>[], block: Block): void {
    const made = (kind: Instruction["kind"], operand: Operand | null, origin: Statement | Expression) => {
      const instruction: Instruction = {
        index: this.#nextInstruction++,
        kind,
        operand,
        results,
        block,
        origin,
      };
      for (const value of results) value.definition = instruction;
      block.instructions.push(instruction);
    };
    if (word === "barrier") {
      made("effect", null, { kind: "barrier", scope: tokens.next() as Barrier["scope"], range: nowhere });
      return;
    }
    if (word === "unknown") {
      const reason = JSON.parse(tokens.next()) as string;
      const uses = valuesIn(tokens).map((token) => this.#value(token));
      made("effect", { expression: nothing, uses }, { kind: "unknown", reason, range: nowhere });
      return;
    }
    if (word === "declare") {
      const variable = this.#expressions.variable(tokens.next());
      const operand = tokens.peek() === "" ? null : this.#operand(tokens);
      made("declare", operand, {
        kind: "declare",
        variable,
        initializer: operand?.expression ?? null,
        range: nowhere,
      });
      return;
    }
    const { expression: read, uses } = this.#operand(tokens);
    const expression = assigned(read, results);
    const operand = { expression, uses };
    if (word === "launch")
      made("effect", operand, {
        kind: "launch",
        kernel: nothing,
        grid: nothing,
        block: nothing,
        sharedBytes: null,
        arguments: [],
        range: nowhere,
      });
    else
      made(
        word as Instruction["kind"],
        operand,
        this.#latches.has(block) ? expression : { kind: "evaluate", expression, range: nowhere },
      );
  }

  #operand(tokens: Tokens): Operand {
    const expression = this.#expressions.expression(tokens);
    const uses: Value[] = [];
    forEachExpression(expression, (node) => {
      for (const token of this.#expressions.valuesOf.get(node) ?? []) uses.push(this.#value(token));
    });
    return { expression, uses };
  }

  /** `(%x.1 %y.2)`; nothing where no bracket opens. */
  #list(tokens: Tokens): readonly Draft<Value>[] {
    if (!tokens.takes("(")) return [];
    const values = valuesIn(tokens).map((token) => this.#value(token));
    tokens.expect(")");
    return values;
  }

  #edge(tokens: Tokens): Edge {
    const target = this.#blockNamed(tokens.next());
    return { target, arguments: [...this.#list(tokens)] };
  }

  #terminator(word: string, tokens: Tokens): Terminator {
    switch (word) {
      case "jump":
        return { kind: "jump", edge: this.#edge(tokens), origin: null };
      case "break":
      case "continue":
        return { kind: "jump", edge: this.#edge(tokens), origin: { kind: word } };
      case "branch": {
        const test = this.#operand(tokens);
        const [whenTrue, whenFalse] = [this.#edge(tokens), this.#edge(tokens)];
        tokens.expect("merge");
        const origin = {
          kind: "if",
          condition: test.expression,
          whenTrue: [],
          whenFalse: [],
          range: nowhere,
        } as const;
        return { kind: "branch", test, whenTrue, whenFalse, merge: this.#block(tokens.next()), origin };
      }
      case "test": {
        const test = this.#operand(tokens);
        return {
          kind: "branch",
          test,
          whenTrue: this.#edge(tokens),
          whenFalse: this.#edge(tokens),
          merge: null,
          origin: null,
        };
      }
      case "switch":
        return this.#switch(tokens);
      case "end":
        return { kind: "return", value: null, origin: null };
      default: {
        const value = tokens.peek() === "" ? null : this.#operand(tokens);
        return {
          kind: "return",
          value,
          origin: { kind: "return", value: value?.expression ?? null, range: nowhere },
        };
      }
    }
  }

  #switch(tokens: Tokens): SwitchBranch {
    const selector = this.#operand(tokens);
    const cases: { values: (Scalar | null)[]; edge: Edge }[] = [];
    while (tokens.takes("case")) {
      const values: (Scalar | null)[] = [];
      while (!tokens.peek().startsWith("^")) {
        const value = tokens.next();
        values.push(value === "default" ? null : Number(value));
      }
      cases.push({ values, edge: this.#edge(tokens) });
    }
    const otherwise = tokens.takes("otherwise") ? this.#edge(tokens) : null;
    tokens.expect("merge");
    const merge = this.#block(tokens.next());
    const origin = { kind: "switch", selector: selector.expression, cases: [], range: nowhere } as const;
    return { kind: "switch", selector, cases, otherwise, merge, origin };
  }
}

const terminatorWords: ReadonlySet<string> = new Set([
  "jump",
  "break",
  "continue",
  "branch",
  "test",
  "switch",
  "return",
  "end",
]);

const nothing: Expression = { kind: "constant", type: { kind: "void" }, value: 0 };

/** The assignment that gives results; the expression itself where there are none. */
function assigned(value: Expression, results: readonly Value[]): Expression {
  const [first] = results;
  if (!first) return value;
  const { variable, offsetBytes } = first.home;
  const place = { kind: "variable", variable, offsetBytes, type: value.type } as const;
  return { kind: "assign", type: value.type, place, value, site: null };
}
