// What is kept of kernels to rank them by cost: of a large workspace nothing else stays. What several parts of a workspace say of a kernel in a
// header is added up, each launch once.
import type { Location } from "vscode-languageserver";
import { figureText, launchSummary, totalsText } from "../ide/cost.ts";
import { underNamedLaunches } from "../ide/kernels.ts";
import type { MeasuredOf } from "../ide/measured.ts";
import type { FileAnalysis, KernelSummary } from "../lint/analysis.ts";
import type { Places } from "../render/places.ts";
import { operationText } from "../render/words.ts";
import { type CountedAccess, type CountedLaunch, kernelCost } from "../rules/kernel-cost.ts";
import type { SourceRange } from "../text/source.ts";
import type { Locations } from "./locations.ts";
import type { AccessCostItem, KernelCostItem } from "./protocol.ts";

export interface KernelRecord {
  readonly kernel: string;
  readonly location: Location;
  readonly launches: string;
  readonly isLaunchKnown: boolean;
  /** By what tells launches apart, wherever they are seen. */
  readonly counted: ReadonlyMap<string, readonly CountedLaunch[]>;
  /** By `keyOf`. */
  readonly places: ReadonlyMap<string, Location>;
  /** Left out where nothing was measured. */
  readonly measured?: MeasuredOf;
}

/** The kernels that stand in a file. */
export function recordsOf(
  { kernels }: Pick<FileAnalysis, "kernels">,
  places: Places,
  locations: Locations,
  measured?: MeasuredOf,
): readonly KernelRecord[] {
  return kernels.map((kernel) => {
    const { text, isKnown } = launchSummary(kernel, places);
    const counted = new Map<string, CountedLaunch[]>();
    const found = new Map<string, Location>();
    for (const [key, launch] of countedLaunches(kernel)) {
      counted.set(key, [...(counted.get(key) ?? []), launch]);
      for (const { range } of launch.profile.accesses)
        if (!found.has(keyOf(range))) found.set(keyOf(range), locations.locationOf(range));
    }
    return {
      kernel: kernel.name,
      location: locations.locationOf(kernel.nameRange),
      launches: text,
      isLaunchKnown: isKnown,
      counted,
      places: found,
      ...(measured === undefined ? {} : { measured }),
    };
  });
}

function countedLaunches(kernel: KernelSummary): (readonly [string, CountedLaunch])[] {
  return underNamedLaunches(kernel).launches.flatMap(({ kernel: name, launches, profile }) => {
    const accesses = profile.accesses.flatMap((access) =>
      access.space === "shared" || access.space === "global" ? [countedAccess(access)] : [],
    );
    return launches.map(({ origin, isSample, block, grid, sharedBytes, count }) => {
      const key = JSON.stringify([name.templateArguments, block, grid, sharedBytes, origin]);
      const launch = { origin, ...(isSample === true ? { isSample } : {}) };
      return [key, { profile: { launch, accesses }, count }] as const;
    });
  });
}

function countedAccess({
  range,
  space,
  operation,
  expression,
  requests,
  totals,
  perRequest,
  worst,
}: CountedAccess): CountedAccess {
  return {
    range,
    space,
    operation,
    expression,
    requests,
    totals,
    perRequest,
    worst: worst === null ? null : { figure: worst.figure },
  };
}

function keyOf({ file, start, end }: SourceRange): string {
  return `${file}\n${start} ${end}`;
}

/** What several say of the kernels of one file; launches that were assumed count only where nobody launches the kernel. */
export function joinedRecords(parts: readonly (readonly KernelRecord[])[]): readonly KernelRecord[] {
  const byPlace = new Map<string, KernelRecord>();
  for (const record of parts.flat()) {
    const key = JSON.stringify(record.location);
    const known = byPlace.get(key);
    byPlace.set(key, known === undefined ? record : joined(known, record));
  }
  return [...byPlace.values()];
}

function joined(a: KernelRecord, b: KernelRecord): KernelRecord {
  if (a.isLaunchKnown !== b.isLaunchKnown) return a.isLaunchKnown ? a : b;
  const others = [...b.counted].filter(([key]) => !a.counted.has(key));
  if (others.length === 0) return a;
  const counted = new Map([...a.counted, ...others]);
  const launches = a.launches === b.launches ? a.launches : `${a.launches}; ${b.launches}`;
  return { ...a, launches, counted, places: new Map([...b.places, ...a.places]) };
}

/** By excess, greatest first; those of which it is not known last. */
export function costItems(records: readonly KernelRecord[]): KernelCostItem[] {
  return records
    .map(costItem)
    .filter(({ accesses }) => accesses.length > 0)
    .sort((a, b) => (b.excess ?? -1) - (a.excess ?? -1) || (a.kernel < b.kernel ? -1 : 1));
}

function costItem({ kernel, location, launches, counted, places, measured }: KernelRecord): KernelCostItem {
  const cost = kernelCost([...counted.values()].flat());
  const { excess, isWhole } = cost;
  const accesses = cost.accesses.flatMap((access): AccessCostItem[] => {
    const { range, expression, space, operation, requests, total, share, perRequest } = access;
    const at = places.get(keyOf(range));
    if (at === undefined) return [];
    return [
      {
        location: at,
        expression,
        space,
        operation: operationText(operation),
        requests,
        cost: total?.cost ?? null,
        ideal: total?.ideal ?? null,
        excess: total?.excess ?? null,
        isExact: total?.isWhole ?? false,
        share,
        perRequest: perRequest === null ? null : figureText(perRequest, space),
        measured: measured?.(access) ?? null,
      },
    ];
  });
  return { kernel, location, launches, totals: totalsText(cost), excess, isExact: isWhole, accesses };
}
