// Where generator expressions begin and end in a text, as lists of arguments part them.

/** Texts in which an expression that begins in one and ends in another is one again, joined as a list. */
export function rejoined<Item extends { readonly text: string }>(items: readonly Item[]): readonly Item[] {
  if (!items.some(({ text }) => text.includes("$<"))) return items;
  const result: Item[] = [];
  let open: Item | null = null;
  for (const item of items) {
    const current: Item = open === null ? item : { ...open, text: `${open.text};${item.text}` };
    if (isOpen(current.text) && current.text.length < 20_000) open = current;
    else {
      result.push(current);
      open = null;
    }
  }
  if (open !== null) result.push(open);
  return result;
}

function isOpen(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "$" && text[at + 1] === "<") depth++;
    else if (text[at] === ">" && depth > 0) depth--;
  }
  return depth > 0;
}
