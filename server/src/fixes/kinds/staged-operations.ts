// What a kernel does to the array that is to be staged: its loads make the tile be filled, its stores be written back.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { goesTo } from "../text/arrays.ts";
import { isConstantParameter } from "./element-type.ts";
import type { KernelText } from "./kernel-text.ts";

export interface StagedOperations {
  readonly isLoaded: boolean;
  readonly isStored: boolean;
}

/**
 * Of all accesses to the array of `access`; in words why it can't be staged. Through a pointer to const nothing is stored: what looks so goes
 * through another, where the host carves several arrays out of one piece of memory.
 */
export function stagedOperations(
  { target }: AccessProfile,
  { typed, body, launches }: KernelText,
): StagedOperations | string {
  const range = target?.range ?? null;
  const name = target?.name ?? "the array";
  const operations = new Set(
    launches
      .flatMap(({ profile }) => profile.accesses)
      .filter((each) => range !== null && goesTo({ range }, each))
      .map(({ operation }) => operation),
  );
  if ([...operations].some((operation) => operation !== "store" && operation !== "load"))
    return `${name} is accessed by atomics or copies`;
  return {
    isLoaded: operations.has("load"),
    isStored: operations.has("store") && !isConstantParameter(typed, body, name),
  };
}
