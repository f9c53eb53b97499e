// What stands in front of the loops of a kernel, by itself: where those take the budget, what is staged for them is evaluated all the same.
import type { FunctionDefinition } from "../../ir/function.ts";
import { forEachStatement } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";

export interface Head {
  readonly head: FunctionDefinition;
  readonly rest: FunctionDefinition;
}

/** The kernel up to its last loop and from there on, then up to the last but one, and so on, while that is more than its first `least` statements. */
export function* headsOf(definition: FunctionDefinition, least: number): Generator<Head> {
  const { body } = definition;
  for (let end = body.length - 1; end > least; end--)
    if (holdsLoop(body.slice(end, end + 1)))
      yield {
        head: { ...definition, body: body.slice(0, end) },
        rest: { ...definition, body: body.slice(end) },
      };
}

function holdsLoop(list: readonly Statement[]): boolean {
  let holds = false;
  forEachStatement(list, ({ kind }) => {
    if (kind === "loop") holds = true;
  });
  return holds;
}
