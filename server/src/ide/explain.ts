// What the parts of an index come to in each lane, by the user's own text: `row`, `(row + 1)`, `row * 33 + col`.
import type { AccessProfile } from "../evaluate/profile.ts";
import { sizeOf, type Type } from "../ir/type.ts";
import { evaluateInteger } from "../launches/asked/integer-expression.ts";
import { elementOf } from "../render/words.ts";
import type { TracedRequest } from "./trace.ts";

export interface PartValue {
  /** As the user wrote it. */
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/**
 * The names, brackets and subscripts of `access.expression`, each with its value in each lane. The text is read as integers without
 * limits; so that no wrap-around, cast or name of another scope makes up a value, all is dropped unless the subscripts give just the
 * distances between the lanes' addresses that the simulator found.
 */
export function indexParts(access: AccessProfile, request: TracedRequest): PartValue[] {
  const subscripts = subscriptsOf(access.expression);
  if (subscripts.length === 0) return [];
  const evaluate = (text: string): PartValue => ({
    name: text,
    values: request.laneAddresses.map((address, lane) =>
      address === null ? null : valueIn(text, request, lane),
    ),
  });
  const indices = subscripts.map(evaluate);
  if (!explains(indices, access, request)) return [];
  const inner = subscripts.flatMap((text) => [...namesOf(text), ...bracketsOf(text)]);
  const names = [...new Set([...inner, ...subscripts])].filter((text) => !isNumber(text));
  return names.map(evaluate).filter(({ values }) => values.some((value) => value !== null));
}

/** What stands in the outermost square brackets, in order. */
export function subscriptsOf(expression: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at];
    if (character === "[" && depth++ === 0) start = at + 1;
    else if (character === "]" && --depth === 0) found.push(expression.slice(start, at).trim());
  }
  return found;
}

function namesOf(text: string): string[] {
  return text.match(/(?<![.\w])[A-Za-z_]\w*(?:\.[xyz]\b)?/g) ?? [];
}

/** What stands in round brackets, the innermost first, without them. */
function bracketsOf(text: string): string[] {
  const found: string[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") open.push(at + 1);
    else if (text[at] === ")") found.push(text.slice(open.pop() ?? at, at).trim());
  }
  return found.filter((part) => part !== "");
}

function isNumber(text: string): boolean {
  return /^[\d\s+\-*/()]*$/.test(text);
}

function valueIn(text: string, { values }: TracedRequest, lane: number): number | null {
  const names = new Map<string, number>();
  const plain = text.replace(/(?<![.\w])([A-Za-z_]\w*(?:\.[xyz]\b)?)/g, (name) => {
    const value = values.get(name)?.[lane];
    const key = name.replace(".", "_of_");
    if (value !== undefined) names.set(key, value);
    return key;
  });
  const result = evaluateInteger(plain, names);
  return result.kind === "value" ? result.value : null;
}

/** Whether the indices differ between lanes as the addresses do. */
function explains(
  indices: readonly PartValue[],
  { target, bytes }: AccessProfile,
  { laneAddresses }: TracedRequest,
): boolean {
  return strideChoices(target?.type ?? null, bytes, indices.length).some((strides) =>
    differAsAddresses(indices, strides, laneAddresses),
  );
}

/** What a step of each subscript may be: by the declared type, or, where a cast gave the memory another, what a lane accesses. */
function strideChoices(type: Type | null, bytes: number, count: number): (readonly number[])[] {
  const declared = stridesOf(type, count);
  return [...(declared === null ? [] : [declared]), ...(count === 1 ? [[bytes]] : [])];
}

function differAsAddresses(
  indices: readonly PartValue[],
  strides: readonly number[],
  laneAddresses: TracedRequest["laneAddresses"],
): boolean {
  const offsets = laneAddresses.map((address, lane) => {
    if (address === null) return null;
    let sum = -address;
    for (const [place, { values }] of indices.entries()) {
      const value = values[lane];
      if (value == null) return Number.NaN;
      sum += value * (strides[place] ?? 0);
    }
    return sum;
  });
  const active = offsets.filter((offset) => offset !== null);
  return active.length > 0 && active.every((offset) => offset === active[0]);
}

/** Bytes that one step of each subscript is; null where the type has not just as many dimensions. */
function stridesOf(type: Type | null, count: number): number[] | null {
  const strides: number[] = [];
  let at: Type | null = type;
  for (let place = 0; place < count; place++) {
    if (at?.kind !== "array" && at?.kind !== "pointer") return null;
    at = at.kind === "array" ? at.element : at.target;
    const size = sizeOf(at);
    if (size === null) return null;
    strides.push(size);
  }
  return at !== null && at === elementOf(type) ? strides : null;
}
