// What the commands of a CMake project change: variables, properties, targets. Every change goes through a journal, so that both ways of a condition that is not known can be run from
// one state and brought together.
import type { Origin } from "../flags.ts";
import type { Statement } from "./parse.ts";
import type { Unknowns } from "./unknown.ts";

/** A part of a variable's text, and the command that put it there. */
export interface Piece {
  readonly text: string;
  readonly origin: Origin;
}

export interface Variable {
  readonly kind: "variable";
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Why it may not be set at all. */
  readonly doubt: string | null;
}

/** One item of a property. */
export interface Entry {
  readonly text: string;
  readonly origin: Origin;
  readonly doubt: string | null;
}

export interface Property {
  readonly kind: "property";
  readonly entries: readonly Entry[];
}

/** Which behaviours of old CMake a project keeps. */
export interface Policies {
  /** The version that `cmake_minimum_required` names: 3.18 is 318. */
  readonly version: number;
  /** What `cmake_policy(SET)` says, by "CMP0104". */
  readonly own: ReadonlyMap<string, "NEW" | "OLD">;
}

/** Whether a policy has its new behaviour; `since` is the version that brought it. */
export function isNew(policies: Policies, policy: string, since: number): boolean {
  const own = policies.own.get(policy);
  return own === undefined ? policies.version >= since : own === "NEW";
}

/** A function or macro of the project. */
export interface Procedure {
  readonly kind: "procedure";
  readonly type: "function" | "macro";
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: readonly Statement[];
  readonly file: string;
}

/** A file that the project writes into its build tree. */
export interface WrittenFile {
  readonly kind: "file";
  readonly text: string;
  readonly origin: Origin;
}

export type Value = Variable | Property | Procedure | WrittenFile;
export type Values = Map<string, Value>;

export interface Directory {
  readonly source: string;
  readonly binary: string;
  readonly parent: Directory | null;
  readonly properties: Values;
  readonly variables: Values;
  policies: Policies;
}

export interface Target {
  readonly name: string;
  readonly properties: Values;
  /** Of the command that makes it. */
  origin: Origin;
  directory: Directory;
}

type Changes = Map<Values, Map<string, Value | undefined>>;

export class Journal {
  /** What stood there before, of each way that is being run. */
  private readonly frames: Changes[] = [];
  private readonly unknowns: Unknowns;

  constructor(unknowns: Unknowns) {
    this.unknowns = unknowns;
  }

  /** How many conditions that are not known stand around. */
  get depth(): number {
    return this.frames.length;
  }

  put(map: Values, key: string, value: Value | undefined): void {
    const frame = this.frames.at(-1);
    if (frame !== undefined) {
      let changed = frame.get(map);
      if (changed === undefined) {
        changed = new Map();
        frame.set(map, changed);
      }
      if (!changed.has(key)) changed.set(key, map.get(key));
    }
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  begin(): void {
    this.frames.push(new Map());
  }

  /** Ends the way that began last, takes its changes back, and gives them. */
  takeBack(): Changes {
    const after: Changes = new Map();
    for (const [map, keys] of this.frames.pop() ?? new Map()) {
      const values = new Map<string, Value | undefined>();
      for (const [key, before] of keys) {
        values.set(key, map.get(key));
        if (before === undefined) map.delete(key);
        else map.set(key, before);
      }
      after.set(map, values);
    }
    return after;
  }

  redo(way: Changes): void {
    for (const [map, values] of way) for (const [key, value] of values) this.put(map, key, value);
  }

  /** Makes the changes of two ways of which one was gone. */
  merge(a: Changes, b: Changes, reason: string): void {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const [map, values] of first) {
        const others = second.get(map);
        if (isMadeIn(map, values) && !others?.has("TYPE")) {
          // A target of one way alone: whether it is made is doubtful, what it is made of is not.
          for (const [key, value] of values) {
            this.put(map, key, key === "TYPE" ? this.mergeValues(value, undefined, reason) : value);
          }
          continue;
        }
        if (first === b && isMadeIn(map, a.get(map)) && !values.has("TYPE")) continue;
        for (const [key, value] of values) {
          if (first === b && a.get(map)?.has(key)) continue;
          const other = others?.has(key) ? others.get(key) : map.get(key);
          const merged =
            first === a ? this.mergeValues(value, other, reason) : this.mergeValues(other, value, reason);
          this.put(map, key, merged);
        }
      }
    }
  }

  private mergeValues(a: Value | undefined, b: Value | undefined, reason: string): Value | undefined {
    if (a === b) return a;
    const kind = a?.kind ?? b?.kind;
    if (kind === "variable") {
      return mergeVariables(
        a?.kind === "variable" ? a : null,
        b?.kind === "variable" ? b : null,
        reason,
        this.unknowns,
      );
    }
    if (kind === "property") return mergeProperties(entriesOf(a), entriesOf(b), reason);
    if (a?.kind === "file" && b?.kind === "file" && a.text !== b.text) {
      return { ...a, text: this.unknowns.either(a.text, b.text, reason) };
    }
    return a ?? b;
  }
}

/** Whether these changes make a target of the properties in `map`. */
function isMadeIn(map: Values, changes: ReadonlyMap<string, Value | undefined> | undefined): boolean {
  return changes?.get("TYPE") !== undefined && !map.has("TYPE");
}

function mergeVariables(
  a: Variable | null,
  b: Variable | null,
  reason: string,
  unknowns: Unknowns,
): Variable | undefined {
  const textA = a?.text ?? "";
  const textB = b?.text ?? "";
  const doubt = a === null || b === null ? reason : (a.doubt ?? b.doubt);
  const longer = (textA.length >= textB.length ? a : b) ?? a ?? b;
  if (longer === null) return undefined;
  if (textA === textB) return { ...longer, doubt };
  const text = unknowns.either(textA, textB, reason);
  const origin = longer.pieces.at(-1)?.origin ?? { file: "", line: 1 };
  return { kind: "variable", text, pieces: piecesOf(longer, text, origin), doubt };
}

/** The pieces of a variable's new text: where the text before stands in it, that keeps its origins. */
export function piecesOf(before: Variable | null, text: string, origin: Origin): readonly Piece[] {
  if (before === null || before.text === "") return [{ text, origin }];
  if (text === before.text) return before.pieces;
  if (text.endsWith(before.text)) {
    return [{ text: text.slice(0, text.length - before.text.length), origin }, ...before.pieces];
  }
  const kept: Piece[] = [];
  let at = 0;
  for (const piece of before.pieces) {
    if (!text.startsWith(piece.text, at)) break;
    kept.push(piece);
    at += piece.text.length;
  }
  return at === text.length ? kept : [...kept, { text: text.slice(at), origin }];
}

/** The entries of a property. */
export function entriesOf(value: Value | undefined): readonly Entry[] {
  return value?.kind === "property" ? value.entries : [];
}

/** What both have stands for certain; the rest is doubtful. */
function mergeProperties(a: readonly Entry[], b: readonly Entry[], reason: string): Property {
  const inA = new Set(a.map(({ text }) => text));
  const inB = new Set(b.map(({ text }) => text));
  const doubted = (entry: Entry): Entry => ({ ...entry, doubt: entry.doubt ?? reason });
  const entries: Entry[] = [];
  let atB = 0;
  for (const entry of a) {
    const place = b.findIndex((other, index) => index >= atB && other.text === entry.text);
    if (place >= 0) {
      // What stands in front of it the other way alone comes first.
      for (; atB < place; atB++) {
        const other = b[atB];
        if (other !== undefined && !inA.has(other.text)) entries.push(doubted(other));
      }
      atB = place + 1;
    }
    if (!inB.has(entry.text)) {
      entries.push(doubted(entry));
      continue;
    }
    const other = b[place] ?? b.find(({ text }) => text === entry.text);
    entries.push({ ...entry, doubt: entry.doubt ?? other?.doubt ?? null });
  }
  for (const entry of b.slice(atB)) if (!inA.has(entry.text)) entries.push(doubted(entry));
  return { kind: "property", entries };
}

/** A property as one text, what is doubtful in it as marks; null where it is not set. */
export function propertyText(value: Value | undefined, unknowns: Unknowns): string | null {
  return value?.kind === "property" ? unknowns.join(value.entries) : null;
}

/** CMake's words for false: "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND", "", "…-NOTFOUND". */
export function isFalseConstant(text: string): boolean {
  return /^(?:0|off|no|false|n|ignore|notfound|)$/i.test(text) || /-NOTFOUND$/i.test(text);
}

/** CMake's words for true: "1", "ON", "YES", "TRUE", "Y", a number other than 0. */
export function isTrueConstant(text: string): boolean {
  return (
    /^(?:on|yes|true|y)$/i.test(text) ||
    (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number(text) !== 0)
  );
}
