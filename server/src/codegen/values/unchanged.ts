// Members of records that are put back as they were: a record moves in words of its alignment, and what moves is stored whole.
import type { Assign } from "../../ir/expression.ts";
import { hasPadding, piecesOf } from "../../ir/pieces.ts";
import type { Statement } from "../../ir/statement.ts";
import { alignmentOf, sameType, sizeOf } from "../../ir/type.ts";
import type { RecordGroups } from "../linearise/context.ts";

const widestBytes = 16;

/** A name of the word of its record that a stored member moves in (unchanged/memberOfVector); null where the member is one by itself. */
export function wordOf(store: Assign, groups: RecordGroups): string | null {
  const group = groups.get(store);
  if (group === undefined || store.place.kind !== "memory") return null;
  const { pointer, offsetBytes, type } = store.place;
  const bytes = sizeOf(type) ?? 0;
  const alignment = pointer.type.kind === "pointer" ? (alignmentOf(pointer.type.target) ?? 1) : 1;
  const wordBytes = Math.min(widestBytes, alignment);
  return wordBytes > bytes ? `${group} ${Math.floor(offsetBytes / wordBytes)}` : null;
}

/**
 * Whether a record moves whole once ways have met since it was read: with padding it is copied as bytes, and what is put back is then only
 * known along one way (fixtures/programs/random_states pi).
 */
export function movesWhole(store: Assign, groups: RecordGroups): boolean {
  if (!groups.has(store) || store.place.kind !== "memory") return false;
  const { type } = store.place.pointer;
  return type.kind === "pointer" && hasPadding(type.target);
}

/**
 * Whether it is a part of an aligned record of several types, which moves as one number of all its bytes: LLVM does not see that such a number is
 * put back (forms/best_of_block alignedByFunction).
 */
export function isMixedVector(store: Assign, groups: RecordGroups): boolean {
  if (!groups.has(store) || store.place.kind !== "memory") return false;
  const { type } = store.place.pointer;
  const record = type.kind === "pointer" ? type.target : null;
  const [first, ...others] = (record && sizeOf(record) === alignmentOf(record) && piecesOf(record)) || [];
  return first !== undefined && others.some((piece) => !sameType(piece.type, first.type));
}

/**
 * The statements without the words of which every member is put back as it was (fixtures/programs/particles_layouts movePacked); `unchanged`
 * are the stores of such members.
 */
export function withoutUnchangedWords(
  statements: readonly Statement[],
  unchanged: ReadonlySet<Assign>,
  groups: RecordGroups,
): readonly Statement[] {
  const changedWords = new Set<string>();
  let isAnyUnchanged = false;
  for (const statement of statements) {
    const store = storeOf(statement);
    if (!store) continue;
    if (unchanged.has(store)) isAnyUnchanged = true;
    else changedWords.add(wordOf(store, groups) ?? "");
  }
  if (!isAnyUnchanged) return statements;
  return statements.filter((statement) => {
    const store = storeOf(statement);
    return !store || !unchanged.has(store) || changedWords.has(wordOf(store, groups) ?? "");
  });
}

function storeOf(statement: Statement): Assign | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  return statement.expression.place.kind === "memory" ? statement.expression : null;
}
