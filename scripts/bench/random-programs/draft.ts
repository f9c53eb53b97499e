// A kernel on its way: the lines so far, and the names that the next line may use.
import type { Random } from "../../../test/random/random.ts";

/** What an array holds, and how a kernel reads and writes it as float. */
export interface Element {
  readonly type: string;
  /** Of one element, as expressions of type float: of a record one for each member. */
  readonly read: readonly ((place: string) => string)[];
  /** Statements without semicolon that store a float, each in a way of its own. */
  readonly write: readonly ((place: string, value: string) => string)[];
}

export interface ArrayParameter {
  readonly name: string;
  readonly element: Element;
}

/** What a kernel is launched with. */
export interface Shape {
  readonly block: readonly [number, number];
  readonly grid: readonly [number, number];
  readonly n: number;
  readonly m: number;
  readonly k: number;
}

export interface Draft {
  readonly random: Random;
  readonly shape: Shape;
  readonly lines: string[];
  readonly inputs: readonly ArrayParameter[];
  readonly outputs: readonly ArrayParameter[];
  /** Whether inputs are pointers to const: device functions take those alone. */
  readonly inputsAre: "const" | "plain";
  /** Whether some may return before the end: then nothing is done by all of a warp or block. */
  readonly lanes: "leave" | "stay";
  /** Bytes of dynamic shared memory that the launch asks for. */
  sharedBytes: number;
  depth: number;
  loopDepth: number;
  nameCount: number;
  /** Variables of type float. */
  values: string[];
  /** Integer variables that lanes and loops make addresses of: never negative, and small enough for all arrays. */
  indices: string[];
  counters: string[];
}

export function isTwoDimensional({ shape }: Draft): boolean {
  return shape.block[1] > 1;
}

export function emit(draft: Draft, line: string): void {
  draft.lines.push("  ".repeat(draft.depth + 1) + line);
}

/** A name that the kernel does not have yet. */
export function freshName(draft: Draft, prefix: string): string {
  draft.nameCount++;
  return `${prefix}${draft.nameCount}`;
}

/** Writes what `body` writes between braces, in a scope of its own. */
export function emitBlock(draft: Draft, head: string, body: () => void): void {
  emit(draft, `${head} {`);
  inScope(draft, body);
  emit(draft, "}");
}

/** Indented, and without the names that it declares once it is done; the last number that it made is added to one of before. */
export function inScope(draft: Draft, body: () => void): void {
  const { values, indices, counters } = draft;
  draft.values = [...values];
  draft.indices = [...indices];
  draft.counters = [...counters];
  draft.depth++;
  body();
  const made = draft.values.at(-1);
  if (made !== undefined && values.length > 0 && !values.includes(made))
    emit(draft, `${draft.random.pick(values)} += ${made};`);
  draft.depth--;
  Object.assign(draft, { values, indices, counters });
}

/** Declares a float and puts it into scope. */
export function declareValue(draft: Draft, initial: string): string {
  const name = freshName(draft, "v");
  emit(draft, `float ${name} = ${initial};`);
  draft.values.push(name);
  return name;
}
