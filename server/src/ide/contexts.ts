// The accesses at a place, their contexts by operation, and what each costs: what hovers, lenses and the panel start from.
import type { AccessOperation, Figure } from "../evaluate/profile.ts";
import { isIdealRatio, ratioOf } from "../render/access-words.ts";
import type { AccessContext, AccessFinding, AccessGroup } from "../rules/finding.ts";
import { figureOf } from "../rules/judge.ts";
import type { AnalysedFile } from "./analysis.ts";
import type { OffsetRange } from "./types.ts";

/** A context with its figure: the average request, or the least that is certain. */
export interface RatedContext extends AccessContext {
  /** Null where nothing is known. */
  readonly figure: Figure | null;
  readonly ratio: number | null;
}

/** One access in the source, as one operation: `a[i] += 1` is a load and a store. */
export interface RatedAccess {
  readonly group: AccessGroup;
  readonly operation: AccessOperation;
  /** Worst first, those of which nothing is known last; of assumed blocks some of which are ideal, the likeliest first. At least one. */
  readonly contexts: readonly RatedContext[];
  /** The first: what stands for the access. */
  readonly worst: RatedContext;
}

/** The accesses of the innermost range that holds `offset`, the dearest first. */
export function accessesAt({ groups }: AnalysedFile, offset: number): RatedAccess[] {
  const around = groups.filter(({ range }) => holds(range, offset));
  const innermost = around.reduce<OffsetRange | null>(
    (best, { range }) => (best === null || lengthOf(range) < lengthOf(best) ? range : best),
    null,
  );
  if (innermost === null) return [];
  return ratedAccesses(
    around.filter(({ range }) => range.start === innermost.start && range.end === innermost.end),
  );
}

/** Each access of `groups` by operation, the dearest first. */
export function ratedAccesses(groups: readonly AccessGroup[]): RatedAccess[] {
  return groups.flatMap(byOperation).sort((a, b) => ratioForOrder(b.worst) - ratioForOrder(a.worst));
}

/** The finding that stands on an access, the most severe kind first. */
export function findingOn({ report }: AnalysedFile, { group }: RatedAccess): AccessFinding | null {
  const { range, space } = group;
  const found = report.findings.filter(
    (finding): finding is AccessFinding =>
      finding.kind === "access" &&
      finding.range.start === range.start &&
      finding.range.end === range.end &&
      finding.worst.access.space === space,
  );
  return found.find(({ rule }) => rule === "misaligned-vector-access") ?? found[0] ?? null;
}

export function rated(context: AccessContext): RatedContext {
  const figure = figureOf(context.access);
  return { ...context, figure, ratio: figure === null ? null : ratioOf(figure) };
}

/** Whether `offset` stands in `range` or right behind it, as a cursor does. */
export function holds({ start, end }: OffsetRange, offset: number): boolean {
  return start <= offset && offset <= end;
}

function byOperation(group: AccessGroup): RatedAccess[] {
  const operations = [...new Set(group.contexts.map(({ access }) => access.operation))];
  return operations.flatMap((operation) => {
    const own = group.contexts.filter(({ access }) => access.operation === operation).map(rated);
    const contexts = isLikeliestFirst(own) ? own : own.sort((a, b) => ratioForOrder(b) - ratioForOrder(a));
    const [worst] = contexts;
    return worst === undefined ? [] : [{ group, operation, contexts, worst }];
  });
}

/** Of blocks that were assumed, and some of which are ideal, the likeliest stands for the access, as it does for the kernel's lens. */
function isLikeliestFirst(contexts: readonly RatedContext[]): boolean {
  const isAssumed = contexts.every(({ launch }) => launch.origin.kind === "assumed");
  return isAssumed && contexts.some(({ ratio }) => ratio === null || isIdealRatio(ratio));
}

/** What is not known comes behind all that is. */
function ratioForOrder({ ratio }: RatedContext): number {
  return ratio ?? -1;
}

function lengthOf({ start, end }: OffsetRange): number {
  return end - start;
}
