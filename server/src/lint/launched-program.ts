// The program that a launch starts, made anew when somebody wants to look into it: what an analysis keeps is plain data.
import { type Host, readText } from "../host/host.ts";
import type { Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { Project } from "../project/project.ts";
import type { KernelName } from "../rules/finding.ts";
import type { Pipeline } from "./pipeline.ts";
import { readOptionsOf } from "./read-options.ts";

/**
 * The program of the translation unit that launches, as written or as the compiler would have it: the unit is that of the `<<<>>>`, else `file`. Null where it cannot be
 * read, or has no such instance of the kernel. Takes as long as to parse and lower the unit.
 */
export function launchedProgram(
  launch: Launch,
  kernel: KernelName,
  form: "written" | "generated",
  file: string,
  {
    host,
    project,
    pipeline,
  }: { readonly host: Host; readonly project: Project; readonly pipeline: Pipeline },
): Program | null {
  const unit = launch.origin.kind === "launch" ? (launch.origin.path[0]?.file ?? file) : file;
  const settings = project.settingsOf(unit);
  const read = readText(host, unit);
  if (settings.kind === "errors" || read.kind !== "text") return null;
  const program = pipeline.lower([
    pipeline.read(unit, read.text, { ...readOptionsOf(settings.settings), previous: null }),
  ]);
  const isInstance = program.kernels.some(
    (declaration) =>
      declaration.name === kernel.name &&
      program.instantiateKernel(declaration, kernel.templateArguments) === launch.kernel,
  );
  if (!isInstance || program.functionOf(launch.kernel) === null) return null;
  return form === "written" ? program : pipeline.generate(program);
}
