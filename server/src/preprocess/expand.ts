// Macro expansion: a stream of tokens in which every macro is replaced and scanned again, as the standard has it.
import type { AssumedMacro } from "./assumed.ts";
import { type Macro, type MacroArgument, type MacroTable, substitute } from "./macro.ts";
import { type MacroUse, paintedToken, type Token, tokenWithUse } from "./token.ts";

/** Gives the next token, null at the end. */
export type TokenSource = () => Token | null;

// Real code stays far below: CUTLASS's largest uses make a few thousand tokens.
const TOKENS_PER_USE = 100_000;
const TOKENS_IN_ALL = 3_000_000;
const NESTED_ARGUMENTS = 100;
const UNCLOSED_TOKENS = 200_000;

/** What one translation unit may spend on expansion, and which uses went beyond. */
export interface ExpansionState {
  readonly macros: MacroTable;
  /** Whether the text that is read just now is device code. */
  readonly isDeviceCode: () => boolean;
  /** Macros that were computed from where they stand, such as `__LINE__`. */
  readonly computed: Set<string>;
  /** Macros of the build that were used and of which something is open. */
  readonly assumed: Set<AssumedMacro>;
  /** Macros whose bodies are being scanned now, with how often. */
  readonly active: Map<Macro, number>;
  /** Macros that outgrew the budget once and are left alone since. */
  readonly abandoned: Set<Macro>;
  tokensInUse: number;
  tokensInAll: number;
  unclosedTokens: number;
  depth: number;
  /** The use in the text that is being expanded, the macro and its tokens. */
  current: { readonly macro: Macro; readonly use: MacroUse; readonly original: readonly Token[] } | null;
  /** `current` outgrew the budget: every stream stops until the outermost has put it back unexpanded. */
  isExceeded: boolean;
}

interface Frame {
  readonly tokens: readonly Token[];
  /** The macro whose body this is; null for tokens that were read ahead. */
  readonly macro: Macro | null;
  next: number;
}

export function newExpansionState(macros: MacroTable, isDeviceCode: () => boolean): ExpansionState {
  return {
    macros,
    isDeviceCode,
    computed: new Set(),
    assumed: new Set(),
    active: new Map(),
    abandoned: new Set(),
    tokensInUse: 0,
    tokensInAll: 0,
    unclosedTokens: 0,
    depth: 0,
    current: null,
    isExceeded: false,
  };
}

/** All of `tokens`, expanded. Where the budget ends, `state.isExceeded` is set and what is returned means nothing. */
export function expandAll(state: ExpansionState, tokens: readonly Token[]): Token[] {
  let at = 0;
  const stream = new ExpandedStream(state, () => tokens[at++] ?? null);
  const out: Token[] = [];
  for (let token = stream.next(); token !== null; token = stream.next()) out.push(token);
  stream.stop();
  return out;
}

export class ExpandedStream {
  private readonly state: ExpansionState;
  private readonly source: TokenSource;
  private readonly frames: Frame[] = [];

  constructor(state: ExpansionState, source: TokenSource) {
    this.state = state;
    this.source = source;
  }

  /** Whether the next token comes from the source: nothing that was expanded or read ahead waits. */
  get isAtSource(): boolean {
    return this.frames.every(({ tokens, next }) => next >= tokens.length);
  }

  /** The next token that is not to be expanded further; null at the end or where the budget of a use has ended. */
  next(): Token | null {
    for (;;) {
      if (this.state.isExceeded) return null;
      const token = this.pull();
      if (token === null || token.kind !== "identifier" || token.isPainted) return token;
      const macro = this.state.macros.get(token.text);
      if (macro === undefined || (macro.isDeviceOnly && !this.state.isDeviceCode())) return token;
      if (this.state.active.get(macro)) return paintedToken(token);
      if (!this.enter(token, macro)) return token;
    }
  }

  /** Forgets all bodies being scanned; tokens read ahead from the text stay. */
  stop(): void {
    const ahead = this.frames.filter(
      (frame) => frame.macro === null && frame.tokens[frame.next]?.use === null,
    );
    while (this.frames.length > 0) this.popFrame();
    this.frames.push(...ahead);
  }

  /** Begins the expansion of `name`; false where it is no use of the macro after all. */
  private enter(name: Token, macro: Macro): boolean {
    const { state } = this;
    if (state.abandoned.has(macro) || state.tokensInAll > TOKENS_IN_ALL) return false;
    if (macro.compute !== undefined) state.computed.add(macro.name);
    if (macro.assumed !== undefined) state.assumed.add(macro.assumed);
    if (macro.parameters === null) {
      const use = name.use ?? {
        name: macro.name,
        file: name.file,
        start: name.start,
        end: name.end,
        arguments: [],
      };
      this.begin(macro, use, name, [name]);
      this.push(macro, macro.compute?.(use, [], name) ?? substitute(macro, [], use));
      return true;
    }
    const call = this.readCall(macro);
    if (call === null) return false;
    const use = name.use ?? useOf(name, macro, call);
    this.begin(macro, use, name, [name, ...call.tokens]);
    const values = call.arguments.map((tokens) => this.argument(tokens, use));
    this.push(macro, macro.compute?.(use, values, name) ?? substitute(macro, values, use));
    return true;
  }

  private begin(macro: Macro, use: MacroUse, name: Token, original: readonly Token[]): void {
    if (name.use !== null || this.state.depth > 0) return;
    this.state.current = { macro, use, original };
    this.state.tokensInUse = 0;
  }

  private argument(tokens: readonly Token[], use: MacroUse): MacroArgument {
    const raw = tokens.map((token) => tokenWithUse(token, use));
    let expanded: readonly Token[] | null = null;
    return { raw, expanded: () => (expanded ??= this.expandArgument(raw)) };
  }

  private expandArgument(raw: readonly Token[]): readonly Token[] {
    const { state } = this;
    if (!raw.some((token) => token.kind === "identifier" && state.macros.has(token.text))) return raw;
    if (state.depth >= NESTED_ARGUMENTS) return raw;
    state.depth++;
    const expanded = expandAll(state, raw);
    state.depth--;
    return expanded;
  }

  private push(macro: Macro, tokens: readonly Token[]): void {
    const { state } = this;
    state.tokensInUse += tokens.length + 1;
    state.tokensInAll += tokens.length + 1;
    if (state.tokensInUse > TOKENS_PER_USE && state.current !== null) {
      state.isExceeded = true;
      return;
    }
    state.active.set(macro, (state.active.get(macro) ?? 0) + 1);
    this.frames.push({ tokens, macro, next: 0 });
  }

  private pull(): Token | null {
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      const token = frame.tokens[frame.next++];
      if (token !== undefined) return token;
      this.popFrame();
    }
    return this.source();
  }

  private popFrame(): void {
    const macro = this.frames.pop()?.macro;
    if (macro !== null && macro !== undefined) {
      this.state.active.set(macro, Math.max(0, (this.state.active.get(macro) ?? 0) - 1));
    }
  }

  private putBack(tokens: readonly Token[]): void {
    if (tokens.length > 0) this.frames.push({ tokens, macro: null, next: 0 });
  }

  /** Reads `( … )` if it follows and suits `macro`; else leaves all as it was. */
  private readCall(macro: Macro): MacroCall | null {
    const open = this.pull();
    if (open === null) return null;
    if (open.text !== "(") {
      this.putBack([open]);
      return null;
    }
    const tokens = [open];
    const groups: Token[][] = [[]];
    const count = macro.parameters?.length ?? 0;
    let depth = 1;
    for (;;) {
      const token = this.state.unclosedTokens > UNCLOSED_TOKENS ? null : this.pull();
      if (token === null || isRestart(token)) {
        if (token !== null) tokens.push(token);
        this.state.unclosedTokens += tokens.length;
        this.putBack(tokens);
        return null;
      }
      tokens.push(token);
      if (token.text === "(" && token.kind === "punctuator") depth++;
      else if (token.text === ")" && --depth === 0) break;
      const isSeparator = depth === 1 && token.text === ",";
      if (isSeparator && (macro.variadicName === null || groups.length < count)) groups.push([]);
      else groups.at(-1)?.push(token);
    }
    if (!suits(macro, groups)) {
      this.putBack(tokens);
      return null;
    }
    return { tokens, arguments: groups };
  }
}

interface MacroCall {
  readonly tokens: readonly Token[];
  readonly arguments: readonly (readonly Token[])[];
}

/** Half-typed text: a call that reaches the next kernel was never closed. */
function isRestart(token: Token): boolean {
  if (!token.startsLine || token.use !== null) return false;
  if (token.text !== "__global__" && token.text !== "template") return false;
  return token.start === 0 || token.file.text.charCodeAt(token.start - 1) === 10;
}

function suits(macro: Macro, groups: readonly (readonly Token[])[]): boolean {
  const count = macro.parameters?.length ?? 0;
  if (groups.length === count) return true;
  if (count === 0) return groups.length === 1 && groups[0]?.length === 0;
  return macro.variadicName !== null && groups.length === count - 1;
}

function useOf(name: Token, macro: Macro, call: MacroCall): MacroUse {
  const isHere = (token: Token | undefined) =>
    token !== undefined && token.use === null && token.file === name.file && token.start >= name.start;
  const last = call.tokens.at(-1);
  const extents = call.arguments.flatMap((tokens) => {
    const first = tokens[0];
    const end = tokens.at(-1);
    return first !== undefined && end !== undefined && isHere(first) && isHere(end)
      ? [{ start: first.start, end: end.end }]
      : [];
  });
  const end = last !== undefined && isHere(last) ? last.end : name.end;
  return { name: macro.name, file: name.file, start: name.start, end, arguments: extents };
}
