// Makes symbols, one for each distinct unknown, and conses derived ones: the same operation on the same operands is the same
// symbol, so that differences cancel.
import type { IntegerType, ScalarType } from "../../ir/type.ts";
import type { Lanes } from "./lanes.ts";
import type { Indeterminate, Split, SymbolRole } from "./symbol.ts";

export interface SymbolTable {
  /** Symbols that are made later have this id or a greater one. */
  nextId(): number;
  create(description: SymbolDescription): Indeterminate;
  /** The symbol made before under this key, or a new one. */
  derive(key: string, describe: () => SymbolDescription): Indeterminate;
}

export interface SymbolDescription {
  readonly name: string;
  readonly role: SymbolRole;
  readonly varies: boolean;
  readonly alike?: Lanes | null;
  readonly least: number;
  readonly most: number;
  readonly reason?: string;
  readonly split?: Split | null;
  readonly condition?: string | null;
  readonly isPowerOfTwo?: boolean;
  readonly highHalfOf?: Indeterminate["highHalfOf"];
  readonly undeclared?: string | null;
  readonly meaning?: string | null;
}

/** A fresh table; symbols of different tables must not meet. */
export function createSymbolTable(): SymbolTable {
  let nextId = 1;
  const derived = new Map<string, Indeterminate>();
  // Written out: a spread would give symbols as many layouts as there are places that describe them, at which reading them takes longer.
  const create = (description: SymbolDescription): Indeterminate => ({
    id: nextId++,
    name: description.name,
    role: description.role,
    meaning: description.meaning ?? null,
    varies: description.varies,
    alike: description.alike ?? null,
    least: description.least,
    most: description.most,
    reason: description.reason ?? description.name,
    split: description.split ?? null,
    condition: description.condition ?? null,
    isPowerOfTwo: description.isPowerOfTwo ?? false,
    highHalfOf: description.highHalfOf ?? null,
    undeclared: description.undeclared ?? null,
  });
  return {
    nextId: () => nextId,
    create,
    derive(key, describe) {
      const existing = derived.get(key);
      if (existing) return existing;
      const symbol = create(describe());
      derived.set(key, symbol);
      return symbol;
    },
  };
}

/** The least and most value of a type; floats have none. */
export function rangeOfType(type: ScalarType): { least: number; most: number } {
  if (type.kind === "boolean") return { least: 0, most: 1 };
  if (type.kind === "float") return { least: -Infinity, most: Infinity };
  return rangeOfInteger(type);
}

function rangeOfInteger(type: IntegerType): { least: number; most: number } {
  return type.signed
    ? { least: -(2 ** (type.bits - 1)), most: 2 ** (type.bits - 1) - 1 }
    : { least: 0, most: 2 ** type.bits - 1 };
}
