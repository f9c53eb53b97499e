// Brings together what all launches, instantiations and call stacks say of one access in the source.
import type { AccessProfile, LaunchProfile } from "../evaluate/profile.ts";
import { isAssumed, isTried, type Launch } from "../launches/launch.ts";
import type { SourceRange } from "../text/source.ts";
import { launchExcess } from "./cost.ts";
import type { AccessContext, AccessGroup, KernelName } from "./finding.ts";

/** A kernel under one launch, as lint has it after evaluation. */
export interface KernelProfile {
  readonly kernel: KernelName;
  readonly profile: LaunchProfile;
}

/**
 * The shared and global accesses of all profiles, each once, in the order of file and place. What was merely assumed for want of a
 * launch is left out where a launch was found; so is an assumed launch in which the kernel would leave its shared arrays, where it
 * fits others: it is not made for that one.
 */
export function groupAccesses(profiles: readonly KernelProfile[]): AccessGroup[] {
  const misfits = new Set<Launch>();
  const groups = new Groups();
  for (const { kernel, profile } of profiles) {
    if (isMisfit(profile)) misfits.add(profile.launch);
    const excess = excessOf(profile.accesses);
    for (const access of profile.accesses) {
      const { space, range } = access;
      if ((space !== "shared" && space !== "global") || access.requests === 0) continue;
      const own = launchExcess(access);
      const excessShare = own === null || excess === 0 ? null : own / excess;
      groups.at(space, range).contexts.push({
        kernel,
        launch: profile.launch,
        access,
        siblings: profile.accesses,
        excessShare,
      });
    }
  }
  return groups.all.flatMap(({ space, contexts }) => {
    const kept = withoutNeedlessAssumptions(contexts).filter(
      ({ launch, access }) => !misfits.has(launch) || isOfMisfits(access),
    );
    const range = kept[0]?.access.range;
    return range === undefined ? [] : [{ range, space, contexts: kept }];
  });
}

/** Whether a launch was assumed, and the kernel would leave its shared arrays in it: it is not made for that one. */
export function isMisfit({ launch, accesses }: LaunchProfile): boolean {
  return (
    isAssumed(launch) &&
    accesses.some(({ leavesArray, requests, space }) => leavesArray && requests !== 0 && space === "shared")
  );
}

/** Whether the kernel fits no launch that was assumed: it is shown in those, and nothing is found. */
function isOfMisfits({ verdict }: AccessProfile): boolean {
  return verdict.kind !== "exact" && verdict.assumptions.some(({ kind }) => kind === "misfit-block");
}

/** What is known of one access, as it comes. */
interface OpenGroup {
  readonly space: AccessGroup["space"];
  readonly range: SourceRange;
  readonly contexts: AccessContext[];
}

/** By file and start: to write a place as one text and look for that took longer than all else here. */
class Groups {
  readonly all: OpenGroup[] = [];
  private readonly byFile = new Map<string, Map<number, OpenGroup[]>>();

  /** That of an access, new where there was none. */
  at(space: AccessGroup["space"], range: SourceRange): OpenGroup {
    const ofFile = this.byFile.get(range.file) ?? new Map<number, OpenGroup[]>();
    this.byFile.set(range.file, ofFile);
    const starting = ofFile.get(range.start) ?? [];
    ofFile.set(range.start, starting);
    const known = starting.find((each) => each.range.end === range.end && each.space === space);
    if (known !== undefined) return known;
    const group: OpenGroup = { space, range, contexts: [] };
    starting.push(group);
    this.all.push(group);
    return group;
  }
}

function withoutNeedlessAssumptions(contexts: readonly AccessContext[]): readonly AccessContext[] {
  const found = contexts.filter(({ launch }) => !isTried(launch));
  return found.length > 0 ? found : contexts;
}

/** Of the accesses whose excess is known: with the others the kernel's can only be greater. */
function excessOf(accesses: readonly AccessProfile[]): number {
  let sum = 0;
  for (const access of accesses) sum += launchExcess(access) ?? 0;
  return sum;
}
