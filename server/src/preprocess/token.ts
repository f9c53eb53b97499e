// A preprocessing token that knows where it was spelled and, if it came out of a macro, where the user used that macro.

export type TokenKind = "identifier" | "number" | "string" | "character" | "punctuator" | "pragma" | "other";

/** A file cut into tokens; comments are gone. Immutable, so that a header is lexed once for all that include it. */
export interface LexedFile {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Indices into `tokens` of each `#` that begins a directive, ascending. */
  readonly directives: readonly number[];
  /** Comments of the form `// warplint: …`, ascending. */
  readonly annotations: readonly Annotation[];
  /** Where a comment begins that is never closed, and takes the rest of the file; null where all are. */
  readonly openComment: number | null;
}

export interface Annotation {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A token. Tokens are immutable and shared; expansion makes copies. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it was spelled: for a token of a macro's body, the body. */
  readonly file: LexedFile;
  readonly start: number;
  readonly end: number;
  /** It is the first of its logical line. */
  readonly startsLine: boolean;
  readonly spaceBefore: boolean;
  /** The outermost use, in a file's text, of the macro that it came out of; null where it stands in the text itself. */
  readonly use: MacroUse | null;
  /** It named a macro while that macro was being expanded, and is never expanded again (C++ [cpp.rescan]). */
  readonly isPainted: boolean;
}

/** Where a file's text uses a macro: from the name to the closing parenthesis. */
export interface MacroUse {
  readonly name: string;
  readonly file: LexedFile;
  readonly start: number;
  readonly end: number;
  /** The extent of each argument that has tokens, in order. */
  readonly arguments: readonly { readonly start: number; readonly end: number }[];
}

/** A copy that came out of `use`; a token that came out of a use already keeps it, since the outermost counts. */
export function tokenWithUse(token: Token, use: MacroUse): Token {
  if (token.use !== null) return token;
  const { kind, text, file, start, end, startsLine, spaceBefore, isPainted } = token;
  return { kind, text, file, start, end, startsLine, spaceBefore, use, isPainted };
}

/** A copy that will not be expanded. */
export function paintedToken(token: Token): Token {
  const { kind, text, file, start, end, startsLine, spaceBefore, use } = token;
  return { kind, text, file, start, end, startsLine, spaceBefore, use, isPainted: true };
}

/** A token that nobody spelled, at the place of `origin`. */
export function madeToken(origin: Token, kind: TokenKind, text: string): Token {
  const { file, start, end, spaceBefore, use } = origin;
  return { kind, text, file, start, end, startsLine: false, spaceBefore, use, isPainted: false };
}

/** Tokens as text, a space wherever the user had one. */
export function spellingOf(tokens: readonly Token[]): string {
  let text = "";
  for (const token of tokens) {
    const isApart = text !== "" && (token.spaceBefore || token.startsLine);
    text += isApart ? ` ${token.text}` : token.text;
  }
  return text;
}
