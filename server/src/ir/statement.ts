// The statements of the IR: structured control, nothing hidden.
import type { Scalar } from "../semantics/scalar.ts";
import type { Copies } from "../semantics/trips.ts";
import type { SourceRange } from "../text/source.ts";
import type { ComparisonOperator, Expression } from "./expression.ts";
import type { FunctionId } from "./function.ts";
import type { Variable } from "./variable.ts";

export interface Evaluate {
  readonly kind: "evaluate";
  readonly expression: Expression;
  readonly range: SourceRange;
}

/** A local variable comes to life. Without initializer its bytes are undefined (an automatic) or untouched (a shared one). */
export interface Declare {
  readonly kind: "declare";
  readonly variable: Variable;
  readonly initializer: Expression | null;
  readonly range: SourceRange;
}

export interface Block {
  readonly kind: "block";
  readonly body: readonly Statement[];
}

export interface If {
  readonly kind: "if";
  readonly condition: Expression;
  readonly whenTrue: readonly Statement[];
  readonly whenFalse: readonly Statement[];
  readonly range: SourceRange;
}

/** for, while and do; the initialisation of a `for` stands before it, in a `Block` that holds both. `continue` goes to `step`. */
export interface Loop {
  readonly kind: "loop";
  /** null is true. */
  readonly condition: Expression | null;
  readonly step: readonly Expression[];
  readonly body: readonly Statement[];
  /** `top` for `for` and `while`, `bottom` for `do`. */
  readonly test: "top" | "bottom";
  /** `#pragma unroll`: null where there is none, "full" without a count, else the count. */
  readonly unroll: number | "full" | null;
  /** How the compiler unrolled it although its trips are not constant; set by codegen. */
  readonly copies?: LoopCopies;
  /** What its body holds of the text's trips, where codegen has written the compiler's rounds out. */
  readonly rounds?: Rounds;
  readonly range: SourceRange;
}

/** Trips that a round makes, what each adds to the counter that is compared, and how many rounds may follow each other without a test. */
export interface Rounds {
  readonly trips: number;
  readonly stride: number;
  /** Where the trips are made that fill no round. */
  readonly remainder: Copies["remainder"];
  readonly together: readonly Copies["roundsTogether"][];
}

/**
 * `left operator right` is the loop's condition; a trip adds `stride`, which no trip changes, to the counter that is its left side. Of pointers
 * `left` is by how many bytes they are apart.
 */
export interface LoopCopies {
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly stride: Expression;
  /** 1 where the first trip is made without a test. */
  readonly leastTrips: 0 | 1;
  /** The ways in which the compiler may have made it: one where that is certain. */
  readonly readings: readonly Copies[];
}

/** Control enters at the case that equals `selector`, else at the default, and falls through until a `break`. */
export interface Switch {
  readonly kind: "switch";
  readonly selector: Expression;
  readonly cases: readonly SwitchCase[];
  readonly range: SourceRange;
}

export interface SwitchCase {
  /** Several for `case 1: case 2:`; null among them is `default`. */
  readonly values: readonly (Scalar | null)[];
  readonly body: readonly Statement[];
}

export interface Break {
  readonly kind: "break";
}

export interface Continue {
  readonly kind: "continue";
}

export interface Return {
  readonly kind: "return";
  readonly value: Expression | null;
  readonly range: SourceRange;
}

/** All threads of the scope meet. Shared memory written before is visible after. */
export interface Barrier {
  readonly kind: "barrier";
  readonly scope: "block" | "warp" | "grid" | "fence";
  readonly range: SourceRange;
}

/** `kernel<<<grid, block, sharedBytes>>>(arguments)` in host code. */
export interface LaunchStatement {
  readonly kind: "launch";
  /** The kernel's function, or an expression of FunctionType where it is a variable. */
  readonly kernel: FunctionId | Expression;
  /** dim3 records. */
  readonly grid: Expression;
  readonly block: Expression;
  readonly sharedBytes: Expression | null;
  readonly arguments: readonly Expression[];
  readonly range: SourceRange;
}

/** A statement that is not understood (goto, a syntax error); what follows is still analysed. */
export interface UnknownStatement {
  readonly kind: "unknown";
  readonly reason: string;
  readonly range: SourceRange;
}

export type Statement =
  | Evaluate
  | Declare
  | Block
  | If
  | Loop
  | Switch
  | Break
  | Continue
  | Return
  | Barrier
  | LaunchStatement
  | UnknownStatement;
