// Arithmetic on what the user typed: sums, products and parentheses in the user's own spelling.

const literal = /^\d+$/;
const primary = /^[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*$/;
const element = /^[A-Za-z_]\w*\[[^[\]]*\]$/;
const padded = /^(?<base>.*\S)(?<space>\s*)\+(?<gap>\s*)(?<pad>\d+)$/s;

/**
 * A length with `added` more elements: "32" is "33", "N" is "N + 1", "N+1" is "N+2", "N << 1" is "(N << 1) + 1". Null where nothing sensible
 * can be written (a length that would not be positive).
 */
export function lengthened(length: string, added: number): string | null {
  const text = length.trim();
  if (literal.test(text)) return Number(text) + added > 0 ? String(Number(text) + added) : null;
  const { base, space = "", gap = "", pad } = padded.exec(text)?.groups ?? {};
  // What binds less than + would take the number for its own.
  if (base !== undefined && pad !== undefined && !bindsLooser(base) && isBalanced(base)) {
    const sum = Number(pad) + added;
    return sum < 0 ? null : sum === 0 ? base : `${base}${space}+${gap}${sum}`;
  }
  if (added < 0) return null;
  const isTight = /[+*/]/.test(text) && !/\s[+*/]|[+*/]\s/.test(text);
  const plus = isTight ? "+" : " + ";
  return `${asSummand(text)}${plus}${added}`;
}

/** A length as a factor: in parentheses unless it is one thing. */
export function asFactor(text: string): string {
  const trimmed = text.trim();
  return isPrimary(trimmed) ? trimmed : `(${trimmed})`;
}

/** A name, a member, an element, a number, or what is in brackets already. */
function isPrimary(text: string): boolean {
  if (literal.test(text) || primary.test(text) || element.test(text)) return true;
  return /^(?:[A-Za-z_]\w*)?\(.*\)$/s.test(text) && closesAtEnd(text, text.indexOf("("));
}

function closesAtEnd(text: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    if (depth === 0) return at === text.length - 1;
  }
  return false;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** An expression that something is added to: in parentheses where addition would take a part of it. */
export function asSummand(text: string): string {
  return bindsLooser(text) ? `(${text})` : text;
}

/** Whether an operator outside parentheses binds less than addition does. */
function bindsLooser(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (depth === 0 && "<>&^|?=!,".includes(character)) return true;
  }
  return false;
}
