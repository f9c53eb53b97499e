// Reads the text of inline PTX: instructions with guard, opcode and operands. What the instructions mean stands in asm.ts and
// memory.ts.

export type PtxOperand =
  | { readonly kind: "name"; readonly name: string }
  /** `[base+offset]`; the offset a number or the name of a constant operand. `base` is null where the brackets hold more (the coordinates of a tensor). */
  | { readonly kind: "address"; readonly base: string | null; readonly offset: string | null }
  | { readonly kind: "vector"; readonly items: readonly PtxOperand[] };

export interface PtxInstruction {
  /** `@p` or `@!p`. */
  readonly guard: { readonly register: string; readonly isNegated: boolean } | null;
  /** With its modifiers: `ld.shared.v4.f32`. */
  readonly opcode: string;
  /** The opcode's words between dots; `L1::no_allocate` is one word. */
  readonly words: readonly string[];
  readonly operands: readonly PtxOperand[];
}

const maximumTokens = 20_000;

/** The instructions of the contents of an asm statement's string literals; directives and labels are left out. */
export function readPtx(text: string): readonly PtxInstruction[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/\/\/[^\n]*/g, " ");
  const tokens = plain.match(/[%\w.$]+(?:::[\w.]+)*|\S/g)?.slice(0, maximumTokens) ?? [];
  const reader = { tokens, next: 0 };
  const instructions: PtxInstruction[] = [];
  while (reader.next < tokens.length) {
    const token = peek(reader);
    if (token === "{" || token === "}" || token === ";") reader.next += 1;
    else if (token.startsWith(".")) skipTo(reader, ";");
    else if (reader.tokens[reader.next + 1] === ":") reader.next += 2;
    else instructions.push(instruction(reader));
  }
  return instructions;
}

interface Reader {
  readonly tokens: readonly string[];
  next: number;
}

function peek(reader: Reader): string {
  return reader.tokens[reader.next] ?? "";
}

function take(reader: Reader): string {
  const token = peek(reader);
  reader.next += 1;
  return token;
}

function skipTo(reader: Reader, end: string): void {
  while (reader.next < reader.tokens.length && take(reader) !== end);
}

function instruction(reader: Reader): PtxInstruction {
  let guard: PtxInstruction["guard"] = null;
  if (peek(reader) === "@") {
    reader.next += 1;
    const isNegated = peek(reader) === "!";
    if (isNegated) reader.next += 1;
    guard = { register: registerName(take(reader)), isNegated };
  }
  const opcode = take(reader);
  const operands: PtxOperand[] = [];
  while (reader.next < reader.tokens.length) {
    const token = peek(reader);
    if (token === ";" || token === "}") break;
    if (token === "," || token === "|") reader.next += 1;
    else operands.push(operand(reader));
  }
  return { guard, opcode, words: opcode.split("."), operands };
}

function operand(reader: Reader): PtxOperand {
  const token = take(reader);
  if (token === "[") return address(reader);
  if (token === "{") return vector(reader);
  if (token === "-" || token === "!") return { kind: "name", name: token + registerName(take(reader)) };
  return { kind: "name", name: registerName(token) };
}

function address(reader: Reader): PtxOperand {
  const inside: string[] = [];
  while (reader.next < reader.tokens.length) {
    const token = take(reader);
    if (token === "]") break;
    inside.push(token);
  }
  const [base, ...rest] = inside;
  const [, sign, added] = /^([+-])([%\w.$]+)$/.exec(rest.join("")) ?? [];
  if (base === undefined || (rest.length > 0 && added === undefined))
    return { kind: "address", base: null, offset: null };
  const offset = added === undefined ? null : (sign === "-" ? "-" : "") + registerName(added);
  return { kind: "address", base: registerName(base), offset };
}

function vector(reader: Reader): PtxOperand {
  const items: PtxOperand[] = [];
  while (reader.next < reader.tokens.length) {
    const token = peek(reader);
    if (token === "}") {
      reader.next += 1;
      break;
    }
    if (token === ",") reader.next += 1;
    else items.push(operand(reader));
  }
  return { kind: "vector", items };
}

/** `%%laneid` is `%laneid`; `%0` stays. */
function registerName(token: string): string {
  return token.replace(/^%%/, "%");
}
