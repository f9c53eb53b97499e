// Calls of functions whose bodies are known: a frame of its own, the caller's lanes.
import type { Expression } from "../../ir/expression.ts";
import { type FunctionId, readableName } from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import { runToEnd } from "../../steps.ts";
import type { SourceRange } from "../../text/source.ts";
import type { CallPath } from "../cost/recorder.ts";
import { type Frame, type Machine, slotOf, unknownOfType } from "../machine.ts";
import { emptyMask, type Mask } from "../values/mask.ts";
import type { Value } from "../values/value.ts";
import { execute, mergeExits } from "./statements.ts";

const deepestCall = 32;

/** Runs the callee in the lanes of `mask` and gives what it returns. */
export function callFunction(
  machine: Machine,
  caller: Frame,
  callee: FunctionId,
  values: readonly Value[],
  call: Extract<Expression, { kind: "call" | "call-indirect" }>,
  mask: Mask,
): Value {
  const definition = machine.program.functionOf(callee);
  const isTooDeep = machine.frames.length >= deepestCall;
  if (!definition || isTooDeep) {
    const name = readableName(callee);
    const reason = isTooDeep ? `${name} calls itself too deeply` : `${name} has no body in sight`;
    machine.gaps.add(reason);
    return unknownOfType(machine, call.type, reason, { varies: true, dependsOnData: false });
  }
  for (const gap of definition.gaps) machine.gaps.add(gap);
  for (const [site, doubt] of definition.siteDoubts ?? []) machine.doubted.set(site, doubt);
  const reachesVariables = values.some(leadsToVariable);
  if (machine.rehearsals > 0 && call.type.kind === "void" && !reachesVariables)
    return returnsNothing(machine, definition.name, call);
  const frame: Frame = {
    definition,
    lanes: mask.active,
    slotOf: new Map(),
    path: pathOf(machine, caller.path, call.range, callee),
    loops: [],
    changedBy: new Map(),
    returnSlot: machine.nextSlot++,
    reachesVariables,
    returned: emptyMask,
    returnedSlots: [],
  };
  definition.parameters.forEach((parameter, index) => {
    const value = values[index];
    if (value) machine.slots.set(slotOf(machine, frame, parameter), value);
  });
  const before = machine.assumptions;
  machine.frames.push(frame);
  if (definition.callsItself && mask.active !== machine.frames[0]?.lanes) noteRecursion(machine);
  // Within an expression: nothing stops here.
  runToEnd(execute(machine, frame, definition.body, mask));
  machine.frames.pop();
  mergeExits(machine, frame.returnedSlots);
  machine.assumptions = before;
  const result = machine.slots.get(frame.returnSlot);
  for (const slot of frame.slotOf.values()) machine.slots.delete(slot);
  machine.slots.delete(frame.returnSlot);
  return result ?? returnsNothing(machine, definition.name, call);
}

/** Where not all lanes of the warp come to a function that calls itself, ptxas does not bring them together behind it (fixtures/forms/parted_lanes.cu). */
function noteRecursion({ frames, doubted }: Machine): void {
  for (const { definition } of frames)
    for (const site of definition.sitesAroundCalls ?? []) doubted.set(site, "lanes-part-in-recursion");
}

function returnsNothing(machine: Machine, name: string, { type }: { readonly type: Type }): Value {
  return unknownOfType(machine, type, `${name} returns nothing`, { varies: true, dependsOnData: false });
}

/** Whether a callee may write a variable of its callers through it. */
function leadsToVariable(value: Value): boolean {
  if (value.kind === "pointer") return value.object.space === "register" || value.object.space === "unknown";
  return value.kind === "aggregate" && [...value.cells.values()].some((cell) => leadsToVariable(cell.value));
}

/** Equal call chains share one path, so that the same access in the same context is counted together. */
function pathOf(machine: Machine, caller: CallPath, range: SourceRange, callee: FunctionId): CallPath {
  const key = `${caller.id} ${range.file} ${range.start} ${range.end} ${callee}`;
  const existing = machine.paths.get(key);
  if (existing) return existing;
  const path = { id: machine.paths.size + 1, range, caller };
  machine.paths.set(key, path);
  return path;
}
