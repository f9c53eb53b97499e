// Measured launches beside predicted ones, line by line, with the likely reason where they differ.
import type { AccessProfile } from "../evaluate/profile.ts";
import { isAssumed, type Launch } from "../launches/launch.ts";
import type { KernelLaunch } from "../lint/report.ts";
import { provisoText, uncountedText } from "../render/access-words.ts";
import type { Places } from "../render/places.ts";
import { unknownText } from "../render/unknown-words.ts";
import type { SourceRange } from "../text/source.ts";
import { type MeasuredFigures, type MeasuredLaunch, type MeasuredLine, sumOf } from "./report.ts";

export type Unit = "wavefronts" | "sectors";

const units = ["wavefronts", "sectors"] as const satisfies readonly Unit[];

export interface Pair {
  readonly cost: number;
  readonly ideal: number;
}

export interface MeasuredRow {
  /**
   * By file, as ours are called (as the report calls it, where it is none of them). Several lines where the compiler merged their accesses, or
   * its line table names the one for the other; empty for the launch as a whole.
   */
  readonly places: readonly { readonly file: string; readonly lines: readonly number[] }[];
  readonly unit: Unit;
  readonly measured: Pair;
  /** Null where it is not known. */
  readonly predicted: Pair | null;
  /** Why they differ, or why nothing is predicted; null where they agree. */
  readonly reason: string | null;
}

export interface BesideLaunch {
  readonly measured: MeasuredLaunch;
  /** So many launches of the report are alike. */
  readonly count: number;
  readonly predicted: Launch | null;
  readonly rows: readonly MeasuredRow[];
  /** Why nothing is predicted; null where something is. */
  readonly reason: string | null;
}

/** Each distinct launch of a report beside what is predicted of it. */
export function besidePredicted(
  launches: readonly MeasuredLaunch[],
  predicted: readonly KernelLaunch[],
  places: Places,
): BesideLaunch[] {
  return distinct(launches).map(({ measured, count }) => ({
    measured,
    count,
    ...bestOf(measured, candidatesOf(measured, predicted), predicted, places),
  }));
}

/** Launches of a report that differ in something, with how many there are of each. */
export function distinct(launches: readonly MeasuredLaunch[]): { measured: MeasuredLaunch; count: number }[] {
  const found = new Map<string, { measured: MeasuredLaunch; count: number }>();
  for (const measured of launches) {
    const key = JSON.stringify(measured);
    const known = found.get(key) ?? { measured, count: 0 };
    known.count++;
    found.set(key, known);
  }
  return [...found.values()];
}

function candidatesOf(measured: MeasuredLaunch, predicted: readonly KernelLaunch[]): readonly KernelLaunch[] {
  const { kernel, templateArguments, block, grid } = measured;
  const own = predicted.filter(
    ({ kernel: { name }, profile: { launch } }) =>
      name === kernel && !isAssumed(launch) && areSame(launch.block, block) && areSame(launch.grid, grid),
  );
  if (templateArguments === null || templateArguments.length === 0) return own;
  const key = templateArguments.map(bare).join();
  const sameArguments = own.filter((each) => each.kernel.templateArguments.map(bare).join() === key);
  // Default arguments and names of types may be spelled in other ways.
  return sameArguments.length > 0 ? sameArguments : own;
}

/** What is not known is taken to be the same. */
function areSame(a: readonly (number | null)[], b: readonly number[] | null): boolean {
  return b === null || a.every((each, axis) => each === null || each === (b[axis] ?? 1));
}

function bare(text: string): string {
  return text.replace(/\s+/g, "");
}

function bestOf(
  measured: MeasuredLaunch,
  candidates: readonly KernelLaunch[],
  predicted: readonly KernelLaunch[],
  places: Places,
): Pick<BesideLaunch, "predicted" | "rows" | "reason"> {
  if (candidates.length === 0)
    return { predicted: null, rows: [], reason: reasonOfNone(measured, predicted) };
  // Launches of one shape may differ in arguments, which no report has: the nearest is meant.
  const compared = candidates.map(({ profile }) => ({
    predicted: profile.launch,
    rows: rowsOf(measured, profile.accesses, profile.launch, places),
    reason: null,
  }));
  compared.sort((a, b) => differenceOf(a.rows) - differenceOf(b.rows));
  return compared[0] ?? { predicted: null, rows: [], reason: null };
}

function differenceOf(rows: readonly MeasuredRow[]): number {
  return rows.reduce((sum, row) => sum + Math.abs(row.measured.cost - (row.predicted?.cost ?? 0)), 0);
}

function reasonOfNone({ kernel, block, grid }: MeasuredLaunch, predicted: readonly KernelLaunch[]): string {
  const own = predicted.filter(({ kernel: { name } }) => name === kernel);
  if (own.length === 0) return "no such kernel in the files analysed";
  const found = own.filter(({ profile }) => !isAssumed(profile.launch));
  if (found.length === 0)
    return "nothing in the files analysed launches it, and the report does not tell its block";
  const shapes = new Set(found.map(({ profile: { launch } }) => shapeText(launch.block, launch.grid)));
  return `no launch with ${shapeText(block ?? [], grid ?? [])} was found; found: ${[...shapes].slice(0, mostShapes).join("; ")}. Were other arguments given to the program?`;
}

const mostShapes = 4;

function shapeText(block: readonly number[], grid: readonly (number | null)[]): string {
  return `block (${block.join(",")}), grid (${grid.map((each) => each ?? "?").join(",")})`;
}

/** Lines that stand for each other, with what is known of their accesses. */
interface LineGroup {
  readonly places: readonly Place[];
  readonly accesses: readonly AccessProfile[];
  readonly measured: readonly MeasuredFigures[];
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function rowsOf(
  measured: MeasuredLaunch,
  accesses: readonly AccessProfile[],
  launch: Launch,
  places: Places,
): MeasuredRow[] {
  const { lines, totals } = measured;
  const own = accesses.filter(
    ({ space, requests }) => space !== "local" && space !== "constant" && requests !== 0,
  );
  const whole = totals === null ? [] : [{ places: [], accesses: own, measured: [totals] }];
  const groups = lines === null ? whole : balanced(groupsOf(lines, own, places), places);
  return groups.flatMap((group) => units.flatMap((unit) => rowOf(group, unit, launch, places) ?? []));
}

/** By line; lines whose accesses the compiler merges are one group. */
function groupsOf(
  lines: readonly MeasuredLine[],
  accesses: readonly AccessProfile[],
  places: Places,
): LineGroup[] {
  let groups: LineGroup[] = [];
  for (const access of accesses) {
    const { file } = access.range;
    const own = [access.range, ...access.mergedRanges].map((range) => ({
      file,
      line: places.startOf(range).line,
    }));
    const touched = groups.filter((group) => group.places.some((place) => isIn(place, own)));
    groups = [
      ...groups.filter((group) => !touched.includes(group)),
      united([...touched, { places: own, accesses: [access], measured: [] }]),
    ];
  }
  const files = new Set(groups.flatMap((group) => group.places.map(({ file }) => file)));
  for (const figures of lines) {
    const file = fileOf(figures.file, files);
    const place = { file, line: figures.line };
    const others = figures.alsoAt.map((other) => ({ file: fileOf(other.file, files), line: other.line }));
    const known =
      groups.find((group) => isIn(place, group.places)) ??
      groups.find((group) => others.some((other) => isIn(other, group.places)));
    const made = { places: [place], accesses: [], measured: [figures] };
    groups = [
      ...groups.filter((group) => group !== known),
      known === undefined ? made : united([known, made]),
    ];
  }
  return groups;
}

/**
 * A line table may name the line of a call, or one of a header of CUDA's, for an access of an inlined function. So groups that do not agree are
 * taken together where the one stands on the way to the other, or in a file that was not analysed.
 */
function balanced(groups: readonly LineGroup[], places: Places): LineGroup[] {
  let open = groups.filter(isOff);
  let agreeing = groups.filter((group) => !open.includes(group));
  const files = new Set(
    groups.flatMap(({ accesses }) => accesses.flatMap(({ stack }) => stack.map(({ file }) => file))),
  );
  for (const group of [...open]) {
    const way = group.accesses.flatMap(({ stack }) => stack.flatMap((range) => linesOf(range, places)));
    const related = open.filter((other) => other !== group && other.places.some((place) => isIn(place, way)));
    const present = open.find((other) => group.places.every((place) => isIn(place, other.places)));
    if (related.length === 0 || present === undefined) continue;
    const parts = [...new Set([present, ...related])];
    open = [...open.filter((other) => !parts.includes(other)), united(parts)];
  }
  const isForeign = ({ places: own }: LineGroup) => own.every(({ file }) => !files.has(file));
  // What is measured where no access is known is, unit by unit, what is not known elsewhere and measured nowhere.
  for (const unit of units) {
    const strange = open.filter((group) => group.accesses.length === 0 && measuredOf(group, unit).cost > 0);
    const unmet = agreeing.filter(
      (group) => predictedOf(group, unit) === null && measuredOf(group, unit).cost === 0,
    );
    if (strange.length === 0 || unmet.length === 0) continue;
    agreeing = [...agreeing.filter((each) => !unmet.includes(each)), united([...strange, ...unmet])];
    open = open.filter((each) => !strange.includes(each));
  }
  const stillOff = open.filter(isOff);
  // nvcc may charge an access to the line before or behind it: what agrees in all is told in one row.
  const areOne = stillOff.some(isForeign) || !isOff(united(stillOff));
  if (stillOff.length === 0 || !areOne) return inOrder([...agreeing, ...open]);
  return inOrder([...agreeing, ...open.filter((group) => !isOff(group)), united(stillOff)]);
}

function linesOf(range: SourceRange, places: Places): Place[] {
  const first = places.startOf(range).line;
  const last = Math.min(places.endOf(range).line, first + mostLinesOfAccess);
  return Array.from({ length: last - first + 1 }, (_, index) => ({ file: range.file, line: first + index }));
}

const mostLinesOfAccess = 20;

/** Whether something is measured that is not predicted, or the other way round. What is unknown may be anything. */
function isOff(group: LineGroup): boolean {
  return units.some((unit) => {
    const predicted = predictedOf(group, unit);
    return predicted !== null && !isEqual(measuredOf(group, unit), predicted);
  });
}

function united(groups: readonly LineGroup[]): LineGroup {
  const found = groups.flatMap(({ places }) => places);
  return {
    places: found.filter((place, index) => !isIn(place, found.slice(0, index))),
    accesses: groups.flatMap(({ accesses }) => accesses),
    measured: groups.flatMap(({ measured }) => measured),
  };
}

function isIn({ file, line }: Place, places: readonly Place[]): boolean {
  return places.some((other) => other.line === line && other.file === file);
}

function inOrder(groups: readonly LineGroup[]): LineGroup[] {
  const before = (a: Place, b: Place) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
  const sorted = groups.map((group) => ({ ...group, places: group.places.toSorted(before) }));
  return sorted.sort((a, b) => {
    const [first, second] = [a.places[0], b.places[0]];
    return first === undefined || second === undefined ? 0 : before(first, second);
  });
}

/** A report names files as its machine had them: ours is the one whose path is the same for the most names from its end on. */
function fileOf(reported: string, files: ReadonlySet<string>): string {
  const names = reported.replaceAll("\\", "/").split("/").reverse();
  let best = reported;
  let most = 0;
  for (const file of files) {
    const own = file.split("/").reverse();
    const different = names.findIndex((name, index) => name !== own[index]);
    const alike = different === -1 ? names.length : different;
    if (alike <= most) continue;
    most = alike;
    best = file;
  }
  return best;
}

/** Null where there is nothing on either side. */
function rowOf(group: LineGroup, unit: Unit, launch: Launch, places: Places): MeasuredRow | null {
  const own = accessesOf(group, unit);
  const measured = measuredOf(group, unit);
  const predicted = predictedOf(group, unit);
  if (measured.cost === 0 && (predicted === null || predicted.cost === 0)) return null;
  const unknown = predicted === null ? own.find(({ totals }) => totals === null) : undefined;
  const files = [...new Set(group.places.map(({ file }) => file))];
  return {
    places: files.map((file) => ({
      file: places.displayPath(file),
      lines: group.places.filter((place) => place.file === file).map(({ line }) => line),
    })),
    unit,
    measured,
    predicted,
    reason:
      unknown !== undefined
        ? unknownReason(unknown, launch)
        : predicted === null || isEqual(measured, predicted)
          ? null
          : differenceReason(measured, predicted, own),
  };
}

/** Whose cost is counted in the unit, or may be: a pointer of which nothing is known leads anywhere. */
function accessesOf({ accesses }: LineGroup, unit: Unit): readonly AccessProfile[] {
  return accesses.filter(
    ({ space }) => space === "unknown" || space === (unit === "wavefronts" ? "shared" : "global"),
  );
}

function measuredOf({ measured }: LineGroup, unit: Unit): Pair {
  const sum = sumOf(measured);
  return unit === "wavefronts"
    ? { cost: sum.wavefronts, ideal: sum.idealWavefronts }
    : { cost: sum.sectors, ideal: sum.idealSectors };
}

/** Null where an access has no total; one that may be of another memory counts for nothing where the others make up what is measured. */
function predictedOf(group: LineGroup, unit: Unit): Pair | null {
  const own = accessesOf(group, unit);
  const placed = own.filter(({ space }) => space !== "unknown");
  const totals = placed.map((access) => access.totals).filter((each) => each !== null);
  const sum = totals.reduce((all, each) => ({ cost: all.cost + each.cost, ideal: all.ideal + each.ideal }), {
    cost: 0,
    ideal: 0,
  });
  if (totals.length < placed.length) return null;
  return placed.length < own.length && !isEqual(measuredOf(group, unit), sum) ? null : sum;
}

function isEqual(a: Pair, b: Pair): boolean {
  return Math.abs(a.cost - b.cost) < rounding && Math.abs(a.ideal - b.ideal) < rounding;
}

/** Totals are whole; sums of averages are nearly. */
const rounding = 0.5;

function unknownReason(access: AccessProfile, launch: Launch): string {
  const { verdict } = access;
  if (verdict.kind === "unknown") return unknownText(access, verdict.reason).replace(/\.$/, "");
  return uncountedText(access, launch) ?? "The grid is not known";
}

function differenceReason(measured: Pair, predicted: Pair, accesses: readonly AccessProfile[]): string {
  const proviso = accesses.map(provisoText).find((text) => text !== null);
  if (accesses.length === 0)
    return "No access is known here: the compiler made one, or the files are not those that were profiled";
  if (measured.cost === 0)
    return "No such access was executed: the compiler removed it or placed it on another line, or its arguments were others";
  if (proviso !== undefined && proviso !== null) return proviso;
  const isSameRatio = Math.abs(measured.cost * predicted.ideal - predicted.cost * measured.ideal) < rounding;
  if (isSameRatio)
    return "Each request costs what is predicted, but there were more or fewer of them: other arguments, or other loops";
  return "Not explained: were these files profiled, for this GPU?";
}
