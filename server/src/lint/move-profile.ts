// What was found out about kernels, moved with the text that it was found in.
import type { AccessProfile, LaunchProfile } from "../evaluate/profile.ts";
import type { KernelDeclaration } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import { isLineEdited, moveAll, moveRange, type TextChanges } from "./move.ts";

/** The same object where nothing moves. */
export function moveLaunch(launch: Launch, changes: TextChanges): Launch {
  const path = moveAll(launch.origin.path, (range) => moveRange(range, changes));
  return path === launch.origin.path ? launch : { ...launch, origin: { ...launch.origin, path } };
}

/** The same object where nothing moves. `launch` takes the place of the profile's own. */
export function moveProfile(profile: LaunchProfile, launch: Launch, changes: TextChanges): LaunchProfile {
  const accesses = moveAll(profile.accesses, (access) => moveAccess(access, changes));
  return accesses === profile.accesses && launch === profile.launch
    ? profile
    : { ...profile, launch, accesses };
}

/** Without the accesses on lines that were edited. */
export function withoutEditedLines(profile: LaunchProfile, changes: TextChanges): LaunchProfile {
  const accesses = profile.accesses.filter(({ range }) => !isLineEdited(range, changes));
  return accesses.length === profile.accesses.length ? profile : { ...profile, accesses };
}

export function moveDeclaration(declaration: KernelDeclaration, changes: TextChanges): KernelDeclaration {
  return {
    ...declaration,
    range: moveRange(declaration.range, changes),
    nameRange: moveRange(declaration.nameRange, changes),
    annotations: declaration.annotations.map(({ text, range }) => ({
      text,
      range: moveRange(range, changes),
    })),
  };
}

function moveAccess(access: AccessProfile, changes: TextChanges): AccessProfile {
  const range = moveRange(access.range, changes);
  const stack = moveAll(access.stack, (each) => moveRange(each, changes));
  const mergedRanges = moveAll(access.mergedRanges, (each) => moveRange(each, changes));
  const target = moveTarget(access.target, changes);
  const isSame =
    range === access.range &&
    stack === access.stack &&
    mergedRanges === access.mergedRanges &&
    target === access.target;
  return isSame ? access : { ...access, range, stack, mergedRanges, target };
}

function moveTarget(target: AccessProfile["target"], changes: TextChanges): AccessProfile["target"] {
  if (target === null || target.range === null) return target;
  const range = moveRange(target.range, changes);
  return range === target.range ? target : { ...target, range };
}
