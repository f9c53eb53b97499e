// Functions of mathematics that load their coefficients from a table of CUDA's library in global memory.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import { int32, type RecordType } from "../../ir/type.ts";
import { type Frame, type Machine, unknownOfType } from "../machine.ts";
import { recordAccess } from "../memory/accesses.ts";
import { toLinear } from "../values/conversions.ts";
import type { Mask } from "../values/mask.ts";

/** A sine's row of the table, or a cosine's: loaded 16 bytes at a time. */
const row: RecordType = {
  kind: "record",
  name: "coefficients",
  sizeBytes: 48,
  alignmentBytes: 16,
  fields: [],
};

/**
 * Records what the function loads for itself. The quadrant of a lane's argument chooses the row, and so how many sectors a request is: that is
 * left unknown, whatever is known of the argument, whose last bits decide. What is made of constants the compiler computes.
 */
export function recordCoefficients(machine: Machine, frame: Frame, expression: Intrinsic, mask: Mask): void {
  const { site, name } = expression;
  if (site === null || expression.arguments.every(isOfConstants)) return;
  const object = machine.objects.ofUnknownPointer("coefficients", "a table of CUDA's library", row, {
    space: "global",
    range: null,
    reason: null,
    assumption: null,
    alignmentBytes: row.alignmentBytes,
  });
  const reason = `which row of coefficients ${name} loads for each lane depends on its argument`;
  const chosen = unknownOfType(machine, int32, reason, { varies: true, dependsOnData: true });
  const access = { site, operation: "load", variant: "load", type: row } as const;
  recordAccess(
    machine,
    frame,
    access,
    { kind: "pointer", object, offset: toLinear(machine, chosen, mask) },
    mask,
  );
}

function isOfConstants(expression: Expression): boolean {
  switch (expression.kind) {
    case "constant":
      return true;
    case "unary":
    case "binary":
    case "convert":
      return operandsOf(expression).every(isOfConstants);
    default:
      return false;
  }
}
