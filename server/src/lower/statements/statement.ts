// Statements of C++ to those of the IR. Branches that constants decide are left out.
import type { Expression, UnknownExpression } from "../../ir/expression.ts";
import { failedAssertion } from "../../ir/function.ts";
import type { Barrier, Statement, SwitchCase } from "../../ir/statement.ts";
import { booleanType } from "../../ir/type.ts";
import { undeclaredReason } from "../../ir/undeclared.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { entryOf } from "../../table.ts";
import { isBlockBarrier } from "../asm/asm.ts";
import { type Context, inScope, noteGap, rangeOf, textOf } from "../context.ts";
import { hasEffects, truthOf, unknownValue } from "../expressions/build.ts";
import { constantInteger, folding, whyNotConstant } from "../expressions/constant.ts";
import { conditionOf, convertRead, convertValue } from "../expressions/convert.ts";
import { effect, expression } from "../expressions/expression.ts";
import { launchStatement } from "../expressions/launch.ts";
import { opaque, readValue, type Value } from "../expressions/value.ts";
import { misreadDeclaration } from "../misread/declaration.ts";
import { misreadTableCall } from "../misread/table-call.ts";
import { declareNode } from "../names/declare.ts";
import { Scope } from "../names/scope.ts";
import { foldedByComma } from "../templates/fold.ts";
import { type CxxType, decayed, promoted, referenceTo } from "../types/cxx-type.ts";
import { containsAuto, replaceAuto } from "../types/declarator.ts";
import { decltypeOf } from "../types/type-specifier.ts";
import { reasonOf, Unsupported } from "../unsupported.ts";
import { anonymousUnion, localDeclaration } from "../variables/local.ts";
import { jumpFlag, withoutGotos } from "./goto.ts";
import { doStatement, forStatement, whileStatement } from "./loop.ts";
import { notUnderstood } from "./not-understood.ts";
import { rangeLoop } from "./range-loop.ts";

/** Lowers a statement; what is not understood is an UnknownStatement and a gap. */
export function statement(context: Context, node: SyntaxNode): Statement[] {
  try {
    return dispatch(context, node);
  } catch (error) {
    const reason = reasonOf(error);
    noteGap(context, reason);
    return notUnderstood(context, node, reason);
  }
}

/** The statements between braces, in a scope of their own. */
export function compound(
  context: Context,
  node: SyntaxNode,
  end: "of the function" | "of a block" = "of a block",
): Statement[] {
  const inner = inBlock(context);
  return sequence(inner, withoutGotos(inner, namedChildren(node), end));
}

export function inBlock(context: Context): Context {
  return inScope(context, new Scope("block", context.scope, ""));
}

function sequence(context: Context, nodes: readonly SyntaxNode[]): Statement[] {
  const statements: Statement[] = [];
  for (const node of nodes) {
    const lowered = statement(context, node);
    statements.push(...lowered);
    const last = lowered.at(-1);
    // What follows a jump in one block is dead, unless a label or case leads there.
    if (last && isJump(last) && !nodes.some((each) => each.type === "labeled_statement")) break;
  }
  return statements;
}

function isJump(last: Statement): boolean {
  return last.kind === "return" || last.kind === "break" || last.kind === "continue";
}

function dispatch(context: Context, node: SyntaxNode): Statement[] {
  switch (node.type) {
    case "compound_statement":
      return [{ kind: "block", body: compound(context, node) }];
    case "expression_statement":
      return expressionStatement(context, node);
    case "declaration": {
      const call = misreadTableCall(node);
      return call ? standingAlone(context, call) : localDeclaration(context, node);
    }
    case "if_statement":
      return ifStatement(context, node);
    case "for_statement":
      return forStatement(context, node);
    case "for_range_loop":
      return rangeLoop(context, node);
    case "while_statement":
      return whileStatement(context, node);
    case "do_statement":
      return doStatement(context, node);
    case "switch_statement":
      return switchStatement(context, node);
    case "return_statement":
      return returnStatement(context, node);
    case "break_statement":
      return [{ kind: "break" }];
    case "continue_statement":
      return [{ kind: "continue" }];
    case "labeled_statement":
      return namedChildren(node)
        .filter((child) => child.type !== "statement_identifier")
        .flatMap((child) => statement(context, child));
    case "attributed_statement":
      return namedChildren(node)
        .filter((child) => child.type !== "attribute_declaration")
        .flatMap((child) => statement(context, child));
    case "try_statement": {
      const body = childOf(node, "body");
      return body ? statement(context, body) : [];
    }
    case "union_specifier":
      declareNode(context, node, null);
      return anonymousUnion(context, node);
    case "struct_specifier":
    case "class_specifier":
    case "enum_specifier":
    case "alias_declaration":
    case "type_definition":
    case "using_declaration":
    case "namespace_alias_definition":
    case "template_declaration":
      declareNode(context, node, null);
      return [];
    case "static_assert_declaration":
      noteFailedAssertion(context, node);
      return [];
    case "preproc_call":
    case "comment":
    case "empty_statement":
    case ";":
      return [];
    case "goto_statement":
      return unfollowedJump(context, node);
    case "throw_statement":
      return [{ kind: "return", value: null, range: rangeOf(context, node) }];
    case "function_definition":
      return macroWithBody(context, node);
    default: {
      const flag = jumpFlag(context, node, (child) => statement(context, child));
      if (flag !== null) return flag;
      if (/expression$|literal$|^identifier$/.test(node.type)) return evaluated(context, node);
      throw new Unsupported(
        node.type === "ERROR" || node.hasError
          ? "a syntax error"
          : `${node.type.replaceAll("_", " ")} is not followed`,
      );
    }
  }
}

/** A `static_assert` that is surely false: the compiler goes no further here, and what it would say of the rest means nothing. */
function noteFailedAssertion(context: Context, node: SyntaxNode): void {
  const condition = childOf(node, "condition");
  if (condition === null) return;
  // What is not understood of a condition is no gap of the function.
  const value = constantInteger({ ...context, body: null }, condition);
  if (value !== null && Number(value) === 0) noteGap(context, failedAssertion(textOf(context, condition)));
}

/** A jump that is not structured: from there on nothing is certain. */
function unfollowedJump(context: Context, node: SyntaxNode): Statement[] {
  const reason = "goto is not followed";
  noteGap(context, reason);
  const range = rangeOf(context, node);
  const condition = unknownValue(booleanType, reason);
  return [
    { kind: "if", condition, whenTrue: [{ kind: "return", value: null, range }], whenFalse: [], range },
  ];
}

// --- expressions

function expressionStatement(context: Context, node: SyntaxNode): Statement[] {
  const [inner, ...others] = namedChildren(node);
  if (others.some(({ type }) => type === "ERROR")) noteGap(context, "a syntax error");
  return inner ? standingAlone(context, inner) : [];
}

/** An expression whose value nobody wants. */
export function standingAlone(context: Context, whole: SyntaxNode): Statement[] {
  const inner = withoutParentheses(whole);
  if (inner.type === "comma_expression")
    return ["left", "right"].flatMap((side) => {
      const part = childOf(inner, side);
      return part ? standingAlone(context, part) : [];
    });
  const folded = inner.type === "fold_expression" ? foldedByComma(context, inner, standingAlone) : null;
  if (folded) return folded.flat();
  const chosen = inner.type === "conditional_expression" ? chosenBarrier(context, inner) : null;
  if (chosen) return chosen;
  const declaration = misreadDeclaration(context, inner);
  if (declaration) return localDeclaration(context, declaration);
  if (inner.type === "gnu_asm_expression" && isBlockBarrier(context, inner))
    return [{ kind: "barrier", scope: "block", range: rangeOf(context, inner) }];
  if (inner.type === "call_expression") {
    const barrier = barrierOf(context, inner);
    if (barrier) return [barrier];
    const launch = launchStatement(context, inner);
    if (launch) return [launch];
  }
  return evaluated(context, inner);
}

/** Macros that check for errors put what they are given in parentheses: `CHECK((kernel<<<grid, block>>>(a)))`. */
function withoutParentheses(node: SyntaxNode): SyntaxNode {
  const [inner] = node.type === "parenthesized_expression" ? namedChildren(node) : [];
  return inner === undefined ? node : withoutParentheses(inner);
}

/** `c ? __syncthreads() : __syncwarp();` is an if; null where neither side is a barrier. */
function chosenBarrier(context: Context, node: SyntaxNode): Statement[] | null {
  const [test, yes, no] = ["condition", "consequence", "alternative"].map((field) => childOf(node, field));
  if (!test || !yes || !no || ![yes, no].some((side) => barrierOf(context, side))) return null;
  const condition = conditionOf(context, expression(context, test));
  const known = truthOf(folding(context, condition));
  if (known !== null) return standingAlone(context, known ? yes : no);
  const [whenTrue, whenFalse] = [standingAlone(context, yes), standingAlone(context, no)];
  return [{ kind: "if", condition, whenTrue, whenFalse, range: rangeOf(context, node) }];
}

function evaluated(context: Context, node: SyntaxNode): Statement[] {
  const value = effect(context, node);
  const flat = value.kind === "sequence" && value.result.kind === "constant" ? value.effects : [value];
  const range = rangeOf(context, node);
  return flat.flatMap((each): Statement[] => {
    if (hasEffects(each)) return [{ kind: "evaluate", expression: each, range }];
    if (context.body?.isDevice !== false || !isHandedData(each)) return [];
    return [{ kind: "evaluate", expression: { ...each, writesDataAlone: true }, range }];
  });
}

/** Whether code that is not in sight is given pointers to data, or records that may hold such. */
function isHandedData(value: Expression): value is UnknownExpression {
  if (value.kind !== "unknown" || value.isPure) return false;
  return value.operands.some(({ type }) => type.kind === "pointer" || type.kind === "record");
}

const barriers: Record<string, Barrier["scope"]> = {
  __syncthreads: "block",
  __syncwarp: "warp",
  __barrier_sync: "block",
  __warplint_grid_sync: "grid",
  __threadfence: "fence",
  __threadfence_block: "fence",
  __threadfence_system: "fence",
};

function barrierOf(context: Context, node: SyntaxNode): Barrier | null {
  const callee = childOf(node, "function");
  if (callee?.type !== "identifier") return null;
  const scope = entryOf(barriers, textOf(context, callee));
  return scope ? { kind: "barrier", scope, range: rangeOf(context, node) } : null;
}

// --- conditions

export interface Condition {
  readonly statements: Statement[];
  readonly expression: Expression;
}

/** A condition_clause: an optional initialisation, then a value or a declaration. */
export function condition(context: Context, node: SyntaxNode): Condition {
  if (node.type !== "condition_clause")
    return { statements: [], expression: conditionOf(context, expression(context, node)) };
  const statements: Statement[] = [];
  const initializer = childOf(node, "initializer");
  if (initializer)
    for (const child of namedChildren(initializer)) statements.push(...statement(context, child));
  const value = childOf(node, "value");
  if (value === null) throw new Unsupported("an empty condition");
  if (value.type !== "declaration") {
    return { statements, expression: conditionOf(context, expression(context, value)) };
  }
  statements.push(...localDeclaration(context, value));
  const declared = statements.at(-1);
  if (declared?.kind !== "declare") throw new Unsupported("a condition that declares no variable");
  const [entity] = context.scope.own(declared.variable.name);
  if (entity?.kind !== "variable") throw new Unsupported("a condition that declares no variable");
  const { type, variable } = entity.get();
  const place = { kind: "variable", variable, offsetBytes: 0, type: variable.type } as const;
  const load: Expression = { kind: "load", type: variable.type, place, site: null };
  return { statements, expression: conditionOf(context, { kind: "value", type, expression: load }) };
}

/** `FOR_EACH(i, n) { … }` with a macro that is defined nowhere: whether, how often and with what its body is run is not known. */
function macroWithBody(context: Context, node: SyntaxNode): Statement[] {
  const body = childOf(node, "body");
  const declarator = childOf(node, "declarator");
  const name = declarator && childOf(declarator, "declarator");
  if (!body || !name || childOf(node, "type") !== null) throw new Unsupported("a function inside a function");
  const reason = undeclaredReason(textOf(context, name), "function");
  noteGap(context, reason);
  const condition = unknownValue({ kind: "boolean" }, reason);
  return [
    { kind: "if", condition, whenTrue: branch(context, body), whenFalse: [], range: rangeOf(context, node) },
  ];
}

function ifStatement(context: Context, node: SyntaxNode): Statement[] {
  const conditionNode = childOf(node, "condition");
  const yes = childOf(node, "consequence");
  if (conditionNode === null || yes === null) throw new Unsupported("an incomplete if");
  const inner = inBlock(context);
  const { statements, expression: test } = condition(inner, conditionNode);
  const alternative = childOf(node, "alternative");
  const no = alternative?.type === "else_clause" ? (namedChildren(alternative)[0] ?? null) : alternative;
  const folded = folding(context, test);
  const known = truthOf(folded);
  if (known !== null) {
    const taken = known ? yes : no;
    const body = taken ? branch(inner, taken) : [];
    return wrapped([...statements, ...body]);
  }
  const result: Statement = {
    kind: "if",
    condition: test,
    whenTrue: branch(inner, yes),
    whenFalse: no ? branch(inner, no) : [],
    range: rangeOf(context, node),
  };
  return statements.length > 0 ? [{ kind: "block", body: [...statements, result] }] : [result];
}

function wrapped(body: Statement[]): Statement[] {
  return body.length > 1 && body.some((each) => each.kind === "declare") ? [{ kind: "block", body }] : body;
}

/** The statements of a branch or loop body, without a block around them. */
export function branch(context: Context, node: SyntaxNode): Statement[] {
  return node.type === "compound_statement" ? compound(context, node) : statement(inBlock(context), node);
}

// --- switch

function switchStatement(context: Context, node: SyntaxNode): Statement[] {
  const conditionNode = childOf(node, "condition");
  const body = childOf(node, "body");
  if (conditionNode === null || body === null) throw new Unsupported("an incomplete switch");
  const inner = inBlock(context);
  const value = childOf(conditionNode, "value");
  if (value === null) throw new Unsupported("an empty switch");
  const initializer = childOf(conditionNode, "initializer");
  const before = initializer ? namedChildren(initializer).flatMap((child) => statement(inner, child)) : [];
  const read = readValue(inner, expression(inner, value));
  const selector = convertRead(inner, read, promoted(read.type));
  const cases: SwitchCase[] = [];
  for (const child of namedChildren(body)) {
    if (child.type === "case_statement") addCase(inner, child, cases);
    else appendTo(cases, statement(inner, child));
  }
  const unknown = openLabel(context, body);
  const open = unknown === null ? selector : unknownValue(selector.type, unknown, [selector]);
  return [...before, { kind: "switch", selector: open, cases, range: rangeOf(context, node) }];
}

/** Why a label of a switch is no constant, so that nobody knows which case is taken; null where all are. */
function openLabel(context: Context, body: SyntaxNode): string | null {
  for (const child of namedChildren(body)) {
    if (child.type !== "case_statement") continue;
    const value = childOf(child, "value");
    if (value && constantInteger(context, value) === null) return whyNotConstant(context, value);
    const inner = openLabel(context, child);
    if (inner !== null) return inner;
  }
  return null;
}

/** Stands for a label of which the value is not known: no other case has it. */
function unusedLabel(cases: readonly SwitchCase[]): number {
  return firstUnusedLabel - cases.reduce((count, { values }) => count + values.length, 0);
}

const firstUnusedLabel = -0x7fff0000;

/** `case 1: case 2: …` nests in the grammar: labels in a row share one body. */
function addCase(context: Context, node: SyntaxNode, cases: SwitchCase[]): void {
  const valueNode = childOf(node, "value");
  const label = valueNode ? constantInteger(context, valueNode) : null;
  const value: Scalar | null = valueNode && label === null ? unusedLabel(cases) : label;
  const last = cases.at(-1);
  if (last && last.body.length === 0) cases.splice(-1, 1, { values: [...last.values, value], body: [] });
  else cases.push({ values: [value], body: [] });
  for (const child of namedChildren(node)) {
    if (child === valueNode) continue;
    if (child.type === "case_statement") addCase(context, child, cases);
    else appendTo(cases, statement(context, child));
  }
}

function appendTo(cases: SwitchCase[], statements: readonly Statement[]): void {
  const last = cases.at(-1);
  if (last) cases.splice(-1, 1, { ...last, body: [...last.body, ...statements] });
}

// --- return

function returnStatement(context: Context, node: SyntaxNode): Statement[] {
  const [inner] = namedChildren(node);
  const range = rangeOf(context, node);
  const { body } = context;
  if (!inner || body === null) return [{ kind: "return", value: null, range }];
  const value: Value =
    inner.type === "initializer_list" ? { kind: "list", node: inner, context } : expression(context, inner);
  const result =
    body.result === null || containsAuto(body.result)
      ? deduced(context, body.result, inner, value)
      : body.result;
  body.result = result;
  if (result.kind === "fundamental" && result.ir.kind === "void") {
    const read = value.kind === "list" ? opaque("{}", "{}").expression : readValue(context, value).expression;
    return [
      ...(hasEffects(read) ? [{ kind: "evaluate" as const, expression: read, range }] : []),
      { kind: "return", value: null, range },
    ];
  }
  return [{ kind: "return", value: convertValue(context, value, result), range }];
}

function deduced(context: Context, declared: CxxType | null, node: SyntaxNode, value: Value): CxxType {
  if (declared?.kind === "auto" && declared.keeps === "reference" && value.kind !== "list")
    return decltypeOf(context, node, () => value);
  const plain =
    value.kind === "list" ? null : value.kind === "place" ? value.type : readValue(context, value).type;
  if (plain === null) throw new Unsupported("a brace list as the result of auto");
  if (declared?.kind === "reference") return referenceTo(replaceAuto(declared.target, plain), declared.binds);
  return declared ? replaceAuto(declared, decayed(plain)) : decayed(plain);
}
