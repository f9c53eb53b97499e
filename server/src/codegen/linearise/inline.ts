// Bodies of functions with one way out, so that they can stand in the place of a call.
import type { FunctionDefinition, FunctionId } from "../../ir/function.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { forEachExpressionOf, partsOf, rootVariableOf } from "../walks/walk.ts";

/** What stands in the place of a call. */
export interface InlineBody {
  readonly body: readonly Statement[];
  readonly addressTaken: ReadonlySet<number>;
  readonly readWhole: ReadonlySet<number>;
  /** Ids of the pointers that it goes beyond the first element of. */
  readonly indexed: ReadonlySet<number>;
}

/** By function, what stands in the place of its calls; null where it cannot be inlined. */
export type InlineBodies = Map<FunctionId, InlineBody | null>;

/** Made when the function is first called, and kept in `bodies`. */
export function inlineBodyOf({ id, body }: FunctionDefinition, bodies: InlineBodies): InlineBody | null {
  const known = bodies.get(id);
  if (known !== undefined) return known;
  const single = withSingleExit(body);
  const made = single && {
    body: single,
    addressTaken: addressTakenIn(single),
    readWhole: readWholeIn(single),
    indexed: indexedIn(single),
  };
  bodies.set(id, made);
  return made;
}

/** Ids of the variables whose address is taken in a way that hides who assigns them. */
export function addressTakenIn(body: readonly Statement[]): ReadonlySet<number> {
  const ids = new Set<number>();
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "address" && expression.place.kind === "variable")
      ids.add(expression.place.variable.id);
  });
  return ids;
}

/** Ids of the record variables that are read as wholes. */
export function readWholeIn(body: readonly Statement[]): ReadonlySet<number> {
  const ids = new Set<number>();
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "load" || node.place.kind !== "variable") return;
    if (node.place.type.kind === "record" || node.place.type.kind === "array")
      ids.add(node.place.variable.id);
  });
  return ids;
}

function indexedIn(body: readonly Statement[]): ReadonlySet<number> {
  const ids = new Set<number>();
  forEachExpressionOf(body, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    const { pointer, offsetBytes } = node.place;
    const root = rootVariableOf(pointer);
    const isFirst = offsetBytes === 0 && (pointer.kind === "load" || pointer.kind === "convert");
    if (root && !isFirst) ids.add(root.id);
  });
  return ids;
}

/**
 * The body with every `return` at the end of the way it is on, so that control leaves at the end of the list alone: what follows
 * `if (c) return x;` moves into the other branch, and a loop that only a `return` ends is left in its place. Null where another loop or a switch
 * returns.
 */
function withSingleExit(body: readonly Statement[]): readonly Statement[] | null {
  const flat = withoutBlocks(body);
  for (let index = 0; index < flat.length; index++) {
    const statement = flat[index];
    if (!statement || !returns(statement)) continue;
    if (statement.kind === "return") return flat.slice(0, index + 1);
    if (statement.kind === "loop") {
      const left = leftWhereItReturns(statement);
      return left && [...flat.slice(0, index), left];
    }
    if (statement.kind !== "if") return null;
    const rest = flat.slice(index + 1);
    const whenTrue = withSingleExit(followed(statement.whenTrue, rest));
    const whenFalse = withSingleExit(followed(statement.whenFalse, rest));
    if (!whenTrue || !whenFalse) return null;
    return [...flat.slice(0, index), { ...statement, whenTrue, whenFalse }];
  }
  return flat;
}

/** The endless loop with a `break` behind each `return`; null where something else ends it, or a loop or switch in it returns. */
function leftWhereItReturns(loop: Loop): Loop | null {
  if (loop.condition !== null || isLeft(loop.body)) return null;
  const body = withBreaks(loop.body);
  return body && { ...loop, body };
}

function isLeft(list: readonly Statement[]): boolean {
  return list.some(
    (statement) =>
      statement.kind === "break" ||
      ((statement.kind === "if" || statement.kind === "block") && partsOf(statement).lists.some(isLeft)),
  );
}

function withBreaks(list: readonly Statement[]): readonly Statement[] | null {
  const result: Statement[] = [];
  for (const statement of withoutBlocks(list)) {
    if (!returns(statement)) result.push(statement);
    else if (statement.kind === "return") return [...result, statement, { kind: "break" }];
    else if (statement.kind !== "if") return null;
    else {
      const whenTrue = withBreaks(statement.whenTrue);
      const whenFalse = withBreaks(statement.whenFalse);
      if (!whenTrue || !whenFalse) return null;
      result.push({ ...statement, whenTrue, whenFalse });
    }
  }
  return result;
}

/** The list with what stands in blocks on their own. */
export function withoutBlocks(body: readonly Statement[]): readonly Statement[] {
  if (!body.some((statement) => statement.kind === "block")) return body;
  return body.flatMap((statement) =>
    statement.kind === "block" ? withoutBlocks(statement.body) : [statement],
  );
}

function followed(list: readonly Statement[], rest: readonly Statement[]): readonly Statement[] {
  return list.at(-1)?.kind === "return" ? list : [...list, ...rest];
}

function returns(statement: Statement): boolean {
  return statement.kind === "return" || partsOf(statement).lists.some((list) => list.some(returns));
}
