// The line of a vector of integers whose words are read as floats, or of floats that are read as bytes or by `__float_as_int`: LLVM loads the
// other vector where the first word is read, and nvcc charges the load to that line.
import {
  type AccessSite,
  bytesCopied,
  type Expression,
  type Load,
  type VariablePlace,
} from "../../ir/expression.ts";
import { expressionsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { AccessFacts } from "../walks/facts.ts";
import {
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";
import { forEachExpression, forEachStatement } from "../walks/walk.ts";
import type { ReadOnlyLoads } from "./whole-words.ts";

/** By what was typed and the calls around it: where the first word of the vectors that are loaded there is read as the other kind. */
export type ReaderLines = ReadonlyMap<SourceRange, ReadonlyMap<AccessSite["stack"], SourceRange>>;

/** Of vectors of which every word that is read is read so. Asked while each statement that was written still stands. */
export function readerLinesOf(body: readonly Statement[], groups: AccessFacts["groups"]): ReaderLines {
  const readers = new Readers(groups);
  forEachStatement(body, (statement) => readers.add(statement));
  return readers.lines();
}

/** The statements with these lines noted at vectors; what LLVM loads as read-only stays where it is. */
export function withReadersNoted(
  body: readonly Statement[],
  lines: ReaderLines,
  { addresses, readOnly }: { readonly addresses: AccessFacts["addresses"]; readonly readOnly: ReadOnlyLoads },
): readonly Statement[] {
  const noted = (statement: Statement): Statement => {
    if (statement.kind !== "evaluate") return mapLists(statement, (list) => mapStatements(list, noted));
    const assign = statement.expression;
    if (assign.kind !== "assign" || assign.value.kind !== "load") return statement;
    const load = assign.value;
    const range = load.type.kind === "record" && load.site ? lineOf(load.site, lines) : undefined;
    if (!range || !load.site || readOnly.has(load)) return statement;
    const value = withPlace(load, load.place, likeSite(load.site, { merged: [...load.site.merged, range] }));
    const address = addresses.get(load);
    if (address) addresses.set(value, address);
    return withExpression(statement, withStored(assign, assign.place, value));
  };
  return mapStatements(body, noted);
}

function lineOf({ range, stack }: AccessSite, lines: ReaderLines): SourceRange | undefined {
  return lines.get(range)?.get(stack);
}

/** How a word of 32 bits is meant. */
type Meaning = "integer" | "float";

/** The loads of one place in the text, in one inlined call. */
interface Origin {
  readonly meaning: Meaning;
  readBy: SourceRange | null;
  isReadAsItIs: boolean;
}

/** Follows the words of loaded vectors from register to register to what first reads them. */
class Readers {
  private readonly groups: AccessFacts["groups"];
  private readonly origins = new Map<SourceRange, Map<AccessSite["stack"], Origin>>();
  /** By variable, for each of its bytes what it was loaded with. */
  private readonly held = new Map<number, (Origin | undefined)[]>();
  /** Of what stands in `__int_as_float` and its like: as what it is read. */
  private readonly reinterpreted = new Map<Expression, Type>();

  constructor(groups: AccessFacts["groups"]) {
    this.groups = groups;
  }

  lines(): ReaderLines {
    const lines = new Map<SourceRange, Map<AccessSite["stack"], SourceRange>>();
    for (const [range, calls] of this.origins)
      for (const [stack, { readBy, isReadAsItIs }] of calls) {
        if (!readBy || isReadAsItIs) continue;
        const known = lines.get(range) ?? new Map<AccessSite["stack"], SourceRange>();
        lines.set(range, known.set(stack, readBy));
      }
    return lines;
  }

  add(statement: Statement): void {
    if (statement.kind === "evaluate" && statement.expression.kind === "assign") {
      const { place, value } = statement.expression;
      if (place.kind === "variable" && this.takes(place, value)) return;
    }
    if (this.held.size === 0) return;
    for (const expression of expressionsOf(statement)) {
      forEachExpression(expression, (node) => this.reinterpret(node));
      forEachExpression(expression, (node) => this.read(node, statement));
    }
  }

  /** Whether the assignment loads a vector's word, or hands words on as they are. */
  private takes(place: VariablePlace, value: Expression): boolean {
    const bytes = sizeOf(place.type) ?? 0;
    if (value.kind === "load" && value.place.kind === "memory") {
      const origin = this.originOf(value);
      if (origin) this.set(place, Array<Origin>(bytes).fill(origin));
      return origin !== null;
    }
    if (this.held.size === 0) return false;
    const copied = copiedBy(value);
    const from = copied.flatMap((each) => this.get(each));
    const [origin] = from;
    if (!origin) return false;
    // A record is copied as bytes, whatever its members are.
    const isCopy = value.kind !== "load" || (isRecord(place) && copied.every(isRecord));
    if (!isCopy && isOther(place.type, origin)) return false;
    const isWhole = from.length === bytes;
    if (!isWhole && from.some((each) => each !== origin)) return false;
    this.set(place, isWhole ? from : Array<Origin>(bytes).fill(origin));
    return true;
  }

  private originOf(load: Load): Origin | null {
    const meaning = meaningOf(load.type);
    if (meaning === null || load.site === null || !this.groups.has(load)) return null;
    const { range, stack } = load.site;
    const calls = this.origins.get(range) ?? new Map<AccessSite["stack"], Origin>();
    this.origins.set(range, calls);
    const origin = calls.get(stack) ?? { meaning, readBy: null, isReadAsItIs: false };
    calls.set(stack, origin);
    return origin;
  }

  private reinterpret(node: Expression): void {
    const [word] = node.kind === "intrinsic" && reinterpreting.test(node.name) ? node.arguments : [];
    if (word?.kind === "load") this.reinterpreted.set(word, node.type);
  }

  private read(node: Expression, statement: Statement): void {
    if (node.kind !== "load" || node.place.kind !== "variable") return;
    const named = this.reinterpreted.get(node);
    for (const origin of this.get(node.place)) {
      if (!origin) continue;
      const isMoved = named ? meaningOf(named) !== origin.meaning : movesTo(node.type, origin);
      if (!isMoved) origin.isReadAsItIs = true;
      else if ("range" in statement) origin.readBy ??= statement.range;
    }
  }

  private get({ variable, offsetBytes, type }: VariablePlace): readonly (Origin | undefined)[] {
    const bytes = this.held.get(variable.id);
    const length = sizeOf(type) ?? 0;
    return bytes ? Array.from({ length }, (_, index) => bytes[offsetBytes + index]) : [];
  }

  private set({ variable, offsetBytes }: VariablePlace, from: readonly (Origin | undefined)[]): void {
    const bytes = this.held.get(variable.id) ?? [];
    this.held.set(variable.id, bytes);
    for (const [index, origin] of from.entries()) bytes[offsetBytes + index] = origin;
  }
}

const reinterpreting = /^__(?:u?int_as_float|float_as_u?int)$/;

function meaningOf(type: Type): Meaning | null {
  if (type.kind === "integer" && type.bits === 32) return "integer";
  return type.kind === "float" && type.format === "single" ? "float" : null;
}

function isRecord({ variable }: VariablePlace): boolean {
  return variable.type.kind === "record";
}

/** Whether LLVM turns the words into others where they are read: what floats were stored into for ints to be read, it has as ints at once. */
function movesTo(type: Type, { meaning }: Origin): boolean {
  return meaning === "integer" ? meaningOf(type) === "float" : type.kind === "integer" && type.bits === 8;
}

/** Whether the bytes are read as what they were not loaded as. */
function isOther(type: Type, origin: Origin): boolean {
  const meaning = meaningOf(type);
  return movesTo(type, origin) || (meaning !== null && meaning !== origin.meaning);
}

/** The registers whose bytes are copied, in a row: by an assignment, or by the words or bytes that memcpy moves. */
function copiedBy(value: Expression): readonly VariablePlace[] {
  if (value.kind === "load") return value.place.kind === "variable" ? [value.place] : [];
  return value.kind === "unknown" && value.reason === bytesCopied ? value.operands.flatMap(copiedBy) : [];
}
