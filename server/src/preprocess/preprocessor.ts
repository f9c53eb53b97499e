// Translation phase 4: runs the directives of a file and of what it includes, and expands macros.
import type { SourceRange } from "../text/source.ts";
import { type AssumedGroup, type AssumedMacro, AssumedMacros, mayDefineMore } from "./assumed.ts";
import { evaluateCondition } from "./condition.ts";
import { assumptionsIn, conventionsIn, withConventions } from "./convention.ts";
import { ExpandedStream, type ExpansionState, expandAll, newExpansionState } from "./expand.ts";
import { isKnownLibrary, isSystemHeader } from "./headers.ts";
import { lex } from "./lex.ts";
import { type Macro, type MacroTable, parseDefinition } from "./macro.ts";
import type { MacroChange } from "./macro-history.ts";
import { keptPragma, lineOf } from "./predefined.ts";
import type {
  KnownMacros,
  MissingInclude,
  Preprocessed,
  PreprocessedStretch,
  PreprocessOptions,
} from "./preprocessed.ts";
import { SideTracker } from "./side.ts";
import { type LexedFile, madeToken, paintedToken, spellingOf, type Token } from "./token.ts";

/** As deep as compilers go. */
const INCLUDE_DEPTH = 200;
const INCLUDES_OF_SAME_FILE = 8;
const INCLUDES_IN_ALL = 3000;
const TOKENS_IN_ALL = 5_000_000;
/** Of headers outside of the workspace. */
const OUTSIDE_LENGTH = 4_000_000;

interface OpenFile {
  readonly file: LexedFile;
  /** Index of the next token. */
  next: number;
  /** Index into the file's directives of the first that was not yet run or jumped over. */
  nextDirective: number;
  readonly conditions: Condition[];
}

interface Condition {
  isActive: boolean;
  /** A branch was taken already, or the whole #if lies in text left out. */
  isDecided: boolean;
  skipStart: number;
  /** Where the #if begins. */
  readonly start: number;
  /** The macro that the branch is for the lack of: `#ifndef N`. */
  readonly lacks: string | null;
  readonly group: AssumedGroup;
}

/** Reads one text, once. */
export class Preprocessor {
  private readonly options: PreprocessOptions;
  private readonly out: Token[] = [];
  private readonly macros: MacroTable;
  private readonly macroChanges: MacroChange[] = [];
  private readonly state: ExpansionState;
  private readonly open: OpenFile[] = [];
  private readonly files = new Map<string, LexedFile>();
  private readonly once = new Set<string>();
  private readonly included: string[] = [];
  private readonly missing: MissingInclude[] = [];
  private readonly notExpanded: { name: string; range: SourceRange; reason: string }[] = [];
  private readonly skipped = new Map<string, { start: number; end: number }[]>();
  private readonly pushedMacros = new Map<string, (Macro | undefined)[]>();
  private readonly unclosed: SourceRange[] = [];
  private readonly assumed = new AssumedMacros();
  private readonly mayDefineMore: boolean;
  /** What the compiler reads in front of the text is being read. */
  private isAhead = false;
  private includeCount = 0;
  private outsideLength = 0;

  /** `macros`: those that are defined before the first token. */
  constructor(options: PreprocessOptions, macros: MacroTable) {
    this.options = options;
    this.macros = macros;
    this.mayDefineMore = options.flags !== undefined && mayDefineMore(options.flags);
    for (const { assumed } of macros.values()) if (assumed !== undefined) this.assumed.note(assumed);
    const side = new SideTracker(this.out);
    this.state = newExpansionState(macros, () => side.isDeviceCode());
  }

  run(path: string, text: string): Preprocessed {
    const own = this.lexed(path, text);
    this.readAhead(own);
    this.enterFile(own);
    this.expand();
    const { macros } = conventionsIn(this.out, this.macros);
    const resolved = withConventions(this.out, macros);
    const conventions: MacroTable = resolved === null ? new Map() : macros;
    return {
      tokens: resolved ?? this.out,
      files: this.files,
      includedFiles: this.included,
      missingIncludes: this.missing,
      conventions: assumptionsIn(conventions),
      assumed: this.assumed.assumptions(this.definitions()),
      notExpanded: this.notExpanded,
      unclosed: this.unclosed,
      isSkipped: (file, offset) =>
        this.skipped.get(file)?.some(({ start, end }) => start <= offset && offset < end) ?? false,
      known: {
        history: { last: this.macros, changes: this.macroChanges },
        conventions,
        computed: this.state.computed,
      },
    };
  }

  /** The files that the compiler is told to read first: all of some, of others the macros alone. */
  private readAhead(own: LexedFile): void {
    const forced = this.options.flags?.forcedIncludes ?? [];
    this.isAhead = true;
    for (const kind of ["imacros", "include"] as const) {
      for (const { path } of forced.filter((each) => each.kind === kind)) {
        const found = this.options.readInclude(path, own.path, "quoted");
        if (found === null) {
          const range = { file: own.path, start: 0, end: 0 };
          this.missing.push({ name: path, kind: "quoted", range, reason: "not found" });
          continue;
        }
        if (!this.files.has(found.path)) this.included.push(found.path);
        this.enterFile(this.lexed(found.path, found.text));
        this.expand();
      }
      if (kind === "imacros") this.out.length = 0;
    }
    this.isAhead = false;
  }

  private *definitions(): Generator<Macro> {
    yield* this.macros.values();
    for (const { before } of this.macroChanges) if (before !== undefined) yield before;
  }

  runStretch(file: LexedFile, known: KnownMacros): PreprocessedStretch | null {
    this.enterFile(file);
    this.expand();
    if (this.notExpanded.length > 0 || this.unclosed.length > 0 || this.state.unclosedTokens > 0) return null;
    const { mentions } = conventionsIn(this.out, known.history.last);
    const tokens = withConventions(this.out, known.conventions);
    return tokens && { tokens, file, mentions, computed: this.state.computed };
  }

  /** Reads what is open to its end. */
  private expand(): void {
    const stream = new ExpandedStream(this.state, () => this.nextOfText());
    while (this.out.length < TOKENS_IN_ALL) {
      const token = stream.next();
      if (token !== null) this.out.push(token);
      else if (this.state.isExceeded) this.putBackExceeded(stream);
      else break;
    }
  }

  private lexed(path: string, text: string): LexedFile {
    const known = this.files.get(path) ?? this.options.cache?.get(path);
    const file = known?.text === text ? known : lex(path, text);
    this.options.cache?.set(path, file);
    this.files.set(path, file);
    return file;
  }

  private enterFile(file: LexedFile): void {
    this.open.push({ file, next: 0, nextDirective: 0, conditions: [] });
  }

  private leaveFile(): void {
    const left = this.open.pop();
    const unclosed = left?.conditions.find((condition) => !condition.isActive);
    if (left === undefined) return;
    for (const condition of left.conditions) this.endGroup(left, condition, left.file.text.length);
    if (unclosed !== undefined) this.noteSkipped(left, unclosed, left.file.text.length);
    const start = unclosed?.skipStart ?? left.file.openComment;
    if (start !== null) this.unclosed.push({ file: left.file.path, start, end: left.file.text.length });
  }

  /** A use that outgrew the budget goes out as it was typed; its macro is left alone from now on. */
  private putBackExceeded(stream: ExpandedStream): void {
    stream.stop();
    this.state.isExceeded = false;
    const { current } = this.state;
    if (current === null) return;
    const { macro, use, original } = current;
    while (this.out.at(-1)?.use === use) this.out.pop();
    this.state.abandoned.add(macro);
    this.state.active.clear();
    for (const token of original) this.out.push(paintedToken(token));
    const range = { file: use.file.path, start: use.start, end: use.end };
    this.notExpanded.push({ name: macro.name, range, reason: "its expansion is too long" });
  }

  /** The next token of the text, directives run on the way. */
  private nextOfText(): Token | null {
    for (let top = this.open.at(-1); top !== undefined; top = this.open.at(-1)) {
      const { file } = top;
      const directive = file.directives[top.nextDirective] ?? file.tokens.length;
      const token = file.tokens[top.next];
      if (top.next < directive && token !== undefined && isActive(top)) {
        top.next++;
        return token;
      }
      top.next = directive;
      if (directive >= file.tokens.length) this.leaveFile();
      else {
        const made = this.runDirective(top);
        if (made !== null) return made;
      }
    }
    return null;
  }

  private runDirective(top: OpenFile): Token | null {
    const { tokens, directives } = top.file;
    const hash = tokens[top.next];
    let end = top.next + 1;
    while (end < tokens.length && tokens[end]?.startsLine === false) end++;
    const line = tokens.slice(top.next + 1, end);
    top.next = end;
    while ((directives[top.nextDirective] ?? end) < end) top.nextDirective++;
    const name = line[0];
    if (hash === undefined || name === undefined) return null;
    const rest = line.slice(1);
    if (this.runConditional(top, name, rest, hash) || !isActive(top)) return null;
    if (name.text === "define") this.define(top, rest);
    else if (name.text === "undef") this.setMacro(rest[0]?.text ?? "", undefined);
    else if (name.text === "include" || name.text === "include_next") this.include(top, rest, hash);
    else if (name.text === "pragma") return this.pragma(top, rest, hash);
    return null;
  }

  private define(top: OpenFile, tokens: readonly Token[]): void {
    const macro = parseDefinition(tokens);
    if (macro === null) return;
    this.assumed.define(macro.name, this.assumedGroups());
    const assumed = this.defaultIn(top, macro);
    if (assumed !== null) this.assumed.note(assumed);
    this.setMacro(macro.name, assumed === null ? macro : { ...macro, assumed });
  }

  /** `#ifndef N`, `#define N 16`: what the build may say otherwise, if it could not be read to its end. */
  private defaultIn(top: OpenFile, { name, body }: Macro): AssumedMacro | null {
    const [first] = body;
    if (!this.mayDefineMore || first === undefined || top.conditions.at(-1)?.lacks !== name) return null;
    const line = lineOf(first.file, first.start);
    const origin = { file: first.file.path, line };
    return { name, value: spellingOf(body), why: "default", doubt: null, origin };
  }

  /** Of all that is open, the groups that hang on something. */
  private assumedGroups(): AssumedGroup[] {
    return this.open.flatMap(({ conditions }) =>
      conditions.flatMap(({ group }) => (group.macros.size > 0 ? [group] : [])),
    );
  }

  private endGroup(top: OpenFile, { start, group }: Condition, end: number): void {
    if (group.macros.size > 0) this.assumed.region({ file: top.file.path, start, end }, group);
  }

  private setMacro(name: string, macro: Macro | undefined): void {
    const [outermost] = this.open;
    const offset = this.isAhead
      ? -1
      : (outermost?.file.tokens[outermost.next]?.start ?? Number.POSITIVE_INFINITY);
    this.macroChanges.push({ offset, name, before: this.macros.get(name) });
    if (macro === undefined) this.macros.delete(name);
    else this.macros.set(name, macro);
  }

  private pragma(top: OpenFile, tokens: readonly Token[], hash: Token): Token | null {
    const [name] = tokens;
    if (name?.text === "once") this.once.add(top.file.path);
    else if (name?.text === "push_macro" || name?.text === "pop_macro")
      this.stackMacro(name.text, tokens[2]?.text);
    const text = keptPragma(spellingOf(tokens));
    if (text === null) return null;
    const expanded = keptPragma(spellingOf(expandAll(this.state, tokens)));
    return { ...madeToken(hash, "pragma", expanded ?? text), end: tokens.at(-1)?.end ?? hash.end };
  }

  private stackMacro(operation: "push_macro" | "pop_macro", literal: string | undefined): void {
    const name = literal?.slice(1, -1) ?? "";
    const stack = this.pushedMacros.get(name) ?? [];
    this.pushedMacros.set(name, stack);
    if (operation === "push_macro") stack.push(this.macros.get(name));
    else if (stack.length > 0) this.setMacro(name, stack.pop());
  }

  /** Runs #if and its kin; false where `name` is another directive. */
  private runConditional(top: OpenFile, name: Token, rest: readonly Token[], hash: Token): boolean {
    const condition = top.conditions.at(-1);
    switch (name.text) {
      case "if":
      case "ifdef":
      case "ifndef": {
        const outer = isActive(top);
        const group: AssumedGroup = { macros: new Set(), branchCount: 1 };
        const isTrue = outer && this.holds(top, name.text, rest, group);
        top.conditions.push({
          isActive: isTrue,
          isDecided: isTrue || !outer,
          skipStart: hash.start,
          start: hash.start,
          lacks: lackedBy(name.text, rest),
          group,
        });
        return true;
      }
      case "elif":
      case "elifdef":
      case "elifndef":
      case "else": {
        if (condition === undefined) return true;
        const wasActive = condition.isActive;
        if (!wasActive) this.noteSkipped(top, condition, hash.start);
        const kind = name.text === "else" ? null : name.text.slice(2);
        const { group } = condition;
        group.branchCount++;
        condition.isActive = !condition.isDecided && (kind === null || this.holds(top, kind, rest, group));
        condition.isDecided ||= condition.isActive;
        condition.skipStart = hash.start;
        return true;
      }
      case "endif":
        if (condition !== undefined && !condition.isActive) this.noteSkipped(top, condition, hash.start);
        if (condition !== undefined) this.endGroup(top, condition, hash.end);
        top.conditions.pop();
        return true;
      default:
        return false;
    }
  }

  private noteSkipped(top: OpenFile, condition: Condition, end: number): void {
    const ranges = this.skipped.get(top.file.path) ?? [];
    ranges.push({ start: condition.skipStart, end });
    this.skipped.set(top.file.path, ranges);
  }

  /** What it hangs on is noted in `group`. */
  private holds(top: OpenFile, kind: string, tokens: readonly Token[], { macros }: AssumedGroup): boolean {
    this.state.assumed.clear();
    const holds = this.evaluate(top, kind, tokens);
    for (const macro of this.state.assumed) macros.add(macro);
    return holds;
  }

  private evaluate(top: OpenFile, kind: string, tokens: readonly Token[]): boolean {
    if (kind === "ifdef" || kind === "def") return this.isDefined(tokens[0]);
    if (kind === "ifndef" || kind === "ndef") return !this.isDefined(tokens[0]);
    const expanded = expandAll(this.state, this.withoutOperators(top, tokens));
    this.recoverOutsideText();
    return evaluateCondition(expanded) ?? false;
  }

  private recoverOutsideText(): void {
    if (!this.state.isExceeded) return;
    this.state.isExceeded = false;
    this.state.active.clear();
  }

  private isDefined(name: Token | undefined): boolean {
    const macro = this.macros.get(name?.text ?? "");
    if (macro === undefined) return name?.text === "__has_include" || name?.text === "defined";
    if (macro.assumed?.why === "may-be-set" || macro.assumed?.why === "of-preset")
      this.state.assumed.add(macro.assumed);
    return !macro.isDeviceOnly || this.state.isDeviceCode();
  }

  /** Replaces `defined X`, `defined(X)` and `__has_include(…)` by 0 or 1. */
  private withoutOperators(top: OpenFile, tokens: readonly Token[]): Token[] {
    const out: Token[] = [];
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index];
      if (token === undefined) break;
      const isCall = tokens[index + 1]?.text === "(";
      const number = (isTrue: boolean) => out.push(madeToken(token, "number", isTrue ? "1" : "0"));
      if (token.text === "defined") {
        number(this.isDefined(tokens[isCall ? index + 2 : index + 1]));
        index += isCall ? 3 : 1;
      } else if (/^__has_include(_next)?$/.test(token.text) && isCall) {
        const close = tokens.findIndex((other, at) => at > index && other.text === ")");
        const end = close === -1 ? tokens.length : close;
        number(this.canInclude(top, tokens.slice(index + 2, end)));
        index = end;
      } else out.push(token);
    }
    return out;
  }

  private canInclude(top: OpenFile, tokens: readonly Token[]): boolean {
    const header = headerName(tokens);
    if (header === null) return false;
    return (
      this.options.readInclude(header.name, top.file.path, header.kind) !== null ||
      isSystemHeader(header.name)
    );
  }

  private include(top: OpenFile, tokens: readonly Token[], hash: Token): void {
    const header = headerName(tokens) ?? headerName(expandAll(this.state, tokens));
    this.recoverOutsideText();
    if (header === null) return;
    const { name, kind } = header;
    const range = { file: top.file.path, start: hash.start, end: tokens.at(-1)?.end ?? hash.end };
    const found = this.options.readInclude(name, top.file.path, kind);
    // What is known of a library's headers is known without them, and they are long.
    if (found?.isOutside && (isSystemHeader(name) || isKnownLibrary(name))) return;
    if (found === null) {
      if (!isSystemHeader(name)) this.missing.push({ name, kind, range, reason: "not found" });
      return;
    }
    if (this.once.has(found.path)) return;
    const repeats = this.open.filter(({ file }) => file.path === found.path).length;
    if (repeats >= INCLUDES_OF_SAME_FILE) return;
    if (found.isOutside && !this.files.has(found.path)) this.outsideLength += found.text.length;
    const isTooMuch = this.outsideLength > OUTSIDE_LENGTH && found.isOutside;
    if (isTooMuch || ++this.includeCount > INCLUDES_IN_ALL || this.open.length > INCLUDE_DEPTH) {
      this.missing.push({ name, kind, range, reason: "budget" });
      return;
    }
    if (!this.files.has(found.path)) this.included.push(found.path);
    const file = this.lexed(found.path, found.text);
    for (const group of this.assumedGroups())
      this.assumed.region({ file: file.path, start: 0, end: file.text.length }, group);
    this.enterFile(file);
  }
}

/** Of `#ifndef N` and `#if !defined(N)`. */
function lackedBy(kind: string, tokens: readonly Token[]): string | null {
  if (kind === "ifndef") return tokens[0]?.text ?? null;
  const [not, word, ...rest] = kind === "if" ? tokens : [];
  if (not?.text !== "!" || word?.text !== "defined") return null;
  const name = rest[0]?.text === "(" && rest.length === 3 ? rest[1] : rest.length === 1 ? rest[0] : undefined;
  return name?.kind === "identifier" ? name.text : null;
}

function isActive(top: OpenFile): boolean {
  return top.conditions.at(-1)?.isActive ?? true;
}

function headerName(tokens: readonly Token[]): { name: string; kind: "quoted" | "angled" } | null {
  const [first] = tokens;
  if (first?.kind === "string") return { name: first.text.slice(1, -1), kind: "quoted" };
  if (first?.text !== "<") return null;
  const close = tokens.findIndex((token) => token.text.startsWith(">"));
  if (close === -1) return null;
  const last = tokens[close];
  const isSpelled =
    last !== undefined && tokens.every((token) => token.use === null && token.file === first.file);
  const name = isSpelled
    ? first.file.text.slice(first.end, last.start)
    : spellingOf(tokens.slice(1, close)).replaceAll(" ", "");
  return { name: name.trim(), kind: "angled" };
}
