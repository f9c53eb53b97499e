// The step from one lane's address to the next, where there is one that explains the access.
import type { RequestSample } from "../evaluate/profile.ts";

/**
 * What neighbouring lanes' addresses differ by, where at least `share` of the neighbouring active lanes differ by just that; null
 * otherwise. The first two lanes alone prove little: a block of (2,128) has pairs of neighbours that lie far from each other.
 */
export function steadyStrideOf(
  { laneStride, laneAddresses }: RequestSample,
  share: number,
): RequestSample["laneStride"] {
  if (laneStride === null) return null;
  const addresses = laneAddresses.filter((address) => address !== null);
  const steps = addresses.slice(1).map((address, index) => address - (addresses[index] ?? 0));
  const [first] = steps;
  const alike = steps.filter((step) => step === first).length;
  return alike >= steps.length * share ? laneStride : null;
}

/** Of 32 lanes in rows of at least 4: all but the steps from row to row. */
export const mostLanes = 0.75;
export const allLanes = 1;
