// The kernels of a file and what their accesses cost, as lenses, hovers and the status item count them.
import type { AccessOperation, MemorySpace } from "../evaluate/profile.ts";
import type { NamedLaunch } from "../render/labels.ts";
import { areWholeWarps, isLaunchKnown } from "../render/launch-words.ts";
import type { SourceRange } from "../text/source.ts";
import type { AnalysedFile, AnalysedKernel } from "./analysis.ts";
import { holds, type RatedContext, rated } from "./contexts.ts";

/** One access of a kernel, as one operation, under all its launches. */
export interface KernelAccess {
  readonly range: SourceRange;
  readonly space: MemorySpace;
  readonly operation: AccessOperation;
  /** Worst first; those of which nothing is known last. */
  readonly contexts: readonly RatedContext[];
  readonly worst: RatedContext;
}

/** The kernel whose definition holds `offset`. */
export function kernelAt({ kernels }: AnalysedFile, offset: number): AnalysedKernel | null {
  return kernels.find(({ range }) => holds(range, offset)) ?? null;
}

/** Each launch of a kernel by itself. */
export function launchesOfKernel({ launches }: AnalysedKernel): NamedLaunch[] {
  return launches.flatMap((each) => each.launches.map((launch) => ({ kernel: each.kernel, launch })));
}

/** Each launch of a kernel, the one under which its dearest access is worst first; assumed ones as they are, the likeliest first. */
export function launchesWorstFirst(kernel: AnalysedKernel): NamedLaunch[] {
  const all = launchesOfKernel(kernel);
  if (!isLaunchKnown(all)) return all;
  const ratioOfAccess = ({ worst }: KernelAccess) => worst.ratio ?? -1;
  const dearest = accessesOfKernel(kernel).reduce<KernelAccess | null>(
    (best, access) => (best === null || ratioOfAccess(access) > ratioOfAccess(best) ? access : best),
    null,
  );
  const ranks = new Map((dearest?.contexts ?? []).map(({ launch }, rank) => [launch, rank]));
  const ranked = kernel.launches.map((each) => ({
    each,
    rank: ranks.get(each.profile.launch) ?? ranks.size,
  }));
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.flatMap(({ each }) => each.launches.map((launch) => ({ kernel: each.kernel, launch })));
}

/**
 * The kernel under the launches that its lens speaks of: all that were found; of assumed ones those of the likeliest template arguments, with
 * all lengths in x, whose figures are the same, else the likeliest block alone. These are the ones that are named.
 */
export function underNamedLaunches(kernel: AnalysedKernel): AnalysedKernel {
  const launches = launchesOfKernel(kernel);
  const [first] = launches;
  const blocks = launches.map(({ launch }) => launch.block);
  if (first === undefined || isLaunchKnown(launches)) return kernel;
  const shape = areWholeWarps(blocks) ? null : first.launch.block.join();
  const instance = first.kernel.templateArguments.join();
  const named = kernel.launches.filter(
    (each) =>
      each.kernel.templateArguments.join() === instance &&
      (shape === null || each.profile.launch.block.join() === shape),
  );
  return named.length === kernel.launches.length ? kernel : { ...kernel, launches: named };
}

/** "tile[32][33]": the two-dimensional shared array whose rows, but for their padding, are the threads of an assumed block. */
export function tileOfBlock(kernel: AnalysedKernel): string | null {
  const block = kernel.launches[0]?.profile.launch.block;
  if (block === undefined) return null;
  for (const { worst } of accessesOfKernel(kernel)) {
    const { target, space } = worst.access;
    const type = target?.type;
    if (space !== "shared" || type?.kind !== "array" || type.element.kind !== "array") continue;
    const pad = type.element.count - block[0];
    if (type.count === block[1] && pad >= 0 && pad <= widestPad)
      return `${target?.name}[${type.count}][${type.element.count}]`;
  }
  return null;
}

/** As `launches` reads tiles. */
const widestPad = 4;

/** An analysis does not change: lenses, hovers and the status item ask for the same kernels again and again. */
const known = new WeakMap<AnalysedKernel, readonly KernelAccess[]>();

/** The shared and global accesses of a kernel, wherever they stand, in the order of the text. */
export function accessesOfKernel(kernel: AnalysedKernel): readonly KernelAccess[] {
  let accesses = known.get(kernel);
  if (accesses === undefined) {
    accesses = collectAccesses(kernel);
    known.set(kernel, accesses);
  }
  return accesses;
}

function collectAccesses({ launches }: AnalysedKernel): KernelAccess[] {
  const found = new Map<string, { contexts: RatedContext[] }>();
  for (const { kernel, profile } of launches) {
    for (const access of profile.accesses) {
      const { range, space, operation } = access;
      if ((space !== "shared" && space !== "global") || access.requests === 0) continue;
      const key = `${range.file}\n${range.start} ${range.end} ${space} ${operation}`;
      const own = found.get(key) ?? { contexts: [] };
      found.set(key, own);
      own.contexts.push(
        rated({ kernel, launch: profile.launch, access, siblings: profile.accesses, excessShare: null }),
      );
    }
  }
  return [...found.values()]
    .flatMap(({ contexts }) => {
      contexts.sort((a, b) => (b.ratio ?? -1) - (a.ratio ?? -1));
      const [worst] = contexts;
      if (worst === undefined) return [];
      const { range, space, operation } = worst.access;
      return [{ range, space, operation, contexts, worst }];
    })
    .sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** Where the definition at `start` begins with its `template <…>`, if it has one. */
export function headStart(text: string, start: number): number {
  const before = text.slice(Math.max(0, start - longestHead), start);
  const head = /\btemplate\s*<[^;{}]*>[^;{}<>]*$/.exec(before);
  return head === null ? start : start - before.length + head.index;
}

const longestHead = 4000;
