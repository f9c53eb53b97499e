// Where the text launches a kernel, for those that no host code which can be followed launches.
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { SourceRange } from "../../text/source.ts";

/**
 * The name in the first `name<<<` or `name<…><<<`; null where there is none. Read off the tokens, for the code around need not parse: what
 * stands in a comment or a string is none.
 */
export function launchSiteOf(units: readonly SyntaxUnit[], name: string): SourceRange | null {
  for (const unit of units) {
    const at = launchedIn(unit).get(name);
    if (at !== undefined) return unit.rangeOf(at, at + name.length);
  }
  return null;
}

/** The names that a unit launches, each with the offset of its first. */
type Launched = ReadonlyMap<string, number>;

const known = new WeakMap<SyntaxUnit, Launched>();
const none: Launched = new Map();

function launchedIn(unit: SyntaxUnit): Launched {
  let launched = known.get(unit);
  if (launched === undefined) {
    launched = unit.text.includes("<<<") ? readLaunched(unit) : none;
    known.set(unit, launched);
  }
  return launched;
}

function readLaunched({ written }: SyntaxUnit): Launched {
  const launched = new Map<string, number>();
  const { text, starts, ends } = written;
  const tokens = starts.map((start, index) => text.slice(start, ends[index]));
  for (let index = tokens.indexOf("<<<"); index !== -1; index = tokens.indexOf("<<<", index + 1)) {
    const at = beforeTemplateArguments(tokens, index - 1);
    const name = tokens[at];
    const start = starts[at];
    if (name !== undefined && start !== undefined && !launched.has(name)) launched.set(name, start);
  }
  return launched;
}

/** From the last token of `name<…>` the index of the name: `last` itself where no list of template arguments ends there. */
function beforeTemplateArguments(tokens: readonly string[], last: number): number {
  let open = 0;
  let parentheses = 0;
  for (let index = last; index >= 0; index--) {
    const token = tokens[index] ?? "";
    if (token === ";" || token === "{" || token === "}") return last;
    if (token === ")") parentheses++;
    if (token === "(") parentheses--;
    if (parentheses === 0 && /^>+$/.test(token)) open += token.length;
    if (parentheses === 0 && /^<+$/.test(token)) open -= token.length;
    if (open <= 0) return index === last ? last : index - 1;
  }
  return last;
}
