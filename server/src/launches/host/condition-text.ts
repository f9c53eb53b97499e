// What a host condition says, as the user wrote it, and what is assumed of a loop whose condition is not known.
import type { Assumption } from "../../ir/assumption.ts";
import type { Loop } from "../../ir/statement.ts";
import { splitAtCommas } from "../../text/commas.ts";
import type { SourceRange } from "../../text/source.ts";
import { countingLoop } from "./repeat.ts";

/** The text of each file, by the name that ranges give it. */
export type ConditionTexts = ReadonlyMap<string, string>;

const maxLength = 60;

/** The text between the parentheses of an `if`, `switch`, `while`, `do` or `for`, or the macro that stands for one. */
function conditionText(texts: ConditionTexts, statement: { readonly range: SourceRange }): string {
  const { file, start, end } = statement.range;
  const whole = texts.get(file)?.slice(start, end) ?? "";
  const text = /^\s*do\b/.test(whole) ? whole.slice(Math.max(0, whole.lastIndexOf("while"))) : whole;
  const head = /^\s*(if|switch|while|for)\b[^(]*\(/.exec(text);
  // A macro's own condition stands as its use.
  const alone = /^\w+\(/.test(text) ? text : "";
  const inside = head === null ? alone : upToClosing(text.slice(head[0].length));
  const condition = head?.[1] === "for" ? (inside.split(";")[1] ?? "") : inside;
  const folded = condition.replace(/\s+/g, " ").trim();
  if (folded === "") return "…";
  return folded.length > maxLength ? `${folded.slice(0, maxLength - 1)}…` : folded;
}

/** What launches hold under that stand on one of the ways which a condition that is not known chooses between. */
export function waysAssumption(
  texts: ConditionTexts,
  statement: { readonly range: SourceRange },
  ways: "both" | "every",
): Assumption {
  return { kind: "host-condition", condition: conditionText(texts, statement), ways };
}

/** What launches hold under whose kernel is any of several. */
export function kernelAssumption(texts: ConditionTexts, range: SourceRange): Assumption {
  const text = texts.get(range.file)?.slice(range.start, range.end) ?? "";
  const chosen = /^\s*cu\w+\s*\(([^,]*)/.exec(text)?.[1] ?? text.split("<<<", 1)[0] ?? "";
  const folded = chosen.replace(/\s+/g, " ").trim();
  const condition = folded === "" ? "…" : folded.slice(0, maxLength);
  return { kind: "host-condition", condition, ways: "every" };
}

/** What launches hold under whose block is any of several. */
export function blockAssumption(texts: ConditionTexts, range: SourceRange): Assumption {
  const text = texts.get(range.file)?.slice(range.start, range.end) ?? "";
  const configuration = /<\s*<\s*<(.*?)>\s*>\s*>/s.exec(text)?.[1];
  // cudaLaunchKernel names the kernel first.
  const list = configuration ?? /^\s*cu\w+\s*\((.*)\)/s.exec(text)?.[1] ?? "";
  const block = splitAtCommas(list, 0, list.length)[configuration === undefined ? 2 : 1]?.text ?? "";
  const chosen = block.replace(/\s+/g, " ").trim();
  return {
    kind: "host-condition",
    condition: chosen === "" ? "…" : chosen.slice(0, maxLength),
    ways: "every",
  };
}

/**
 * What launches hold under that iteration `iteration` of a loop makes, counted from 0, before which the loop may end: by its own condition,
 * or under `leftUnder`.
 */
export function nextTripAssumption(
  texts: ConditionTexts,
  loop: Loop,
  iteration: number,
  leftUnder: Assumption | null,
): Assumption {
  if (loop.condition === null && leftUnder !== null) return leftUnder;
  if (iteration > 0) return waysAssumption(texts, loop, "both");
  // What a loop that only counts launches is the same each time.
  const kind = countingLoop(loop) === null ? "first-iteration" : "host-loop-entered";
  return { kind, condition: conditionText(texts, loop) };
}

/** What launches hold under that an iteration makes which stands for all later ones. */
export function laterTripsAssumption(
  texts: ConditionTexts,
  loop: Loop,
  leftUnder: Assumption | null,
): Assumption {
  const isLeftWithin = loop.condition === null && leftUnder?.kind === "host-condition";
  return {
    kind: "later-iterations",
    condition: isLeftWithin ? leftUnder.condition : conditionText(texts, loop),
  };
}

function upToClosing(text: string): string {
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return text.slice(0, at);
  }
  return "";
}
