// Variables of kernels, functions and namespaces.
import type { SourceRange } from "../text/source.ts";
import type { Type } from "./type.ts";

export interface Variable {
  /** Unique within a program. */
  readonly id: number;
  readonly name: string;
  readonly type: Type;
  readonly storage: Storage;
  /** Alignment in bytes: that of the type, or more where `__align__` or `alignas` says so. */
  readonly alignmentBytes: number;
  /** The declarator, where the user wrote it; null for temporaries of the lowering. */
  readonly range: SourceRange | null;
  /** A pointer declared `__restrict__`: what it points to is reached through it alone. */
  readonly isRestrict?: boolean;
  /** The same of a local pointer. What it promises is not followed. */
  readonly isRestrictedLocal?: boolean;
  /** A pointer to const: with `isRestrict`, the memory does not change while the kernel runs. */
  readonly pointsToConst?: boolean;
  /** A pointer that codegen's copy of a function was passed, where the call or one around it restricts its pointers. */
  readonly inlined?: InlinedParameter;
  /** A temporary of codegen that a branch decides: assigned once on either way, and nowhere else. */
  readonly isOutcome?: boolean;
  /** A variable of codegen that takes the place of a member of a record. */
  readonly isMember?: boolean;
  /** A temporary of codegen that takes what the ways of a branch store in one place. */
  readonly isStored?: boolean;
  /** A temporary of codegen that is read right behind its assignment, by the lanes that made it: what it held before is nobody's. */
  readonly isTransient?: boolean;
  /** A temporary of codegen that says which of several variables a pointer leads to. */
  readonly isFlag?: boolean;
  /**
   * Of a variable of a namespace of the host: what may have been set of it, all or members, before a function other than main is entered; of one in
   * constant memory, whether a function copies to it.
   */
  readonly setBefore?: SetBefore;
}

/** All of a variable, or the names of its members. */
export type SetBefore = "whole" | readonly string[];

/** A call in whose place the function stands; equal to itself alone. */
export interface InlinedCall {
  readonly at: SourceRange;
}

export interface InlinedParameter {
  readonly call: InlinedCall;
  /** The variable of the caller that the pointer starts from; null where that is not plain to see. */
  readonly passed: Variable | null;
  /** Whether the function goes beyond the first element behind it. */
  readonly isIndexed: boolean;
}

/**
 * Where a variable lives. `automatic`: a local or parameter of a function, one for each thread (registers, local memory or
 * the host's stack). `shared`: `__shared__` of fixed size. `dynamic-shared`: `extern __shared__` (all of them start at one
 * address). `device`: `__device__` or `__managed__` of a namespace, static locals of device code. `device-constant`: such a one that is
 * `const`, which holds its initializer. `constant`: `__constant__`. `static`: a variable of a namespace or a static local of the host.
 */
export type Storage =
  | "automatic"
  | "shared"
  | "dynamic-shared"
  | "device"
  | "device-constant"
  | "constant"
  | "static";

/** The memory that device code finds a variable in; what is the host's own it can only read as a constant. */
export function memoryOf({ storage }: Variable): "shared" | "global" | "constant" | "automatic" {
  switch (storage) {
    case "shared":
    case "dynamic-shared":
      return "shared";
    case "device":
    case "device-constant":
      return "global";
    case "constant":
    case "static":
      return "constant";
    case "automatic":
      return "automatic";
  }
}

/** Whether nvcc may take what lies there, or where it points to, for read-only: it loads that through another cache. */
export function isReadOnlyBase(base: Variable | null): boolean {
  if (base?.storage === "constant" || base?.storage === "device-constant") return true;
  return base?.isRestrict === true && base.pointsToConst === true;
}
