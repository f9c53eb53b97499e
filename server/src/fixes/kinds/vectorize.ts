// One vector access in place of neighbouring scalar ones: a named vector before the first load, or one store behind the last value.
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { TextEdit } from "../fix.ts";
import { differByNumbers } from "../text/index-distance.ts";
import { freshName, hasComment, statementAround, type TypedStatement } from "../text/statements.ts";
import {
  blockAround,
  offsetsOf,
  type Span,
  spelled,
  subscriptsAfter,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "../text/typed-text.ts";
import { type VectorType, vectorMembers } from "../text/vectors.ts";
import type { Neighbours } from "./neighbours.ts";

/** One of the scalar accesses as typed, with the statement that it stands in. */
interface TypedAccess {
  readonly span: Span;
  /** What stands in each pair of brackets. */
  readonly subscripts: readonly Span[];
  readonly statement: TypedStatement;
}

interface TypedNeighbours {
  readonly typed: TypedText;
  readonly array: string;
  readonly vector: VectorType;
  /** First element first. */
  readonly accesses: readonly TypedAccess[];
  /** Nothing was assumed of the pointer's alignment. */
  readonly isExact: boolean;
}

/** The one way to write the accesses as one. */
export function vectorizeCandidates({ accesses, vector }: Neighbours, texts: TypedTexts): Candidates {
  const [first] = accesses;
  const typed = first === undefined ? null : texts(first.range.file);
  const array =
    first === undefined || typed === null ? "" : nameOf(typed, first.range.start, first.target?.name ?? "");
  if (first === undefined || typed === null || array === "")
    return refusal("the accesses are not in the text");
  const placed = accesses.map(({ range }) => typedAccess(typed, array, range));
  const whole = placed.flatMap((each) => each ?? []);
  if (whole.length < accesses.length)
    return refusal(`the accesses to ${array} are not each written as ${array}[…] in a statement of its own`);
  const given: TypedNeighbours = {
    typed,
    array,
    vector,
    accesses: whole,
    isExact: accesses.every(({ verdict }) => verdict.kind === "exact"),
  };
  if (isVolatile(typed, first.target?.range?.start ?? 0)) return refusal(`${array} is volatile`);
  if (
    !differByNumbers(
      typed,
      whole.map(({ subscripts }) => subscripts),
    )
  )
    return refusal(`cannot tell from the indices alone whether these elements of ${array} are contiguous`);
  const reason = whyApart(given);
  if (reason !== null) return refusal(reason);
  const candidate = first.operation === "load" ? loadCandidate(given) : storeCandidate(given);
  return candidate === null
    ? refusal(`the stores to ${array} are not consecutive statements`)
    : candidatesFound([candidate]);
}

/** By which the text reaches what is accessed: the array's own name, or that of a pointer into it. */
function nameOf(typed: TypedText, start: number, array: string): string {
  const first = tokenFrom(typed, start);
  const isIndexed = typed.tokens[first]?.kind === "identifier" && textAt(typed, first + 1) === "[";
  return isIndexed ? textAt(typed, first) : array;
}

/** `array[index]`, in a statement of its own that makes no choice. */
function typedAccess(
  typed: TypedText,
  array: string,
  range: { readonly start: number; readonly end: number },
): TypedAccess | null {
  const first = tokenFrom(typed, range.start);
  const span = { first, end: tokenFrom(typed, range.end) };
  const closer = span.end - 1;
  const subscripts = subscriptsAfter(typed, first);
  const isPlain =
    textAt(typed, first) === array &&
    subscripts.at(-1)?.end === closer &&
    typed.tokens[closer]?.end === range.end;
  const statement = isPlain ? statementAround(typed, first) : null;
  if (statement === null) return null;
  for (let index = statement.span.first; index < statement.span.end; index++)
    if (["?", "&&", "||"].includes(textAt(typed, index))) return null;
  return { span, subscripts, statement };
}

function isVolatile(typed: TypedText, declaration: number): boolean {
  for (let index = tokenFrom(typed, declaration) - 1; index >= 0; index--) {
    const text = textAt(typed, index);
    if (text === "volatile") return true;
    if ([";", "{", "}", ",", "("].includes(text)) return false;
  }
  return false;
}

/** Why the accesses cannot be made at one place, in words; null where they can. */
function whyApart({ typed, array, accesses }: TypedNeighbours): string | null {
  const [base, ...others] = accesses;
  if (base === undefined) return "there is no access";
  const block = blockAround(typed, base.span.first);
  if (others.some(({ span }) => blockAround(typed, span.first)?.first !== block?.first))
    return `the accesses to ${array} are in different blocks of statements`;
  const from = Math.min(...accesses.map(({ statement }) => statement.span.first));
  const to = Math.max(...accesses.map(({ span }) => span.end));
  const names = new Set<string>();
  for (let index = base.span.first; index < base.span.end; index++)
    if (typed.tokens[index]?.kind === "identifier") names.add(textAt(typed, index));
  for (let index = from; index < to; index++) {
    if (barriers.has(textAt(typed, index))) return `a barrier stands between the accesses to ${array}`;
    if (names.has(textAt(typed, index)) && isChanged(typed, index))
      return `an index of ${array} changes between the accesses`;
  }
  return null;
}

const barriers = new Set([
  "__syncthreads",
  "__syncwarp",
  "sync",
  "__threadfence",
  "__threadfence_block",
  "asm",
]);
const assignments = new Set("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split(" "));

function isChanged(typed: TypedText, index: number): boolean {
  return assignments.has(textAt(typed, index + 1)) || ["++", "--"].includes(textAt(typed, index - 1));
}

function loadCandidate(given: TypedNeighbours): Candidate | null {
  const { typed, array, vector, accesses } = given;
  const [base] = accesses;
  const first = accesses.toSorted((a, b) => a.span.first - b.span.first)[0]?.statement;
  if (base === undefined || first === undefined) return null;
  const name = freshName(typed, `${array}${vector.elementCount}`);
  const [start] = offsetsOf(typed, first.span);
  const declaration = `const ${vector.name} ${name} = *reinterpret_cast<const ${vector.name}*>(&${spelled(typed, base.span)});`;
  const inserted = { file: typed.file, start, end: start, newText: `${declaration}\n${first.indent}` };
  const uses = accesses.map(({ span }, index): TextEdit => {
    const [from, to] = offsetsOf(typed, span);
    return { file: typed.file, start: from, end: to, newText: `${name}.${vectorMembers[index] ?? "x"}` };
  });
  return candidateOf(given, "load", [inserted, ...uses]);
}

/** Null where the stores are not plain assignments right behind one another. */
function storeCandidate(given: TypedNeighbours): Candidate | null {
  const { typed, vector, accesses } = given;
  const [base] = accesses;
  const ordered = accesses.toSorted((a, b) => a.span.first - b.span.first);
  const [first] = ordered;
  const last = ordered.at(-1);
  if (base === undefined || first === undefined || last === undefined) return null;
  const isOneRun = ordered.every(
    ({ span, statement }, index) =>
      span.first === statement.span.first &&
      textAt(typed, span.end) === "=" &&
      (index === 0 || ordered[index - 1]?.statement.span.end === statement.span.first),
  );
  const whole = { first: first.statement.span.first, end: last.statement.span.end };
  if (!isOneRun || hasComment(typed, whole)) return null;
  const values = accesses.map(({ span, statement }) =>
    spelled(typed, { first: span.end + 1, end: statement.span.end - 1 }),
  );
  const [start, end] = offsetsOf(typed, whole);
  const newText = `*reinterpret_cast<${vector.name}*>(&${spelled(typed, base.span)}) = make_${vector.name}(${values.join(", ")});`;
  return candidateOf(given, "store", [{ file: typed.file, start, end, newText }]);
}

function candidateOf(
  given: TypedNeighbours,
  operation: "load" | "store",
  edits: readonly TextEdit[],
): Candidate {
  const { array, vector } = given;
  return {
    kind: "vectorize",
    edits,
    title: {
      kind: "vectorize",
      array,
      operation,
      vector: vector.name,
      elementCount: vector.elementCount,
      element: vector.element,
    },
    safety: given.isExact && !storesBetween(given) ? "safe" : "suggestion",
    operations: 0,
    estimate: null,
  };
}

/** Memory is written or a function called between the accesses: whether that touches the same bytes hangs on who launches the kernel. */
function storesBetween({ typed, accesses }: TypedNeighbours): boolean {
  const from = Math.min(...accesses.map(({ statement }) => statement.span.first));
  const to = Math.max(...accesses.map(({ span }) => span.first));
  for (let index = from; index < to; index++) {
    const isOwn = accesses.some(({ span }) => span.first <= index && index <= span.end);
    if (!isOwn && textAt(typed, index) === "]" && assignments.has(textAt(typed, index + 1))) return true;
  }
  return false;
}
