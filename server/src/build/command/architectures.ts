// The GPUs that -arch, -code and -gencode name.
import type { ArchitectureFlag, Origin } from "../flags.ts";

/** The architectures in a value: `sm_90`, `[sm_80,compute_80]`, `"sm_80,sm_86"`; or why a name in it stands for none that is known. */
export function architecturesOf(
  text: string,
  origin: Origin,
): { readonly found: readonly ArchitectureFlag[]; readonly reason: string | null } {
  const found: ArchitectureFlag[] = [];
  let reason: string | null = null;
  for (const name of text.split(/[[\]"',\s]+/)) {
    const written = name.replace(/^arch=/, "");
    const number =
      /^(?:sm|compute|lto)_(\d+)[af]?$/.exec(written)?.[1] ?? /^(\d{2,3})[af]?$/.exec(written)?.[1];
    if (number !== undefined) found.push({ number: Number(number), written, origin });
    else if (written === "native") reason = "the GPU of the machine that builds is not known";
    else if (written === "all" || written === "all-major")
      reason = "code is made for every GPU that the compiler knows";
    else if (written !== "") reason = `${written} is no architecture that is known`;
  }
  // Code for one GPU and its own PTX is for one GPU.
  return {
    found: found.filter((one, at) => found.findIndex(({ number }) => number === one.number) === at),
    reason,
  };
}
