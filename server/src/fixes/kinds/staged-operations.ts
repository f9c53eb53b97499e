// What a kernel does to the array that is to be staged: its loads make the tile be filled, its stores be written back.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { LaunchedKernel } from "../fix.ts";
import { goesTo } from "../text/arrays.ts";

export interface StagedOperations {
  readonly isLoaded: boolean;
  readonly isStored: boolean;
}

/** Of all accesses to the array of `access`, called `name`; in words why it can't be staged. */
export function stagedOperations(
  { target }: AccessProfile,
  launches: readonly LaunchedKernel[],
  name: string,
): StagedOperations | string {
  const range = target?.range ?? null;
  const operations = new Set(
    launches
      .flatMap(({ profile }) => profile.accesses)
      .filter((each) => range !== null && goesTo({ range }, each))
      .map(({ operation }) => operation),
  );
  if ([...operations].some((operation) => operation !== "store" && operation !== "load"))
    return `${name} is accessed by atomics or copies`;
  return { isLoaded: operations.has("load"), isStored: operations.has("store") };
}
