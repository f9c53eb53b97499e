// Which variables of a file the functions in sight set, by their text: what they hold when a function other than main is entered, nobody knows.
import type { SyntaxUnit } from "../../syntax/unit.ts";

/** What is set of a variable: the whole of it, or members of it alone. */
export type SetParts = "whole" | ReadonlySet<string>;

const known = new WeakMap<SyntaxUnit, ReadonlyMap<string, SetParts>>();

/** An assignment, a step, an address that is taken or a read from a stream, at the start of an expression. */
const setting =
  /(?:^|[;{}(),:?]|\b(?:else|do|return))\s*(?:\*\s*)?([A-Za-z_]\w*)((?:\s*(?:\.|->)\s*[A-Za-z_]\w*|\s*\[[^\][]*\])*)\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:\+\+|--|>>|[(,=]\s*&)\s*([A-Za-z_]\w*)/g;

/** A variable of the GPU that the host copies to, or asks the address of. */
const copying =
  /\b(?:cudaMemcpyToSymbol(?:Async)?\s*\(|cudaGetSymbolAddress\s*\([^;]*?,)\s*(?:\([^()]*\)\s*)?&?\s*(?:\w+\s*::\s*)*([A-Za-z_]\w*)/g;

/** The names that a declaration with a body sets, locals among them. */
export function setIn(unit: SyntaxUnit): ReadonlyMap<string, SetParts> {
  const cached = known.get(unit);
  if (cached !== undefined) return cached;
  const found = new Map<string, SetParts>();
  if (unit.text.includes("{")) {
    for (const [, assigned, path, other] of unit.text.matchAll(setting)) {
      const name = assigned ?? other;
      if (name === undefined) continue;
      const member = /^\s*(?:\.|->)\s*([A-Za-z_]\w*)/.exec(path ?? "")?.[1];
      found.set(name, merged(found.get(name), member));
    }
    for (const [, name] of unit.text.matchAll(copying)) if (name !== undefined) found.set(name, "whole");
  }
  known.set(unit, found);
  return found;
}

/** What is set of the variable `name` in any of `units`; null where nothing is. */
export function setAmong(units: readonly SyntaxUnit[], name: string): SetParts | null {
  let parts: SetParts | null = null;
  for (const unit of units) {
    const own = setIn(unit).get(name);
    if (own === "whole") return own;
    if (own !== undefined) parts = new Set([...(parts ?? []), ...own]);
  }
  return parts;
}

function merged(known: SetParts | undefined, member: string | undefined): SetParts {
  if (known === "whole" || member === undefined) return "whole";
  return new Set([...(known ?? []), member]);
}
