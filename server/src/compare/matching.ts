// Which kernel, launch and access of one side is which of the other.
import type { AccessFigures, KernelFigures, LaunchFigures } from "./figures.ts";

/** One of both sides, or of one where the other has none. */
export interface Pair<Thing> {
  readonly before: Thing | null;
  readonly after: Thing | null;
}

/** Kernels: those of one name in one file, else of one name in another file, else those that access memory alike under another name. */
export function matchKernels(
  before: readonly KernelFigures[],
  after: readonly KernelFigures[],
): Pair<KernelFigures>[] {
  const open = new Open(before, after);
  open.matchBy(({ path, name }) => `${path}\n${name}`);
  open.matchBy(({ name }) => name);
  const known = new Map<KernelFigures, ReadonlySet<string>>();
  const signatures = (kernel: KernelFigures): ReadonlySet<string> => {
    const found = known.get(kernel) ?? signaturesOf(kernel);
    known.set(kernel, found);
    return found;
  };
  open.matchAlike((a, b) => likeness(signatures(a), signatures(b)), leastLikeness);
  return open.pairs();
}

/** Launches of one kernel: the very same, else those of one block or of the same template arguments, else in their order. */
export function matchLaunches(
  before: readonly LaunchFigures[],
  after: readonly LaunchFigures[],
): Pair<LaunchFigures>[] {
  const open = new Open(before, after);
  const asText = (...parts: readonly unknown[]) => JSON.stringify(parts);
  open.matchBy((each) =>
    asText(each.isAssumed, each.templateArguments, each.block, each.grid, each.sharedBytes),
  );
  open.matchBy((each) => asText(each.isAssumed, each.templateArguments, each.block));
  open.matchBy((each) => asText(each.isAssumed, each.templateArguments, each.grid));
  open.matchBy((each) => asText(each.isAssumed, each.block, each.grid));
  open.matchBy((each) => asText(each.isAssumed, each.templateArguments));
  open.matchBy((each) => asText(each.isAssumed));
  open.matchBy(() => "");
  return open.pairs();
}

/** Accesses of two launches: those of one text, else those of one kind in their order. */
export function matchAccesses(
  before: readonly AccessFigures[],
  after: readonly AccessFigures[],
): Pair<AccessFigures>[] {
  const open = new Open(before, after);
  open.matchBy(signatureOf);
  open.matchBy(({ unit, operation, bytes }) => `${unit} ${operation} ${bytes}`);
  open.matchBy(({ unit, operation }) => `${unit} ${operation}`);
  return open.pairs();
}

/** Of kernels that are the same under another name at least this share of the accesses is. */
const leastLikeness = 0.5;

/** More pairs of kernels are not compared for their likeness. */
const mostCompared = 250_000;

/** The share of accesses that two kernels have in common, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const signature of a) if (b.has(signature)) common++;
  return common / (a.size + b.size - common);
}

function signaturesOf({ launches }: KernelFigures): ReadonlySet<string> {
  return new Set(launches.flatMap(({ accesses }) => accesses.map(signatureOf)));
}

function signatureOf({ unit, operation, expression }: AccessFigures): string {
  return `${unit} ${operation} ${expression.replace(/\s+/g, "")}`;
}

/** What is not matched yet. */
class Open<Thing> {
  private readonly partners = new Map<Thing, Thing>();
  private readonly before: readonly Thing[];
  private readonly after: readonly Thing[];
  private openBefore: readonly Thing[];
  private openAfter: readonly Thing[];

  constructor(before: readonly Thing[], after: readonly Thing[]) {
    this.before = before;
    this.after = after;
    this.openBefore = before;
    this.openAfter = after;
  }

  /** Those of one key, in their order. */
  matchBy(keyOf: (thing: Thing) => string): void {
    if (this.openBefore.length === 0 || this.openAfter.length === 0) return;
    const waiting = new Map<string, Thing[]>();
    for (const thing of this.openBefore) {
      const key = keyOf(thing);
      const known = waiting.get(key);
      if (known === undefined) waiting.set(key, [thing]);
      else known.push(thing);
    }
    for (const thing of this.openAfter) {
      const partner = waiting.get(keyOf(thing))?.shift();
      if (partner !== undefined) this.partners.set(thing, partner);
    }
    this.close();
  }

  /** The most alike first. */
  matchAlike(likenessOf: (a: Thing, b: Thing) => number, least: number): void {
    if (this.openBefore.length * this.openAfter.length > mostCompared) return;
    const candidates = this.openAfter
      .flatMap((after) =>
        this.openBefore.map((before) => ({ before, after, likeness: likenessOf(before, after) })),
      )
      .filter((each) => each.likeness >= least)
      .sort((a, b) => b.likeness - a.likeness);
    const taken = new Set<Thing>();
    for (const { before, after } of candidates) {
      if (taken.has(before) || this.partners.has(after)) continue;
      taken.add(before);
      this.partners.set(after, before);
    }
    this.close();
  }

  /** In the order of `after`; what only `before` has stands last. */
  pairs(): Pair<Thing>[] {
    return [
      ...this.after.map((after) => ({ before: this.partners.get(after) ?? null, after })),
      ...this.openBefore.map((before) => ({ before, after: null })),
    ];
  }

  private close(): void {
    const taken = new Set(this.partners.values());
    this.openBefore = this.before.filter((thing) => !taken.has(thing));
    this.openAfter = this.after.filter((thing) => !this.partners.has(thing));
  }
}
