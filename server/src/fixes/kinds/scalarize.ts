// A vector access off its boundary, taken apart into accesses of single elements: aligned whatever the row is.
import type { AccessFinding } from "../../rules/finding.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import type { ArrayMention } from "../text/mentions.ts";
import { lengthened } from "../text/spelling.ts";
import { freshName, hasComment, statementAround, type TypedStatement } from "../text/statements.ts";
import { offsetsOf, type Span, spelled, type TypedText, textAt, tokenFrom } from "../text/typed-text.ts";
import { elementOf, type VectorType, vectorMembers, vectorOf } from "../text/vectors.ts";

/** The one way to take the access of a finding apart. */
export function scalarizeCandidates(array: DeclaredArray, { range, worst }: AccessFinding): Candidates {
  const { access } = worst;
  const { typed } = array;
  const element = elementOf(access.target?.type);
  const vector = element === null ? null : vectorFor(element, access.bytes);
  if (vector === null) return refusal(`${access.expression} is no vector that can be taken apart`);
  if (range.file !== typed.file) return refusal("the access stands in another file than the array");
  const first = tokenFrom(typed, range.start);
  const span = { first, end: tokenFrom(typed, range.end) };
  const mention = array.mentions.find(({ nameToken }) => span.first <= nameToken && nameToken < span.end);
  if (mention === undefined) return refusal(`${array.name} is not named where it is accessed`);
  const parts = elementTexts(typed, mention, vector);
  if (parts === null) return refusal(`the index of ${array.name} is not written where it is accessed`);
  const given = { array, span, vector, parts };
  if (access.operation === "load") return candidatesFound([loadCandidate(given)]);
  const statement = statementAround(typed, first);
  const store = statement === null ? null : storeCandidate(given, statement);
  return store === null ? refusal("the store is not a statement of its own") : candidatesFound([store]);
}

function vectorFor(element: NonNullable<ReturnType<typeof elementOf>>, bytes: number): VectorType | null {
  return (
    [2, 4]
      .flatMap((count) => vectorOf(element, count) ?? [])
      .find(({ elementBytes, elementCount }) => elementBytes * elementCount === bytes) ?? null
  );
}

interface VectorAccess {
  readonly array: DeclaredArray;
  readonly span: Span;
  readonly vector: VectorType;
  /** Each element as the user would write it. */
  readonly parts: readonly string[];
}

/** `tile[r][c]`, `tile[r][c + 1]`…; null where an index has an effect of its own. */
function elementTexts(
  typed: TypedText,
  { nameToken, subscripts }: ArrayMention,
  { elementCount }: VectorType,
): string[] | null {
  const last = subscripts.at(-1);
  if (last === undefined) return null;
  const [start] = offsetsOf(typed, { first: nameToken, end: nameToken + 1 });
  const [columnStart] = offsetsOf(typed, last);
  const head = typed.text.slice(start, columnStart);
  const column = spelled(typed, last);
  if (/\+\+|--|[^=<>!]=[^=]/.test(head + column)) return null;
  const parts: string[] = [];
  for (let index = 0; index < elementCount; index++) {
    const shifted = index === 0 ? column : lengthened(column, index);
    if (shifted === null) return null;
    parts.push(`${head}${shifted}]`);
  }
  return parts;
}

function loadCandidate({ array, span, vector, parts }: VectorAccess): Candidate {
  const [start, end] = offsetsOf(array.typed, span);
  const newText = `make_${vector.name}(${parts.join(", ")})`;
  return candidateOf(array, vector, "load", { file: array.typed.file, start, end, newText });
}

/** `access = value;` becomes a named value and one store an element. Null where the statement is anything else. */
function storeCandidate(
  { array, span, vector, parts }: VectorAccess,
  { span: statement, indent }: TypedStatement,
): Candidate | null {
  const { typed } = array;
  const isPlain = statement.first === span.first && textAt(typed, span.end) === "=";
  if (!isPlain || hasComment(typed, statement)) return null;
  const value = spelled(typed, { first: span.end + 1, end: statement.end - 1 });
  const name = freshName(typed, `${array.name}_value`);
  const [start, end] = offsetsOf(typed, statement);
  const stores = parts.map((part, index) => `${part} = ${name}.${vectorMembers[index] ?? "x"};`);
  const newText = [`const ${vector.name} ${name} = ${value};`, ...stores].join(`\n${indent}`);
  return candidateOf(array, vector, "store", { file: typed.file, start, end, newText });
}

function candidateOf(
  { name }: DeclaredArray,
  { element, elementCount }: VectorType,
  operation: "load" | "store",
  edit: Candidate["edits"][number],
): Candidate {
  return {
    kind: "scalarize",
    edits: [edit],
    title: { kind: "scalarize", array: name, operation, elementCount, element },
    safety: "suggestion",
    operations: 0,
    estimate: null,
  };
}
