// Prints functions, statements and expressions of the IR as compact C-like text, for tests and for people who debug.
import type { Expression, Place } from "./expression.ts";
import type { FunctionDefinition } from "./function.ts";
import type { Statement } from "./statement.ts";
import type { Type } from "./type.ts";
import type { Variable } from "./variable.ts";

/** The whole function: head, gaps and assumptions, then one statement a line, indented by two spaces. */
export function printFunction(definition: FunctionDefinition): string {
  const parameters = definition.parameters.map(
    (parameter) => `${printType(parameter.type)} ${parameter.name}`,
  );
  const bounds = definition.maxThreadsPerBlock === null ? "" : ` bounds(${definition.maxThreadsPerBlock})`;
  const names = new Names();
  for (const parameter of definition.parameters) names.of(parameter);
  return [
    `${definition.kind} ${printType(definition.result)} ${definition.id}${bounds} (${parameters.join(", ")})`,
    ...definition.gaps.map((gap) => `  // gap: ${gap}`),
    ...definition.assumptions.map(({ name, value }) => `  // assumes: ${name} = ${value ?? "?"}`),
    ...definition.body.flatMap((statement) => statementLines(statement, "  ", names)),
  ].join("\n");
}

function printType(type: Type): string {
  switch (type.kind) {
    case "void":
      return "void";
    case "boolean":
      return "bool";
    case "integer":
      return `${type.signed ? "i" : "u"}${type.bits}`;
    case "float":
      return { half: "f16", bfloat16: "bf16", single: "f32", double: "f64" }[type.format];
    case "pointer":
      return `${printType(type.target)}*`;
    case "array":
      return `${printType(innermost(type))}${counts(type)}`;
    case "record":
      return type.name;
    case "function":
      return "function";
    case "unknown":
      return "?";
  }
}

function innermost(type: Type): Type {
  return type.kind === "array" ? innermost(type.element) : type;
}

function counts(type: Type): string {
  return type.kind === "array" ? `[${type.count}]${counts(type.element)}` : "";
}

/** Variables of one name are told apart by a mark, in the order in which they are met. */
class Names {
  private readonly byId = new Map<number, string>();
  private readonly used = new Map<string, number>();

  of(variable: Variable): string {
    const known = this.byId.get(variable.id);
    if (known !== undefined) return known;
    const count = (this.used.get(variable.name) ?? 0) + 1;
    this.used.set(variable.name, count);
    const name = count === 1 ? variable.name : `${variable.name}'${count}`;
    this.byId.set(variable.id, name);
    return name;
  }
}

function statementLines(statement: Statement, indent: string, names: Names): string[] {
  const inner = (body: readonly Statement[]) =>
    body.flatMap((each) => statementLines(each, `${indent}  `, names));
  switch (statement.kind) {
    case "evaluate":
      return [`${indent}${text(statement.expression, names)}`];
    case "declare": {
      const { variable, initializer } = statement;
      const storage = variable.storage === "automatic" ? "" : `${variable.storage} `;
      const value = initializer ? ` = ${text(initializer, names)}` : "";
      return [`${indent}${storage}${printType(variable.type)} ${names.of(variable)}${value}`];
    }
    case "block":
      return [`${indent}{`, ...inner(statement.body), `${indent}}`];
    case "if":
      return [
        `${indent}if ${text(statement.condition, names)}`,
        ...inner(statement.whenTrue),
        ...(statement.whenFalse.length > 0 ? [`${indent}else`, ...inner(statement.whenFalse)] : []),
      ];
    case "loop": {
      const condition = statement.condition ? text(statement.condition, names) : "true";
      const step =
        statement.step.length > 0
          ? ` step ${statement.step.map((each) => text(each, names)).join(", ")}`
          : "";
      const unroll = statement.unroll === null ? "" : ` unroll(${statement.unroll})`;
      const head = statement.test === "top" ? "while" : "do-while";
      return [`${indent}${head} ${condition}${step}${unroll}`, ...inner(statement.body)];
    }
    case "switch":
      return [
        `${indent}switch ${text(statement.selector, names)}`,
        ...statement.cases.flatMap((each) => [
          `${indent}case ${each.values.map((value) => value ?? "default").join(", ")}`,
          ...inner(each.body),
        ]),
      ];
    case "break":
    case "continue":
      return [`${indent}${statement.kind}`];
    case "return":
      return [`${indent}return${statement.value ? ` ${text(statement.value, names)}` : ""}`];
    case "barrier":
      return [`${indent}barrier ${statement.scope}`];
    case "launch": {
      const kernel = typeof statement.kernel === "string" ? statement.kernel : text(statement.kernel, names);
      const shape = [
        statement.grid,
        statement.block,
        ...(statement.sharedBytes ? [statement.sharedBytes] : []),
      ];
      const list = statement.arguments.map((each) => text(each, names)).join(", ");
      return [
        `${indent}launch ${kernel} <<<${shape.map((each) => text(each, names)).join(", ")}>>> (${list})`,
      ];
    }
    case "unknown":
      return [`${indent}unknown: ${statement.reason}`];
  }
}

function text(expression: Expression, names: Names): string {
  const all = (list: readonly Expression[]) => list.map((each) => text(each, names)).join(", ");
  switch (expression.kind) {
    case "constant":
      return constantText(expression);
    case "load":
      return place(expression.place, names);
    case "address":
      return `&${place(expression.place, names)}`;
    case "unary":
      return `${{ negate: "-", complement: "~", not: "!" }[expression.operator]}${text(expression.operand, names)}`;
    case "binary":
      return `(${text(expression.left, names)} ${expression.operator} ${text(expression.right, names)})`;
    case "logical":
      return `(${text(expression.left, names)} ${expression.operator} ${text(expression.right, names)})`;
    case "offset":
      return `(${text(expression.pointer, names)} + ${text(expression.index, names)}*${expression.strideBytes})`;
    case "difference":
      return `(${text(expression.left, names)} - ${text(expression.right, names)})/${expression.strideBytes}`;
    case "convert":
      return `${printType(expression.type)}(${text(expression.operand, names)})`;
    case "conditional":
      return `(${text(expression.condition, names)} ? ${text(expression.whenTrue, names)} : ${text(expression.whenFalse, names)})`;
    case "assign":
      return `${place(expression.place, names)} = ${text(expression.value, names)}`;
    case "sequence":
      return `[${all([...expression.effects, expression.result])}]`;
    case "call":
      return `${expression.callee}(${all(expression.arguments)})`;
    case "call-indirect":
      return `(*${text(expression.callee, names)})(${all(expression.arguments)})`;
    case "function":
      return `function ${expression.callee}`;
    case "intrinsic":
      return expression.arguments.length > 0 || !/^[a-z]+Idx|Dim|warpSize|laneid/.test(expression.name)
        ? `${expression.name}:${printType(expression.type)}(${all(expression.arguments)})`
        : expression.name;
    case "aggregate": {
      const parts = expression.parts.map((part) => `+${part.offsetBytes} ${text(part.value, names)}`);
      return `${printType(expression.type)}{${parts.join(", ")}}`;
    }
    case "extract":
      return `${text(expression.operand, names)}.+${expression.offsetBytes}:${printType(expression.type)}`;
    case "unknown":
      return expression.operands.length > 0
        ? `unknown(${expression.reason}: ${all(expression.operands)})`
        : `unknown(${expression.reason})`;
  }
}

function constantText(expression: Extract<Expression, { kind: "constant" }>): string {
  const { type, value } = expression;
  if (type.kind === "boolean") return Number(value) === 0 ? "false" : "true";
  if (type.kind === "pointer") return Number(value) === 0 ? "null" : `${printType(type)}(${value})`;
  const suffix = type.kind === "integer" && type.bits === 32 && type.signed ? "" : `:${printType(type)}`;
  return `${Object.is(value, -0) ? "-0" : value}${suffix}`;
}

function place(target: Place, names: Names): string {
  const { offsetBytes } = target;
  const offset = offsetBytes === 0 ? "" : offsetBytes > 0 ? `+${offsetBytes}` : `${offsetBytes}`;
  if (target.kind === "variable") {
    const whole = offset === "" && printType(target.type) === printType(target.variable.type);
    return whole
      ? names.of(target.variable)
      : `${names.of(target.variable)}.${offset === "" ? "+0" : offset}:${printType(target.type)}`;
  }
  return `*${printType(target.type)}[${text(target.pointer, names)}${offset}]`;
}
