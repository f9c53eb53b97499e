// Everything that reaches a shared array by other names: pointers into it, parameters of functions that get it, and the arrays that share
// these names with it. What each of them is indexed by.
import type { DeclaredArray } from "./arrays.ts";
import { bytesNamed, castBefore } from "./casts.ts";
import { type CallPlace, callAround, fragmentRowLength, isOfFragment } from "./fragments.ts";
import { functionNamed, type TypedFunction } from "./functions.ts";
import { type ArrayMention, mentionsOf } from "./mentions.ts";
import { argumentsIn, bodyAround, type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

export interface Reached {
  /** The array itself first. */
  readonly arrays: readonly DeclaredArray[];
  /** In brackets, or behind `p +`, wherever the arrays are reached. */
  readonly indices: readonly Span[];
  /** Those that count from the start of an array, or of a part of one that begins in the same place for all threads. */
  readonly fromStart: ReadonlySet<Span>;
  /** Of indices behind pointers to longer elements, how many of the array's elements each of theirs is. */
  readonly units: ReadonlyMap<Span, number>;
  /** Lengths of rows that functions for matrix fragments are given. */
  readonly rowLengths: readonly Span[];
  /** Functions that get the arrays in some place. */
  readonly functions: readonly ReachedFunction[];
}

export interface ReachedFunction extends TypedFunction {
  /** Of its calls, those that give it the arrays. */
  readonly ownCalls: readonly Span[];
  /** Others give it other arrays there: what stands in its body must hold for these as well. */
  readonly isShared: boolean;
}

export const notAPointer = "as something else than a pointer";

interface Name {
  readonly name: string;
  readonly nameToken: number;
  readonly scope: Span;
  /** Pairs of brackets that come to an element. */
  readonly rank: number;
  /** It begins where an array begins, or a part of one that is the same for all threads. */
  readonly isStart: boolean;
  /** The last word of what it points to, and how many of the array's elements that is. */
  readonly element: string;
  readonly unit: number;
}

/** What is asked of the kernel. */
export interface Surroundings {
  /** The declaration of a shared array by its name. */
  readonly otherArray: (name: string, near: number) => DeclaredArray | null;
  /** Whether an offset is one number in each launch. */
  readonly isConstant: (span: Span) => boolean;
}

const mostNames = 24;

/** In words why it is not known. */
export function reachedOf(array: DeclaredArray, { otherArray, isConstant }: Surroundings): Reached | string {
  const { typed } = array;
  const arrays = new Map<string, DeclaredArray>([[array.name, array]]);
  const known = new Map<number, Name>();
  const waiting: Name[] = [nameOf(array)];
  const indices = new Map<number, Span>();
  const fromStart = new Set<Span>();
  const units = new Map<Span, number>();
  const rowLengths = new Map<number, Span>();
  const functions = new Map<string, TypedFunction>();
  const places: { readonly called: TypedFunction; readonly place: number }[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (known.has(next.nameToken)) continue;
    if (known.size >= mostNames) return `${array.name} is reached in too many ways`;
    known.set(next.nameToken, next);
    for (const other of givenNames(typed, next)) {
      const declared = otherArray(other, next.nameToken);
      if (declared === null || arrays.has(other)) continue;
      arrays.set(other, declared);
      waiting.push(nameOf(declared));
    }
    for (const mention of mentionsOf(typed, next)) {
      const use = useOf(typed, mention, next);
      if (typeof use === "string") return use;
      if (use.index !== null) indices.set(use.index.first, use.index);
      // Of several dimensions the last index is a column.
      if (use.index !== null && next.isStart && next.rank === 1) fromStart.add(use.index);
      const unit = unitOf(use.cast, next);
      if (unit === null) return `${next.name} is reached by a pointer to another type`;
      if (use.viewed !== null) {
        indices.set(use.viewed.first, use.viewed);
        units.set(use.viewed, unit);
        if (next.isStart) fromStart.add(use.viewed);
      }
      if (use.index !== null && next.unit !== 1) units.set(use.index, next.unit);
      const offsets = mention.subscripts.length > 1 ? mention.subscripts : [use.index ?? []].flat();
      const isStart = next.isStart && offsets.every(isConstant);
      if (use.holder !== null) {
        const holder = holderName(typed, use.holder, { isStart, element: use.cast ?? next.element, unit });
        if (holder === null) return `${next.name} is kept in something else than a pointer`;
        waiting.push(holder);
      }
      if (use.call === null) continue;
      if (unit !== 1) return `${next.name} is reached by a pointer to another type`;
      if (isOfFragment(use.call)) {
        const length = fragmentRowLength(typed, use.call);
        if (length !== null) rowLengths.set(length.first, length);
        continue;
      }
      const called = functionNamed(typed, use.call.name);
      const parameter = called?.parameters[use.call.place];
      if (called === null || parameter === undefined)
        return `${next.name} is passed to ${use.call.name}, which is not in the text`;
      functions.set(called.name, called);
      places.push({ called, place: use.call.place });
      const name = parameterName(typed, parameter, called, { isStart, element: next.element, unit });
      if (name === null) return `${next.name} is passed to ${use.call.name} ${notAPointer}`;
      waiting.push(name);
    }
  }
  const names = [...known.values()];
  const reachedFunctions = [...functions.values()].map((called): ReachedFunction => {
    const own = places.filter((each) => each.called.name === called.name);
    const ownCalls = called.calls.filter((call) =>
      own.some(({ place }) => isArgument(typed, call, place, names)),
    );
    const isShared = called.calls.some((call) =>
      own.some(({ place }) => !isArgument(typed, call, place, names)),
    );
    return { ...called, ownCalls, isShared };
  });
  return {
    arrays: [...arrays.values()],
    indices: [...indices.values()],
    fromStart,
    units,
    rowLengths: [...rowLengths.values()],
    functions: reachedFunctions,
  };
}

function nameOf({ name, nameToken, typed, dimensions }: DeclaredArray): Name {
  const scope = bodyAround(typed, nameToken) ?? { first: 0, end: typed.tokens.length };
  const element = textAt(typed, nameToken - 1);
  return { name, nameToken, scope, rank: dimensions.length, isStart: true, element, unit: 1 };
}

/** How many of the array's elements one of a pointer's is that is cast so; null where that is not known, or no whole number. */
function unitOf(cast: string | null, { element, unit }: Name): number | null {
  if (cast === null || cast === element) return unit;
  const [bytes, before] = [bytesNamed(cast), bytesNamed(element)];
  if (bytes === null || before === null || bytes % before !== 0) return null;
  return (unit * bytes) / before;
}

/** What stands in everything that is assigned to a pointer. */
function givenNames(typed: TypedText, { name, scope }: Name): string[] {
  const names: string[] = [];
  for (const index of typed.byName.get(name) ?? []) {
    if (index < scope.first || index >= scope.end || textAt(typed, index + 1) !== "=") continue;
    for (let at = index + 2; at < scope.end && textAt(typed, at) !== ";"; at++)
      if (typed.tokens[at]?.kind === "identifier") names.push(textAt(typed, at));
  }
  return names;
}

interface Use {
  readonly index: Span | null;
  /** The token of the pointer that it is kept in. */
  readonly holder: number | null;
  readonly call: CallPlace | null;
  /** The last word of what the address is cast to point to, and what it is indexed by then. */
  readonly cast: string | null;
  readonly viewed: Span | null;
}

const noUse: Use = { index: null, holder: null, call: null, cast: null, viewed: null };

function useOf(typed: TypedText, mention: ArrayMention, named: Name): Use | string {
  const { name, rank } = named;
  if (mention.isSizeof) return noUse;
  if (mention.isInMacro && isElsewhere(typed, named))
    return `${name} is accessed in a macro that other code uses`;
  const { subscripts, nameToken } = mention;
  const end = (subscripts.at(-1)?.end ?? nameToken) + 1;
  const last = subscripts.at(-1) ?? null;
  const isElement = subscripts.length === rank;
  const isAddress = textAt(typed, nameToken - 1) === "&";
  if (isElement && !isAddress) return { ...noUse, index: last };
  if (subscripts.length > rank) return { ...noUse, index: subscripts[rank - 1] ?? null };
  if (!isElement && !isAddress && textAt(typed, end) === "=") return noUse;
  let index = isElement ? last : null;
  let first = isAddress ? nameToken - 1 : nameToken;
  let behind = end;
  if (!isElement && textAt(typed, end) === "+") {
    behind = endOfOperand(typed, end + 1);
    index = { first: end + 1, end: behind };
  }
  if (mention.address === "accessed") return { ...noUse, index };
  // `*(s + i)`, `(s + i)[j]`
  while (
    textAt(typed, first - 1) === "(" &&
    typed.partners[first - 1] === behind &&
    typed.tokens[first - 2]?.kind !== "identifier"
  ) {
    first -= 1;
    behind += 1;
  }
  if (textAt(typed, first - 1) === "*" && index !== null) return { ...noUse, index };
  if (index !== null && isVectorAccess(typed, first)) return { ...noUse, index };
  // A cast makes elements of another size of it.
  const cast = castBefore(typed, first);
  if (cast !== null) {
    first = cast.first;
    while (textAt(typed, first - 1) === "(" && typed.partners[first - 1] === behind) {
      first -= 1;
      behind += 1;
    }
    const isWhole = index === null || spelled(typed, index).trim() === "0";
    const viewed =
      textAt(typed, behind) === "[" ? { first: behind + 1, end: typed.partners[behind] ?? behind } : null;
    if (viewed !== null && isWhole) return { ...noUse, index, cast: cast.element, viewed };
  }
  const element = cast?.element ?? null;
  if ([")", ">"].includes(textAt(typed, first - 1))) return `${name} is reached by a pointer to another type`;
  for (let at = first - 1; at >= 0; at--) {
    const text = textAt(typed, at);
    const partner = typed.partners[at] ?? -1;
    if (text === "=") return { ...noUse, index, holder: at - 1, cast: element };
    if (text === "(" || text === ",") {
      const call = callAround(typed, at);
      return call === null
        ? `${name} is used in a way that is not followed`
        : { ...noUse, index, call, cast: element };
    }
    if (partner !== -1 && partner < at && text === ")") at = partner;
    else if ([";", "{", "}", "return"].includes(text)) break;
  }
  return `${name} is used in a way that is not followed`;
}

/** `*(float4 *)` or `*reinterpret_cast<float4 *>` before a pointer in parentheses: an access of several elements at once. */
function isVectorAccess(typed: TypedText, first: number): boolean {
  const before = textAt(typed, first - 1);
  if (before === ")" && textAt(typed, first - 2) === "*")
    return textAt(typed, (typed.partners[first - 1] ?? 0) - 1) === "*";
  if (before !== ">" || textAt(typed, first - 2) !== "*") return false;
  let at = first - 3;
  while (at > 0 && typed.tokens[at]?.kind === "identifier") at--;
  return (
    textAt(typed, at) === "<" && textAt(typed, at - 1) === "reinterpret_cast" && textAt(typed, at - 2) === "*"
  );
}

/** What a macro accesses under the name may be another thing. */
function isElsewhere(typed: TypedText, { name, scope }: Name): boolean {
  return (typed.byName.get(name) ?? []).some(
    (index) => !typed.isInDirective(index) && (index < scope.first || index >= scope.end),
  );
}

function endOfOperand(typed: TypedText, first: number): number {
  for (let at = first; at < typed.tokens.length; at++) {
    const partner = typed.partners[at] ?? -1;
    if (partner > at) at = partner;
    else if ([",", ")", ";", "]", "?", ":"].includes(textAt(typed, at))) return at;
  }
  return first;
}

/** The pointer that stands before `=`: where it is declared. */
function holderName(typed: TypedText, token: number, pointer: Pointer): Name | null {
  const found = typed.tokens[token];
  const scope = bodyAround(typed, token);
  if (found?.kind !== "identifier" || scope === null) return null;
  const declared = (typed.byName.get(found.text) ?? []).find(
    (index) => scope.first <= index && index < scope.end && isPointerDeclarator(typed, index),
  );
  return declared === undefined
    ? null
    : { name: found.text, nameToken: declared, scope, rank: 1, ...pointer };
}

type Pointer = Pick<Name, "isStart" | "element" | "unit">;

function isPointerDeclarator(typed: TypedText, index: number): boolean {
  let at = index - 1;
  while (["const", "__restrict__", "volatile"].includes(textAt(typed, at))) at--;
  const isPointer = textAt(typed, at) === "*" || (textAt(typed, at) === "auto" && at === index - 1);
  const isType = typed.tokens[at - 1]?.kind === "identifier" || textAt(typed, at - 1) === ">";
  return (
    (isPointer && isType && ["=", ";", ","].includes(textAt(typed, index + 1))) ||
    (textAt(typed, at) === "auto" && textAt(typed, index + 1) === "=")
  );
}

/** `T *name`, `T name[N]`, `T name[]`. */
function parameterName(
  typed: TypedText,
  { first, end }: Span,
  { body }: TypedFunction,
  pointer: Pointer,
): Name | null {
  let stars = 0;
  for (let index = first; index < end; index++) {
    const text = textAt(typed, index);
    if (text === "*") stars++;
    if (text === "(" || text === "&") return null;
    const next = textAt(typed, index + 1);
    const isName =
      typed.tokens[index]?.kind === "identifier" && (index + 1 === end || next === "[" || next === "=");
    if (!isName) continue;
    let brackets = 0;
    for (let at = index + 1; at < end; at++) if (textAt(typed, at) === "[") brackets++;
    const rank = stars + brackets;
    return rank === 1 ? { name: text, nameToken: index, scope: body, rank, ...pointer } : null;
  }
  return null;
}

function isArgument(typed: TypedText, call: Span, place: number, names: readonly Name[]): boolean {
  const argument = argumentsIn(typed, call)[place];
  return argument !== undefined && isOfNames(typed, argument, names);
}

/** Why the indices in some function cannot be changed, in words; null where all can. */
export function whyIndicesAreShared({
  arrays: [array],
  functions,
  indices,
  rowLengths,
  units,
}: Reached): string | null {
  if (units.size > 0) return `${array?.name} is reached by a pointer to another type`;
  if (rowLengths.length > 0) return `fragments are moved from and to whole rows of ${array?.name}`;
  const shared = functions.find(
    ({ isShared, body }) => isShared && indices.some(({ first }) => body.first <= first && first < body.end),
  );
  return shared === undefined ? null : `${shared.name} gets other arrays as well as ${array?.name}`;
}

function isOfNames(typed: TypedText, { first, end }: Span, names: readonly Name[]): boolean {
  for (let index = first; index < end; index++) {
    const text = textAt(typed, index);
    if (names.some(({ name, scope }) => name === text && scope.first <= index && index < scope.end))
      return true;
  }
  return false;
}
