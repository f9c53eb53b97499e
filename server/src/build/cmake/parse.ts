// The text of a CMake file as statements: commands with their arguments as written, and the blocks that they make. Nothing is evaluated here.

/** An argument as written. `line` is 1-based. */
export interface RawArgument {
  readonly kind: "quoted" | "unquoted" | "bracket";
  readonly text: string;
  readonly line: number;
}

export interface RawCommand {
  readonly kind: "command";
  /** In lower case. */
  readonly name: string;
  readonly args: readonly RawArgument[];
  readonly line: number;
}

export interface IfBlock {
  readonly kind: "if";
  /** `if`, each `elseif`, and `else` with no condition. */
  readonly ways: readonly { readonly condition: RawCommand | null; readonly body: readonly Statement[] }[];
}

export interface LoopBlock {
  readonly kind: "foreach" | "while";
  readonly head: RawCommand;
  readonly body: readonly Statement[];
}

export interface ProcedureBlock {
  readonly kind: "function" | "macro";
  readonly head: RawCommand;
  readonly body: readonly Statement[];
}

export interface ScopeBlock {
  readonly kind: "block";
  readonly head: RawCommand;
  readonly body: readonly Statement[];
}

export type Statement = RawCommand | IfBlock | LoopBlock | ProcedureBlock | ScopeBlock;

/** The statements of a CMake file. What is no CMake is skipped; a block that is not closed ends with the text. */
export function parseCMake(text: string): readonly Statement[] {
  return nested(commandsOf(text));
}

const enders: ReadonlyMap<string, string> = new Map([
  ["foreach", "endforeach"],
  ["while", "endwhile"],
  ["function", "endfunction"],
  ["macro", "endmacro"],
  ["block", "endblock"],
]);

const deepest = 200;

function nested(commands: readonly RawCommand[]): readonly Statement[] {
  let at = 0;
  const until = (ends: ReadonlySet<string>, depth: number): Statement[] => {
    const body: Statement[] = [];
    for (let command = commands[at]; command !== undefined; command = commands[at]) {
      if (ends.has(command.name)) return body;
      at++;
      if (depth < deepest && command.name === "if") {
        body.push(ifBlock(command, depth));
        continue;
      }
      const end = depth < deepest ? enders.get(command.name) : undefined;
      if (end === undefined) {
        body.push(command);
        continue;
      }
      const inner = until(new Set([end]), depth + 1);
      at++;
      const kind = command.name;
      if (kind === "foreach" || kind === "while") body.push({ kind, head: command, body: inner });
      else if (kind === "function" || kind === "macro") body.push({ kind, head: command, body: inner });
      else body.push({ kind: "block", head: command, body: inner });
    }
    return body;
  };
  const ifBlock = (head: RawCommand, depth: number): IfBlock => {
    const ends = new Set(["elseif", "else", "endif"]);
    const ways: { condition: RawCommand | null; body: readonly Statement[] }[] = [];
    let condition: RawCommand | null = head;
    for (;;) {
      ways.push({ condition, body: until(ends, depth + 1) });
      const next = commands[at++];
      if (next === undefined || next.name === "endif") return { kind: "if", ways };
      condition = next.name === "else" ? null : next;
    }
  };
  const statements: Statement[] = [];
  while (at < commands.length) statements.push(...until(new Set(), 0));
  return statements;
}

const blank = /[ \t\r\n]/;

/** The commands of a text one after the other, blocks not yet nested. */
export function commandsOf(text: string): readonly RawCommand[] {
  const reader = new Reader(text);
  const commands: RawCommand[] = [];
  for (let command = reader.command(); command !== null; command = reader.command()) commands.push(command);
  return commands;
}

class Reader {
  private readonly text: string;
  private at = 0;
  private line = 1;

  constructor(text: string) {
    this.text = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  command(): RawCommand | null {
    const { text } = this;
    while (this.at < text.length) {
      this.skipBlanks();
      const name = /[A-Za-z_][A-Za-z0-9_]*/y;
      name.lastIndex = this.at;
      const found = name.exec(text)?.[0];
      if (found === undefined) {
        this.step(1);
        continue;
      }
      const { line } = this;
      this.step(found.length);
      while (text[this.at] === " " || text[this.at] === "\t") this.at++;
      if (text[this.at] !== "(") continue;
      this.step(1);
      return { kind: "command", name: found.toLowerCase(), args: this.arguments(), line };
    }
    return null;
  }

  private arguments(): RawArgument[] {
    const args: RawArgument[] = [];
    let depth = 0;
    for (;;) {
      this.skipBlanks();
      const char = this.text[this.at];
      const { line } = this;
      if (char === undefined) return args;
      if (char === "(" || char === ")") {
        this.step(1);
        if (char === ")" && depth === 0) return args;
        depth += char === "(" ? 1 : -1;
        args.push({ kind: "unquoted", text: char, line });
      } else if (char === '"') args.push({ kind: "quoted", text: this.quoted(), line });
      else {
        const bracket = this.bracket();
        if (bracket !== null) args.push({ kind: "bracket", text: bracket, line });
        else args.push({ kind: "unquoted", text: this.unquoted(), line });
      }
    }
  }

  /** White space and comments. */
  private skipBlanks(): void {
    const { text } = this;
    while (this.at < text.length) {
      const char = text[this.at] ?? "";
      if (blank.test(char)) this.step(1);
      else if (char === "#") {
        this.at++;
        if (this.bracket() !== null) continue;
        const end = text.indexOf("\n", this.at);
        this.at = end < 0 ? text.length : end;
      } else return;
    }
  }

  /** `[==[…]==]` that begins here; null, and nothing read, where none does. */
  private bracket(): string | null {
    const open = /\[(=*)\[/y;
    open.lastIndex = this.at;
    const found = open.exec(this.text);
    if (found === null) return null;
    const end = this.text.indexOf(`]${found[1] ?? ""}]`, open.lastIndex);
    if (end < 0) return null;
    const content = this.text.slice(open.lastIndex, end);
    this.step(end + found[0].length - this.at);
    return content.replace(/^\r?\n/, "");
  }

  private quoted(): string {
    const { text } = this;
    let end = this.at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const content = text.slice(this.at + 1, end);
    this.step(end + 1 - this.at);
    return content.replace(/(^|[^\\])((?:\\\\)*)\\\r?\n/g, "$1$2");
  }

  private unquoted(): string {
    const { text } = this;
    const start = this.at;
    let end = start;
    let parentheses = 0;
    while (end < text.length) {
      const char = text[end] ?? "";
      if (char === "\\") end += 2;
      else if (char === "$" && text[end + 1] === "(") {
        parentheses++;
        end += 2;
      } else if (char === ")" && parentheses > 0) {
        parentheses--;
        end++;
      } else if (blank.test(char) || char === "(" || char === ")" || char === "#") break;
      else if (char === '"') {
        // The legacy form: quotes inside an unquoted argument keep its blanks together.
        end++;
        while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
        end++;
      } else end++;
    }
    end = Math.min(Math.max(end, start + 1), text.length);
    this.step(end - start);
    return text.slice(start, end);
  }

  private step(count: number): void {
    const end = this.at + count;
    for (let next = this.text.indexOf("\n", this.at); next >= 0 && next < end; ) {
      this.line++;
      next = this.text.indexOf("\n", next + 1);
    }
    this.at = end;
  }
}
