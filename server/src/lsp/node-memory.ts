// Young memory in Node, collected when nobody waits.
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Less is not worth the time: an edit leaves about twice as much behind. */
export const worthCollectingBytes = 2 ** 20;

/**
 * Gives what collects the memory that was allocated of late and is not needed any more. Left to itself, V8 does so in the midst of every fifth
 * edit or so, and for as long as a short edit takes.
 */
export function youngCollector(): () => void {
  // V8 hands its collector to new contexts alone, and only once it is told to.
  setFlagsFromString("--expose-gc");
  const collect: ((options: { readonly type: "minor" }) => void) | undefined =
    runInNewContext("globalThis.gc");
  return () => {
    if (youngBytes() >= worthCollectingBytes) collect?.({ type: "minor" });
  };
}

/** What of the young memory is in use, garbage included. */
export function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_used_size ?? 0;
}
