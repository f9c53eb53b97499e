// Functions of other files that look for an option on the command line: `hasFlag(argc, argv, "verify")`, `findInt(argc, argv, "-n", 1024)`.
import type { Expression } from "../../ir/expression.ts";
import type { Type } from "../../ir/type.ts";

/** What the host interpreter knows such a call by: its operands are those of the call. */
export const optionQuery = "__warplint_option";

/**
 * Whether a call of a function without a body in sight asks for an option by name: it is given `argc`, `argv` and a text, perhaps what to give
 * where the option is not there, and its result is a number.
 */
export function isOptionQuery(result: Type, given: readonly Expression[]): boolean {
  const [count, list, name, otherwise, ...others] = given;
  if (result.kind !== "integer" && result.kind !== "boolean") return false;
  if (count?.type.kind !== "integer" || !isText(targetOf(list?.type)) || !isText(name?.type)) return false;
  return others.length === 0 && (otherwise === undefined || otherwise.type.kind === result.kind);
}

function isText(type: Type | undefined): boolean {
  const target = targetOf(type);
  return target?.kind === "integer" && target.bits === 8;
}

function targetOf(type: Type | undefined): Type | undefined {
  return type?.kind === "pointer" ? type.target : undefined;
}
