// What the rules say of each access, kept from one state of a text to the next: of an access that only stands elsewhere they say the same.
import type { Config } from "../config/schema.ts";
import type { AccessProfile } from "../evaluate/profile.ts";
import type { Launch } from "../launches/launch.ts";
import type { AccessContext, AccessFinding, AccessGroup, JudgedContext } from "../rules/finding.ts";

/** The accesses of a file, in the order of the text, with what the rules found. */
export interface Judged {
  readonly config: Config;
  readonly accesses: readonly JudgedAccess[];
}

interface JudgedAccess {
  readonly group: AccessGroup;
  readonly findings: readonly AccessFinding[];
}

/** Asks the rules (`check`) about those `groups` of which `before` does not know what they would say. */
export function judgedGroups(
  groups: readonly AccessGroup[],
  config: Config,
  before: Judged | null,
  check: (group: AccessGroup) => readonly AccessFinding[],
): Judged {
  const known = before?.config === config ? before.accesses : [];
  const isSame = comparison();
  // An edit changes what stands in one place: what is known stands before it and behind it.
  const shorter = Math.min(groups.length, known.length);
  const holds = (group: AccessGroup | undefined, earlier: JudgedAccess | undefined) =>
    group !== undefined && earlier !== undefined && isSame(earlier.group, group);
  let ahead = 0;
  while (ahead < shorter && holds(groups[ahead], known[ahead])) ahead++;
  let behind = 0;
  while (behind < shorter - ahead && holds(groups.at(-1 - behind), known.at(-1 - behind))) behind++;
  const accesses = groups.map((group, index) => {
    const isBehind = index >= groups.length - behind;
    const earlier =
      index < ahead ? known[index] : isBehind ? known[index + known.length - groups.length] : null;
    return earlier ? moved(earlier, group) : { group, findings: check(group) };
  });
  return { config, accesses };
}

/** Whether rules must say the same of two accesses. What is compared of a kernel is compared once for all of its accesses. */
function comparison(): (a: AccessGroup, b: AccessGroup) => boolean {
  const compared = new Map<readonly AccessProfile[], readonly AccessProfile[] | null>();
  const areSiblingsSame = (a: readonly AccessProfile[], b: readonly AccessProfile[]): boolean => {
    if (a === b) return true;
    const known = compared.get(b);
    if (known !== undefined) return known === a;
    const isSame = a.length === b.length && a.every((each, index) => isSameAccess(each, b[index]));
    compared.set(b, isSame ? a : null);
    return isSame;
  };
  const isSameContext = (a: AccessContext, b: AccessContext | undefined): boolean =>
    b !== undefined &&
    a.kernel === b.kernel &&
    a.excessShare === b.excessShare &&
    isSameLaunch(a.launch, b.launch) &&
    areSiblingsSame(a.siblings, b.siblings) &&
    isSameAccess(a.access, b.access);
  return (a, b) =>
    a.space === b.space &&
    a.contexts.length === b.contexts.length &&
    a.contexts.every((each, index) => isSameContext(each, b.contexts[index]));
}

function isSameLaunch(a: Launch, b: Launch): boolean {
  return (
    a === b ||
    (a.kernel === b.kernel &&
      a.block === b.block &&
      a.grid === b.grid &&
      a.arguments === b.arguments &&
      a.origin.kind === b.origin.kind)
  );
}

/** Moving an access leaves all but its places as the very objects that they were. */
function isSameAccess(a: AccessProfile, b: AccessProfile | undefined): boolean {
  if (a === b) return true;
  if (b === undefined) return false;
  return (
    a.expression === b.expression &&
    a.stack.length === b.stack.length &&
    a.mergedRanges.length === b.mergedRanges.length &&
    a.space === b.space &&
    a.operation === b.operation &&
    a.variant === b.variant &&
    a.bytes === b.bytes &&
    a.target?.type === b.target?.type &&
    a.target?.name === b.target?.name &&
    a.verdict === b.verdict &&
    a.requests === b.requests &&
    a.laneCount === b.laneCount &&
    a.totals === b.totals &&
    a.perRequest === b.perRequest &&
    a.worst === b.worst &&
    a.misaligned === b.misaligned &&
    a.columns === b.columns &&
    a.leavesArray === b.leavesArray &&
    isSameNeighbours(a.neighbours, b.neighbours)
  );
}

function isSameNeighbours(a: AccessProfile["neighbours"], b: AccessProfile["neighbours"]): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.base === b.base &&
    a.vectorBytes === b.vectorBytes &&
    a.elementBytes === b.elementBytes &&
    a.ranges.length === b.ranges.length
  );
}

/** The same findings of an access that stands where `group` does. */
function moved({ group: from, findings }: JudgedAccess, group: AccessGroup): JudgedAccess {
  if (findings.length === 0 || stays(from, group)) return { group, findings };
  const now = new Map<Launch, Map<AccessProfile, AccessContext>>();
  for (const [index, { launch, access }] of from.contexts.entries()) {
    const context = group.contexts[index];
    const ofLaunch = now.get(launch) ?? new Map<AccessProfile, AccessContext>();
    if (context !== undefined) now.set(launch, ofLaunch.set(access, context));
  }
  const move = (context: JudgedContext): JudgedContext => ({
    ...context,
    ...now.get(context.launch)?.get(context.access),
  });
  return { group, findings: findings.map((finding) => movedFinding(finding, from, group, move)) };
}

function stays(from: AccessGroup, to: AccessGroup): boolean {
  return from.contexts.every(
    ({ launch, access }, index) =>
      launch === to.contexts[index]?.launch && access === to.contexts[index]?.access,
  );
}

function movedFinding(
  finding: AccessFinding,
  from: AccessGroup,
  to: AccessGroup,
  move: (context: JudgedContext) => JudgedContext,
): AccessFinding {
  const contexts = finding.contexts.map(move);
  const worst = contexts[finding.contexts.indexOf(finding.worst)] ?? move(finding.worst);
  // What is found of a declaration stands there.
  const declaration = finding.range === from.range ? null : (worst.access.target?.range ?? null);
  return { ...finding, range: declaration ?? to.range, worst, contexts };
}
