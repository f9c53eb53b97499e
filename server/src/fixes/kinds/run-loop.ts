// The loop that a thread goes along its run with, and the conditions that hang on it.
import { namesIn, substituted, typedLocal } from "../text/locals.ts";
import { runStart } from "../text/run-index.ts";
import { asFactor } from "../text/spelling.ts";
import type { TypedNode } from "../text/statement-tree.ts";
import { type Span, spelled, type TypedText, textAt } from "../text/typed-text.ts";
import { isUniform } from "../text/uniform.ts";
import type { KernelText } from "./kernel-text.ts";
import { anyLoopParts } from "./thread-role.ts";

/** `for (T v = start; v < a && v < b; ++v)` */
export interface RunLoop {
  readonly node: TypedNode & { readonly kind: "loop" };
  readonly span: Span;
  readonly variable: string;
  /** "" where it is declared before the loop. */
  readonly type: string;
  readonly start: Span;
  readonly bounds: readonly LoopBound[];
  /** All threads of a warp begin and end with the same numbers. */
  readonly isUniform: boolean;
  /** Variables of loops around it that count alike for all threads of a warp. */
  readonly uniformVariables: ReadonlySet<string>;
  readonly around: readonly TypedNode[];
}

export interface LoopBound {
  readonly comparison: "<" | "<=";
  readonly bound: Span;
  readonly isUniform: boolean;
}

export interface RunNames {
  readonly tile: string;
  readonly thread: string;
  readonly lane: string;
  readonly mask: string;
  readonly rank: string;
  readonly active: string;
  readonly start: string;
  readonly left: string;
  readonly row: string;
  readonly from: string;
  readonly to: string;
  readonly column: string;
  readonly base: string;
}

/** Null where it is no loop upwards by one to bounds that it does not change. */
export function runLoopOf(
  typed: TypedText,
  node: TypedNode & { readonly kind: "loop" },
  around: readonly TypedNode[],
): RunLoop | null {
  const parts = anyLoopParts(typed, { first: node.span.first, end: node.body.span.first });
  if (parts === null) return null;
  const { variable, start, bound, step } = parts;
  const stepText = spelled(typed, step).replaceAll(/\s/g, "");
  if (![`++${variable}`, `${variable}++`, `${variable}+=1`].includes(stepText)) return null;
  const uniformVariables = new Set(uniformVariablesOf(typed, around));
  const bounds = boundsIn(typed, { first: bound.first - 2, end: bound.end }, variable, uniformVariables);
  if (bounds === null) return null;
  const isStartUniform = isUniform(typed, start, uniformVariables);
  return {
    node,
    span: node.span,
    variable,
    type: spelled(typed, { first: node.span.first + 2, end: start.first - 2 }),
    start,
    bounds,
    isUniform: isStartUniform && bounds.every((each) => each.isUniform),
    uniformVariables,
    around,
  };
}

function uniformVariablesOf(typed: TypedText, around: readonly TypedNode[]): string[] {
  const known: string[] = [];
  for (const node of around) {
    if (node.kind !== "loop") continue;
    const parts = anyLoopParts(typed, { first: node.span.first, end: node.body.span.first });
    if (parts === null) continue;
    const names = new Set([...known, parts.variable]);
    if ([parts.start, parts.bound, parts.step].every((span) => isUniform(typed, span, names)))
      known.push(parts.variable);
  }
  return known;
}

function boundsIn(
  typed: TypedText,
  condition: Span,
  variable: string,
  uniformVariables: ReadonlySet<string>,
): LoopBound[] | null {
  const found: LoopBound[] = [];
  for (const { first, end } of conjunctsOf(typed, condition)) {
    const comparison = textAt(typed, first + 1);
    const bound = { first: first + 2, end };
    if (textAt(typed, first) !== variable || (comparison !== "<" && comparison !== "<=")) return null;
    if (namesIn(typed, bound).some((index) => textAt(typed, index) === variable)) return null;
    const text = spelled(typed, bound);
    if (/\|\||\?|[^<>=!]=[^=]|\[/.test(text)) return null;
    found.push({ comparison, bound, isUniform: isUniform(typed, bound, uniformVariables) });
  }
  return found;
}

export function conjunctsOf(typed: TypedText, { first, end }: Span): Span[] {
  const parts: Span[] = [];
  let start = first;
  for (let index = first; index < end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (textAt(typed, index) === "&&") {
      parts.push({ first: start, end: index });
      start = index + 1;
    }
  }
  parts.push({ first: start, end });
  return parts;
}

/** The loop's variable at an element of another thread's run, whose index is `offset` and the variable; null where nothing says. */
export function variableThere(
  loop: RunLoop,
  offset: string | null,
  { from, base, column }: RunNames,
): string | null {
  if (loop.isUniform) return `${base} + ${column}`;
  return offset === "" ? `${from} + ${column}` : null;
}

/** Conditions between the loop and the access for an element of another thread's run; in words where they cannot be told. */
export function guardsOf(
  kernel: KernelText,
  loop: RunLoop,
  given: {
    readonly path: readonly TypedNode[];
    readonly offset: string | null;
    readonly names: RunNames;
    /** The loop's variable at that element; null where nothing says. */
    readonly there: string | null;
    readonly isStored: boolean;
  },
): string[] | string {
  const { path, isStored } = given;
  const guards: string[] = [];
  for (const [place, node] of path.entries()) {
    if (node.kind !== "if" || node.span.first <= loop.span.first) continue;
    const inner = path[place + 1];
    if (node.otherwise !== null && inner === node.otherwise)
      return "the access is in an else branch: its elements are not given by one condition";
    for (const conjunct of conjunctsOf(kernel.typed, node.condition)) {
      const text = guardOf(kernel, loop, conjunct, given);
      if (text !== null) guards.push(text);
      else if (isStored || !leavesSingleOut(kernel, loop, conjunct))
        return `cannot tell whether ${spelled(kernel.typed, conjunct)} holds for another thread's element`;
    }
  }
  return guards;
}

/** `j != i`, `used[j]`: elements in the midst of the run are not needed, and may be copied all the same. */
function leavesSingleOut({ typed }: KernelText, { variable }: RunLoop, conjunct: Span): boolean {
  const isOfRun = namesIn(typed, conjunct).some((index) => textAt(typed, index) === variable);
  return isOfRun && !/[<>]/.test(spelled(typed, conjunct).replaceAll(/->/g, ""));
}

interface Elsewhere {
  readonly offset: string | null;
  readonly names: RunNames;
  readonly there: string | null;
}

const comparisons = new Set(["<", "<=", ">", ">=", "==", "!="]);

function guardOf({ typed }: KernelText, loop: RunLoop, conjunct: Span, given: Elsewhere): string | null {
  const operators: number[] = [];
  for (let index = conjunct.first; index < conjunct.end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (comparisons.has(textAt(typed, index))) operators.push(index);
    else if (["||", "?", "="].includes(textAt(typed, index))) return null;
  }
  const [operator, ...others] = operators;
  if (others.length > 0) return null;
  const sides =
    operator === undefined
      ? [conjunct]
      : [
          { first: conjunct.first, end: operator },
          { first: operator + 1, end: conjunct.end },
        ];
  const texts = sides.map((side) => sideThere(typed, loop, side, given));
  if (texts.includes(null)) return null;
  return operator === undefined ? (texts[0] ?? null) : texts.join(` ${textAt(typed, operator)} `);
}

/** One side of a comparison as the other thread would have it. */
function sideThere(
  typed: TypedText,
  loop: RunLoop,
  side: Span,
  { offset, names, there }: Elsewhere,
): string | null {
  if (offset !== null && runStart(typed, side, loop.variable, loop.span) === offset)
    return `${names.from} + ${names.column}`;
  const inner = new Set([...loop.uniformVariables, loop.variable]);
  const isOfLoop = namesIn(typed, side).some((index) => {
    const local = typedLocal(typed, index);
    return local !== null && loop.span.first <= local.nameToken && local.nameToken < loop.span.end;
  });
  if (isOfLoop || !isUniform(typed, side, inner)) return null;
  const isMentioned = namesIn(typed, side).some((index) => textAt(typed, index) === loop.variable);
  if (!isMentioned) return spelled(typed, side);
  if (there === null) return null;
  return substituted(typed, side, (index) => {
    const isMember = [".", "->", "::"].includes(textAt(typed, index - 1));
    if (isMember || textAt(typed, index) !== loop.variable) return null;
    const isAlone = side.end === side.first + 1;
    return { text: isAlone ? there : asFactor(there), end: index + 1 };
  });
}
