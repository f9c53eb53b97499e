// Where lowering stands: the program being built, the text it reads, the scope, and the function it is in.
import type { BuildMacro, CompilerDoubt, Convention } from "../ir/assumption.ts";
import type { Expression } from "../ir/expression.ts";
import type { Type } from "../ir/type.ts";
import { alignmentOf } from "../ir/type.ts";
import type { Storage, Variable } from "../ir/variable.ts";
import type { SyntaxNode } from "../syntax/node.ts";
import type { SyntaxUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import type { Scope } from "./names/scope.ts";
import type { Translation } from "./translation.ts";
import type { ClassInfo } from "./types/class.ts";
import type { CxxType, Side } from "./types/cxx-type.ts";
import { Unsupported } from "./unsupported.ts";

export interface Context {
  readonly translation: Translation;
  readonly unit: SyntaxUnit;
  readonly scope: Scope;
  /** The function whose body is being lowered; null in declarations outside of functions. */
  readonly body: FunctionBody | null;
}

/** What gathers while one function body is lowered. */
export interface FunctionBody {
  readonly isDevice: boolean;
  readonly gaps: Set<string>;
  readonly assumptions: Map<string, Convention | BuildMacro>;
  readonly doubts: Set<CompilerDoubt>;
  /** Variables of the lowering's own, declared at the start of the function. */
  readonly temporaries: Variable[];
  /** By label: whether a jump to it is under way, which leaves the loops around it one by one. */
  readonly jumpFlags: Map<string, Variable>;
  /** `this`, inside members and lambdas. */
  readonly self: { readonly pointer: Expression; readonly info: ClassInfo; readonly isConst: boolean } | null;
  /** The declared result; `auto` until the first return statement tells. */
  result: CxxType | null;
  /** Expressions that may still be lowered: a bound on hostile nesting. */
  budget: number;
}

export function textOf(context: Context, node: SyntaxNode): string {
  return context.unit.text.slice(node.start, node.end);
}

export function rangeOf(context: Context, node: SyntaxNode): SourceRange {
  return context.unit.rangeOf(node.start, node.end);
}

export function inScope(context: Context, scope: Scope): Context {
  const { translation, unit, body } = context;
  return { translation, unit, scope, body };
}

/** Where the body at hand runs; what both sides may run counts as the device's. */
export function sideOf(context: Context): Side {
  return context.body?.isDevice === false ? "host" : "device";
}

/** Notes why something was not understood, for the function's `gaps`. */
export function noteGap(context: Context, reason: string): void {
  context.body?.gaps.add(reason);
}

export function spend(context: Context): void {
  const body = context.body;
  if (body === null) return;
  body.budget -= 1;
  if (body.budget < 0) throw new Unsupported("the function is too large");
}

/** A new variable; its alignment is that of its type, or more where asked for. */
export function newVariable(
  context: Context,
  name: string,
  type: Type,
  options: { storage?: Storage; alignmentBytes?: number; range?: SourceRange | null } = {},
): Variable {
  return {
    id: context.translation.nextId(),
    name,
    type,
    storage: options.storage ?? "automatic",
    alignmentBytes: Math.max(alignmentOf(type) ?? 1, options.alignmentBytes ?? 1),
    range: options.range ?? null,
  };
}

/** A variable of the lowering's own. */
export function temporary(context: Context, type: Type): Variable {
  const body = context.body;
  if (body === null) throw new Unsupported("needs a temporary outside of a function");
  const variable = newVariable(context, `$${body.temporaries.length}`, type);
  body.temporaries.push(variable);
  return variable;
}

/** Whether the variable is one that no text names. */
export function isTemporary({ name }: Variable): boolean {
  return name.startsWith("$");
}

const expressionBudget = 400_000;

/** A body for expressions outside of any function: sizes, default arguments, initializers of namespaces. */
export function emptyBody(more: Partial<FunctionBody> = {}): FunctionBody {
  return {
    isDevice: true,
    gaps: new Set(),
    assumptions: new Map(),
    doubts: new Set(),
    temporaries: [],
    jumpFlags: new Map(),
    self: null,
    result: null,
    budget: expressionBudget,
    ...more,
  };
}
