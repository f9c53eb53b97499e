// Functions that move matrix fragments from and to memory: they are given an address and the length of rows there.
import { argumentsIn, type Span, type TypedText, textAt } from "./typed-text.ts";

/** An argument of a call. */
export interface CallPlace {
  readonly name: string;
  readonly place: number;
  readonly open: number;
}

/** `load_matrix_sync(fragment, pointer, length)` and `store_matrix_sync(pointer, fragment, length, …)`: which argument the pointer is. */
const fragmentPlaces: ReadonlyMap<string, number> = new Map([
  ["load_matrix_sync", 1],
  ["store_matrix_sync", 0],
]);

/** Whether what is passed is the address that a fragment is moved from or to. */
export function isOfFragment({ name, place }: CallPlace): boolean {
  return fragmentPlaces.get(name) === place;
}

/** The length of rows that goes with the address; null where none is given. */
export function fragmentRowLength(typed: TypedText, { open }: CallPlace): Span | null {
  return argumentsIn(typed, { first: open + 1, end: typed.partners[open] ?? -1 })[lengthPlace] ?? null;
}

const lengthPlace = 2;

/** The same of the call around an element's address, `load_matrix_sync(a, &tile[row][0], LENGTH)`; null where it is none of these. */
export function fragmentLengthAt(typed: TypedText, nameToken: number): Span | null {
  const call = callAround(typed, nameToken - 1);
  return call !== null && isOfFragment(call) ? fragmentRowLength(typed, call) : null;
}

/** The function and the place of an argument that begins behind a token. */
export function callAround(typed: TypedText, from: number): CallPlace | null {
  let place = 0;
  for (let at = from; at >= 0; at--) {
    const text = textAt(typed, at);
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at) at = partner;
    else if (text === ",") place++;
    else if (text === "(") {
      let name = at - 1;
      if (textAt(typed, name) === ">") while (name > 0 && textAt(typed, name) !== "<") name--;
      if (textAt(typed, name) === "<") name--;
      const token = typed.tokens[name];
      return token?.kind === "identifier" ? { name: token.text, place, open: at } : null;
    } else if ([";", "{", "}"].includes(text)) return null;
  }
  return null;
}
