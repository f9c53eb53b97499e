// Functions of mathematics that load their coefficients from a table of CUDA's library in global memory.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { RecordType } from "../../ir/type.ts";
import type { Frame, Machine } from "../machine.ts";
import { recordAccess } from "../memory/accesses.ts";
import { scale, symbolic } from "../values/linear.ts";
import type { Mask } from "../values/mask.ts";
import { type Value, variesByLane } from "../values/value.ts";

/** What is loaded of a sine's row of the table, or of a cosine's: 16 bytes at a time. */
const row: RecordType = {
  kind: "record",
  name: "coefficients",
  sizeBytes: 48,
  alignmentBytes: 16,
  fields: [],
};

const bytesBetweenRows = 64;

/**
 * Records what the function loads for itself. The quadrant of a lane's argument chooses between two rows, and so whether a request is one sector
 * or two: that is left unknown, whatever is known of the argument, whose last bits decide, but that lanes of one argument load one row. What
 * is made of constants the compiler computes.
 */
export function recordCoefficients(
  machine: Machine,
  frame: Frame,
  expression: Intrinsic,
  values: readonly Value[],
  mask: Mask,
): void {
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
  const choice = {
    name: reason,
    role: "data",
    varies: values.some(variesByLane),
    least: 0,
    most: 1,
  } as const;
  const chosen = symbolic(machine.symbols.create(choice));
  const access = { site, operation: "load", variant: "load", type: row } as const;
  recordAccess(
    machine,
    frame,
    access,
    { kind: "pointer", object, offset: scale(chosen, bytesBetweenRows) },
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
