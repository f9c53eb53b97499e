// What C's functions of texts give where the host interpreter knows the characters: comparisons, searches, numbers read from digits.
import type { Memory } from "./object.ts";
import type { PointerValue, Value } from "./value.ts";
import { isScalarValue, pointerTo } from "./value.ts";

/** Longer texts than this are not read. */
const maxLength = 4096;

const character = { kind: "integer", bits: 8, signed: false } as const;

/** The result of the function `name` of texts; null where it is none, or not all that it looks at is known. */
export function textResult(memory: Memory, name: string, values: readonly Value[]): Value | null {
  const known = functions.get(name);
  return known === undefined ? null : known(new Arguments(memory, values));
}

/** Whether `textResult` may answer it, which no memory is changed for. */
export function isTextFunction(name: string): boolean {
  return functions.has(name);
}

/** The arguments of a call; what is not known of them is null. */
class Arguments {
  private readonly memory: Memory;
  private readonly values: readonly Value[];

  constructor(memory: Memory, values: readonly Value[]) {
    this.memory = memory;
    this.values = values;
  }

  number(index: number): number | null {
    const value = this.values[index];
    return value !== undefined && isScalarValue(value) ? Number(value) : null;
  }

  pointer(index: number): PointerValue | null {
    const value = this.values[index];
    return value !== undefined && !isScalarValue(value) && value.kind === "pointer" ? value : null;
  }

  /** The text at a pointer: up to its zero, or all of `length`, where zeros count as others do. */
  text(index: number, length?: number | null): string | null {
    if (length === 0) return "";
    const pointer = this.pointer(index);
    if (pointer === null || pointer.offsetBytes === null || length === null) return null;
    const end = pointer.offsetBytes + Math.min(length ?? maxLength, maxLength);
    let text = "";
    for (let at = pointer.offsetBytes; at < end; at++) {
      const value = this.memory.read(pointer.object, at, character);
      if (!isScalarValue(value)) return null;
      if (value === 0 && length === undefined) return text;
      text += String.fromCharCode(Number(value));
    }
    return length !== undefined && length <= maxLength ? text : null;
  }

  /** The place of a character in the text at a pointer. */
  within(index: number, at: number): Value {
    const pointer = this.pointer(index);
    if (at < 0 || pointer === null || pointer.offsetBytes === null) return 0;
    return pointerTo(pointer.object, pointer.offsetBytes + at);
  }

  /** Whether something else may point to what a pointer points to, and see what is written there. */
  isShared(index: number): boolean {
    const object = this.pointer(index)?.object;
    return object === undefined || object.isShared || object.isLiteral || object.isOpaque;
  }

  literal(text: string): Value {
    return pointerTo(this.memory.literal(text), 0);
  }
}

type TextFunction = (given: Arguments) => Value | null;

const functions = new Map<string, TextFunction>([
  ["strlen", (given) => given.text(0)?.length ?? null],
  ["strcmp", (given) => ofBoth(given.text(0), given.text(1), order)],
  ["strcasecmp", (given) => ofBoth(lower(given.text(0)), lower(given.text(1)), order)],
  ["strncmp", (given) => ofBoth(given.text(0), given.text(1), firstOf(given.number(2), order))],
  [
    "strncasecmp",
    (given) => ofBoth(lower(given.text(0)), lower(given.text(1)), firstOf(given.number(2), order)),
  ],
  ["memcmp", (given) => ofBoth(given.text(0, given.number(2)), given.text(1, given.number(2)), order)],
  ["strstr", found((text, part) => text.indexOf(part))],
  ["strchr", foundCharacter((text, letter) => text.indexOf(letter))],
  ["strrchr", foundCharacter((text, letter) => text.lastIndexOf(letter))],
  ["atoi", integer],
  ["atol", integer],
  ["atoll", integer],
  ["strtol", integerOfBase],
  ["strtoll", integerOfBase],
  ["strtoul", (given) => natural(integerOfBase(given))],
  ["strtoull", (given) => natural(integerOfBase(given))],
  ["atof", real],
  ["strtod", real],
  ["strtof", real],
  ["__warplint_text_compare", (given) => ofBoth(sized(given, 0), sized(given, 2), order)],
  ["__warplint_is_shared", (given) => (given.isShared(0) ? 1 : 0)],
  // Of a length that is not known characters are made anew, as if there were no room: asked which, the interpreter would take both ways.
  ["__warplint_has_room", (given) => (!given.isShared(0) && fits(given.number(2), given.number(1)) ? 1 : 0)],
  ["__warplint_text_find", search((text, part, from) => text.indexOf(part, from))],
  ["__warplint_text_rfind", search((text, part, from) => text.lastIndexOf(part, from))],
  ["toupper", letter((text) => text.toUpperCase())],
  ["tolower", letter((text) => text.toLowerCase())],
  ["__warplint_integer_text", numberText((value) => String(value))],
  ["__warplint_real_text", numberText((value) => value.toFixed(6))],
]);

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function fits(count: number | null, capacity: number | null): boolean {
  return count !== null && capacity !== null && count <= capacity;
}

function firstOf<T>(
  count: number | null,
  compare: (a: string, b: string) => T,
): (a: string, b: string) => T | null {
  return (a, b) => (count === null ? null : compare(a.slice(0, count), b.slice(0, count)));
}

function ofBoth<T>(a: string | null, b: string | null, compute: (a: string, b: string) => T): T | null {
  return a === null || b === null ? null : compute(a, b);
}

function lower(text: string | null): string | null {
  return text === null ? null : text.toLowerCase();
}

function found(search: (text: string, part: string) => number): TextFunction {
  return (given) => ofBoth(given.text(0), given.text(1), (text, part) => given.within(0, search(text, part)));
}

function foundCharacter(search: (text: string, letter: string) => number): TextFunction {
  return (given) => {
    const text = given.text(0);
    const code = given.number(1);
    return text === null || code === null ? null : given.within(0, search(text, String.fromCharCode(code)));
  };
}

/** The text of a std::string (headers/string.ts): where it begins, and its length. */
function sized(given: Arguments, index: number): string | null {
  return given.text(index, given.number(index + 1));
}

/** Where a search in one std::string for another from some index on ends; -1 is std::string::npos. */
function search(find: (text: string, part: string, from: number) => number): TextFunction {
  return (given) => {
    const from = given.number(4);
    if (from === null) return null;
    return ofBoth(sized(given, 0), sized(given, 2), (text, part) => find(text, part, from));
  };
}

function letter(change: (text: string) => string): TextFunction {
  return (given) => {
    const code = given.number(0);
    return code === null || code < 0 || code > 127 ? null : change(String.fromCharCode(code)).charCodeAt(0);
  };
}

function numberText(print: (value: number) => string): TextFunction {
  return (given) => {
    const value = given.number(0);
    return value === null ? null : given.literal(print(value));
  };
}

function integer(given: Arguments): Value | null {
  const text = given.text(0);
  return text === null ? null : Number(/^\s*([-+]?\d+)/.exec(text)?.[1] ?? 0);
}

/** As `strtol` reads numbers; where the text ends is asked for only by programs that parse more than options. */
function integerOfBase(given: Arguments): Value | null {
  const [text, base, end] = [given.text(0), given.number(2), given.number(1)];
  if (text === null || end !== 0) return null;
  if (base === 10) return integer(given);
  const digits = /^\s*(?:0[xX])?([0-9a-fA-F]+)/.exec(text)?.[1];
  return base === 16 && digits !== undefined ? Number.parseInt(digits, 16) : null;
}

/** A negative number wraps around in ways that no program asks for. */
function natural(value: Value | null): Value | null {
  return value !== null && isScalarValue(value) && value < 0 ? null : value;
}

function real(given: Arguments): Value | null {
  const text = given.text(0);
  const digits = text === null ? null : /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/.exec(text)?.[0];
  return digits === null ? null : Number(digits ?? 0);
}
