// What CUDA bounds: the built-in variables that say which thread of which block it is.

/** No thread sees more than this in the built-in of the name; null of what is no built-in, or has no bound. */
export function identityMaximum(name: string): number | null {
  if (name === "threadIdx.z") return 63;
  if (name.startsWith("threadIdx.")) return 1023;
  if (name.startsWith("blockDim.")) return 1024;
  if (name === "laneid") return 31;
  if (name === "warpid") return 31;
  if (name.startsWith("blockIdx.") || name.startsWith("gridDim.")) return 2 ** 31 - 1;
  return name === "warpSize" ? 32 : null;
}
