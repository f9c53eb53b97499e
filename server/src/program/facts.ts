// What the text of one file says of names, found without preprocessing or parsing it: cheap enough for every file of a workspace. Too much may be
// named here, never too little: whoever needs it exactly reads the file.

/** Names are kept as hashes, so that no part of the text lives on. */
export type NameHash = number;

export interface FileFacts {
  /** Names that other files may link to: functions with a body and variables that are not internal, ascending. */
  readonly defined: Int32Array;
  /** All names that the file gives a meaning to: internal ones, classes and macros too, ascending. */
  readonly own: Int32Array;
  /** Names that bodies, initializers and macros use and that the file itself does not define, ascending. */
  readonly mentioned: Int32Array;
  /** As written, in the order of the text. */
  readonly includes: readonly string[];
  /** It has `main`, or tests that a library's `main` runs. */
  readonly isRoot: boolean;
  readonly hasLaunch: boolean;
  readonly hasKernel: boolean;
  /** Its macros put names together (`##`) or name what it defines (`void NAME() {}`): such names may stand nowhere in it. */
  readonly hasNamesOfMacros: boolean;
}

export const noFacts: FileFacts = {
  defined: new Int32Array(),
  own: new Int32Array(),
  mentioned: new Int32Array(),
  includes: [],
  isRoot: false,
  hasLaunch: false,
  hasKernel: false,
  hasNamesOfMacros: false,
};

/** FNV-1a, 32 bits. */
export function hashOfName(name: string): NameHash {
  let hash = firstHash;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), hashPrime);
  return hash;
}

export function factsOf(text: string): FileFacts {
  return new Scanner(text).facts();
}

/** Whether `sorted`, ascending, holds `hash`. */
export function holds(sorted: Int32Array, hash: NameHash): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? 0;
    if (found === hash) return true;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** Whether two lists hold the same names. */
export function areEqual(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

const firstHash = 0x811c9dc5 | 0;
const hashPrime = 0x01000193;

const words = {
  static: hashOfName("static"),
  template: hashOfName("template"),
  class: hashOfName("class"),
  struct: hashOfName("struct"),
  union: hashOfName("union"),
  enum: hashOfName("enum"),
  namespace: hashOfName("namespace"),
  extern: hashOfName("extern"),
  using: hashOfName("using"),
  typedef: hashOfName("typedef"),
  friend: hashOfName("friend"),
  operator: hashOfName("operator"),
  main: hashOfName("main"),
  kernel: hashOfName("__global__"),
} as const;

/** Words with a parenthesis behind them that name no function. */
const attributes: ReadonlySet<NameHash> = new Set(
  "__launch_bounds__ __attribute__ __declspec alignas __align__ noexcept decltype __cluster_dims__ __maxnreg__ __block_size__ requires explicit throw asm __asm__ _Pragma __pragma static_assert"
    .split(" ")
    .map(hashOfName),
);

/** Of GoogleTest, Google Benchmark, Catch2, doctest and Boost.Test: what defines a test by a name and a body. */
const testMacros: ReadonlySet<NameHash> = new Set(
  "TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P TEST_CASE TEMPLATE_TEST_CASE SCENARIO BENCHMARK_F BENCHMARK_DEFINE_F BOOST_AUTO_TEST_CASE"
    .split(" ")
    .map(hashOfName),
);

/** What a brace encloses: declarations, those of a class, or anything else. */
type Scope = "declarations" | "internal" | "class" | "body";

/** A statement among declarations, as far as it was read. */
interface Head {
  /** The identifiers that stand outside of templates' parameter lists. */
  readonly names: NameHash[];
  /** How many of them stand before the parameter list is closed; null where there is none yet. */
  listEnd: number | null;
  /** That before the parameter list. */
  functionName: NameHash | null;
  /** Of `Class::operator…`, the class. */
  operatorOwner: NameHash | null;
  /** That before the first `=`, `[` or `{`, where no parameter list is. */
  variableName: NameHash | null;
  /** How many stand before the `=`. */
  assignedAt: number | null;
  /** It began with a name and a parenthesis: the use of a macro. */
  isCall: boolean;
  isInternal: boolean;
  isTemplate: boolean;
  /** `template <…>`, where one without parameters instantiates. */
  hasParameters: boolean;
  isExtern: boolean;
  isNamespace: boolean;
  isClass: boolean;
  isEnum: boolean;
  isNoDefinition: boolean;
  hasString: boolean;
}

function emptyHead(): Head {
  return {
    names: [],
    listEnd: null,
    functionName: null,
    operatorOwner: null,
    variableName: null,
    assignedAt: null,
    isCall: false,
    isInternal: false,
    isTemplate: false,
    hasParameters: false,
    isExtern: false,
    isNamespace: false,
    isClass: false,
    isEnum: false,
    isNoDefinition: false,
    hasString: false,
  };
}

/** No file of a person nests deeper; what does is not followed. */
const deepest = 10_000;

class Scanner {
  private readonly text: string;
  private readonly defined: NameHash[] = [];
  private readonly own: NameHash[] = [];
  private readonly mentioned: NameHash[] = [];
  private readonly includes: string[] = [];
  private isRoot = false;
  private hasLaunch = false;
  private hasKernel = false;
  private scopes: Scope[] = ["declarations"];
  /** Of each `#if` that is open, the scopes before it: each of its branches begins there. */
  private readonly branches: Scope[][] = [];
  private readonly macros = new Set<NameHash>();
  private parentheses = 0;
  private angles = 0;
  private head = emptyHead();
  private last: NameHash | null = null;

  constructor(text: string) {
    this.text = text;
  }

  facts(): FileFacts {
    this.scan(0, this.text.length);
    const own = ascending(this.own);
    const defined = ascending(this.defined);
    const mentioned = ascending(this.mentioned).filter((hash) => !holds(own, hash));
    return {
      defined,
      own,
      mentioned,
      includes: this.includes,
      isRoot: this.isRoot,
      hasLaunch: this.hasLaunch,
      hasKernel: this.hasKernel,
      hasNamesOfMacros: this.text.includes("##") || [...this.macros].some((hash) => holds(defined, hash)),
    };
  }

  private scan(from: number, to: number): void {
    const { text } = this;
    let startsLine = true;
    for (let at = from; at < to; ) {
      const code = text.charCodeAt(at);
      if (code === 10) {
        startsLine = true;
        at++;
      } else if (code <= 32) at++;
      else if (code === 47 && (text.charCodeAt(at + 1) === 47 || text.charCodeAt(at + 1) === 42))
        at = this.commentEnd(at);
      else if (code === 35 && startsLine) at = this.directive(at);
      else {
        startsLine = false;
        at = isLetter(code) ? this.word(at) : isDigit(code) ? this.numberEnd(at) : this.other(at, code);
      }
    }
  }

  private commentEnd(at: number): number {
    if (this.text.charCodeAt(at + 1) === 42) {
      const end = this.text.indexOf("*/", at + 2);
      return end === -1 ? this.text.length : end + 2;
    }
    return this.lineEnd(at);
  }

  /** Of the logical line: a backslash before the line's end goes on. */
  private lineEnd(at: number): number {
    for (let end = this.text.indexOf("\n", at); end !== -1; end = this.text.indexOf("\n", end + 1)) {
      const before = this.text.charCodeAt(end - 1) === 13 ? end - 2 : end - 1;
      if (this.text.charCodeAt(before) !== 92) return end;
    }
    return this.text.length;
  }

  private numberEnd(at: number): number {
    const { text } = this;
    let end = at + 1;
    for (; ; end++) {
      const code = text.charCodeAt(end);
      if (
        !isLetter(code) &&
        !isDigit(code) &&
        code !== 46 &&
        !(code === 39 && isDigit(text.charCodeAt(end + 1)))
      )
        return end;
    }
  }

  private literalEnd(at: number, quote: number): number {
    const { text } = this;
    for (let end = at + 1; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === quote) return end + 1;
      if (code === 10) return end;
      if (code === 92) end++;
    }
    return text.length;
  }

  private rawStringEnd(quote: number): number {
    const open = this.text.indexOf("(", quote);
    if (open === -1 || open - quote > 17) return this.literalEnd(quote, 34);
    const close = `)${this.text.slice(quote + 1, open)}"`;
    const end = this.text.indexOf(close, open);
    return end === -1 ? this.text.length : end + close.length;
  }

  // --- directives

  private directive(hash: number): number {
    const { text } = this;
    const end = this.lineEnd(hash);
    let at = hash + 1;
    while (at < end && text.charCodeAt(at) <= 32) at++;
    let wordEnd = at;
    while (wordEnd < end && isLetter(text.charCodeAt(wordEnd))) wordEnd++;
    switch (text.slice(at, wordEnd)) {
      case "include":
        this.include(text.slice(wordEnd, end));
        break;
      case "define":
        this.macro(wordEnd, end);
        break;
      case "if":
      case "ifdef":
      case "ifndef":
        if (this.branches.length < deepest) this.branches.push([...this.scopes]);
        break;
      case "elif":
      case "else":
        this.scopes = [...(this.branches.at(-1) ?? this.scopes)];
        break;
      case "endif":
        this.branches.pop();
        break;
      default:
    }
    return end;
  }

  private include(rest: string): void {
    const [, name] = /^\s*["<]([^">\n]+)[">]/.exec(rest) ?? [];
    // A copy: what is cut out of a text keeps all of it.
    if (name !== undefined) this.includes.push(JSON.parse(JSON.stringify(name)));
  }

  /** A macro has a name, and whoever uses it uses what its body names. */
  private macro(from: number, to: number): void {
    let isFirst = true;
    const [, instantiated] =
      /\btemplate\s+(?:class|struct)\s+(?:\w+\s*::\s*)*(\w+)/.exec(this.text.slice(from, to)) ?? [];
    if (instantiated !== undefined) this.defined.push(hashOfName(instantiated));
    for (let at = from; at < to; ) {
      const code = this.text.charCodeAt(at);
      if (isLetter(code)) {
        const { hash, end } = this.identifier(at);
        (isFirst ? this.own : this.mentioned).push(hash);
        if (isFirst) this.macros.add(hash);
        isFirst = false;
        if (isLaunchWord(this.text, at, end)) this.hasLaunch = true;
        at = end;
      } else if (code === 34 || code === 39) at = this.literalEnd(at, code);
      else if (isDigit(code)) at = this.numberEnd(at);
      else {
        if (code === 60 && isLaunchBracket(this.text, at)) this.hasLaunch = true;
        at++;
      }
    }
  }

  // --- words and punctuation

  private identifier(at: number): { readonly hash: NameHash; readonly end: number } {
    const { text } = this;
    let hash = firstHash;
    let end = at;
    for (; ; end++) {
      const code = text.charCodeAt(end);
      if (!isLetter(code) && !isDigit(code)) return { hash, end };
      hash = Math.imul(hash ^ code, hashPrime);
    }
  }

  private word(at: number): number {
    const { text } = this;
    const { hash, end } = this.identifier(at);
    const quote = text.charCodeAt(end);
    if ((quote === 34 || quote === 39) && end - at <= 3 && /^(?:u8|[uUL])?R?$/.test(text.slice(at, end)))
      return text.charCodeAt(end - 1) === 82 ? this.rawStringEnd(end) : this.literalEnd(end, quote);
    if (isLaunchWord(text, at, end)) this.hasLaunch = true;
    if (hash === words.kernel) this.hasKernel = true;
    if (this.scopes.at(-1) === "body") this.mentioned.push(hash);
    else {
      if (hash === words.operator && this.head.functionName === null && isQualified(text, at))
        this.head.operatorOwner = this.last;
      this.headWord(hash);
    }
    return end;
  }

  private headWord(hash: NameHash): void {
    const { head } = this;
    switch (hash) {
      case words.static:
        head.isInternal = true;
        return;
      case words.template:
        head.isTemplate = true;
        return;
      case words.namespace:
        head.isNamespace = true;
        return;
      case words.extern:
        head.isExtern = true;
        return;
      case words.class:
      case words.struct:
      case words.union:
        if (this.parentheses === 0 && this.angles === 0) head.isClass = true;
        return;
      case words.enum:
        head.isEnum = true;
        return;
      case words.operator:
        head.functionName ??= hash;
        break;
      case words.using:
      case words.typedef:
      case words.friend:
        head.isNoDefinition = true;
        return;
      default:
    }
    head.names.push(hash);
    if (this.parentheses === 0 && this.angles === 0) this.last = hash;
  }

  private other(at: number, code: number): number {
    const { text } = this;
    if (code === 34 || code === 39) {
      this.head.hasString = true;
      return this.literalEnd(at, code);
    }
    if (code === 60 && isLaunchBracket(text, at)) this.hasLaunch = true;
    const scope = this.scopes.at(-1) ?? "declarations";
    if (scope === "body") {
      if (code === 123) this.open("body");
      else if (code === 125) this.close();
      return at + 1;
    }
    switch (code) {
      case 40:
        this.openList();
        break;
      case 41:
        this.closeList();
        break;
      case 60:
        if (this.head.isTemplate && this.head.names.length === 0) this.head.hasParameters = true;
        // Of a template's parameters or arguments; what is compared stands in initializers.
        if (this.parentheses === 0 && this.head.assignedAt === null && this.head.functionName === null)
          this.angles++;
        break;
      case 62:
        if (this.parentheses === 0 && this.angles > 0) this.angles--;
        break;
      case 61:
        this.assign();
        break;
      case 91:
        this.nameVariable();
        break;
      case 58:
        // `public:` and the like.
        if (
          scope === "class" &&
          this.head.names.length <= 1 &&
          this.head.listEnd === null &&
          text.charCodeAt(at + 1) !== 58 &&
          text.charCodeAt(at - 1) !== 58 &&
          !this.head.isClass
        )
          this.beginHead();
        break;
      case 59:
        if (this.parentheses === 0) this.endStatement(scope);
        break;
      case 123:
        this.openBrace(scope);
        break;
      case 125:
        this.close();
        this.beginHead();
        break;
      default:
    }
    return at + 1;
  }

  private beginHead(): void {
    this.head = emptyHead();
    this.last = null;
    this.parentheses = 0;
    this.angles = 0;
  }

  private openList(): void {
    const { head, last } = this;
    if (
      this.parentheses === 0 &&
      this.angles === 0 &&
      last !== null &&
      head.functionName === null &&
      head.assignedAt === null &&
      !attributes.has(last)
    ) {
      head.functionName = last;
      head.isCall = head.names.length === 1;
    }
    this.parentheses++;
  }

  private closeList(): void {
    if (this.parentheses > 0) this.parentheses--;
    const { head } = this;
    if (this.parentheses === 0 && head.functionName !== null && head.listEnd === null)
      head.listEnd = head.names.length;
  }

  private assign(): void {
    if (this.parentheses > 0 || this.head.assignedAt !== null) return;
    this.nameVariable();
    this.head.assignedAt = this.head.names.length;
    this.angles = 0;
  }

  private nameVariable(): void {
    const { head } = this;
    if (this.parentheses === 0 && head.functionName === null && head.variableName === null)
      head.variableName = this.last;
  }

  private endStatement(scope: Scope): void {
    const { head } = this;
    if (head.isCall) this.mentionFrom(0);
    else if (head.assignedAt !== null) this.mentionFrom(head.assignedAt);
    else if (head.functionName !== null && head.isTemplate) this.define(head.functionName, scope);
    else if (head.isClass && head.isTemplate && !head.hasParameters && !head.isExtern && this.last !== null)
      this.define(this.last, scope);
    this.nameVariable();
    const isVariable = !head.isNoDefinition && !head.isClass && !head.isEnum && head.functionName === null;
    if (isVariable && head.variableName !== null && (!head.isExtern || head.assignedAt !== null))
      this.define(head.variableName, scope);
    this.beginHead();
  }

  private openBrace(scope: Scope): void {
    const { head } = this;
    if (this.parentheses > 0) {
      // In an argument: a lambda, or a list.
      this.open("body");
      return;
    }
    if (head.isNamespace) {
      this.open(scope === "internal" || head.names.length === 0 ? "internal" : "declarations");
      this.beginHead();
    } else if (head.isExtern && head.hasString && head.functionName === null) {
      this.open(scope);
      this.beginHead();
    } else if (head.functionName !== null && head.assignedAt === null) {
      this.define(head.functionName, scope);
      this.mentionFrom(head.listEnd ?? 0);
      const isOfFile = scope === "declarations" && this.scopes.length === 1;
      if (isOfFile && head.functionName === words.main) this.isRoot = true;
      if (head.isCall && testMacros.has(head.functionName)) this.isRoot = true;
      this.open("body");
      this.beginHead();
    } else if (head.isClass) {
      if (this.last !== null) this.own.push(...head.names);
      this.open("class");
      this.beginHead();
    } else if (head.isEnum) {
      this.open("body");
      this.beginHead();
    } else {
      this.nameVariable();
      if (head.assignedAt === null) head.assignedAt = head.names.length;
      this.open("body");
    }
  }

  private define(name: NameHash, scope: Scope): void {
    this.own.push(name);
    if (scope !== "declarations" || this.head.isInternal) return;
    this.defined.push(name);
    // Who uses an operator does not name it, but its class.
    if (this.head.operatorOwner !== null) this.defined.push(this.head.operatorOwner);
  }

  private mentionFrom(index: number): void {
    for (const hash of this.head.names.slice(index)) this.mentioned.push(hash);
  }

  private open(scope: Scope): void {
    if (this.scopes.length < deepest) this.scopes.push(scope);
  }

  private close(): void {
    if (this.scopes.length > 1) this.scopes.pop();
  }
}

/** Whether `::` stands in front of a word. */
function isQualified(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && text.charCodeAt(before) <= 32) before--;
  return text.charCodeAt(before) === 58;
}

function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || code >= 128
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `<<<`, or `<< <`, which nvcc takes as well. */
function isLaunchBracket(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) !== 60) return false;
  if (text.charCodeAt(at + 2) === 60) return true;
  return /^<<\s+</.test(text.slice(at, at + 8));
}

function isLaunchWord(text: string, at: number, end: number): boolean {
  return end - at > 9 && text.charCodeAt(at) === 99 && text.startsWith("cudaLaunch", at);
}

function ascending(hashes: readonly NameHash[]): Int32Array {
  const sorted = Int32Array.from(hashes).sort();
  let count = 0;
  for (let index = 0; index < sorted.length; index++) {
    const hash = sorted[index] ?? 0;
    if (index > 0 && hash === sorted[count - 1]) continue;
    sorted[count] = hash;
    count++;
  }
  return sorted.slice(0, count);
}
