// The accesses of a kernel that an evaluation did not come to before its budget ended: listed, so that nobody takes them for free.

import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../ir/function.ts";
import { forEachExpression, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { memoryOf } from "../../ir/variable.ts";
import { typedStack } from "../../text/source.ts";
import type { AccessOperation, AccessProfile, MemorySpace, Verdict } from "../profile.ts";
import { unreachedReason } from "./coverage.ts";

/** Of accesses that no region came to which was evaluated to its end. */
const budgetEnded: Verdict = {
  kind: "unknown",
  reason: unreachedReason,
  dependsOnData: false,
  assumptions: [],
};

/** Unknown profiles of the accesses in `definition` and the functions that it calls, but for those at `seen` sites. */
export function unreachedAccesses(
  program: Program,
  definition: FunctionDefinition,
  seen: ReadonlySet<AccessSite>,
): AccessProfile[] {
  return [...accessesIn(program, definition)].flatMap(([site, access]) =>
    seen.has(site) ? [] : [unknownProfile(access)],
  );
}

/** The accesses in `definition` and the functions that it calls, by their sites. */
export function accessesIn(
  program: Program,
  definition: FunctionDefinition,
): ReadonlyMap<AccessSite, Access> {
  const found = new Map<AccessSite, Access>();
  const visited = new Set<FunctionId>();
  const visit = (expression: Expression): void => {
    for (const operand of operandsOf(expression)) visit(operand);
    if (expression.kind === "call") visitFunction(program.functionOf(expression.callee));
    const access = accessOf(expression);
    if (access && !found.has(access.site)) found.set(access.site, access);
  };
  const visitFunction = (called: FunctionDefinition | null): void => {
    if (!called || visited.has(called.id)) return;
    visited.add(called.id);
    forEachExpression(called.body, visit);
  };
  visitFunction(definition);
  return found;
}

/** The accesses in `statements`, those of functions that they call left out. */
export function ownSitesIn(statements: readonly Statement[]): Set<AccessSite> {
  const sites = new Set<AccessSite>();
  const visit = (expression: Expression): void => {
    for (const operand of operandsOf(expression)) visit(operand);
    if ("site" in expression && expression.site !== null) sites.add(expression.site);
  };
  forEachExpression(statements, visit);
  return sites;
}

interface Access {
  readonly site: AccessSite;
  readonly operation: AccessOperation;
  readonly space: MemorySpace;
  readonly bytes: number;
}

/** The access that an expression itself is; null where it is none, or one of registers or constants. */
function accessOf(expression: Expression): Access | null {
  if (expression.kind === "intrinsic") {
    const { site, name, arguments: operands, type } = expression;
    const [pointer] = operands;
    if (!site || !pointer || !name.startsWith("atomic")) return null;
    return { site, operation: "atomic", space: spaceOf(pointer), bytes: sizeOf(type) ?? 0 };
  }
  if (expression.kind !== "load" && expression.kind !== "assign") return null;
  const { site, place, kind, type } = expression;
  if (!site || place.kind !== "memory") return null;
  const space = spaceOf(place.pointer);
  if (space === "local" || space === "constant") return null;
  return { site, operation: kind === "load" ? "load" : "store", space, bytes: sizeOf(type) ?? 0 };
}

/** As far as the pointer itself shows it: that of the array that it starts from. */
function spaceOf(pointer: Expression): MemorySpace {
  let at = pointer;
  while (at.kind === "offset" || at.kind === "convert") at = at.kind === "offset" ? at.pointer : at.operand;
  if (at.kind !== "address" || at.place.kind !== "variable") return "unknown";
  const memory = memoryOf(at.place.variable);
  return memory === "automatic" ? "local" : memory;
}

/** The access as one of which nothing but its place is known, for the budget had ended. */
export function withoutFigures(access: AccessProfile): AccessProfile {
  return { ...access, ...noFigures, verdict: budgetEnded };
}

function unknownProfile({ site, operation, space, bytes }: Access): AccessProfile {
  const stack = typedStack([site.range, ...(site.stack ?? [])]);
  return {
    range: stack[0] ?? site.range,
    expression: site.expression,
    stack,
    mergedRanges: site.merged,
    space,
    operation,
    variant: operation,
    bytes,
    target: null,
    verdict: budgetEnded,
    ...noFigures,
  };
}

const noFigures = {
  requests: null,
  laneCount: null,
  totals: null,
  uncounted: { reason: unreachedReason, dependsOnData: false },
  perRequest: null,
  worst: null,
  misaligned: null,
  columns: null,
  leavesArray: false,
  neighbours: null,
};
