// Translation phases 2 and 3: from text to preprocessing tokens. Any text is accepted; what is no token is a token "other".
import { joinSplicedLines, rawOffsets } from "./splice.ts";
import type { Annotation, LexedFile, Token, TokenKind } from "./token.ts";

const ANNOTATION = /^\/\/\s*warplint:\s*(.*?)\s*$/;

// Longest first. `<<<` is one token in CUDA; `>>>` is not, since it closes template arguments too.
const LONG_PUNCTUATORS = [
  ..."<<< <<= >>= ... ->* <=> ## :: -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= .*".split(" "),
];
const PUNCTUATORS_BY_FIRST = groupByFirst(LONG_PUNCTUATORS);
const SINGLE = "{}[]()<>;:?.+-*/%^&|~!=,#";

const OTHER = 0;
const SPACE = 1;
const LETTER = 2;
const DIGIT = 3;
const QUOTE = 4;
const PUNCTUATOR = 5;
/** Files lose theirs when they are read; the text of an editor's document may begin with one. */
const BYTE_ORDER_MARK = 0xfeff;
const CLASS_OF = characterClasses();
const CHARACTERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Cuts `text` into tokens; their offsets are those of `text`. */
export function lex(path: string, text: string): LexedFile {
  return lexStretch(path, text, { start: 0, end: text.length });
}

/** Cuts only the stretch from `start` to `end`, as if the rest were not there; offsets are those of the whole text all the same. */
export function lexStretch(
  path: string,
  text: string,
  { start: base, end: limit }: { readonly start: number; readonly end: number },
): LexedFile {
  const logical = joinSplicedLines(text.slice(base, limit));
  const toStretch = rawOffsets(logical);
  const toRaw = (offset: number) => base + toStretch(offset);
  const tokens: Token[] = [];
  const directives: number[] = [];
  const annotations: Annotation[] = [];
  const file: { -readonly [Key in keyof LexedFile]: LexedFile[Key] } = {
    path,
    text,
    tokens,
    directives,
    annotations,
    openComment: null,
  };
  const source = logical.text;
  const length = source.length;
  let at = 0;
  let startsLine = true;
  let spaceBefore = false;
  while (at < length) {
    const code = source.charCodeAt(at);
    if (code === 10) {
      startsLine = true;
      spaceBefore = true;
      at++;
      continue;
    }
    const kindOfCharacter = classOf(code);
    if (kindOfCharacter === SPACE) {
      spaceBefore = true;
      at++;
      continue;
    }
    const following = source.charCodeAt(at + 1);
    if (code === 47 && (following === 47 || following === 42)) {
      const end = following === 47 ? lineEnd(source, at) : blockCommentEnd(source, at);
      if (following === 47) noteAnnotation(source.slice(at, end), toRaw(at), annotations);
      else if (end === length && !isClosed(source, at)) file.openComment = toRaw(at);
      spaceBefore = true;
      at = end;
      continue;
    }
    let kind: TokenKind = "other";
    let end = at + 1;
    let isLaunch = false;
    if (kindOfCharacter === LETTER) {
      end = wordEnd(source, at);
      kind = "identifier";
      const quote = source.charCodeAt(end);
      if ((quote === 34 || quote === 39) && isLiteralPrefix(source.slice(at, end))) {
        kind = quote === 34 ? "string" : "character";
        end = source.charCodeAt(end - 1) === 82 ? rawStringEnd(source, end) : literalEnd(source, end, quote);
      }
    } else if (kindOfCharacter === DIGIT || (code === 46 && classOf(following) === DIGIT)) {
      end = numberEnd(source, at);
      kind = "number";
    } else if (kindOfCharacter === QUOTE) {
      end = literalEnd(source, at, code);
      kind = code === 34 ? "string" : "character";
    } else if (kindOfCharacter === PUNCTUATOR) {
      end = punctuatorEnd(source, at);
      kind = "punctuator";
      const bracketEnd = code === 60 && end === at + 2 ? partedLaunchEnd(source, at) : -1;
      if (bracketEnd !== -1 && tokens.at(-1)?.text !== "operator") {
        end = bracketEnd;
        isLaunch = true;
      }
    }
    if (code === 35 && startsLine && end === at + 1) directives.push(tokens.length);
    const rawStart = toRaw(at);
    tokens.push({
      kind,
      text: isLaunch
        ? "<<<"
        : end === at + 1 && code < 128
          ? (CHARACTERS[code] ?? "")
          : source.slice(at, end),
      file,
      start: rawStart,
      end: toRaw(end - 1) + 1,
      startsLine,
      spaceBefore,
      use: null,
      isPainted: false,
    });
    startsLine = false;
    spaceBefore = false;
    at = end;
  }
  return file;
}

function noteAnnotation(comment: string, start: number, annotations: Annotation[]): void {
  const match = comment.includes("warplint:") ? ANNOTATION.exec(comment) : null;
  if (match?.[1] !== undefined) annotations.push({ text: match[1], start, end: start + comment.length });
}

function classOf(code: number): number {
  if (code >= 128) return code === BYTE_ORDER_MARK ? SPACE : LETTER;
  return CLASS_OF[code] ?? OTHER;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

function blockCommentEnd(source: string, at: number): number {
  const end = source.indexOf("*/", at + 2);
  return end === -1 ? source.length : end + 2;
}

function isClosed(source: string, comment: number): boolean {
  return source.length >= comment + 4 && source.endsWith("*/");
}

function wordEnd(source: string, at: number): number {
  let end = at + 1;
  for (; end < source.length; end++) {
    const kind = classOf(source.charCodeAt(end));
    if (kind !== LETTER && kind !== DIGIT) break;
  }
  return end;
}

function isLiteralPrefix(word: string): boolean {
  return word.length <= 3 && /^(?:u8|[uUL])?R?$/.test(word);
}

/** The end of a quoted literal; one that is not closed ends with its line. */
function literalEnd(source: string, at: number, quote: number): number {
  let end = at + 1;
  for (; end < source.length; end++) {
    const code = source.charCodeAt(end);
    if (code === quote) return end + 1;
    if (code === 10) return end;
    if (code === 92) end++;
  }
  return source.length;
}

function rawStringEnd(source: string, quote: number): number {
  const open = source.indexOf("(", quote);
  if (open === -1 || open - quote > 17) return literalEnd(source, quote, 34);
  const close = `)${source.slice(quote + 1, open)}"`;
  const end = source.indexOf(close, open);
  return end === -1 ? source.length : end + close.length;
}

/** The end of a preprocessing number: digits, letters, points, digit separators, signs after an exponent. */
function numberEnd(source: string, at: number): number {
  let end = at + 1;
  for (; end < source.length; end++) {
    const code = source.charCodeAt(end);
    if (isOfWord(code) || code === 46) continue;
    if ((code === 43 || code === 45) && "eEpP".includes(source.charAt(end - 1)) && !isHex(source, at, end))
      continue;
    if (code === 39 && isOfWord(source.charCodeAt(end + 1))) continue;
    break;
  }
  return end;
}

function isOfWord(code: number): boolean {
  const kind = classOf(code);
  return kind === LETTER || kind === DIGIT;
}

/** Whether the `e` before `end` is a hexadecimal digit (then a sign does not belong to the number, as 0xe+1 is meant). */
function isHex(source: string, at: number, end: number): boolean {
  return "eE".includes(source.charAt(end - 1)) && /^0[xX]/.test(source.slice(at, at + 2));
}

function punctuatorEnd(source: string, at: number): number {
  for (const punctuator of PUNCTUATORS_BY_FIRST[source.charCodeAt(at)] ?? []) {
    if (source.startsWith(punctuator, at)) return at + punctuator.length;
  }
  return at + 1;
}

/**
 * The end of `<< <` at `at`, which nvcc takes for `<<<` (formatters that don't know CUDA write it so); -1 where something else stands there.
 */
function partedLaunchEnd(source: string, at: number): number {
  if (source.charCodeAt(at + 1) !== 60) return -1;
  let end = at + 2;
  while (source.charCodeAt(end) === 32 || source.charCodeAt(end) === 9) end++;
  return end > at + 2 && source.charCodeAt(end) === 60 && source.charCodeAt(end + 1) !== 60 ? end + 1 : -1;
}

function groupByFirst(punctuators: readonly string[]): string[][] {
  const groups: string[][] = Array.from({ length: 128 }, () => []);
  for (const punctuator of punctuators) groups[punctuator.charCodeAt(0)]?.push(punctuator);
  return groups;
}

function characterClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 0; code <= 32; code++) classes[code] = SPACE;
  for (const character of SINGLE) classes[character.charCodeAt(0)] = PUNCTUATOR;
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    if (/[A-Za-z_$]/.test(character)) classes[code] = LETTER;
    if (/[0-9]/.test(character)) classes[code] = DIGIT;
  }
  classes[34] = QUOTE;
  classes[39] = QUOTE;
  return classes;
}
