// What a profiler's report says of the accesses of a file, beside what is predicted of them. A report counts by line.
import type { AccessOperation } from "../evaluate/profile.ts";
import { type BesideLaunch, besidePredicted, type MeasuredRow, type Pair } from "../measured/beside.ts";
import type { MeasuredLaunch } from "../measured/report.ts";
import type { MeasuredMark } from "../render/content.ts";
import type { Places } from "../render/places.ts";
import { countText, plural } from "../render/words.ts";
import type { SourceRange } from "../text/source.ts";
import type { AnalysedFile } from "./analysis.ts";

/** A report that was imported. */
export interface Measurement {
  /** "report.ncu-rep". */
  readonly name: string;
  readonly launches: readonly MeasuredLaunch[];
}

/** What was measured where an access stands; null where the report has nothing of it. */
export type MeasuredOf = (access: PlacedAccess) => MeasuredMark | null;

interface PlacedAccess {
  readonly range: SourceRange;
  readonly space: string;
  readonly operation: AccessOperation;
}

/** Of each access of a file what the report has, under a name that stays when the text around it is edited. */
export type MeasuredByName = ReadonlyMap<string, MeasuredMark>;

export function measuredByName(
  { name, launches }: Measurement,
  analysis: AnalysedFile,
  places: Places,
): MeasuredByName {
  const predicted = [...new Set(analysis.kernels.flatMap((kernel) => kernel.launches))];
  const beside = besidePredicted(launches, predicted, places);
  const found = new Map<string, MeasuredMark>();
  for (const [access, key] of namedAccesses(analysis)) {
    const rows = beside.flatMap((launch) => rowsAt(launch, access, places));
    const mark = markOf(rows, access, name, places);
    if (mark !== null) found.set(key, mark);
  }
  return found;
}

/** The same of the text as it is now: where it is another than the one that was measured, figures are stale. */
export function measuredOf(byName: MeasuredByName, isStale: boolean, analysis: AnalysedFile): MeasuredOf {
  const byPlace = new Map<string, MeasuredMark>();
  for (const [access, key] of namedAccesses(analysis)) {
    const mark = byName.get(key);
    if (mark !== undefined) byPlace.set(placeKey(access), isStale ? stale(mark) : mark);
  }
  return (access) => byPlace.get(placeKey(access)) ?? null;
}

function stale(mark: MeasuredMark): MeasuredMark {
  return { ...mark, isStale: true, text: `Stale, the text has been edited since: ${mark.text}` };
}

function placeKey({ range, space, operation }: PlacedAccess): string {
  return [range.file, range.start, range.end, space, operation].join("\n");
}

/** Alike accesses are told apart by their order. */
function namedAccesses(analysis: AnalysedFile): (readonly [PlacedAccess, string])[] {
  const counts = new Map<string, number>();
  return analysis.groups.flatMap((group) => {
    const operations = new Set(group.contexts.map(({ access }) => access.operation));
    return [...operations].map((operation) => {
      const access = { range: group.range, space: group.space, operation };
      const name = [analysis.text.slice(group.range.start, group.range.end), group.space, operation].join(
        "\n",
      );
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return [access, `${name}\n${count}`] as const;
    });
  });
}

interface CountedRow extends MeasuredRow {
  readonly count: number;
}

function rowsAt({ rows, count }: BesideLaunch, { range, space }: PlacedAccess, places: Places): CountedRow[] {
  const unit = space === "shared" ? "wavefronts" : "sectors";
  const file = places.displayPath(range.file);
  const first = places.startOf(range).line;
  const last = places.endOf(range).line;
  return rows
    .filter(
      (row) =>
        row.unit === unit && row.places.some((place) => place.file === file && place.lines.some(isWithin)),
    )
    .map((row) => ({ ...row, count }));

  function isWithin(line: number): boolean {
    return first <= line && line <= last;
  }
}

/** Over all launches of the report. */
function markOf(
  rows: readonly CountedRow[],
  { range, space }: PlacedAccess,
  name: string,
  places: Places,
): MeasuredMark | null {
  if (rows.length === 0) return null;
  const measured = sumOf(rows, (row) => row.measured);
  const predicted = rows.every((row) => row.predicted !== null) ? sumOf(rows, (row) => row.predicted) : null;
  const launches = rows.reduce((sum, { count }) => sum + count, 0);
  const noun = space === "shared" ? "wavefront" : "sector";
  const own = places.displayPath(range.file);
  const lines = new Set(
    rows.flatMap((row) => row.places.filter(({ file }) => file === own).flatMap((place) => place.lines)),
  );
  const where = `line${lines.size === 1 ? "" : "s"} ${[...lines].sort((a, b) => a - b).join(", ")}`;
  const isSame = predicted !== null && predicted.cost === measured.cost && predicted.ideal === measured.ideal;
  const reason = rows.find((row) => row.reason !== null)?.reason ?? null;
  const ours = isSame
    ? "as predicted"
    : predicted === null
      ? "not predicted"
      : `predicted ${countText(predicted.cost)}, ${countText(predicted.ideal)} ideal`;
  return {
    cost: measured.cost,
    ideal: measured.ideal,
    isStale: false,
    text:
      `${name}: ${plural(measured.cost, noun)}, ${countText(measured.ideal)} ideal on ${where} in ` +
      `${launchCount(launches)}; ${ours}${isSame || reason === null ? "" : `. ${reason}`}`,
  };
}

/** "1 launch", "12 launches". */
export function launchCount(count: number): string {
  return `${countText(count)} ${count === 1 ? "launch" : "launches"}`;
}

function sumOf(rows: readonly CountedRow[], pairOf: (row: CountedRow) => Pair | null): Pair {
  return rows.reduce(
    (sum, row) => {
      const pair = pairOf(row) ?? { cost: 0, ideal: 0 };
      return {
        cost: sum.cost + Math.round(pair.cost) * row.count,
        ideal: sum.ideal + Math.round(pair.ideal) * row.count,
      };
    },
    { cost: 0, ideal: 0 },
  );
}
