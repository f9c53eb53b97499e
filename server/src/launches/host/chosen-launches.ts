// A launch whose kernel or block conditions chose that nobody knows: it is made with each that it may be.
import type { Assumption } from "../../ir/assumption.ts";
import type { FunctionDefinition, FunctionId } from "../../ir/function.ts";
import type { SourceRange } from "../../text/source.ts";
import { blockAssumption, type ConditionTexts, kernelAssumption } from "./condition-text.ts";
import type { Completion } from "./frame.ts";
import type { HostGaps } from "./gaps.ts";
import { blockChoice, type LaunchOperands, resolvedOperands } from "./launch-operands.ts";
import { bothLimits, noLimits } from "./limits.ts";
import type { RunState } from "./run-state.ts";
import { candidatesOf, type FunctionValue, isScalarValue, mostFunctions, type Value } from "./value.ts";
import { takeEachWay } from "./ways.ts";

/** What launches ask of the interpreter that meets them. */
export interface ChoosingContext {
  readonly state: RunState;
  readonly texts: ConditionTexts;
  readonly gaps: HostGaps;
  functionOf(id: FunctionId): FunctionDefinition | null;
  /** Runs one of the ways that a condition which is not known, as `value` says why, chooses between, under an assumption. */
  choosing(assumption: Assumption, value: Value, run: () => Completion): Completion;
}

/** Blocks that one launch is made with, where conditions choose its extents apart. */
const mostBlocks = 12;

/** Launches the kernel that `callee` is; of several that it may be, each. Gives whether there is one. */
export function launchEachKernel(
  context: ChoosingContext,
  callee: Value | undefined,
  range: SourceRange,
  launch: (definition: FunctionDefinition) => void,
): boolean {
  const candidates = callee === undefined ? [] : candidatesOf(callee);
  const kernels = candidates.filter((each) => context.functionOf(each.callee)?.kind === "kernel");
  const [first] = kernels;
  if (callee === undefined || !first) {
    const why =
      callee === undefined || isScalarValue(callee) || callee.kind !== "unknown" ? "" : `: ${callee.reason}`;
    context.gaps.add(`a launch whose kernel is not known${why}`, range);
    return false;
  }
  if (!isScalarValue(callee) && callee.kind === "function") {
    launchChosen(context, first, launch);
    return true;
  }
  if (kernels.length >= mostFunctions)
    context.gaps.add(`a launch whose kernel may be more than ${mostFunctions}`, range);
  const sides = kernels.map((kernel) => (): Completion => {
    launchChosen(context, kernel, launch);
    return context.state.isExiting ? "exit" : "next";
  });
  context.choosing(kernelAssumption(context.texts, range), callee, () => takeEachWay(context.state, sides));
  return true;
}

/** Launches a kernel where it was chosen. */
function launchChosen(
  context: ChoosingContext,
  { callee, under }: FunctionValue,
  launch: (definition: FunctionDefinition) => void,
): void {
  const definition = context.functionOf(callee);
  const before = context.state.limits;
  context.state.limits = bothLimits(before, under ?? noLimits);
  if (definition) launch(definition);
  context.state.limits = before;
}

/** Launches with the block that conditions chose: of several that it may be, with each, and what hangs on the choice with it. */
export function launchWithEachBlock(
  context: ChoosingContext,
  operands: LaunchOperands,
  range: SourceRange,
  launch: (operands: LaunchOperands) => void,
  most = mostBlocks,
): void {
  const choice = blockChoice(operands);
  if (choice === null || choice.numbers.length > most) {
    launch(operands);
    return;
  }
  const sides = choice.numbers.map((number) => (): Completion => {
    context.state.bindings = new Map([...context.state.bindings, [choice.of, number]]);
    const resolved = resolvedOperands(operands, context.state.bindings);
    launchWithEachBlock(context, resolved, range, launch, most / choice.numbers.length);
    return context.state.isExiting ? "exit" : "next";
  });
  context.choosing(blockAssumption(context.texts, range), choice.value, () =>
    takeEachWay(context.state, sides),
  );
}
