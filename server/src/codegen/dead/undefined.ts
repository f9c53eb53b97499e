// Stores of parts of locals that nothing was ever assigned to (`V v; v.x = 1; *p = v;`): any value will do, so that LLVM leaves them out.
import type { Expression, VariablePlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { type RecordType, sizeOf } from "../../ir/type.ts";
import { mapFromEnd, mapLists } from "../walks/rebuild.ts";
import {
  forEachExpressionOf,
  forEachStatement,
  hasLists,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";

interface AssignedPart {
  readonly start: number;
  readonly end: number;
  readonly value: Expression;
}

interface Locals {
  /** Ids of those that are declared without a value. */
  readonly declared: ReadonlySet<number>;
  /** By id, what is assigned anywhere; an id is missing where nothing is. */
  readonly assigned: ReadonlyMap<number, readonly AssignedPart[]>;
  readonly escaped: ReadonlySet<number>;
}

/** How many copies (`u = v; *p = u;`) a part is followed through. */
const mostCopies = 4;

/**
 * The body without such stores. One assignment on some way is enough for LLVM to take its value on all of them (cases undefined_parts). Of a
 * local that nothing is assigned to at all we say nothing: what assigns it may be what we do not see.
 */
export function withoutUndefinedStores(
  body: readonly Statement[],
  escaped: ReadonlySet<number>,
): readonly Statement[] {
  const declared = new Set<number>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "declare" || statement.initializer !== null) return;
    const { id, type, storage } = statement.variable;
    const element = type.kind === "array" ? type.element : type;
    const hasParts = element.kind === "record" ? isCopiedByField(element) : element !== type;
    if (hasParts && storage === "automatic" && !escaped.has(id)) declared.add(id);
  });
  if (declared.size === 0 || isNotUnderstood(body)) return body;
  const assigned = new Map<number, AssignedPart[]>();
  forEachExpressionOf(body, noteAssigned, assigned);
  return withoutStores(body, { declared, assigned, escaped });
}

/** Whether there is what may assign to anything. */
function isNotUnderstood(body: readonly Statement[]): boolean {
  return (
    someStatement(body, ({ kind }) => kind === "unknown") ||
    someExpressionOf(body, ({ kind }) => kind === "unknown")
  );
}

/** Arrays within a record are copied as whole words, and so are pairs of halves by their classes: one part of them is enough. */
function isCopiedByField({ fields }: RecordType): boolean {
  return fields.every(({ type }) => {
    if (type.kind === "record") return isCopiedByField(type);
    return type.kind === "float"
      ? type.format === "single" || type.format === "double"
      : type.kind !== "array";
  });
}

function withoutStores(list: readonly Statement[], locals: Locals): readonly Statement[] {
  return mapFromEnd(list, (statement) => {
    if (hasLists(statement)) return mapLists(statement, (inner) => withoutStores(inner, locals));
    return storesUndefined(statement, locals) ? null : statement;
  });
}

function storesUndefined(statement: Statement, locals: Locals): boolean {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place, site, value } = statement.expression;
  return place.kind === "memory" && site?.isVolatile !== true && isUndefined(value, locals, mostCopies);
}

function isUndefined(value: Expression, locals: Locals, copies: number): boolean {
  if (value.kind !== "load" || value.place.kind !== "variable" || copies === 0) return false;
  const { variable } = value.place;
  const parts = locals.assigned.get(variable.id);
  const extent = extentOf(value.place);
  if (!parts || !extent || locals.escaped.has(variable.id)) return false;
  const overlapping = parts.filter(({ start, end }) => start < extent.end && extent.start < end);
  if (overlapping.length === 0) return locals.declared.has(variable.id);
  return overlapping.every((part) => isUndefined(part.value, locals, copies - 1));
}

/** What has an address may be assigned to through it, in all of its parts. */
function noteAssigned(node: Expression, assigned: Map<number, AssignedPart[]>): void {
  if ((node.kind !== "assign" && node.kind !== "address") || node.place.kind !== "variable") return;
  const { id } = node.place.variable;
  const part =
    node.kind === "assign"
      ? { ...(extentOf(node.place) ?? everything), value: node.value }
      : { ...everything, value: node };
  const known = assigned.get(id);
  if (known) known.push(part);
  else assigned.set(id, [part]);
}

const everything = { start: 0, end: Number.POSITIVE_INFINITY };

function extentOf({ offsetBytes, type }: VariablePlace): Omit<AssignedPart, "value"> | null {
  const bytes = sizeOf(type);
  return bytes === null ? null : { start: offsetBytes, end: offsetBytes + bytes };
}
