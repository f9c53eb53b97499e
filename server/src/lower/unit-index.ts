// Which names a top-level declaration may declare, from its text alone: so that only the declarations that are used are parsed.

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^(\s]*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|[{}()[\]]/g;

/**
 * Every identifier outside of braces and parentheses, the one in `(*name)`, and those inside an enumeration's braces. It may
 * hold more names than are declared, never fewer.
 */
export function namesDeclaredBy(text: string): Set<string> {
  const names = new Set<string>();
  const isEnumeration = /^\s*(typedef\s+)?enum\b/.test(text);
  let braces = 0;
  let parentheses = 0;
  for (const match of text.matchAll(token)) {
    const [word] = match;
    switch (word) {
      case "{":
        braces += 1;
        break;
      case "}":
        braces -= 1;
        break;
      case "(":
      case "[":
        parentheses += 1;
        break;
      case ")":
      case "]":
        parentheses -= 1;
        break;
      default:
        if (!/^[A-Za-z_]/.test(word)) break;
        if (braces > 0 ? isEnumeration : parentheses === 0 || isPointerName(text, match.index))
          names.add(word);
    }
  }
  return names;
}

function isPointerName(text: string, index: number): boolean {
  return /\(\s*[*&]+\s*$/.test(text.slice(Math.max(0, index - 12), index));
}
