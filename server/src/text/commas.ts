// Lists as C++ writes them, by text.

/** The parts of `text` between `start` and `end` that commas outside of brackets divide. */
export function splitAtCommas(
  text: string,
  start: number,
  end: number,
): { readonly text: string; readonly start: number }[] {
  const parts: { text: string; start: number }[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < end; at++) {
    const character = text.charAt(at);
    if (character === "(" || (character === "<" && !isShift(text, at))) depth++;
    else if (character === ")" || (character === ">" && !isShift(text, at))) depth--;
    else if (character === "," && depth === 0) {
      parts.push({ text: text.slice(from, at), start: from });
      from = at + 1;
    }
  }
  parts.push({ text: text.slice(from, end), start: from });
  return parts;
}

function isShift(text: string, at: number): boolean {
  const character = text.charAt(at);
  return text.charAt(at - 1) === character || text.charAt(at + 1) === character;
}
