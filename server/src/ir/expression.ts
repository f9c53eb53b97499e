// The expressions of the IR. Every node carries its type; operands have been converted already, so no C++ conversion
// rule is left for those who evaluate. Plain data: nodes are never changed once built.

import type { Scalar } from "../semantics/scalar.ts";
import type { SourceRange } from "../text/source.ts";
import type { CompilerDoubt } from "./assumption.ts";
import type { FunctionId } from "./function.ts";
import type { ArrayType, IntegerType, PointerType, RecordType, Type } from "./type.ts";
import type { Variable } from "./variable.ts";

/** A literal or folded constant; a null pointer is the constant 0 of pointer type. */
export interface Constant {
  readonly kind: "constant";
  readonly type: Type;
  readonly value: Scalar;
}

/** The value that a place holds. `site` is set where the place is in memory (`MemoryPlace`), else null. */
export interface Load {
  readonly kind: "load";
  readonly type: Type;
  readonly place: Place;
  readonly site: AccessSite | null;
}

export interface AddressOf {
  readonly kind: "address";
  readonly type: PointerType;
  readonly place: Place;
}

export interface Unary {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly type: Type;
  readonly operand: Expression;
}

/** `not` gives a boolean; `negate` and `complement` have their operand's type. */
export type UnaryOperator = "negate" | "complement" | "not";

/** Both operands have one type (but the count of a shift, which keeps its own); comparisons give a boolean. Pointers may be compared. */
export interface Binary {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly type: Type;
  readonly left: Expression;
  readonly right: Expression;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>";
export type ComparisonOperator = "<" | "<=" | ">" | ">=" | "==" | "!=";
export type BinaryOperator = ArithmeticOperator | ComparisonOperator;

/** `&&` and `||`, which evaluate their right operand only where the left one does not decide. Boolean. */
export interface Logical {
  readonly kind: "logical";
  readonly operator: "and" | "or";
  readonly type: Type;
  readonly left: Expression;
  readonly right: Expression;
}

/** Pointer arithmetic: `pointer` plus `index` (any integer type, negated for `p - i`) times `strideBytes`. */
export interface PointerOffset {
  readonly kind: "offset";
  readonly type: PointerType;
  readonly pointer: Expression;
  readonly index: Expression;
  readonly strideBytes: number;
}

/** `left - right` of two pointers, in elements of `strideBytes`; int64. */
export interface PointerDifference {
  readonly kind: "difference";
  readonly type: IntegerType;
  readonly left: Expression;
  readonly right: Expression;
  readonly strideBytes: number;
}

/**
 * A conversion between scalars, between pointers (the address stays), or between a pointer and an integer. 32 unsigned bits that become a
 * pointer are an address in shared memory, counted from its start, as inline PTX has them.
 */
export interface Convert {
  readonly kind: "convert";
  readonly type: Type;
  readonly operand: Expression;
}

/** `condition ? whenTrue : whenFalse`; only the chosen side is evaluated. */
export interface Conditional {
  readonly kind: "conditional";
  readonly type: Type;
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

/** Stores `value` (already of the place's type) and gives it back. `site` as for `Load`. */
export interface Assign {
  readonly kind: "assign";
  readonly type: Type;
  readonly place: Place;
  readonly value: Expression;
  readonly site: AccessSite | null;
}

/** Evaluates `effects` in order for what they do, then gives `result`. */
export interface Sequence {
  readonly kind: "sequence";
  readonly type: Type;
  readonly effects: readonly Expression[];
  readonly result: Expression;
}

/** A call of a function whose body is known to the program. References are passed as pointers, `this` as the first argument. */
export interface Call {
  readonly kind: "call";
  readonly type: Type;
  readonly callee: FunctionId;
  readonly arguments: readonly Expression[];
  readonly range: SourceRange;
  /** Another translation unit defines the callee: who compiles the call does not see its body. */
  readonly isSeparate?: true;
}

/** A call through a function pointer or std::function. */
export interface CallIndirect {
  readonly kind: "call-indirect";
  readonly type: Type;
  readonly callee: Expression;
  readonly arguments: readonly Expression[];
  readonly range: SourceRange;
}

/** The address of a function, as a value of FunctionType. */
export interface FunctionReference {
  readonly kind: "function";
  readonly type: Type;
  readonly callee: FunctionId;
  /** The closure or functor that a std::function holds a copy of: `callee` gets a pointer to the copy as its first argument. */
  readonly receiver?: Expression;
}

/**
 * A function that CUDA, C or C++ supplies, by its plain name: `threadIdx.x`, `blockDim.y`, `warpSize`, `min`, `__popc`, `sqrtf`,
 * `atomicAdd`, `__shfl_xor_sync`, `cudaMalloc`, `malloc`… (see intrinsics.ts). Those that access memory carry their sites.
 */
export interface Intrinsic {
  readonly kind: "intrinsic";
  readonly name: string;
  readonly type: Type;
  readonly arguments: readonly Expression[];
  readonly site: AccessSite | null;
  readonly range: SourceRange;
  /** Of a function of mathematics: the form that the hardware approximates in an instruction or two (`__expf`). */
  readonly isFast?: boolean;
  /** Of an atomic: nobody uses what it gives back. Set by codegen, for the compiler then chooses another instruction. */
  readonly isDiscarded?: boolean;
  /** Of an atomic: whether the compiler knows its address and its operand to be one for all lanes; left out where that is unclear. */
  readonly addressIsUniform?: boolean;
  readonly operandIsUniform?: boolean;
}

/** A record or array built from parts (braces, make_float4, a constructor without a body); bytes not named are zero. */
export interface Aggregate {
  readonly kind: "aggregate";
  readonly type: RecordType | ArrayType;
  readonly parts: readonly { readonly offsetBytes: number; readonly value: Expression }[];
}

/** A member of a record that is a value, not a place: `f(x).y`. */
export interface Extract {
  readonly kind: "extract";
  readonly type: Type;
  readonly operand: Expression;
  readonly offsetBytes: number;
}

/** What warplint does not understand. `operands` are still evaluated, for their accesses. */
export interface UnknownExpression {
  readonly kind: "unknown";
  readonly type: Type;
  readonly reason: string;
  readonly operands: readonly Expression[];
  /** Computed of its operands alone, such as arithmetic on half2: it touches no memory. */
  readonly isPure?: true;
  /** A function of mathematics of dozens of operations, such as erfcinv: where nvcc weighs code, it weighs. */
  readonly isLong?: true;
  /** A statement of host code that may write to data in bulk and does nothing else: who looks for launches alone leaves it out. */
  readonly writesDataAlone?: true;
  /** Of a string literal in host code: what the pointer points to, without the zero behind it. */
  readonly text?: string;
}

/** The reason of unknown values that hold the bytes of their operands, in a row, as they are. */
export const bytesCopied = "bytes that memcpy copied";

export type Expression =
  | Constant
  | Load
  | AddressOf
  | Unary
  | Binary
  | Logical
  | PointerOffset
  | PointerDifference
  | Convert
  | Conditional
  | Assign
  | Sequence
  | Call
  | CallIndirect
  | FunctionReference
  | Intrinsic
  | Aggregate
  | Extract
  | UnknownExpression;

/** Bytes of a variable at a constant offset: a scalar variable, a member of a record, an element of an array at a constant index. */
export interface VariablePlace {
  readonly kind: "variable";
  readonly variable: Variable;
  readonly offsetBytes: number;
  readonly type: Type;
}

/** Bytes at a pointer plus a constant offset. Which object that is, and so which memory, is known when it is evaluated. */
export interface MemoryPlace {
  readonly kind: "memory";
  readonly pointer: Expression;
  readonly offsetBytes: number;
  readonly type: Type;
}

export type Place = VariablePlace | MemoryPlace;

/** Where the user wrote an access, and how people would name it. One site can be evaluated in many contexts. */
export interface AccessSite {
  /** What the user typed: of a macro, its outermost use. */
  readonly range: SourceRange;
  /** The text of the access, white space folded. */
  readonly expression: string;
  /** volatile accesses are never merged, narrowed or dropped. */
  readonly isVolatile: boolean;
  /** Where else the compiler may charge the access: sites that codegen merged into this one, and the other side of a copy. */
  readonly merged: readonly SourceRange[];
  /** The calls that codegen inlined around the access, innermost first; the evaluator adds its own frames behind them. */
  readonly stack?: readonly SourceRange[];
  /** Why the compiler may access memory here in another way than the figures assume. */
  readonly uncertain?: CompilerDoubt;
  /** How many bytes a lane moves where the access takes variables along that lie beside its own; absent: as many as its type has. */
  readonly wideBytes?: number;
}
