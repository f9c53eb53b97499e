// The policy that the rules on figures share: which contexts count, which is the worst, and how severe it is.
import type { Severity } from "../config/schema.ts";
import type { AccessProfile, Figure } from "../evaluate/profile.ts";
import type { Assumption, CompilerDoubt } from "../ir/assumption.ts";
import { isAssumed } from "../launches/launch.ts";
import type { AccessContext, AccessGroup, JudgedContext } from "./finding.ts";
import type { Thresholds } from "./rule.ts";

/** How severe a figure is by itself; null: not worth a word. */
export type SeverityOf = (ratio: number, excessPerRequest: number) => Severity | null;

export interface Judgement {
  readonly severity: Severity;
  readonly worst: JudgedContext;
  /** Worst first; where all are assumed, `worst` is the worst of a usual instantiation. */
  readonly contexts: readonly JudgedContext[];
  /** Contexts of which nothing certain is known; left out where there are none. */
  readonly unknownContexts?: number;
}

/**
 * Judges all contexts of an access. Where every context was assumed for want of a launch, each of them must be excessive, and the
 * severity is that of the mildest; else one suffices and the worst decides.
 */
export function judge(group: AccessGroup, severityOf: SeverityOf, thresholds: Thresholds): Judgement | null {
  // Most accesses are well, and are judged again with each edit of their file.
  if (!group.contexts.some(({ access }) => (verdictOn(access, severityOf)?.severity ?? null) !== null))
    return null;
  const judged: (JudgedContext & { readonly severity: Severity | null })[] = [];
  for (const context of group.contexts) {
    const one = judgeContext(context, severityOf);
    if (one !== null) judged.push(one);
  }
  judged.sort((a, b) => b.ratio - a.ratio || Number(b.isExcessive) - Number(a.isExcessive));
  const excessive = judged.filter((context) => context.isExcessive);
  const isGuess = areAssumed(group.contexts);
  const [worst] = isGuess ? usualFirst(excessive) : excessive;
  if (worst === undefined) return null;
  if (isGuess && excessive.length < group.contexts.length) return null;
  const severities = excessive.map((context) => withShare(context, thresholds));
  const severity = isGuess ? mildest(severities) : severest(severities);
  const unknownContexts = group.contexts.length - judged.length;
  return { severity, worst, contexts: judged, ...(unknownContexts > 0 && { unknownContexts }) };
}

/** Where template arguments were tried, `float` stands for them rather than `double` or `signed char`. */
function usualFirst<Context extends AccessContext>(contexts: readonly Context[]): readonly Context[] {
  const rankOf = ({ kernel: { templateArguments } }: AccessContext) =>
    templateArguments.includes("float") ? 0 : templateArguments.some((each) => unusual.has(each)) ? 2 : 1;
  return contexts.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const unusual: ReadonlySet<string> = new Set([
  "double",
  "char",
  "signed char",
  "unsigned char",
  "short",
  "unsigned short",
  "long",
  "unsigned long",
  "long long",
  "unsigned long long",
]);

/** Whether nobody saw any of the launches: then all must agree. */
export function areAssumed(contexts: readonly AccessContext[]): boolean {
  return contexts.every(({ launch }) => isAssumed(launch));
}

/** Per request: the average over the launch where totals are known, else the least that is certain. Null where nothing is. */
export function figureOf(access: AccessProfile): Figure | null {
  if (access.totals !== null && access.requests !== null && access.requests > 0)
    return { cost: access.totals.cost / access.requests, ideal: access.totals.ideal / access.requests };
  return access.perRequest?.least ?? null;
}

/** Certain enough to speak of: exact, on no condition but one on sizes, or the least of bounds between which data decide. */
export function isCertain(access: AccessProfile): boolean {
  const { verdict } = access;
  // What data decide has a least that holds whatever they are. Where an evaluation ended early nothing holds for the warps that were not
  // seen, but for those of them that are whole where such warps cost the same.
  if (verdict.kind === "unknown" && verdict.isLeastKnown !== true)
    return (verdict.dependsOnData || verdict.holdsForWholeWarps === true) && access.perRequest !== null;
  if (verdict.kind === "exact") return true;
  if (verdict.assumptions.some((each) => leavesFigureOpen(each) || isUncertain(each))) return false;
  if (verdict.kind === "unknown") return access.perRequest !== null;
  // What a host loop makes of a size from iteration to iteration nobody knows to be large.
  const isOfLoop = verdict.assumptions.some(({ kind }) => kind === "later-iterations");
  return verdict.condition === null || (verdict.dependsOnSizeOnly && !isOfLoop);
}

/** What may be otherwise in every build: no figure that hangs on it is certain. */
const uncertain: ReadonlySet<Assumption["kind"]> = new Set(["misfit-block", "build-macro", "undeclared"]);

/** A preset is one of the builds that there are: what holds in it is certain, and told with its name. */
function isUncertain(assumption: Assumption): boolean {
  return (
    uncertain.has(assumption.kind) && !(assumption.kind === "build-macro" && assumption.why === "of-preset")
  );
}

/**
 * Of lanes that go on by themselves, as time has it, another number make a request; places that are chosen between cost what they cost together; and
 * of two stores that may be one, one costs nothing.
 */
function leavesFigureOpen(assumption: Assumption): boolean {
  return assumption.kind === "compiler" && openDoubts.has(assumption.doubt);
}

const openDoubts: ReadonlySet<CompilerDoubt> = new Set([
  "lanes-part-at-atomic",
  "lanes-part-in-recursion",
  "chooses-places",
  "moves-members-apart",
  "stores-once",
]);

function judgeContext(
  context: AccessContext,
  severityOf: SeverityOf,
): (JudgedContext & { readonly severity: Severity | null }) | null {
  const found = verdictOn(context.access, severityOf);
  return found === null ? null : { ...context, ...found, isExcessive: found.severity !== null };
}

/** Null where nothing certain is known of the access. */
function verdictOn(
  access: AccessProfile,
  severityOf: SeverityOf,
): { readonly figure: Figure; readonly ratio: number; readonly severity: Severity | null } | null {
  const figure = figureOf(access);
  // A misaligned access faults before it costs anything: another rule's business.
  if (figure === null || figure.ideal <= 0 || !isCertain(access) || access.misaligned?.isCertain === true)
    return null;
  const ratio = figure.cost / figure.ideal;
  return {
    figure,
    ratio,
    severity: severityOf(ratio + rounding, figure.cost - figure.ideal - rounding),
  };
}

/** So that sums of floating-point averages meet thresholds that they equal. */
const rounding = 1e-9;

function withShare(
  context: JudgedContext & { readonly severity: Severity | null },
  thresholds: Thresholds,
): Severity {
  const isMinor = context.excessShare !== null && context.excessShare < thresholds.minorShare;
  return isMinor ? "information" : (context.severity ?? "information");
}

const order: readonly Severity[] = ["information", "warning", "error"];

function severest(severities: readonly Severity[]): Severity {
  return severities.reduce(
    (a, b) => (order.indexOf(b) > order.indexOf(a) ? b : a),
    "information" as Severity,
  );
}

function mildest(severities: readonly Severity[]): Severity {
  return severities.reduce((a, b) => (order.indexOf(b) < order.indexOf(a) ? b : a), "error" as Severity);
}
