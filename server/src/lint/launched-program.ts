// The program that a launch starts, made anew when somebody wants to look into it: what an analysis keeps is plain data.
import type { Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { KernelName } from "../rules/finding.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { Pipeline } from "./pipeline.ts";

/**
 * The program of `units`, as written or as the compiler would have it; null where it has no such instance of the kernel. Takes as long as to
 * lower them.
 */
export function launchedProgram(
  launch: Launch,
  kernel: KernelName,
  form: "written" | "generated",
  units: readonly TranslationUnit[],
  pipeline: Pipeline,
): Program | null {
  if (units.length === 0) return null;
  const program = pipeline.lower(units);
  const isInstance = program.kernels.some(
    (declaration) =>
      declaration.name === kernel.name &&
      program.instantiateKernel(declaration, kernel.templateArguments) === launch.kernel,
  );
  if (!isInstance || program.functionOf(launch.kernel) === null) return null;
  return form === "written" ? program : pipeline.generate(program);
}
