// The texts of findings, kept from one state of a text to the next: of a finding that only moved, text is the same while the lines that it names are.
import type { Launch } from "../launches/launch.ts";
import { type Message, messageOf } from "../render/message.ts";
import type { Places } from "../render/places.ts";
import type { AccessFinding, Evidence, Finding, JudgedContext } from "../rules/finding.ts";
import type { SourceRange } from "../text/source.ts";

interface KnownMessage {
  readonly finding: AccessFinding;
  readonly lines: string;
  readonly message: Message;
}

/** A finding that moves is another object, and its evidence the same one. */
const known = new WeakMap<Evidence, KnownMessage>();

/** Gives the messages of findings of one state of a text. */
export function messagesIn(places: Places): (finding: Finding) => Message {
  const linesOf = lineNumbers(places);
  return (finding) => {
    if (finding.kind !== "access") return messageOf(finding, places);
    const lines = finding.contexts.map(linesOf).join(";");
    const last = known.get(finding.evidence);
    if (last?.lines === lines && saysTheSame(last.finding, finding)) return last.message;
    const message = messageOf(finding, places);
    known.set(finding.evidence, { finding, lines, message });
    return message;
  };
}

/** The lines that a message may name of a context: those of its launch, and of the calls that lead to its access. */
function lineNumbers(places: Places): (context: JudgedContext) => string {
  const known = new Map<Launch, string>();
  const lineOf = (range: SourceRange) => places.startOf(range).line;
  return ({ launch, access }) => {
    const ofLaunch = known.get(launch) ?? launch.origin.path.map(lineOf).join();
    known.set(launch, ofLaunch);
    return access.stack.length === 0 ? ofLaunch : `${ofLaunch}:${access.stack.map(lineOf).join()}`;
  };
}

function saysTheSame(a: AccessFinding, b: AccessFinding): boolean {
  return (
    a === b ||
    (a.rule === b.rule &&
      a.range.file === b.range.file &&
      a.unknownContexts === b.unknownContexts &&
      isSameContext(a.worst, b.worst) &&
      a.contexts.length === b.contexts.length &&
      a.contexts.every((each, index) => isSameContext(each, b.contexts[index])))
  );
}

/** A move leaves all but places as the very objects that they were. */
function isSameContext(a: JudgedContext, b: JudgedContext | undefined): boolean {
  return (
    a === b ||
    (a.kernel === b?.kernel &&
      a.figure === b.figure &&
      a.ratio === b.ratio &&
      a.isExcessive === b.isExcessive &&
      a.access.verdict === b.access.verdict &&
      a.access.totals === b.access.totals &&
      a.launch.arguments === b.launch.arguments)
  );
}
