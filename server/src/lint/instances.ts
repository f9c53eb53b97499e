// Which instances of a kernel's template are worth their code in a repository: to generate the code of one costs more than to evaluate it, and of
// sixty that differ in sizes alone the third mostly says what the first two said.
import type { AccessProfile, LaunchProfile } from "../evaluate/profile.ts";
import { tolerance } from "../evaluate/regions/coverage.ts";
import { readableName } from "../ir/function.ts";
import { isTried, type Launch } from "../launches/launch.ts";

/** After so many instances in succession that told nothing new no others are looked at. */
const mostQuiet = 2;
/** An instance of so many accesses takes a second for its code alone: it counts as two. */
const manyAccesses = 24;

/** Most kernels are at an end after so many instances: what launches may take is shared among those of so many. */
const mostExpected = 4;

/** How many of `launches`, in their order, are expected to be evaluated. */
export function countExpected(launches: readonly Launch[]): number {
  const first = new Set([...instancesOf(launches)].slice(0, mostExpected));
  return launches.filter(({ kernel }) => first.has(kernel)).length;
}

export function instancesOf(launches: readonly Launch[]): ReadonlySet<Launch["kernel"]> {
  return new Set(launches.map(({ kernel }) => kernel));
}

/** What the launches of one kernel told so far, in all programs of a part. */
export class Instances {
  /** By readable name: another program knows the same instance by another id. */
  private readonly seen = new Set<string>();
  /** By place, how many times its ideal an access costs at least and at most. */
  private readonly factors = new Map<string, { readonly least: number; readonly most: number }>();
  private quiet = 0;
  private readonly onNews: () => void;

  constructor(onNews: () => void = () => {}) {
    this.onNews = onNews;
  }

  /**
   * Whether a launch is of an instance that was seen, or of one that may tell something new. All are that were made up for want of a launch: these
   * differ in more than the program's own do.
   */
  isWorth(launch: Launch): boolean {
    return this.quiet < mostQuiet || this.seen.has(readableName(launch.kernel)) || isTried(launch);
  }

  tell({ launch, accesses }: LaunchProfile): void {
    const name = readableName(launch.kernel);
    const isFirst = !this.seen.has(name);
    this.seen.add(name);
    const isNews = accesses.map((access) => this.note(access)).includes(true);
    if (isFirst) this.quiet = isNews ? 0 : this.quiet + (accesses.length < manyAccesses ? 1 : 2);
    if (isNews) this.onNews();
  }

  /** Whether something is known of an access, by what this or other launches told. */
  isKnown(access: AccessProfile): boolean {
    return this.factors.has(placeOf(access));
  }

  private note(access: AccessProfile): boolean {
    if (access.verdict.kind === "unknown") return false;
    const place = placeOf(access);
    const factor = factorOf(access);
    const { least, most } = this.factors.get(place) ?? { least: Infinity, most: -Infinity };
    if (factor <= most * (1 + tolerance) && factor >= least * (1 - tolerance)) return false;
    this.factors.set(place, { least: Math.min(factor, least), most: Math.max(factor, most) });
    return true;
  }
}

/** What the kernels of all programs of a part told so far: most of its sources launch instances of the same templates. */
export class ToldInstances {
  private readonly byKernel = new Map<string, Instances>();
  private newsCount = 0;

  /** How many launches told something new. */
  get news(): number {
    return this.newsCount;
  }

  /** `place`: where the kernel's name stands. */
  of(place: string): Instances {
    const known = this.byKernel.get(place) ?? new Instances(() => this.newsCount++);
    this.byKernel.set(place, known);
    return known;
  }
}

/** Copies of an access that the compiler writes for trips or calls are one. */
function placeOf({ range: { file, start, end }, operation, space, bytes }: AccessProfile): string {
  return [file, start, end, operation, space, bytes].join(" ");
}

/** 0 where there is none: what is local has no figure. */
function factorOf({ perRequest }: AccessProfile): number {
  return perRequest === null ? 0 : perRequest.most.cost / Math.max(1, perRequest.most.ideal);
}
