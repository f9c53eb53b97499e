// Calls of functions whose bodies the program knows, by name or through a value.
import type { Call, CallIndirect } from "../ir/expression.ts";
import { type FunctionId, readableName } from "../ir/function.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { compileLanes, compileValue, type ValueCode } from "./expression.ts";
import { type CompiledFunction, compiledFunction, enter, type Scope } from "./function.ts";
import { reportGap, type Warp } from "./machine.ts";
import { isBytes, type LaneValue, selectBytes, selectLanes, type Value, zeroValue } from "./value.ts";

/** The number that stands for a function where it is a value. */
export function functionNumber(warp: Warp, callee: FunctionId): number {
  const { functionNumbers } = warp.machine;
  let number = functionNumbers.get(callee);
  if (number === undefined) {
    number = functionNumbers.size + 1;
    functionNumbers.set(callee, number);
  }
  return number;
}

/** A call that does not wait; `finish` makes the result, which is null where nothing was returned. */
export function compileCall<Result>(
  scope: Scope,
  call: Call | CallIndirect,
  finish: (value: Value | null) => Result,
): (warp: Warp, mask: number) => Result {
  const codes = call.arguments.map((argument) => compileValue(scope, argument));
  if (call.kind === "call-indirect") return compileIndirect(scope, call, codes, finish);
  const isVoid = call.type.kind === "void";
  return (warp, mask) => {
    const callee = compiledFunction(scope.machine, call.callee);
    const values = codes.map((code) => code(warp, mask));
    const result = callee === null ? null : callPlainly(warp, mask, callee, call, values);
    if (callee === null)
      reportGap(warp.machine, call.range, `the function ${readableName(call.callee)} has no body in sight`);
    return finish(result === null && isVoid ? zeroValue : result);
  };
}

function compileIndirect<Result>(
  scope: Scope,
  call: CallIndirect,
  codes: readonly ValueCode[],
  finish: (value: Value | null) => Result,
): (warp: Warp, mask: number) => Result {
  const target = compileLanes(scope, call.callee);
  return (warp, mask) => {
    const targets = target(warp, mask);
    const values = codes.map((code) => code(warp, mask));
    let rest = mask & ~targets.taint;
    let result: Value | null = null;
    if (rest !== mask)
      reportGap(warp.machine, call.range, `the function called depends on ${targets.reason}`);
    while (rest !== 0) {
      const number = targets.lanes[31 - Math.clz32(rest & -rest)];
      const group = lanesEqual(targets, number ?? 0) & rest;
      rest &= ~group;
      const id = [...warp.machine.functionNumbers].find(([, one]) => one === number)?.[0];
      const callee = id === undefined ? null : compiledFunction(scope.machine, id);
      if (callee === null) {
        reportGap(warp.machine, call.range, "a call of a function that is not known");
        continue;
      }
      const returned = callPlainly(warp, group, callee, call, values);
      if (returned === null) continue;
      result = result === null ? returned : joinResults(group, returned, result);
    }
    return finish(result === null && call.type.kind === "void" ? zeroValue : result);
  };
}

function lanesEqual(value: LaneValue, scalar: Scalar): number {
  let mask = 0;
  for (let lane = 0; lane < laneCount; lane++) if (value.lanes[lane] === scalar) mask |= 1 << lane;
  return mask;
}

function joinResults(mask: number, returned: Value, earlier: Value): Value {
  if (isBytes(returned)) return isBytes(earlier) ? selectBytes(mask, returned, earlier) : returned;
  return isBytes(earlier) ? returned : selectLanes(mask, returned, earlier);
}

function callPlainly(
  warp: Warp,
  mask: number,
  callee: CompiledFunction,
  call: Call | CallIndirect,
  values: readonly Value[],
): Value | null {
  if (callee.body.kind === "suspending") {
    reportGap(
      warp.machine,
      call.range,
      "a barrier in a function that is called through a pointer or in a loop's step",
    );
    return null;
  }
  const caller = warp.frame;
  const frame = enter(warp, callee, call);
  warp.frame = frame;
  callee.bind(warp, mask, values);
  callee.body.run(warp, mask);
  warp.frame = caller;
  return frame.result;
}
