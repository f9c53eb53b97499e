// Conditions on what is not known: a build description is evaluated once for each answer that may make a difference, and what differs
// between the results is doubtful. An answer under which the build stops with an error is none.
import type { Origin, Unresolved } from "../flags.ts";
import { hasUnknown, type Unknown, Unknowns } from "./text.ts";

export interface Decision {
  readonly key: string;
  /** What is not known: "$(shell uname -s)". */
  readonly what: string;
  readonly answer: boolean;
  readonly origin: Origin;
}

/** How often a description is evaluated at most. */
const mostWorlds = 40;
/** Steps of all evaluations of a description together, and of one. */
const mostSteps = 3_000_000;
const mostStepsOfOne = 1_000_000;
/** Evaluations until one is found that does not stop. */
const mostTries = 24;

/** One evaluation: what was decided in it, and what it could not read. */
export class World {
  readonly unknowns = new Unknowns();
  readonly decisions: Decision[] = [];
  readonly unresolved: Unresolved[] = [];
  readonly readFiles = new Set<string>();
  /** The error that the build would stop with. */
  stopped: string | null = null;
  steps = 0;
  private readonly answers = new Map<string, boolean>();
  private readonly bound = new Map<string, string>();
  private readonly forced: ReadonlyMap<string, boolean>;
  private readonly stepLimit: number;

  constructor(forced: ReadonlyMap<string, boolean>, stepLimit: number) {
    this.forced = forced;
    this.stepLimit = stepLimit;
  }

  /** Takes a step; false where there are none left or the build has stopped. */
  step(): boolean {
    this.steps++;
    if (this.steps === this.stepLimit)
      this.cannot("the build", "it takes too many steps to read", { file: "", line: 1 });
    return this.steps < this.stepLimit && this.stopped === null;
  }

  cannot(what: string, reason: string, origin: Origin): void {
    if (this.unresolved.length > 200) return;
    const short = what.length > 100 ? `${what.slice(0, 100)}…` : what;
    const isKnown = this.unresolved.some(
      (one) =>
        one.what === short &&
        one.reason === reason &&
        one.origin.line === origin.line &&
        one.origin.file === origin.file,
    );
    if (!isKnown) this.unresolved.push({ what: short, reason, origin });
  }

  stop(reason: string): void {
    this.stopped ??= reason;
  }

  /** The answer to a question of which `key` says all; the same question has one answer. Without a reason for another it is `usual`. */
  decide(key: string, what: string, origin: Origin, usual: "yes" | "no" = "no"): boolean {
    const before = this.answers.get(key);
    if (before !== undefined) return before;
    const answer = this.forced.get(key) ?? usual === "yes";
    this.answers.set(key, answer);
    this.decisions.push({ key, what, answer, origin });
    return answer;
  }

  /** Whether two strings are the same, where one may hold what is not known. */
  areEqual(left: string, right: string, origin: Origin): boolean {
    const a = this.resolved(left);
    const b = this.resolved(right);
    if (a === b) return true;
    if (!hasUnknown(a) && !hasUnknown(b)) return false;
    if (cannotBeEqual(a, b)) return false;
    const [first, second] = a < b ? [a, b] : [b, a];
    const what = this.unknowns.in(a + b).map((unknown) => unknown.what);
    const isEqual = this.decide(
      `${this.unknowns.written(first)} = ${this.unknowns.written(second)}`,
      what.join(", "),
      origin,
    );
    if (isEqual) {
      if (a.length === 1 && hasUnknown(a) && !hasUnknown(b)) this.bound.set(a, b);
      else if (b.length === 1 && hasUnknown(b) && !hasUnknown(a)) this.bound.set(b, a);
    }
    return isEqual;
  }

  /** Whether `text` is empty once it is expanded. */
  isEmpty(string: string, origin: Origin): boolean {
    return this.areEqual(string.trim(), "", origin);
  }

  /** With what conditions have said about what is not known. */
  resolved(string: string): string {
    if (this.bound.size === 0) return string;
    return string.replace(/[\uE000-\uF8FF]/g, (character) => this.bound.get(character) ?? character);
  }

  reasonOf(string: string): Unknown | null {
    return this.unknowns.in(string)[0] ?? null;
  }
}

/** Whether what is known of two strings is reason enough for them to differ. */
function cannotBeEqual(a: string, b: string): boolean {
  const isUnknownAnywhere = /[\uE000-\uF8FF]/;
  const known = (string: string) => string.replace(/[\uE000-\uF8FF]/g, "");
  if (a === "") return known(b).trim() !== "";
  if (b === "") return known(a).trim() !== "";
  const startA = a.slice(0, a.search(isUnknownAnywhere) === -1 ? a.length : a.search(isUnknownAnywhere));
  const startB = b.slice(0, b.search(isUnknownAnywhere) === -1 ? b.length : b.search(isUnknownAnywhere));
  const shared = Math.min(startA.length, startB.length);
  if (startA.slice(0, shared) !== startB.slice(0, shared)) return true;
  const endA = /[^\uE000-\uF8FF]*$/.exec(a)?.[0] ?? "";
  const endB = /[^\uE000-\uF8FF]*$/.exec(b)?.[0] ?? "";
  const sharedEnd = Math.min(endA.length, endB.length);
  return sharedEnd > 0 && endA.slice(-sharedEnd) !== endB.slice(-sharedEnd);
}

/** What `evaluate` gives in a world. */
export interface Outcome<T> {
  readonly world: World;
  readonly result: T;
}

export interface Outcomes<T> {
  /** The world with the usual answers. */
  readonly usual: Outcome<T>;
  /** Those with another answer to `decision`. */
  readonly others: readonly (Outcome<T> & { readonly decision: Decision })[];
  /** Whether there were more questions than could be followed. */
  readonly isCut: boolean;
}

/** Evaluates with the usual answers, then with the other answer to each question that came up. */
export function explore<T>(evaluate: (world: World) => T): Outcomes<T> {
  let spent = 0;
  const run = (forced: ReadonlyMap<string, boolean>): Outcome<T> => {
    const world = new World(forced, Math.min(mostStepsOfOne, mostSteps - spent));
    const result = evaluate(world);
    spent += world.steps;
    return { world, result };
  };
  const usual = firstThatGoesOn(run, new Map(), 0, mostTries);
  const covered = new Set<string>();
  const cover = (decisions: readonly Decision[]) => {
    for (const { key, answer } of decisions) covered.add(`${answer} ${key}`);
  };
  cover(usual.world.decisions);
  const others: (Outcome<T> & { decision: Decision })[] = [];
  const waiting: World[] = [usual.world];
  let worlds = 1;
  let isCut = false;
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    for (const [index, decision] of from.decisions.entries()) {
      const other = `${!decision.answer} ${decision.key}`;
      if (covered.has(other)) continue;
      covered.add(other);
      if (worlds >= mostWorlds || spent >= mostSteps) {
        isCut = true;
        break;
      }
      const forced = new Map<string, boolean>();
      for (const later of from.decisions.slice(index + 1)) forced.set(later.key, later.answer);
      for (const before of from.decisions.slice(0, index)) forced.set(before.key, before.answer);
      forced.set(decision.key, !decision.answer);
      worlds++;
      const outcome = firstThatGoesOn(run, forced, index + 1, 3);
      if (outcome.world.stopped !== null) continue;
      cover(outcome.world.decisions);
      others.push({ ...outcome, decision });
      waiting.push(outcome.world);
    }
  }
  return { usual, others, isCut };
}

/** The outcome under `forced`, or where the build stops there, with later answers turned round; of those that all stop the first. */
function firstThatGoesOn<T>(
  run: (forced: ReadonlyMap<string, boolean>) => Outcome<T>,
  forced: ReadonlyMap<string, boolean>,
  fixedCount: number,
  tries: number,
): Outcome<T> {
  const first = run(forced);
  let last = first;
  const turned = new Set<string>();
  for (let count = 1; last.world.stopped !== null && count < tries; count++) {
    const index = last.world.decisions.findLastIndex(
      (_decision, at) => at >= fixedCount && !turned.has(pathTo(last.world.decisions, at)),
    );
    const decision = last.world.decisions[index];
    if (decision === undefined) return first;
    turned.add(pathTo(last.world.decisions, index));
    const next = new Map(forced);
    for (const before of last.world.decisions.slice(0, index)) next.set(before.key, before.answer);
    next.set(decision.key, !decision.answer);
    turned.add(
      `${pathTo(last.world.decisions.slice(0, index), index - 1)}${!decision.answer} ${decision.key};`,
    );
    last = run(next);
  }
  return last.world.stopped === null ? last : first;
}

function pathTo(decisions: readonly Decision[], index: number): string {
  return decisions
    .slice(0, index + 1)
    .map(({ key, answer }) => `${answer} ${key};`)
    .join("");
}
