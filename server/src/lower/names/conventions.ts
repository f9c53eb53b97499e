// Names that are defined nowhere in sight but have one meaning everywhere: taken as constants, and said so.
import type { Context } from "../context.ts";
import { integerValue, type Value } from "../expressions/value.ts";
import { intType, unsignedType } from "../types/cxx-type.ts";

/** Names of the warp's size are safe to assume: 32 lanes on every NVIDIA GPU. */
const warpSizes =
  /^(k?warp_?size|k_?warp_?size|n?threads_?per_?warp|num_?threads_?per_?warp|warp_?threads|lanes_?per_?warp)$/i;
const fullMasks = /^(full_?mask|full_?warp_?mask|warp_?full_?mask)$/i;

/**
 * Sizes of blocks and tiles are taken as 32 where nothing in sight launches a kernel or includes a file that could define them: in a kernel
 * pasted alone.
 */
const tileSizes =
  /^(block|tile|thread_?block|bdim|blk_?dim)(_?(size|sz|dim|width|height|rows|cols|length))?(_?[xymn])?$/i;

/** The value that convention gives a name, noted among the function's assumptions; null where it gives none. */
export function conventionalConstant(context: Context, name: string): Value | null {
  const plain = name.replace(/^C10_|^k(?=[A-Z])/, "");
  if (warpSizes.test(plain)) {
    assume(context, name, "32");
    return integerValue(32, intType);
  }
  if (fullMasks.test(plain)) {
    assume(context, name, "0xffffffff");
    return integerValue(0xffffffff, unsignedType);
  }
  if (tileSizes.test(plain) && isPasted(context)) {
    assume(context, name, "32");
    return integerValue(32, intType);
  }
  return null;
}

function isPasted(context: Context): boolean {
  const { units, includedFiles, missingIncludes } = context.translation.source;
  return (
    includedFiles.length === 0 &&
    missingIncludes.length === 0 &&
    !units.some((unit) => /<<<|cudaLaunch(Cooperative)?Kernel/.test(unit.text))
  );
}

/** Notes that the text which is being lowered hangs on a name that is defined nowhere. */
export function assume(context: Context, name: string, value: string): void {
  context.body?.assumptions.set(name, { kind: "convention", name, value });
}
