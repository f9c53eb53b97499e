// Python's tokens (and Starlark's): names, numbers, strings, operators, and the lines and indents between them.

export type TokenKind = "name" | "number" | "string" | "operator" | "newline" | "indent" | "dedent" | "end";

export interface PythonToken {
  readonly kind: TokenKind;
  /** Of a string, what stands between its quotes, escapes as written. */
  readonly text: string;
  /** Of a string, in lower case: "", "f", "r", "rf", "b". */
  readonly prefix: string;
  /** 1-based. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const wordPattern = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const numberPattern =
  /(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?)[jJ]?/y;
const operatorPattern =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|\*\*|\/\/|>>|<<|<=|>=|==|!=|->|:=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|@=|[-+*/%@&|^~<>()[\]{},:.;=!]/y;
const stringStart = /([rRbBuUfFtT]{0,2})("""|'''|"|')/y;

/** The tokens of a text; what is none is left out. `firstLine` is the line of its first character. */
export function pythonTokens(text: string, firstLine = 1): PythonToken[] {
  const tokens: PythonToken[] = [];
  const indents = [0];
  let at = 0;
  let line = firstLine;
  let depth = 0;
  let isLineStart = true;
  const push = (
    kind: TokenKind,
    start: number,
    end: number,
    value: string,
    prefix: string,
    on: number,
  ): void => {
    tokens.push({ kind, text: value, prefix, line: on, start, end });
  };
  const matchAt = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    if (isLineStart && depth === 0) {
      const indent = indentAt(text, at);
      at = indent.end;
      if (at >= text.length) break;
      if (text.charAt(at) === "\n" || text.charAt(at) === "#" || text.charAt(at) === "\r") {
        at = skipLine(text, at);
        line++;
        continue;
      }
      isLineStart = false;
      if (indent.width > (indents.at(-1) ?? 0)) {
        indents.push(indent.width);
        push("indent", at, at, "", "", line);
      }
      while (indent.width < (indents.at(-1) ?? 0)) {
        indents.pop();
        push("dedent", at, at, "", "", line);
      }
    }
    const character = text.charAt(at);
    if (character === "\n") {
      if (depth === 0) {
        push("newline", at, at + 1, "", "", line);
        isLineStart = true;
      }
      at++;
      line++;
    } else if (character === "\\" && /^\\\r?\n/.test(text.slice(at, at + 3))) {
      at = text.indexOf("\n", at) + 1;
      line++;
    } else if (character === "#") {
      while (at < text.length && text.charAt(at) !== "\n") at++;
    } else if (/\s/.test(character)) {
      at++;
    } else {
      const string = matchAt(stringStart);
      const word = string === null ? matchAt(wordPattern) : null;
      const number = string === null && word === null ? matchAt(numberPattern) : null;
      if (string !== null) {
        const quote = string[2] ?? '"';
        const start = at + string[0].length;
        const end = stringEnd(text, start, quote);
        push("string", at, end.after, text.slice(start, end.at), (string[1] ?? "").toLowerCase(), line);
        line += text.slice(at, end.after).split("\n").length - 1;
        at = end.after;
      } else if (word !== null) {
        push("name", at, at + word[0].length, word[0], "", line);
        at += word[0].length;
      } else if (number !== null) {
        push("number", at, at + number[0].length, number[0], "", line);
        at += number[0].length;
      } else {
        const operator = matchAt(operatorPattern)?.[0] ?? "";
        if (/^[([{]$/.test(operator)) depth++;
        else if (/^[)\]}]$/.test(operator)) depth = Math.max(0, depth - 1);
        if (operator !== "") push("operator", at, at + operator.length, operator, "", line);
        at += Math.max(1, operator.length);
      }
    }
  }
  push("newline", at, at, "", "", line);
  for (let open = indents.length; open > 1; open--) push("dedent", at, at, "", "", line);
  push("end", at, at, "", "", line);
  return tokens;
}

function indentAt(text: string, from: number): { width: number; end: number } {
  let width = 0;
  let at = from;
  for (; text.charAt(at) === " " || text.charAt(at) === "\t" || text.charAt(at) === "\f"; at++) {
    width = text.charAt(at) === "\t" ? (width >> 3) * 8 + 8 : width + 1;
  }
  return { width, end: at };
}

function skipLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}

/** A string without its closing quotes ends with its line, or with the text. */
function stringEnd(text: string, from: number, quote: string): { at: number; after: number } {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (text.startsWith(quote, at)) return { at, after: at + quote.length };
    else if (character === "\n" && quote.length === 1) return { at, after: at };
  }
  return { at: text.length, after: text.length };
}

/** What the escapes of a string stand for. */
export function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    n: "\n",
    t: "\t",
    r: "\r",
    "0": "\0",
    a: "\x07",
    b: "\b",
    f: "\f",
    v: "\v",
  };
  return text.replace(/\\(\r?\n|x[\da-fA-F]{2}|u[\da-fA-F]{4}|.)/gs, (whole, code: string) => {
    if (/^\r?\n$/.test(code)) return "";
    if (/^[xu]./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code === "\\" || code === "'" || code === `"`) return code;
    return letters[code] ?? whole;
  });
}
