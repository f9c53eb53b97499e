// What `__restrict__` of a function's parameters promises where the function is written out in the place of a call: what one such parameter
// leads to, nothing else of that call touches. Behind the call, and in the next one, it promises nothing.
import type { Expression } from "../../ir/expression.ts";
import type { InlinedCall, Variable } from "../../ir/variable.ts";
import { rootVariableOf } from "../walks/walk.ts";

/** The parameter of an inlined call that a pointer starts from; null where it starts from anything else, or nothing was promised. */
export function inlinedParameterOf(pointer: Expression): Variable | null {
  const root = rootVariableOf(pointer);
  return root?.inlined ? root : null;
}

/** Whether a call that both accesses are made in promises that they are apart. Given are the parameters that they start from. */
export function arePromisedApart(a: Variable | null, b: Variable | null): boolean {
  return a !== null && b !== null && (promisesApart(a, b) || promisesApart(b, a));
}

/**
 * Whether what one call has read by `held` is there for the next, which reads it by `wanted`, past a store by `stored` of the first: both
 * promise that nothing changes it, and the first goes beyond the first element of what it stores to or reads (H200, 57 kernels: else LLVM has
 * forgotten which pointer it was).
 */
export function staysForNextCall(stored: Variable, held: Variable | null, wanted: Variable | null): boolean {
  if (!held?.isRestrict || !wanted?.isRestrict || !arePromisedApart(stored, held)) return false;
  return (stored.inlined?.isIndexed ?? false) || (held.inlined?.isIndexed ?? false);
}

/** Whether one of the parameters that `a` comes from is restricted, and `b` comes from another one of the same call. */
function promisesApart(a: Variable, b: Variable): boolean {
  for (let parameter: Variable | null = a; parameter?.inlined; parameter = parameter.inlined.passed) {
    if (!parameter.isRestrict) continue;
    const other = parameterIn(parameter.inlined.call, b);
    if (other && other.id !== parameter.id) return true;
  }
  return false;
}

/** The parameter of the call that a pointer comes from, which it may have been passed on from. */
function parameterIn(call: InlinedCall, pointer: Variable): Variable | null {
  for (let parameter: Variable | null = pointer; parameter?.inlined; parameter = parameter.inlined.passed)
    if (parameter.inlined.call === call) return parameter;
  return null;
}
