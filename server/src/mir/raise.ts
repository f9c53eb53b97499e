// From MIR back to the IR that the rest of codegen, the evaluator and the simulator take. Values live in their homes, so that what is left of a
// function is said by the statements that it was built from.
import type { Expression } from "../ir/expression.ts";
import type { If, Loop, Statement, Switch } from "../ir/statement.ts";
import type { Block, Branch, LoopInfo, MirFunction, SwitchBranch } from "./mir.ts";

/** The statements of the function; the very nodes that it was built from where nothing in them changed. */
export function raise({ entry, body }: MirFunction): readonly Statement[] {
  return sameOr(body, listFrom(entry, null));
}

/** The list that begins with a block and ends where control goes to `end`. */
function listFrom(first: Block, end: Block | null): readonly Statement[] {
  const output: Statement[] = [];
  let block: Block | null = first;
  while (block && block !== end)
    if (block.loop) {
      output.push(loopOf(block, block.loop));
      block = block.loop.exit;
    } else block = pushBlock(block, output);
  return output;
}

/** Writes the block out; gives the one that the list goes on with. */
function pushBlock({ instructions, terminator }: Block, output: Statement[]): Block | null {
  for (const { origin } of instructions) if (isStatement(origin)) output.push(origin);
  switch (terminator.kind) {
    case "jump":
      if (terminator.origin === null) return terminator.edge.target;
      output.push(terminator.origin);
      return null;
    case "branch":
      if (terminator.origin) output.push(branchOf(terminator, terminator.origin));
      return terminator.merge;
    case "switch":
      output.push(switchOf(terminator));
      return terminator.merge;
    case "return":
      if (terminator.origin) output.push(terminator.origin);
      return null;
  }
}

function branchOf({ whenTrue, whenFalse, merge }: Branch, origin: If): If {
  const left = sameOr(origin.whenTrue, listFrom(whenTrue.target, merge));
  const right = sameOr(origin.whenFalse, listFrom(whenFalse.target, merge));
  if (left === origin.whenTrue && right === origin.whenFalse) return origin;
  const { kind, condition, range } = origin;
  return { kind, condition, whenTrue: left, whenFalse: right, range };
}

function loopOf(header: Block, { statement, latch }: LoopInfo): Loop {
  const { terminator } = header;
  const isTestedFirst = terminator.kind === "branch" && terminator.origin === null && header !== latch;
  const list: Statement[] = [];
  const next = isTestedFirst ? terminator.whenTrue.target : pushBlock(header, list);
  const body = sameOr(statement.body, next ? [...list, ...listFrom(next, latch)] : list);
  const steps = latch?.instructions.flatMap(({ origin }) => (isStatement(origin) ? [] : [origin]));
  const step = steps ? sameOr(statement.step, steps) : statement.step;
  return body === statement.body && step === statement.step ? statement : { ...statement, body, step };
}

function switchOf({ cases, merge, origin }: SwitchBranch): Switch {
  let isSame = true;
  const raised = origin.cases.map((one, at) => {
    const from = cases[at]?.edge.target;
    // A case without an end of its own falls into the next.
    const body = sameOr(one.body, from ? listFrom(from, cases[at + 1]?.edge.target ?? merge) : []);
    isSame &&= body === one.body;
    return body === one.body ? one : { ...one, body };
  });
  return isSame ? origin : { ...origin, cases: raised };
}

/** Every expression has a type, and no statement. */
function isStatement(origin: Statement | Expression): origin is Statement {
  return !("type" in origin);
}

/** The list that was, where the other is no different. */
function sameOr<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return before.length === after.length && before.every((one, at) => one === after[at]) ? before : after;
}
