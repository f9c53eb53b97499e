// Brings together what all launches, instantiations and call stacks say of one access in the source.
import type { AccessProfile, LaunchProfile } from "../evaluate/profile.ts";
import { sizeOf } from "../ir/type.ts";
import { isAssumed, type Launch } from "../launches/launch.ts";
import type { AccessContext, AccessGroup, KernelName } from "./finding.ts";

/** A kernel under one launch, as lint has it after evaluation. */
export interface KernelProfile {
  readonly kernel: KernelName;
  readonly profile: LaunchProfile;
}

/**
 * The shared and global accesses of all profiles, each once, in the order of file and place. What was merely assumed for want of a
 * launch is left out where a launch was found; so is an assumed launch in which the kernel would leave its shared arrays, where it stays in
 * them with another: it is not made for that one.
 */
export function groupAccesses(profiles: readonly KernelProfile[]): AccessGroup[] {
  const misfits = new Set<Launch>();
  const groups = new Map<string, { space: "shared" | "global"; contexts: AccessContext[] }>();
  for (const { kernel, profile } of profiles) {
    if (isAssumed(profile.launch) && profile.accesses.some(leavesArray)) misfits.add(profile.launch);
    const excess = excessOf(profile.accesses);
    for (const access of profile.accesses) {
      const { space, range } = access;
      if ((space !== "shared" && space !== "global") || access.requests === 0) continue;
      const key = `${range.file}\n${range.start}\n${range.end}\n${space}`;
      let group = groups.get(key);
      if (group === undefined) {
        group = { space, contexts: [] };
        groups.set(key, group);
      }
      const own = accessExcess(access);
      const excessShare = own === null || excess === 0 ? null : own / excess;
      group.contexts.push({
        kernel,
        launch: profile.launch,
        access,
        siblings: profile.accesses,
        excessShare,
      });
    }
  }
  return [...groups.values()].flatMap(({ space, contexts }) => {
    const kept = withoutMisfits(withoutNeedlessAssumptions(contexts), misfits);
    const range = kept[0]?.access.range;
    return range === undefined ? [] : [{ range, space, contexts: kept }];
  });
}

function withoutNeedlessAssumptions(contexts: readonly AccessContext[]): readonly AccessContext[] {
  const found = contexts.filter(({ launch }) => launch.origin.kind !== "assumed");
  return found.length > 0 ? found : contexts;
}

function withoutMisfits(
  contexts: readonly AccessContext[],
  misfits: ReadonlySet<Launch>,
): readonly AccessContext[] {
  const fitting = contexts.filter(({ launch }) => !misfits.has(launch));
  return fitting.length > 0 ? fitting : contexts;
}

/** Whether a lane is seen to access what lies behind a shared array. */
function leavesArray({ space, target, worst, bytes, requests }: AccessProfile): boolean {
  const sizeBytes = space === "shared" && target?.type && requests !== 0 ? sizeOf(target.type) : null;
  if (sizeBytes === null || sizeBytes === 0 || worst === null) return false;
  const { laneAddresses, movedBytes } = worst;
  return laneAddresses.some((address) => address !== null && address + movedBytes + bytes > sizeBytes);
}

/** Wavefronts and sectors beyond the ideal over the launch; null where they are not known. */
function accessExcess(access: AccessProfile): number | null {
  if (access.totals !== null) return access.totals.cost - access.totals.ideal;
  if (access.requests === null || access.perRequest === null) return null;
  const { cost, ideal } = access.perRequest.least;
  return (cost - ideal) * access.requests;
}

/** Of the accesses whose excess is known: with the others the kernel's can only be greater. */
function excessOf(accesses: readonly AccessProfile[]): number {
  let sum = 0;
  for (const access of accesses) sum += accessExcess(access) ?? 0;
  return sum;
}
