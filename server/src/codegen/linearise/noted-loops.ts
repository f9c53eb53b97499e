// What later passes ask of loops as they were written: how many rounds they make, whether a branch alone is before their step.
import type { Loop } from "../../ir/statement.ts";
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
