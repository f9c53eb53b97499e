// The message of findings of one cause: that of the first, and where the others are.

import type { Finding } from "../rules/finding.ts";
import { type FindingGroup, isOfMembers } from "../rules/together.ts";
import { type Message, messageOf } from "./message.ts";
import type { Places } from "./places.ts";
import { countText, listText, plural } from "./words.ts";

/** More are counted. */
const mostNamed = 6;

/** The message of a finding that speaks for `others`, too. */
export function messageWithOthers(finding: Finding, others: FindingGroup["others"], places: Places): Message {
  return withOthers(messageOf(finding, places), { head: finding, others }, places);
}

/** `message`, that of the head, with a sentence on the others. */
export function withOthers(message: Message, group: FindingGroup, places: Places): Message {
  const sentence = othersText(group, places);
  if (sentence === null) return message;
  const { headline, reason, cause } = message;
  return { headline, reason: `${reason} ${sentence}`, cause: `${cause} ${sentence}` };
}

/** "The same holds for 3 other accesses: p[i].y, p[i].z and p[i].w."; null where there are none. */
function othersText({ head, others }: FindingGroup, places: Places): string | null {
  if (others.length === 0 || head.kind !== "access") return null;
  const what = isOfMembers(head) ? "member access" : "access";
  const counted = others.length === 1 ? `1 other ${what}` : `${countText(others.length)} other ${what}es`;
  const expressions = new Set(others.map(({ worst }) => worst.access.expression.replace(/\s+/g, " ")));
  const isShort = [...expressions].every((text) => text.length <= longestName);
  const isNamed = expressions.size === others.length && expressions.size <= mostNamed && isShort;
  const names = isNamed ? [...expressions] : linesOf(others, places);
  return `The same holds for ${counted}: ${listText(names)}.`;
}

const longestName = 32;

/** "lines 4, 5 and 9". */
function linesOf(others: FindingGroup["others"], places: Places): string[] {
  const lines = [...new Set(others.map(({ range }) => places.startOf(range).line))];
  const [first = 0, ...more] = lines;
  if (more.length === 0) return [`line ${first}`];
  const shown = lines.slice(0, mostNamed);
  const left = lines.length - shown.length;
  return [
    `lines ${shown[0]}`,
    ...shown.slice(1).map(String),
    ...(left > 0 ? [plural(left, "more line")] : []),
  ];
}
