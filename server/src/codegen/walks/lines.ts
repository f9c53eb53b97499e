// The lines that Nsight Compute may show for what LLVM leaves without one: of the instructions before and behind.
import type { Statement } from "../../ir/statement.ts";
import type { SourceRange } from "../../text/source.ts";

/** Where the last of the statements stands that becomes an instruction, if one does. */
export function rangeOfLast(statements: readonly Statement[]): readonly SourceRange[] {
  return rangesOf(statements.findLast(isInstruction));
}

/** Where the first of them stands that does. */
export function rangeOfFirst(statements: readonly Statement[]): readonly SourceRange[] {
  return rangesOf(statements.find(isInstruction));
}

function rangesOf(statement: Statement | undefined): readonly SourceRange[] {
  return statement && "range" in statement ? [statement.range] : [];
}

/** Constants and copies from register to register are none. */
function isInstruction(statement: Statement): boolean {
  if (statement.kind === "declare") return false;
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return true;
  const { place, value } = statement.expression;
  if (place.kind !== "variable") return true;
  return value.kind !== "constant" && (value.kind !== "load" || value.place.kind !== "variable");
}
