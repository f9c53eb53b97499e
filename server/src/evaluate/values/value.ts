// What a variable or expression holds over a warp.
import type { Assumption } from "../../ir/assumption.ts";
import type { ComparisonOperator } from "../../ir/expression.ts";
import type { FunctionId } from "../../ir/function.ts";
import type { RecordType, Type } from "../../ir/type.ts";
import type { HostContents } from "../../launches/launch.ts";
import type { SourceRange } from "../../text/source.ts";
import type { MemorySpace } from "../profile.ts";
import type { Linear } from "./linear.ts";
import type { Indeterminate, Split } from "./symbol.ts";

export type Value =
  | Linear
  | Floats
  | Predicate
  | PointerValue
  | AggregateValue
  | FunctionValue
  | UnknownValue;

/** Known floats, one for each lane or one for all. */
export interface Floats {
  readonly kind: "floats";
  readonly lanes: number | readonly number[];
}

/** A boolean over the lanes, three-valued: a lane in neither mask is not known. */
export interface Predicate {
  readonly kind: "predicate";
  readonly yes: number;
  readonly no: number;
  /** About the lanes that are not known; null where all are. */
  readonly doubt: Doubt | null;
}

/** Of lanes that are not known, whether those that pass are the first or the last of them, one at most, or all but one at most. */
export type LaneOrder = "first" | "last" | "one" | "all but one";

export interface Doubt {
  /** Splitting this makes it known; null where nothing does. */
  readonly split: Split | null;
  /** What large sizes make of it; null where sizes do not decide. */
  readonly lean: Lean | null;
  /** Whether the unknown lanes surely agree with each other. */
  readonly isUniform: boolean;
  /** The order of the open lanes for which it holds; null where it is in no order. */
  readonly order: LaneOrder | null;
  /** What is not known, for people: "n", "data[i]". */
  readonly reason: string;
  /** Whether it is memory contents that decide (else sizes and positions). */
  readonly dependsOnData: boolean;
  /** Size symbols that it compares: they bound an index. */
  readonly sizes: readonly Indeterminate[];
  /** Whether lanes of a warp part at it only in the few warps that lie where it turns, as at `col > row` in a grid that is not known. */
  readonly partsAtEdge: boolean;
  /** What must hold, all of it: the same is settled alike wherever it is asked. Null where it is not known to be such. */
  readonly comparisons: readonly Comparison[] | null;
}

/** `difference operator 0`. */
export interface Comparison {
  readonly operator: ComparisonOperator;
  readonly difference: Linear;
}

/** What large sizes make of a comparison: a guard such as `col < n` holds. */
export interface Lean {
  readonly holds: boolean;
  /** How many positions it does not hold for: the last few before the size, as for `col + 1 < n`, or any share, those beyond the size. */
  readonly others: "few" | "any share";
}

export interface PointerValue {
  readonly kind: "pointer";
  readonly object: MemoryObject;
  /** Bytes from the start of the object. */
  readonly offset: Linear;
}

/** Something that addresses lead into. */
export interface MemoryObject {
  readonly id: number;
  readonly name: string;
  readonly space: MemorySpace | "register" | "null";
  readonly range: SourceRange | null;
  readonly type: Type | null;
  /** Alignment of the first byte that is known, in bytes (power of two). */
  readonly alignmentBytes: number;
  /** Position of shared arrays in the block's shared memory; 0 for others. */
  readonly baseBytes: number;
  readonly sizeBytes: number | null;
  /** For `register`: the variable's slot in the environment that holds its contents. */
  readonly slot: number | null;
  /** Contents that are known and never change (constant tables). */
  readonly contents: AggregateValue | null;
  /** What the host put there, where the kernel leaves it as it is. */
  readonly hostContents: HostContents | null;
  /** What it starts with where the kernel is handed a record to read alone; null for all else. */
  readonly handedRecord: RecordType | null;
  /** Stands for several objects of global memory, its offsets counting from far-apart bases (objects.ts). */
  readonly isSeveral: boolean;
  /** Why nothing more is known, where the space is unknown. */
  readonly reason: string | null;
  /** What was taken for granted to give it a space. */
  readonly assumption: Assumption | null;
}

/** Whether two are one piece of memory: parameters that are bound to one allocation have an object each, under their own names. */
export function isSameObject(a: MemoryObject, b: MemoryObject): boolean {
  return a.id === b.id;
}

/** A record or array by value: scalars by byte offset. What no cell covers is `rest`. */
export interface AggregateValue {
  readonly kind: "aggregate";
  readonly cells: ReadonlyMap<number, Cell>;
  readonly rest: "undefined" | "zero" | UnknownValue;
}

export interface Cell {
  readonly type: Type;
  readonly value: Value;
}

export interface FunctionValue {
  readonly kind: "function";
  readonly callee: FunctionId;
}

/** Floats and whatever else is not known. Unknown integers are linear forms over a symbol instead. */
export interface UnknownValue {
  readonly kind: "unknown";
  readonly reason: string;
  readonly varies: boolean;
  readonly dependsOnData: boolean;
  /** Splitting this makes it known; null where nothing does. */
  readonly split: Split | null;
}

export function unknownValue(
  reason: string,
  options: { varies: boolean; dependsOnData: boolean; split?: Split | null },
): UnknownValue {
  return { kind: "unknown", reason, split: null, ...options };
}

export function decided(yes: number): Predicate {
  return { kind: "predicate", yes, no: ~yes, doubt: null };
}

export function floats(lanes: number | readonly number[]): Floats {
  return { kind: "floats", lanes };
}

/** Whether all lanes surely hold the same. */
export function variesByLane(value: Value): boolean {
  switch (value.kind) {
    case "linear":
      return (
        typeof value.constant === "object" ||
        value.terms.some(
          (term) => typeof term.coefficient === "object" || term.factors.some((factor) => factor.varies),
        )
      );
    case "floats":
      return typeof value.lanes === "object";
    case "predicate":
      return value.doubt === null
        ? value.yes !== 0 && value.yes !== -1
        : !value.doubt.isUniform || (value.yes | value.no) !== 0;
    case "pointer":
      return variesByLane(value.offset);
    case "unknown":
      return value.varies;
    case "aggregate":
      return [...value.cells.values()].some((cell) => variesByLane(cell.value));
    case "function":
      return false;
  }
}
