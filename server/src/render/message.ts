// The two lines of a finding: what, figures and launch in at most 90 characters; then why, and what to do.

import { ruleIds } from "../config/schema.ts";
import type { Verdict } from "../evaluate/profile.ts";
import { runCost } from "../rules/cost.ts";
import type {
  AccessFinding,
  BankEvidence,
  Finding,
  JudgedContext,
  SuppressionFinding,
} from "../rules/finding.ts";
import { boundsOf, costText, isIdealRatio } from "./access-words.ts";
import { assumptionText, narrowsFigures } from "./assumption-words.ts";
import { bankReason } from "./bank-message.ts";
import { excessText } from "./cost-table.ts";
import {
  blockText,
  contextLabel,
  distinctLaunches,
  distinguishingText,
  labelOf,
  labelText,
  lineAmong,
  tellingText,
} from "./labels.ts";
import { misalignmentHead, misalignmentReason } from "./misalignment-message.ts";
import { paddingHead, paddingReason } from "./padding-message.ts";
import type { Places } from "./places.ts";
import type { Reason } from "./reason.ts";
import { sectorReason } from "./sector-message.ts";
import { vectorHead, vectorReason } from "./vector-message.ts";
import { averageText, countText, listText, operationText, plural, ratioText, shareText } from "./words.ts";

export interface Message {
  /** Stands alone. */
  readonly headline: string;
  /** The cause, and what helps in general. */
  readonly reason: string;
  /** The same without what helps: it stands beside a fix that was tried. */
  readonly cause: string;
}

/** The longest headline, in UTF-16 units. */
export const headlineLength = 90;

export function messageOf(finding: Finding, places: Places): Message {
  if (finding.kind === "suppression") return withoutAdvice(suppressionMessage(finding));
  const { evidence } = finding;
  switch (evidence.kind) {
    case "banks":
      return withProvisos(
        headline(bankHead(finding, evidence), finding, places),
        withCost(bankReason(finding, evidence), finding),
        finding,
      );
    case "sectors":
      return withProvisos(
        headline(sectorHead(finding), finding, places),
        withCost(sectorReason(finding, evidence), finding),
        finding,
      );
    case "padding":
      return withProvisos(
        fit(labelled(paddingHead(finding, evidence), finding, places)),
        { cause: paddingReason(finding, evidence), advice: "" },
        finding,
      );
    case "vector":
      return withProvisos(
        fit(labelled(vectorHead(finding, evidence), finding, places)),
        { cause: vectorReason(finding, evidence), advice: "" },
        finding,
      );
    case "misalignment": {
      const head = misalignmentHead(finding, evidence);
      return withoutAdvice({
        headline: fit(labelled(head, finding, places)),
        reason: misalignmentReason(finding, evidence),
      });
    }
  }
}

function withoutAdvice(message: Pick<Message, "headline" | "reason">): Message {
  return { ...message, cause: message.reason };
}

/** In front of the reason "1,015,808 excess wavefronts in this launch (61 % of the kernel's).", where a launch of the source has a known figure. */
function withCost({ cause, advice }: Reason, { contexts, worst }: AccessFinding): Reason {
  const cost = runCost(contexts);
  if (cost === null || cost.excess <= 0) return { cause, advice };
  const made = contexts.filter((context) => !isAssumed(context));
  const launches = made.reduce((sum, { launch }) => sum + launch.count, 0);
  const extent = launches === 1 ? "in this launch" : `in ${countText(launches)} launches`;
  const share =
    contexts.length > 1 || worst.excessShare === null
      ? ""
      : ` (${shareText(worst.excessShare)} of the kernel's)`;
  return { cause: `${excessText(cost)} ${extent}${share}. ${cause}`, advice };
}

/** What must hold for the figures stands in the headline, or, where that has no room, behind the reason. */
function withProvisos(head: string, { cause, advice }: Reason, finding: AccessFinding): Message {
  const { worst } = finding;
  const provisos: string[] = [];
  const condition = conditionOf(worst);
  if (condition !== null && !head.includes(condition)) provisos.push(`for any ${condition}`);
  if (isAssumed(worst) && !head.includes(" assumed")) provisos.push(wantedLaunchText(finding));
  const { verdict } = worst.access;
  if (verdict.kind === "conditional" || (verdict.kind === "unknown" && verdict.isLeastKnown === true))
    provisos.push(...verdict.assumptions.filter(narrowsFigures).map(assumptionText));
  if (verdict.kind === "unknown") provisos.push(unknownProviso(head, verdict));
  const proviso = provisos.length === 0 ? "" : ` (${provisos.join("; ")})`;
  const reason = advice === "" ? cause : `${cause} ${advice}`;
  return { headline: head, reason: `${reason}${proviso}`, cause: `${cause}${proviso}` };
}

function unknownProviso(
  head: string,
  { holdsForWholeWarps, isLeastKnown, reason }: Extract<Verdict, { readonly kind: "unknown" }>,
): string {
  if (holdsForWholeWarps) return "of warps with all their lanes; a few were evaluated within the budget";
  const deciding = isLeastKnown ? `${reason} decides` : "data decide";
  return head.includes("or more") ? `${deciding} how much more` : `at least: ${deciding} how much more`;
}

/** Whether the figure is an average of less than all requests: of some warps, or of trips some of which stand for others that may differ. */
function isOfPart({ verdict, worst }: JudgedContext["access"]): boolean {
  if (verdict.kind === "exact") return false;
  return verdict.assumptions.some(
    (assumption) =>
      assumption.kind === "part-of-launch" &&
      (assumption.evaluatedWarps < assumption.warps || worst?.isUniform !== true),
  );
}

interface Head {
  readonly what: string;
  readonly figures: string;
  /** "32-way" speaks of those contexts alone that have these figures; null where `what` speaks of all that have excess. */
  readonly whatOfAll: string | null;
}

function bankHead(finding: AccessFinding, { wayCount }: BankEvidence): Head {
  const { worst } = finding;
  const isWhole = worst.access.worst?.isUniform === true && wayCount !== null && !isOfPart(worst.access);
  const figures = figuresText(worst, "wavefront");
  if (isWhole) return { what: `${wayCount}-way bank conflict`, figures, whatOfAll: "Bank conflicts" };
  return { what: "Bank conflicts", figures: `${figures} (${ratioText(worst.ratio)})`, whatOfAll: null };
}

function sectorHead(finding: AccessFinding): Head {
  const operations = new Set(
    finding.contexts.filter((each) => each.isExcessive).map(({ access }) => operationText(access.operation)),
  );
  const what = `Uncoalesced ${listText([...operations])}`;
  const figures = `${figuresText(finding.worst, "sector")} (${ratioText(finding.worst.ratio)})`;
  return { what, figures, whatOfAll: null };
}

/** "32 wavefronts, 1 ideal"; what is of a part of the warps is "about 32"; averages say that they are, and what unknowns may raise says so: "16 sectors or more". */
function figuresText({ figure, access }: JudgedContext, noun: "wavefront" | "sector"): string {
  const sample = access.worst;
  if (isOfPart(access))
    return `about ${averageText(figure.cost)} ${noun}s a request, ${averageText(figure.ideal)} ideal`;
  if (sample?.isUniform && sample.figure.cost === figure.cost)
    return `${plural(figure.cost, noun)}, ${countText(figure.ideal)} ideal`;
  const extent = boundsOf(access) === null ? "a request" : "or more";
  return `${averageText(figure.cost)} ${noun}s ${extent}, ${averageText(figure.ideal)} ideal`;
}

function headline(head: Head, finding: AccessFinding, places: Places): string {
  const { what, figures, whatOfAll } = head;
  const { worst, contexts, range } = finding;
  const launches = distinctLaunches(contexts);
  const excessive = contexts.filter((context) => context.isExcessive);
  const hasMild = excessive.length < contexts.length;
  // "32-way in 1 of 4 launches" would hide a second that is 16-way.
  const isOfWorst = whatOfAll !== null && excessive.every(({ ratio }) => ratio === worst.ratio);
  const meant = contexts.filter(({ ratio }) => (isOfWorst ? ratio === worst.ratio : !isIdealRatio(ratio)));
  const touched = distinctLaunches(meant);
  if (hasMild && touched.length < launches.length) {
    const areAlike = meant.every(({ ratio }) => ratio === worst.ratio);
    const extent = areAlike ? figures : `at worst ${figures}`;
    const all = finding.unknownContexts === undefined ? "launches" : "known launches";
    const counted = `${isOfWorst ? what : (whatOfAll ?? what)} in ${touched.length} of ${launches.length} ${all}: ${extent}`;
    const label = labelOf(worst, contexts, places, range.file);
    const telling = label.template === null ? tellingText(worst, contexts, places) : null;
    const marked = withMark(counted, telling ?? distinguishingText(label, contexts));
    if (marked.length <= headlineLength) return marked;
    // Without room for template arguments, the place tells instantiations apart: a line or block that all share tells none.
    const placeOf = (context: JudgedContext) => {
      const line = lineAmong(context.launch, launches, places, range.file);
      return distinguishingText(
        { ...labelOf(context, contexts, places, range.file), template: null, line },
        contexts,
      );
    };
    const place = placeOf(worst);
    const isTelling = contexts.some((context) => placeOf(context) !== place);
    return fit([...(isTelling ? [withMark(counted, place)] : []), counted]);
  }
  const plain = `${what}: ${figures}`;
  const condition = conditionOf(worst);
  const starts =
    condition === null ? [plain] : [`${plain} for any ${condition}`, `${plain} for ${condition}`, plain];
  if (isAssumed(worst)) {
    if (isSameForAll(contexts)) return fit(starts);
    const label = labelOf(worst, contexts, places, range.file);
    const marks = [labelText(label), label.block];
    return fit([...starts.flatMap((start) => marks.map((mark) => `${start}, ${mark}`)), ...starts]);
  }
  const byBlock = contrastOfBlocks(excessive);
  if (byBlock !== null) {
    const block = `with block ${blockText(worst.launch.block)}`;
    return fit(starts.flatMap((start) => [`${start} ${byBlock}`, `${start} ${block}`]));
  }
  const labels = labelsOf(finding, places);
  return fit(starts.flatMap((start) => [...labels.map((label) => withMark(start, label)), start]));
}

/** "… (8.0×) with block (32,8)", "… 1 ideal (block (32,8))": never two brackets in a row. */
function withMark(text: string, mark: string): string {
  return text.endsWith(")") ? `${text} with ${mark}` : `${text} (${mark})`;
}

/** `head` with the label of the worst launch, the fullest first; without any last. */
function labelled(head: string, finding: AccessFinding, places: Places): string[] {
  return [...labelsOf(finding, places).map((label) => withMark(head, label)), head];
}

/** Labels of the worst launch, the fullest first. */
function labelsOf({ worst, contexts, range }: AccessFinding, places: Places): string[] {
  const label = labelOf(worst, contexts, places, range.file);
  const telling = tellingText(worst, contexts, places);
  const labels = [labelText(label), labelText({ ...label, template: null }), label.block];
  return telling === null ? labels : [`${labelText(label)}, ${telling}`, telling, ...labels];
}

function fit(candidates: readonly string[]): string {
  const shortest = candidates.at(-1) ?? "";
  // The ratio follows from the figures that it stands behind.
  const withoutRatio = shortest.replace(/ \([\d.]+×\)$/, "");
  const fitting = [...candidates, withoutRatio].find((candidate) => candidate.length <= headlineLength);
  if (fitting !== undefined) return fitting;
  return `${shortest.slice(0, headlineLength - 1)}…`;
}

/** "m >= 8"; null where the figures hold without a condition. */
function conditionOf({ access: { verdict } }: JudgedContext): string | null {
  return verdict.kind === "conditional" ? verdict.condition : null;
}

/** "with block (32,8); 2.0× with (8,32)": where blocks alone tell the launches apart and their figures differ. */
function contrastOfBlocks(contexts: readonly JudgedContext[]): string | null {
  const [worst] = contexts;
  if (worst === undefined) return null;
  const ofBlock = new Map<string, number>();
  for (const { launch, ratio, kernel } of contexts) {
    if (kernel.templateArguments.join() !== worst.kernel.templateArguments.join()) return null;
    const block = blockText(launch.block);
    ofBlock.set(block, Math.max(ratio, ofBlock.get(block) ?? 0));
  }
  const [first, ...others] = [...ofBlock];
  if (first === undefined || others.length === 0 || others.length > 2) return null;
  if (others.some(([, ratio]) => ratio === first[1])) return null;
  const rest = others.map(([block, ratio]) => `; ${ratioText(ratio)} with ${block}`);
  return `with block ${first[0]}${rest.join("")}`;
}

function isAssumed({ launch }: JudgedContext): boolean {
  return launch.origin.kind === "assumed";
}

function isSameForAll(contexts: readonly JudgedContext[]): boolean {
  const [first] = contexts;
  return contexts.every(
    ({ figure }) => figure.cost === first?.figure.cost && figure.ideal === first?.figure.ideal,
  );
}

/** What was assumed for want of a launch: no more than the result needs. */
function wantedLaunchText({ contexts, worst }: AccessFinding): string {
  const want = wantText(worst);
  const blocks = [...new Set(contexts.map(({ launch }) => blockText(launch.block)))];
  if (!isSameForAll(contexts)) return `${want}; block ${blockText(worst.launch.block)} assumed`;
  const isLinear = contexts.every(
    ({ launch: { block } }) => block[1] === 1 && block[2] === 1 && block[0] % 32 === 0,
  );
  const instances = new Set(contexts.map(({ kernel }) => kernel.templateArguments.join()));
  const parts = [
    want,
    blocks.length === 1
      ? `block ${blocks[0]} assumed`
      : `the same for ${isLinear ? "every block.x that is a multiple of 32" : `blocks ${listText(blocks)}`}`,
    ...(instances.size > 1 ? ["the same for all template arguments that were tried"] : []),
  ];
  return parts.join("; ");
}

/** Why a block was assumed: the text has no launch, or one whose block it does not tell. */
function wantText({ launch }: JudgedContext): string {
  return launch.origin.path.length === 0 ? "no launch found" : "the launch's block is not known";
}

function suppressionMessage({
  scope,
  unusedRules,
  unknownRules,
}: SuppressionFinding): Pick<Message, "headline" | "reason"> {
  if (scope === "nothing")
    return {
      headline: "Not a comment that warplint knows: nothing is suppressed",
      reason:
        "Known are warplint-disable-next-line, warplint-disable-line, warplint-disable, warplint-enable and warplint-disable-file.",
    };
  const place = { line: "this line", "next-line": "the next line", block: "this block", file: "this file" }[
    scope
  ];
  if (unknownRules.length > 0)
    return {
      headline: `Suppression of an unknown rule: ${unknownRules.join(", ")}`.slice(0, headlineLength),
      reason: `Rules are ${listText(ruleIds)}.`,
    };
  const what = unusedRules.length === 0 ? "anything" : listText(unusedRules);
  return {
    headline: `Unused suppression: nothing to suppress ${scope === "block" || scope === "file" ? "in" : "on"} ${place}`,
    reason: `No finding of ${what} is here. Remove the comment${unusedRules.length === 0 ? "" : " or the rule"}.`,
  };
}

/** One line for one context, for lists: "T=double, block (32,32), line 53: 32 wavefronts, 2 ideal (16.0×)". */
export function contextText(context: JudgedContext, finding: AccessFinding, places: Places): string {
  const label = contextLabel(context, finding.contexts, places, finding.range.file);
  if (finding.evidence.kind === "misalignment") {
    const lanes = context.access.misaligned?.lanes ?? 0;
    return `${label}: ${lanes === 0 ? "aligned" : `${plural(lanes, "lane")} off the boundary`}`;
  }
  return `${label}: ${costText(context.access, context.figure)}`;
}
