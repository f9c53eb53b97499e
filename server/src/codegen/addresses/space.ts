// The memories that an address may lie in, as codegen tells them apart.
import { memoryOf, type Variable } from "../../ir/variable.ts";

/** Accesses of "unknown" memory may be of any other, and are not rewritten; so are those of constants, which no kernel stores to. */
export type Space = "shared" | "global" | "local" | "unknown";

/** The memory that a variable lies in, or that a parameter points to: of kernels' parameters that is global memory. */
export function spaceOfBase(base: Variable, kind: "object" | "pointer", isKernel: boolean): Space {
  if (kind === "object") return spaceOfObject(base);
  return isKernel ? "global" : "unknown";
}

/** The memory in which a variable lies. */
export function spaceOfObject(variable: Variable): Space {
  const memory = memoryOf(variable);
  if (memory === "constant") return "unknown";
  return memory === "automatic" ? "local" : memory;
}
