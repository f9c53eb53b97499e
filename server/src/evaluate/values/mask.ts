// Which lanes execute. A lane that is `uncertain` executes only if something unknown lets it; where something `mayPassBy` the whole
// warp does or doesn't, all lanes together.
import { allLanes } from "./lanes.ts";
import { openLanes, oppositeOrder } from "./predicates.ts";
import type { LaneOrder, Predicate } from "./value.ts";

export interface Mask {
  readonly active: number;
  /** Within `active`. */
  readonly uncertain: number;
  /** What may lead the whole warp past, all lanes together; null where nothing does. */
  readonly mayPassBy: WhyUnknown | null;
  /** The last test of data that the whole warp may have failed to pass, by its identity: what one of them lets through is made together. */
  readonly decision: Predicate | null;
  /** What lets the uncertain lanes take part; null where none is uncertain. */
  readonly cause: Cause | null;
}

/** What is not known, and whether it is the contents of memory that decide it (else sizes and positions). */
export interface WhyUnknown {
  /** For people: "n", "data[i]". */
  readonly reason: string;
  readonly dependsOnData: boolean;
}

export interface Cause extends WhyUnknown {
  /** Which of the uncertain lanes take part, if any do; null where in no order. */
  readonly order: LaneOrder | null;
}

export const emptyMask: Mask = { active: 0, uncertain: 0, mayPassBy: null, decision: null, cause: null };

/** A mask whose lanes all take part. */
export function sureMask(active: number): Mask {
  return { active, uncertain: 0, mayPassBy: null, decision: null, cause: null };
}

/** Whether all active lanes take part, whatever is not known. */
export function isSure({ uncertain, mayPassBy }: Mask): boolean {
  return uncertain === 0 && mayPassBy === null;
}

export function restrict(mask: Mask, lanes: number): Mask {
  return lanes === allLanes
    ? mask
    : {
        active: mask.active & lanes,
        uncertain: mask.uncertain & lanes,
        mayPassBy: mask.mayPassBy,
        decision: mask.decision,
        cause: (mask.uncertain & lanes) === 0 ? null : mask.cause,
      };
}

/** Lanes of either mask; a lane is uncertain where it is so in one of them. */
export function unite(a: Mask, b: Mask): Mask {
  if (a.active === 0) return b;
  if (b.active === 0) return a;
  return {
    active: a.active | b.active,
    uncertain: a.uncertain | b.uncertain,
    mayPassBy: dataFirst(a.mayPassBy, b.mayPassBy),
    decision: a.decision ?? b.decision,
    cause: eitherCause(a.cause, b.cause),
  };
}

/** Of two things that are not known, what data decide: no reading of the source would settle that. */
export function dataFirst<Why extends WhyUnknown>(a: Why | null, b: Why | null): Why | null {
  return a && (a.dependsOnData || !b?.dependsOnData) ? a : b;
}

/** What may lead a warp past that comes behind a test whose open lanes go one way together. */
export function passedBy(mask: Mask, { doubt }: Predicate): WhyUnknown {
  return dataFirst<WhyUnknown>(mask.mayPassBy, doubt) ?? { reason: "a test", dependsOnData: false };
}

/** The cause of a mask whose uncertain lanes come from two: which of them take part is then no longer in order. */
function eitherCause(a: Cause | null, b: Cause | null): Cause | null {
  if (!a || !b || a === b) return a ?? b;
  const first = dataFirst(a, b);
  return first && { ...first, order: null };
}

/** The cause where uncertain lanes have to pass another test. The first lanes of the first ones are the first, if it is the same ones that are asked. */
function bothCauses(mask: Mask, cause: Cause | null, open: number): Cause | null {
  const either = eitherCause(mask.cause, cause);
  const order = mask.cause?.order ?? null;
  const isKept =
    order !== null && order !== "all but one" && order === cause?.order && mask.uncertain === open;
  return either && isKept ? { ...either, order } : either;
}

/** What several such causes together are, of which each may be about a lane of its own. */
export function severalOf(cause: Cause | null): Cause | null {
  const isOfOne = cause?.order === "one" || cause?.order === "all but one";
  return cause && isOfOne ? { ...cause, order: null } : cause;
}

/** The masks of the two sides of a branch, and how they meet again. */
export interface Branch {
  readonly whenTrue: Mask;
  readonly whenFalse: Mask;
  /** Lanes that may go either way. */
  readonly open: number;
  /** Whether all open lanes go the same way. */
  readonly isTogether: boolean;
}

/** What decides of a warp that comes behind a test, which all of its lanes pass or none. */
export function decisionOf(mask: Mask, predicate: Predicate): Predicate | null {
  return predicate.doubt?.dependsOnData ? predicate : mask.decision;
}

/** Divides `mask` by a predicate whose dimensions need no more splitting. */
export function branch(mask: Mask, predicate: Predicate): Branch {
  const open = openLanes(predicate, mask.active);
  const isTogether = open !== 0 && open === mask.active && (predicate.doubt?.isUniform ?? false);
  const isUniform = open !== 0 && (predicate.doubt?.isUniform ?? false);
  const side = (lanes: number, sure: number, opens: "holds" | "fails"): Mask => {
    const active = mask.active & lanes;
    // Open lanes that agree, and nobody else: all of them pass, or none does.
    if (isUniform && (sure & mask.active) === 0)
      return {
        ...restrict(mask, lanes),
        mayPassBy: passedBy(mask, predicate),
        decision: decisionOf(mask, predicate),
      };
    const uncertain = (mask.uncertain | open) & active;
    const cause = causeOf(predicate, open, opens);
    const isOneCause = mask.uncertain === 0 || open === 0;
    const causes = isOneCause ? (cause ?? mask.cause) : bothCauses(mask, cause, open);
    const { mayPassBy, decision } = mask;
    return { active, uncertain, mayPassBy, decision, cause: uncertain === 0 ? null : causes };
  };
  return {
    whenTrue: side(~predicate.no | open, predicate.yes, "holds"),
    whenFalse: side(~predicate.yes | open, predicate.no, "fails"),
    open,
    isTogether,
  };
}

/** What lets the lanes that a predicate leaves open take part on one of its sides. */
function causeOf(predicate: Predicate, open: number, opens: "holds" | "fails"): Cause | null {
  const { doubt } = predicate;
  if (!doubt || open === 0) return null;
  const { reason, dependsOnData, order } = doubt;
  return { reason, dependsOnData, order: opens === "holds" ? order : oppositeOrder(order) };
}

/** The lanes that go on after both sides of a branch, given those that reached the end of each. */
export function meet(before: Mask, sides: Branch, afterTrue: Mask, afterFalse: Mask): Mask {
  if (sides.open === 0) return unite(afterTrue, afterFalse);
  const exitedTrue = sides.whenTrue.active & ~afterTrue.active;
  const exitedFalse = sides.whenFalse.active & ~afterFalse.active;
  const isUndisturbed = exitedTrue === 0 && exitedFalse === 0;
  if (sides.isTogether)
    return {
      active: afterTrue.active | afterFalse.active,
      uncertain:
        before.uncertain | ((afterTrue.active ^ afterFalse.active) & (afterTrue.active && afterFalse.active)),
      mayPassBy: isUndisturbed
        ? before.mayPassBy
        : dataFirst(sides.whenTrue.mayPassBy, sides.whenFalse.mayPassBy),
      decision: isUndisturbed ? before.decision : (afterTrue.decision ?? afterFalse.decision),
      cause: eitherCause(before.cause, eitherCause(afterTrue.cause, afterFalse.cause)),
    };
  const active = afterTrue.active | afterFalse.active;
  const leftOne = sides.open & (exitedTrue | exitedFalse);
  const uncertain =
    active & (before.uncertain | leftOne | ((afterTrue.uncertain | afterFalse.uncertain) & ~sides.open));
  return {
    active,
    uncertain,
    mayPassBy: before.mayPassBy,
    decision: before.decision,
    cause:
      uncertain === 0
        ? null
        : causeOfMeeting(before, sides, afterTrue, afterFalse, exitedTrue === 0 ? "false" : "true"),
  };
}

/** Where open lanes left on one side only, those that remain are the ones that took the other. */
function causeOfMeeting(
  before: Mask,
  sides: Branch,
  afterTrue: Mask,
  afterFalse: Mask,
  leftBy: "true" | "false",
): Cause | null {
  const stayed = leftBy === "false" ? sides.whenTrue : sides.whenFalse;
  const others = leftBy === "false" ? afterFalse : afterTrue;
  const isAskedOfAll = (before.uncertain & ~sides.open) === 0;
  if (isAskedOfAll && (others.active & sides.open) === 0 && stayed.cause) return stayed.cause;
  const either = eitherCause(before.cause, eitherCause(sides.whenTrue.cause, sides.whenFalse.cause));
  const all = eitherCause(either, eitherCause(afterTrue.cause, afterFalse.cause));
  return all && { ...all, order: null };
}
