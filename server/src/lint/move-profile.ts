// What was found out about kernels, moved with the text that it was found in.
import type { AccessProfile, LaunchProfile } from "../evaluate/profile.ts";
import type { KernelDeclaration } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { SourceRange } from "../text/source.ts";
import { isLineEdited, moveAll, moveRange, type TextChanges } from "./move.ts";

/** From a place to where it stands now: the same object where it does not move. */
export type Move = (range: SourceRange) => SourceRange;

/** The same object where nothing moves. */
export function moveLaunch(launch: Launch, move: Move): Launch {
  const path = moveAll(launch.origin.path, move);
  return path === launch.origin.path ? launch : { ...launch, origin: { ...launch.origin, path } };
}

/** The same object where nothing moves. `launch` takes the place of the profile's own. */
export function moveProfile(profile: LaunchProfile, launch: Launch, move: Move): LaunchProfile {
  const accesses = moveAll(profile.accesses, (access) => moveAccess(access, move));
  return accesses === profile.accesses && launch === profile.launch
    ? profile
    : {
        launch,
        accesses,
        gaps: profile.gaps,
        steps: profile.steps,
        seen: profile.seen,
        isCut: profile.isCut,
      };
}

/** From a place to where the same code stands now; null where it does not know the place. */
export type PlaceOf = (range: SourceRange) => SourceRange | null;

/** The profile as that of the same code at other places; null where `placeOf` does not know one of them. */
export function relocateProfile(
  profile: LaunchProfile,
  launch: Launch,
  placeOf: PlaceOf,
): LaunchProfile | null {
  return relocated(placeOf, (move) => moveProfile(profile, launch, move));
}

/** The launches of each kernel as those of the same code at other places; null where `placeOf` does not know one of them. */
export function relocateLaunches(
  found: ReadonlyMap<string, readonly Launch[]>,
  placeOf: PlaceOf,
): ReadonlyMap<string, readonly Launch[]> | null {
  return relocated(
    placeOf,
    (move) =>
      new Map(
        [...found].map(([kernel, launches]) => [kernel, launches.map((each) => moveLaunch(each, move))]),
      ),
  );
}

/** What `make` makes where each place is known; null where one is not. */
function relocated<T>(placeOf: PlaceOf, make: (move: Move) => T): T | null {
  let isLost = false;
  const made = make((range) => {
    const place = placeOf(range);
    isLost ||= place === null;
    return place ?? range;
  });
  return isLost ? null : made;
}

/** Without the accesses on lines that were edited. */
export function withoutEditedLines(profile: LaunchProfile, changes: TextChanges): LaunchProfile {
  const accesses = profile.accesses.filter(({ range }) => !isLineEdited(range, changes));
  return accesses.length === profile.accesses.length ? profile : { ...profile, accesses };
}

export function moveDeclaration(declaration: KernelDeclaration, changes: TextChanges): KernelDeclaration {
  return {
    name: declaration.name,
    qualifiedName: declaration.qualifiedName,
    templateParameters: declaration.templateParameters,
    range: moveRange(declaration.range, changes),
    nameRange: moveRange(declaration.nameRange, changes),
    annotations: declaration.annotations.map(({ text, range }) => ({
      text,
      range: moveRange(range, changes),
    })),
  };
}

function moveAccess(access: AccessProfile, move: Move): AccessProfile {
  const range = move(access.range);
  const stack = moveAll(access.stack, move);
  const mergedRanges = moveAll(access.mergedRanges, move);
  const target = moveTarget(access.target, move);
  const neighbours = moveNeighbours(access.neighbours, move);
  const isSame =
    range === access.range &&
    stack === access.stack &&
    mergedRanges === access.mergedRanges &&
    target === access.target &&
    neighbours === access.neighbours;
  if (isSame) return access;
  // Property by property, as `evaluate` makes them: all have one layout.
  return {
    range,
    expression: access.expression,
    stack,
    mergedRanges,
    space: access.space,
    operation: access.operation,
    variant: access.variant,
    bytes: access.bytes,
    target,
    verdict: access.verdict,
    requests: access.requests,
    laneCount: access.laneCount,
    totals: access.totals,
    uncounted: access.uncounted,
    perRequest: access.perRequest,
    worst: access.worst,
    misaligned: access.misaligned,
    columns: access.columns,
    leavesArray: access.leavesArray,
    neighbours,
  };
}

function moveNeighbours(neighbours: AccessProfile["neighbours"], move: Move): AccessProfile["neighbours"] {
  if (neighbours === null) return null;
  const ranges = moveAll(neighbours.ranges, move);
  return ranges === neighbours.ranges ? neighbours : { ...neighbours, ranges };
}

function moveTarget(target: AccessProfile["target"], move: Move): AccessProfile["target"] {
  if (target === null || target.range === null) return target;
  const range = move(target.range);
  return range === target.range ? target : { ...target, range };
}
