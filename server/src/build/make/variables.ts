// Make's variables: their flavours, who may set them, and the sets of targets that lie over the global one.
import type { Text } from "../worlds/text.ts";

/** Who set a variable, the weaker first. */
export const sources = ["default", "environment", "file", "command line", "override", "automatic"] as const;
export type Source = (typeof sources)[number];

export interface Variable {
  readonly value: Text;
  readonly flavor: "recursive" | "simple";
  readonly source: Source;
  /** Whether the value comes behind that of the sets below: `target: FLAGS += …`. */
  readonly appends: boolean;
}

/** Variables by name, over those of another set. */
export class VariableSet {
  readonly own = new Map<string, Variable>();
  readonly below: VariableSet | null;

  constructor(below: VariableSet | null) {
    this.below = below;
  }

  find(name: string): Variable | null {
    for (let set: VariableSet | null = this; set !== null; set = set.below) {
      const variable = set.own.get(name);
      if (variable !== undefined) return variable;
    }
    return null;
  }

  /** Sets a variable here, unless who set it before is stronger. */
  set(name: string, variable: Variable): void {
    const before = this.own.get(name);
    if (before !== undefined && strength(before.source) > strength(variable.source)) return;
    this.own.set(name, variable);
  }

  /** The variable's values, the outermost first, which follow each other: more than one where targets append. */
  layers(name: string): Variable[] {
    const layers: Variable[] = [];
    for (let set: VariableSet | null = this; set !== null; set = set.below) {
      const variable = set.own.get(name);
      if (variable === undefined) continue;
      layers.unshift(variable);
      if (!variable.appends) break;
    }
    return layers;
  }

  /** All names that are set here or below. */
  names(): Set<string> {
    const names = new Set<string>(this.below?.names());
    for (const name of this.own.keys()) names.add(name);
    return names;
  }
}

/** A variable whose value is expanded already. */
export function simple(value: Text, source: Source): Variable {
  return { value, flavor: "simple", source, appends: false };
}

export function strength(source: Source): number {
  return sources.indexOf(source);
}

export type Operator = "=" | ":=" | "::=" | ":::=" | "?=" | "+=" | "!=";

/** A line such as `A += b`, as typed. */
export interface Assignment {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly operator: Operator;
  readonly valueStart: number;
}

/**
 * The assignment that a line is, if it is one: a name without white space outside of references, then an operator. As make does, the first
 * colon or equals sign outside of references decides.
 */
export function assignmentIn(line: string, from = 0): Assignment | null {
  let at = from;
  while (at < line.length && /\s/.test(line[at] ?? "")) at++;
  const nameStart = at;
  let nameEnd = -1;
  while (at < line.length) {
    const character = line[at];
    if (character === "#") return null;
    if (character === "$") {
      if (nameEnd !== -1) return null;
      at = afterReference(line, at);
      continue;
    }
    if (/\s/.test(character ?? "")) {
      if (nameEnd === -1) nameEnd = at;
      at++;
      continue;
    }
    const operator = /^(?::::=|::=|:=|\?=|\+=|!=|=)/.exec(line.slice(at, at + 4))?.[0];
    if (operator !== undefined) {
      const end = nameEnd === -1 ? at : nameEnd;
      if (end === nameStart) return null;
      return { nameStart, nameEnd: end, operator: operator as Operator, valueStart: at + operator.length };
    }
    if (character === ":" || nameEnd !== -1) return null;
    at++;
  }
  return null;
}

/** The place behind the reference that begins with the "$" at `at`. */
export function afterReference(line: string, at: number): number {
  const open = line[at + 1];
  if (open !== "(" && open !== "{") return at + 2;
  const close = open === "(" ? ")" : "}";
  let depth = 0;
  for (let index = at + 1; index < line.length; index++) {
    if (line[index] === open) depth++;
    else if (line[index] === close && --depth === 0) return index + 1;
  }
  return line.length;
}
