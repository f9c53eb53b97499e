// What the lowering of one translation unit asks of the others that make a program with it.

import type { SyntaxUnit, TranslationUnit } from "../../syntax/unit.ts";
import type { FunctionInstance } from "../functions/instance.ts";
import type { FunctionEntity, TemplateArgument, VariableInfo } from "../names/entity.ts";
import type { Scope } from "../names/scope.ts";

export interface Linkage {
  /** The unit's own numbers, of variables and the like, begin behind it: no two units share one. */
  readonly firstId: number;
  /** What tells a function's id from that of another unit's of the same name and types: "" where it need not be told apart. */
  markOf(entity: FunctionEntity, list: readonly TemplateArgument[]): string;
  /** The function that another unit defines and this one declares; null where none does. */
  definitionOf(declared: FunctionInstance): FunctionInstance | null;
  /** The variable that another unit has for one that this unit names; null where it is this unit's own, or nobody's. */
  variableOf(declared: NamedVariable): VariableInfo | null;
  /** The other units of the program. */
  others(): readonly TranslationUnit[];
  /** An instance was made. */
  register(instance: FunctionInstance): void;
}

/** A variable of a namespace or a class, as a declaration says it. */
export interface NamedVariable {
  readonly name: string;
  readonly unit: SyntaxUnit;
  /** That of the namespace or class it is declared in. */
  readonly scope: Scope;
  /** `extern` and static members leave their definition to another declaration; `inline` defines in every unit what is one. */
  readonly is: "declared" | "inline";
}

/** The linkage of a unit that is a program by itself. */
export const unlinked: Linkage = {
  firstId: 0,
  markOf: () => "",
  definitionOf: () => null,
  variableOf: () => null,
  others: () => [],
  register: () => undefined,
};
