// Runs of lanes: bytes without a gap that the lanes of one request reach.
import type { RequestSample } from "../evaluate/profile.ts";

export interface LaneRun {
  readonly startBytes: number;
  readonly bytes: number;
}

/** The runs of a request whose lanes reach `laneBytes` each, by address. Lanes at one address count once. */
export function runsOf({ laneAddresses }: RequestSample, laneBytes: number): readonly LaneRun[] {
  const addresses = new Set(laneAddresses.filter((address) => address !== null));
  const runs: { startBytes: number; bytes: number }[] = [];
  for (const address of [...addresses].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && address === run.startBytes + run.bytes) run.bytes += laneBytes;
    else runs.push({ startBytes: address, bytes: laneBytes });
  }
  return runs;
}

/** The bytes of each run, where all are as long; null otherwise. */
export function rowBytesOf(runs: readonly LaneRun[]): number | null {
  const [first] = runs;
  return first !== undefined && runs.every(({ bytes }) => bytes === first.bytes) ? first.bytes : null;
}
