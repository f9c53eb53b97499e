// What later passes ask of loops as they were written: how many rounds they make, whether a branch alone is before their step.
import type { Loop } from "../../ir/statement.ts";
import { assignedVariables, forEachExpression, forEachStatement } from "../walks/walk.ts";
import type { Context } from "./context.ts";
import type { TripCount } from "./trip-count.ts";
import { jumpsOf, withoutContinue } from "./trips-in-a-row.ts";
import type { UnrollPlan } from "./unroll.ts";

/** Notes the loop in `knownRounds`, `nearlyUnrolled` and `beforeSteps`. */
export function noteLoop(
  loop: Loop,
  counted: TripCount | null,
  plan: UnrollPlan | null,
  context: Context,
): void {
  noteRounds(loop, counted, plan, context);
  if (plan?.kind === "nearly-full") context.nearlyUnrolled.add(loop.range);
  noteBranchBeforeStep(loop, context);
}

function noteRounds(
  { range, body }: Loop,
  counted: TripCount | null,
  plan: UnrollPlan | null,
  { knownRounds }: Context,
): void {
  const isKnown = counted?.ending === "counted" && jumpsOf(body) === "none";
  const isSure = plan?.kind !== "partial" || !plan.isAtLimit;
  const rounds = plan?.kind === "partial" ? plan.rounds : (counted?.trips ?? null);
  const known = isKnown && isSure ? rounds : null;
  const before = knownRounds.get(range);
  knownRounds.set(range, before === undefined || before === known ? known : null);
}

function noteBranchBeforeStep({ body, step }: Loop, { beforeSteps }: Context): void {
  let last = step.length === 0 ? undefined : withoutContinue(body)?.at(-1);
  while (last?.kind === "block") last = last.body.at(-1);
  if (last?.kind === "if") beforeSteps.add(last.range);
}

/** The variables that the loop's condition reads and its trips change, by the names that its statements have for them. */
export function countersOf(loop: Loop, { renamed }: Context): ReadonlySet<number> {
  const counters = new Set<number>();
  const assigned = assignedVariables([loop]);
  if (loop.condition)
    forEachExpression(loop.condition, (node) => {
      if (node.kind !== "load" || node.place.kind !== "variable") return;
      const { id } = node.place.variable;
      if (assigned.has(id)) counters.add(renamed.get(id)?.id ?? id);
    });
  return counters;
}

/** LLVM makes the remainder behind the unrolled loop where an integer that is carried from trip to trip starts from a constant. */
export function noteStart(statement: Loop, assigned: ReadonlySet<number>, context: Context): void {
  const inner = new Set<number>();
  forEachStatement(statement.body, (one) => {
    if (one.kind === "declare") inner.add(one.variable.id);
  });
  let from: "constant" | "variable" = "variable";
  for (const id of assigned) {
    const known = context.knowledge.get(context.renamed.get(id)?.id ?? id);
    if (!inner.has(id) && typeof known === "number") from = "constant";
  }
  const before = context.countedFrom.get(statement.range);
  context.countedFrom.set(statement.range, before && before !== from ? "both" : from);
}
