// Which memory pointers lead to, where a variable may hold one of several or one that came out of memory, as LLVM infers it: the memory
// that all that may be in it lie in.
import type { Expression, Intrinsic, VariablePlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Type } from "../../ir/type.ts";
import { forEachExpressionOf, isOpaque } from "../walks/walk.ts";
import { variableKey } from "./address.ts";
import { type Space, spaceOfObject } from "./space.ts";

/** Before anything is known to be in it: a pointer that is null, or holds nothing yet. */
type Found = Space | "none";

export interface PointerSpacesOptions {
  /** A kernel's pointers are in global memory; a function's are wherever its callers have them. */
  readonly isKernel: boolean;
  readonly parameters: ReadonlySet<number>;
  /** Variables whose address is taken: others may assign them. */
  readonly escaped: ReadonlySet<number>;
}

/** What the pointers of one body lead to. Asked of few bodies: they are walked when somebody asks first. */
export class PointerSpaces {
  readonly #body: readonly Statement[];
  readonly #options: PointerSpacesOptions;
  #found: ReadonlyMap<number, Found> | null = null;
  /** Variables that are assigned as wholes: what their members hold is not followed. */
  #wholes: ReadonlySet<number> = new Set();
  /** The spaces in which the body may store pointers: one that is loaded from there may lead anywhere. */
  readonly #written = new Set<Space>();

  constructor(body: readonly Statement[], options: PointerSpacesOptions) {
    this.#body = body;
    this.#options = options;
  }

  /** The memory that the pointer leads to. */
  spaceOf(pointer: Expression): Space {
    this.#found ??= this.#find();
    const space = this.#spaceIn(pointer, this.#found);
    return space === "none" ? "unknown" : space;
  }

  /** By variable key, first nothing and then more and more, until all assignments agree. */
  #find(): ReadonlyMap<number, Found> {
    const { assignments, stores, wholes } = pointersAssigned(this.#body);
    this.#wholes = wholes;
    const found = new Map<number, Found>();
    for (let isSettled = false; !isSettled; ) {
      isSettled = true;
      for (const { place, value } of assignments) {
        const key = variableKey(place.variable, place.offsetBytes);
        const before = found.get(key) ?? this.#startOf(place);
        const after = either(before, this.#spaceIn(value, found));
        found.set(key, after);
        if (after !== before) isSettled = false;
      }
      for (const store of stores) {
        const space = store === "anywhere" ? "unknown" : this.#spaceIn(store, found);
        if (space === "none" || this.#written.has(space)) continue;
        this.#written.add(space);
        isSettled = false;
      }
    }
    return found;
  }

  /** What is in a variable that nobody has assigned. */
  #startOf({ variable, type }: VariablePlace): Found {
    const { isKernel, parameters, escaped } = this.#options;
    const isGiven = isKernel && parameters.has(variable.id) && type.kind === "pointer";
    if (this.#wholes.has(variable.id)) return "unknown";
    if (escaped.has(variable.id)) return isGiven && !this.#storesInLocals() ? "global" : "unknown";
    if (!parameters.has(variable.id)) return "none";
    return isGiven ? "global" : "unknown";
  }

  /** Whether the body may store pointers in variables whose address is taken. */
  #storesInLocals(): boolean {
    return this.#written.has("local") || this.#written.has("unknown");
  }

  #spaceIn(pointer: Expression, found: ReadonlyMap<number, Found>): Found {
    switch (pointer.kind) {
      case "constant":
        return pointer.value === 0 ? "none" : "unknown";
      case "load": {
        const { place } = pointer;
        if (place.kind === "memory") return this.#spaceOfLoaded(this.#spaceIn(place.pointer, found));
        return found.get(variableKey(place.variable, place.offsetBytes)) ?? this.#startOf(place);
      }
      case "address":
        return pointer.place.kind === "variable"
          ? spaceOfObject(pointer.place.variable)
          : this.#spaceIn(pointer.place.pointer, found);
      case "offset":
        return this.#spaceIn(pointer.pointer, found);
      case "convert": {
        const { type } = pointer.operand;
        // Inline PTX has addresses of shared memory in 32 bits.
        if (type.kind === "integer" && type.bits === 32) return "shared";
        return type.kind === "pointer" ? this.#spaceIn(pointer.operand, found) : "unknown";
      }
      case "conditional":
        return either(this.#spaceIn(pointer.whenTrue, found), this.#spaceIn(pointer.whenFalse, found));
      default:
        return "unknown";
    }
  }

  /** Tables of pointers hold what the host put into them, unless the body stores pointers in that memory itself. */
  #spaceOfLoaded(table: Found): Found {
    if (table === "none") return "none";
    const isOwn = table === "local" || table === "unknown" || !this.#options.isKernel;
    return isOwn || this.#written.has(table) || this.#written.has("unknown") ? "unknown" : "global";
  }
}

function either(a: Found, b: Found): Found {
  if (a === "none" || a === b) return b;
  return b === "none" ? a : "unknown";
}

interface PointersAssigned {
  readonly assignments: { readonly place: VariablePlace; readonly value: Expression }[];
  /** Where pointers are stored in memory. */
  readonly stores: (Expression | "anywhere")[];
  /** Records and arrays that are assigned as wholes. */
  readonly wholes: Set<number>;
}

function pointersAssigned(body: readonly Statement[]): PointersAssigned {
  const assigned: PointersAssigned = { assignments: [], stores: [], wholes: new Set() };
  forEachExpressionOf(body, noteAssigned, assigned);
  return assigned;
}

function noteAssigned(node: Expression, { assignments, stores, wholes }: PointersAssigned): void {
  if (isOpaque(node) || (node.kind === "intrinsic" && mayStorePointers(node))) stores.push("anywhere");
  if (node.kind !== "assign") return;
  const { place, value } = node;
  if (place.kind === "memory") {
    if (mayHoldPointer(place.type)) stores.push(place.pointer);
  } else if (isWhole(place.type)) wholes.add(place.variable.id);
  else if (place.type.kind === "pointer") assignments.push({ place, value });
}

function mayStorePointers({ name, type }: Intrinsic): boolean {
  const effect = intrinsicEffect(name);
  if (effect === "atomic") return mayHoldPointer(type);
  return effect === null || effect === "store" || effect === "async-copy";
}

/** A pointer, a record that may hold one, or 64 bits, as which one is copied with its record. */
function mayHoldPointer(type: Type): boolean {
  return type.kind === "pointer" || isWhole(type) || (type.kind === "integer" && type.bits === 64);
}

function isWhole(type: Type): boolean {
  return type.kind === "record" || type.kind === "array";
}
