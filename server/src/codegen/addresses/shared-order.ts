// In which order nvcc lays out what a kernel and the functions that stand in it declare in shared memory: as it emits the functions, the templates
// among them behind all others, each behind what it calls; those of several kernels behind the kernel's own (forms/order_of_functions).
import type { Expression } from "../../ir/expression.ts";
import type { FunctionDefinition, Program } from "../../ir/function.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { partsOf } from "../walks/walk.ts";

export interface SharedOrder {
  readonly variables: readonly Variable[];
  /** Where other kernels call the same functions, of which one kernel does not tell. */
  readonly ifShared: readonly Variable[];
}

/** `variables` stand in the order in which their function declares them. */
export function sharedOrderOf(
  variables: readonly Variable[],
  definition: FunctionDefinition,
  functionOf: Program["functionOf"],
): SharedOrder {
  const isOwn = (variable: Variable) => holds(definition, variable);
  const isInCalled = (variable: Variable) => variable.storage === "shared" && !isOwn(variable);
  if (variables.length < 2 || !variables.some(isInCalled)) return { variables, ifShared: variables };
  const emitted = emittedFor(definition, functionOf);
  const placeOf = (variable: Variable) => emitted.findIndex((each) => holds(each, variable));
  const ordered = sorted(variables, placeOf);
  return { variables: ordered, ifShared: sorted(ordered, (variable) => (isOwn(variable) ? 0 : 1)) };
}

function sorted(variables: readonly Variable[], keyOf: (variable: Variable) => number): readonly Variable[] {
  const keys = new Map(variables.map((variable) => [variable, keyOf(variable)]));
  return [...variables].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

/** Whether the function's text declares the variable. */
function holds({ range }: FunctionDefinition, variable: Variable): boolean {
  const at = variable.range;
  return at !== null && at.file === range.file && range.start <= at.start && at.end <= range.end;
}

/** The kernel and all that it calls, in the order in which they are emitted. */
function emittedFor(
  kernel: FunctionDefinition,
  functionOf: Program["functionOf"],
): readonly FunctionDefinition[] {
  const reached = new Set<FunctionDefinition>();
  const done: FunctionDefinition[] = [];
  const visit = (definition: FunctionDefinition): void => {
    reached.add(definition);
    inBody(definition.body);
    done.push(definition);
  };
  const inBody = (list: readonly Statement[]): void => {
    for (const statement of list) {
      const { expressions, lists } = partsOf(statement);
      expressions.forEach(inExpression);
      lists.forEach(inBody);
    }
  };
  // The calls among a call's arguments come before it.
  const inExpression = (node: Expression): void => {
    for (const operand of operandsOf(node)) inExpression(operand);
    const callee = node.kind === "call" ? functionOf(node.callee) : null;
    if (callee && !reached.has(callee)) visit(callee);
  };
  visit(kernel);
  const isBefore = (a: FunctionDefinition, b: FunctionDefinition) =>
    a.range.file === b.range.file ? a.range.start - b.range.start : fileRank(a, kernel) - fileRank(b, kernel);
  return [
    ...done.filter((each) => !isOfTemplate(each)).sort(isBefore),
    ...done.filter((each) => isOfTemplate(each)),
  ];
}

/** What a file includes stands before its kernels. */
function fileRank({ range }: FunctionDefinition, kernel: FunctionDefinition): number {
  return range.file === kernel.range.file ? 1 : 0;
}

/** Whether it is an instance of a template, or a member of one. */
function isOfTemplate({ id, templateArguments }: FunctionDefinition): boolean {
  return templateArguments.length > 0 || id.split("(")[0]?.includes("<") === true;
}
