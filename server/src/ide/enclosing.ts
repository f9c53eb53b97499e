// The name of the function that a place stands in, read off the text alone: for the words of a launch's path.

/**
 * The name of the function whose body holds `offset`; null where braces do not tell. Bodies within bodies (lambdas, local classes) count
 * for the function around them.
 */
export function enclosingFunction(text: string, offset: number): string | null {
  let depth = 0;
  let open: { readonly name: string; readonly depth: number; readonly isAtLineStart: boolean } | null = null;
  let headStart = 0;
  tokenPattern.lastIndex = 0;
  for (let match = tokenPattern.exec(text); match !== null; match = tokenPattern.exec(text)) {
    if (match.index >= offset) break;
    const [token] = match;
    if (token === "{") {
      const name: string | null = open === null ? nameOfHead(text.slice(headStart, match.index)) : null;
      if (name !== null) open = { name, depth, isAtLineStart: isAtLineStart(text, headStart) };
      depth++;
      if (open === null) headStart = match.index + 1;
    } else if (token === "}") {
      depth--;
      // Where both ways of an #if open a brace, none that is counted closes one of them.
      if (open?.isAtLineStart && text[match.index - 1] === "\n") depth = Math.min(depth, open.depth);
      if (open?.depth === depth) open = null;
      if (open === null) headStart = match.index + 1;
    } else if (token === ";" && open === null) headStart = match.index + 1;
  }
  return open?.name ?? null;
}

/** Whether what stands from `offset` on begins, behind white space and comments, in the first column. */
function isAtLineStart(text: string, offset: number): boolean {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#(?:[^\n\\]|\\[\s\S])*)*/my;
  blank.lastIndex = offset;
  blank.exec(text);
  return blank.lastIndex === 0 || text[blank.lastIndex - 1] === "\n";
}

/** Braces and semicolons, and what must be jumped over to find them. */
const tokenPattern =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^[ \t]*#(?:[^\n\\]|\\[\s\S])*|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\.){1,8}'|[{};]/gm;

/** Of what stands before a body: the name before its parameters; null for namespaces, classes and initializers. */
function nameOfHead(head: string): string | null {
  const plain = head.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#[^\n]*/gm, " ");
  if (/\b(namespace|class|struct|union|enum)\b[^()]*$/.test(plain) || /=\s*$/.test(plain)) return null;
  const parameters =
    /([\w~]+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:const|noexcept|override|->[\s\w:<>*&]+|:[\s\S]*)?\s*$/;
  const name = parameters.exec(plain.replace(/__launch_bounds__\s*\([^)]*\)/g, " "))?.[1];
  return name === undefined || /^(if|for|while|switch|catch)$/.test(name) ? null : name;
}
