// References to variables and escapes in an argument.

export interface Expansion {
  readonly variable: (name: string) => string;
  readonly environment: (name: string) => string;
  readonly cache: (name: string) => string;
  readonly mostLength: number;
  readonly tooLong: () => string;
}

/** The text of an argument with `${…}` put in, nested ones first, and escapes taken away. `\;` stays, for lists are parted later. */
export function expandText(text: string, expansion: Expansion): string {
  const reader = { text, at: 0, length: 0 };
  return expandUntil(reader, expansion, "", 0);
}

const deepest = 50;

function expandUntil(
  reader: { readonly text: string; at: number; length: number },
  expansion: Expansion,
  end: "" | "}",
  depth: number,
): string {
  const { text } = reader;
  let result = "";
  while (reader.at < text.length) {
    const char = text[reader.at] ?? "";
    if (char === end) {
      reader.at++;
      return result;
    }
    if (char === "\\") {
      const escaped = text[reader.at + 1] ?? "";
      reader.at += 2;
      if (escaped === ";") result += "\\;";
      else result += escapes[escaped] ?? escaped;
      continue;
    }
    if (char === "$" && depth < deepest) {
      const open = /\$(ENV|CACHE|)\{/y;
      open.lastIndex = reader.at;
      const found = open.exec(text);
      if (found !== null) {
        reader.at = open.lastIndex;
        const name = expandUntil(reader, expansion, "}", depth + 1);
        const { environment, cache, variable } = expansion;
        const value = (found[1] === "ENV" ? environment : found[1] === "CACHE" ? cache : variable)(name);
        reader.length += value.length;
        if (reader.length > expansion.mostLength) return expansion.tooLong();
        result += value;
        continue;
      }
    }
    result += char;
    reader.at++;
  }
  return result;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
