// What a body holds that several passes want to know of before they start, found in one walk: bodies are long, and walks are what passes cost.
import type { Expression, Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { isBypassCopy } from "../join/predicated-copies.ts";
import { type Usage, UsageCollector } from "./usage.ts";
import { forEachExpression, forEachExpressionOf, forEachStatement, isRemovable } from "./walk.ts";

export interface Survey {
  readonly usage: Usage;
  /** What the body mentions of shared memory, for the rest of it there is no room kept: those that are declared in the body first. */
  readonly sharedVariables: readonly Variable[];
  /** Ids of variables whose address something can still see: not of those whose address went only into pointers that nobody reads. */
  readonly escaped: ReadonlySet<number>;
  readonly hasLoops: boolean;
  readonly hasAtomics: boolean;
  readonly hasBypassCopies: boolean;
  /** Whether integers are loaded from memory, or some of the bytes of what is held are read. */
  readonly hasPartialLoads: boolean;
}

export function surveyOf(body: readonly Statement[]): Survey {
  const usage = new UsageCollector();
  const declared = new Map<number, Variable>();
  const mentioned = new Map<number, Variable>();
  const taken = new Map<Expression, number>();
  let hasLoops = false;
  let hasAtomics = false;
  let hasBypassCopies = false;
  let hasPartialLoads = false;
  forEachStatement(body, (statement) => {
    if (statement.kind === "loop") hasLoops = true;
    else if (statement.kind === "declare" && isShared(statement.variable))
      declared.set(statement.variable.id, statement.variable);
  });
  forEachExpressionOf(body, (node) => {
    switch (node.kind) {
      case "assign":
        usage.visit(node);
        return;
      case "load":
        usage.visit(node);
        hasPartialLoads ||= mayBePart(node);
        if (node.place.kind === "memory") return;
        if (isShared(node.place.variable)) mentioned.set(node.place.variable.id, node.place.variable);
        return;
      case "address": {
        if (node.place.kind !== "variable") return;
        const { variable } = node.place;
        if (isShared(variable)) mentioned.set(variable.id, variable);
        else if (variable.storage === "automatic") taken.set(node, variable.id);
        return;
      }
      case "intrinsic":
        hasAtomics ||= intrinsicEffect(node.name) === "atomic";
        hasPartialLoads ||= node.name === "__double_as_longlong";
        hasBypassCopies ||= isBypassCopy(node.name);
    }
  });
  return {
    usage,
    sharedVariables: [...new Map([...declared, ...mentioned]).values()].filter(({ id }) => mentioned.has(id)),
    escaped: escapedAmong(taken, body),
    hasLoops,
    hasBypassCopies,
    hasAtomics,
    hasPartialLoads,
  };
}

/** Whether bits that are loaded may be more than what is used of them. */
function mayBePart({ place, type }: Load): boolean {
  if (place.kind === "memory") return type.kind === "integer";
  const whole = place.variable.type;
  if (type.kind === "integer") return whole.kind !== "integer";
  return type.kind === "float" && whole.kind === "float" && type.format !== whole.format;
}

function isShared({ storage }: Variable): boolean {
  return storage === "shared" || storage === "dynamic-shared";
}

/**
 * `taken`: the expressions that take an address, with the id of the variable whose address it is. A pointer that is only handed on to pointers
 * that nobody reads is not read either.
 */
function escapedAmong(taken: Map<Expression, number>, body: readonly Statement[]): ReadonlySet<number> {
  if (taken.size === 0) return new Set();
  const reads = new Map<number, number>();
  forEachExpressionOf(body, (node) => {
    const id = readVariable(node);
    if (id !== null) reads.set(id, (reads.get(id) ?? 0) + 1);
  });
  const assigned = new Map<number, Expression[]>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return;
    const { place, value } = statement.expression;
    if (place.kind !== "variable") return;
    const values = assigned.get(place.variable.id);
    if (values) values.push(value);
    else assigned.set(place.variable.id, [value]);
  });
  const unread = [...assigned.keys()].filter((id) => !reads.has(id));
  for (const pointer of unread)
    for (const value of assigned.get(pointer) ?? []) {
      // An atomic reads its operands, whoever reads its result.
      if (!isRemovable(value)) continue;
      forEachExpression(value, (node) => {
        taken.delete(node);
        const id = readVariable(node);
        if (id === null) return;
        const left = (reads.get(id) ?? 0) - 1;
        reads.set(id, left);
        if (left === 0) unread.push(id);
      });
    }
  return new Set(taken.values());
}

function readVariable(node: Expression): number | null {
  return node.kind === "load" && node.place.kind === "variable" ? node.place.variable.id : null;
}
