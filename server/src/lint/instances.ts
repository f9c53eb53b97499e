// Which instances of a kernel's template are worth their code in a repository: to generate the code of one costs more than to evaluate it, and of
// sixty that differ in sizes alone the third mostly says what the first two said.
import type { AccessProfile, LaunchProfile } from "../evaluate/profile.ts";
import { tolerance } from "../evaluate/regions/coverage.ts";
import { isTried, type Launch } from "../launches/launch.ts";

/** After so many instances in succession that told nothing new no others are looked at. */
const mostQuiet = 2;

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

/** What the launches of one kernel told so far. */
export class Instances {
  private readonly seen = new Set<Launch["kernel"]>();
  /** By place, how many times its ideal an access costs at least and at most. */
  private readonly factors = new Map<string, { readonly least: number; readonly most: number }>();
  private quiet = 0;

  /**
   * Whether a launch is of an instance that was seen, or of one that may tell something new. All are that were made up for want of a launch: these
   * differ in more than the program's own do.
   */
  isWorth(launch: Launch): boolean {
    return this.quiet < mostQuiet || this.seen.has(launch.kernel) || isTried(launch);
  }

  tell({ launch, accesses }: LaunchProfile): void {
    const isFirst = !this.seen.has(launch.kernel);
    this.seen.add(launch.kernel);
    const isNews = accesses.map((access) => this.note(access)).includes(true);
    if (isFirst) this.quiet = isNews ? 0 : this.quiet + 1;
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

/** Copies of an access that the compiler writes for trips or calls are one. */
function placeOf({ range: { file, start, end }, operation, space, bytes }: AccessProfile): string {
  return [file, start, end, operation, space, bytes].join(" ");
}

/** 0 where there is none: what is local has no figure. */
function factorOf({ perRequest }: AccessProfile): number {
  return perRequest === null ? 0 : perRequest.most.cost / Math.max(1, perRequest.most.ideal);
}
