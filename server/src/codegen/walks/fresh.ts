// Variables that codegen makes: numbered downwards from -1, so that they never meet those of the lowering.
import { assignment, placeOf, readOf } from "../../ir/make.ts";
import { alignmentOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";

// Passes take these from here, as what walks expressions.
export { assignment, placeOf, readOf };

export interface Fresh {
  /** A variable that is assigned in one place of the text only. */
  temporary(type: Type, name: string): Variable;
  /** A variable that is assigned on the two ways of one branch only, or before the branch and on one of its ways. */
  outcome(type: Type, name: string): Variable;
  /** An outcome that takes what the ways of a branch store in one place. */
  stored(type: Type): Variable;
  /** A variable that is read right behind the one place where it is assigned. */
  transient(type: Type, name: string): Variable;
  /** A temporary that says which of several places a pointer leads to. */
  flag(type: Type): Variable;
  /** A copy of a variable of an inlined function. */
  copyOf(variable: Variable): Variable;
}

/** `start` is the id of the first variable; every function of a program takes another range. */
export function freshVariables(start: number): Fresh {
  let next = start;
  const temporary = (type: Type, name: string): Variable => ({
    id: next--,
    name,
    type,
    storage: "automatic",
    alignmentBytes: alignmentOf(type) ?? 1,
    range: null,
  });
  return {
    temporary,
    outcome: (type, name) => ({ ...temporary(type, name), isOutcome: true }),
    stored: (type) => ({ ...temporary(type, "stored"), isOutcome: true, isStored: true }),
    transient: (type, name) => ({ ...temporary(type, name), isTransient: true }),
    flag: (type) => ({ ...temporary(type, "flag"), isFlag: true }),
    copyOf: (variable) => {
      const { name, type, storage, alignmentBytes, range } = variable;
      const copy = { id: next--, name, type, storage, alignmentBytes, range };
      const { isRestrict, isRestrictedLocal, pointsToConst, inlined } = variable;
      const isPlain = [isRestrict, isRestrictedLocal, pointsToConst, inlined].every(
        (one) => one === undefined,
      );
      return isPlain ? copy : { ...variable, id: copy.id };
    },
  };
}
