// The translation units that a linker would put together: from a root, whatever is lacked brings in the one source that defines it.

import type { TranslationUnit } from "../syntax/unit.ts";
import { directoryOf } from "../text/path.ts";
import { hashOfName, type NameHash } from "./facts.ts";
import type { NameIndexOfFiles } from "./index.ts";
import { definesMain, type LinkSymbol, lastOf, ownerOf, symbolsOf } from "./symbols.ts";

export interface LinkSet {
  /** The root's first, the others in the order in which they were lacked. */
  readonly units: readonly TranslationUnit[];
  /** Names that were asked for: sources that define one of them may change the set. */
  readonly asked: ReadonlySet<NameHash>;
  /** Why something that a source in sight may define was not linked, in words. */
  readonly gaps: readonly string[];
  /** Whether there is more of it than is followed. */
  readonly isCut: boolean;
}

export interface LinkOptions {
  /** Called when something is lacking. Null where nothing is known of other files yet. */
  index(): Generator<void, NameIndexOfFiles | null>;
  /** In each way in which the program compiles it; none where the file cannot be read. */
  read(file: string): Generator<void, readonly TranslationUnit[]>;
  /** Whether the build links `file` to the root's program; null where no build says anything of it. */
  isLinked: ((file: string) => boolean) | null;
  /** What is linked though nobody uses it: its variables may register something before `main` runs. */
  objects: ReadonlySet<string>;
  /** Whether code of the GPU is linked across units. */
  linksDeviceCode: boolean;
  /** How much text is read, the headers once for each source: the unit that passes it is the last. */
  mostCharacters: number;
}

/** Budget: programs of more are not followed to their ends, and say so. */
const mostUnits = 100;
/** Objects that nobody uses: more of them are a build that links whatever there is. */
const mostUnused = 32;
/** Sources that may define one name; of more nobody can tell which is meant. */
const mostCandidates = 12;

/** Reads only what is reached from `root`'s own declarations. */
export function* linkSetOf(root: TranslationUnit, options: LinkOptions): Generator<void, LinkSet> {
  return yield* new Linking(root, options).run();
}

interface Lacked {
  readonly symbol: LinkSymbol;
  readonly by: TranslationUnit;
}

class Linking {
  private readonly options: LinkOptions;
  private readonly root: TranslationUnit;
  private readonly linked = new Set<TranslationUnit>();
  private readonly asked = new Set<NameHash>();
  private readonly gaps: string[] = [];
  private readonly pending: Lacked[] = [];
  private readonly seen = new Set<string>();
  private characters = 0;

  constructor(root: TranslationUnit, options: LinkOptions) {
    this.root = root;
    this.options = options;
  }

  *run(): Generator<void, LinkSet> {
    this.add(this.root);
    this.lack(symbolsOf(this.root).lackedByAll(), this.root);
    const hasObjects = this.options.objects.size > 0;
    const index = this.pending.length > 0 || hasObjects ? yield* this.options.index() : null;
    if (index === null) return this.found();
    yield* this.resolveAll(index);
    const files = new Set([...this.linked].map(({ file }) => file));
    const unused = [...this.options.objects].filter((file) => !files.has(file));
    if (unused.length > mostUnused) return this.found();
    for (const file of unused)
      for (const unit of yield* this.options.read(file)) {
        if (definesMain(unit) || this.isFull()) continue;
        this.add(unit);
        this.lack(symbolsOf(unit).lackedByAll(), unit);
      }
    yield* this.resolveAll(index);
    return this.found();
  }

  private *resolveAll(index: NameIndexOfFiles): Generator<void, void> {
    for (let next = this.pending.shift(); next !== undefined; next = this.pending.shift())
      yield* this.resolve(next, index);
  }

  private isFull(): boolean {
    return this.linked.size >= mostUnits || this.characters > this.options.mostCharacters;
  }

  private found(): LinkSet {
    return { units: [...this.linked], asked: this.asked, gaps: this.gaps, isCut: this.isFull() };
  }

  private lack(symbols: readonly LinkSymbol[], by: TranslationUnit): void {
    for (const symbol of symbols) {
      if (symbol.isOfDevice && !this.options.linksDeviceCode) continue;
      const key = `${symbol.name}(${symbol.signature ?? ""}`;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      this.asked.add(hashOfName(lastOf(symbol.name)));
      const owner = ownerOf(symbol.name);
      if (owner !== null) this.asked.add(hashOfName(owner));
      this.pending.push({ symbol, by });
    }
  }

  private add(unit: TranslationUnit): void {
    this.linked.add(unit);
    for (const text of unit.texts.values()) this.characters += text.length;
  }

  private *resolve({ symbol, by }: Lacked, index: NameIndexOfFiles): Generator<void, void> {
    const name = lastOf(symbol.name);
    let definer = this.linkedDefiner(symbol);
    if (definer === null) {
      // Of a program that is full nothing is read to see what else would be linked.
      if (this.isFull()) return this.leaveOut(symbol, index);
      definer = yield* this.find(symbol, by, index);
      if (definer === null) return;
      this.add(definer);
    }
    this.lack(symbolsOf(definer).lackedBy(name), definer);
  }

  private leaveOut(symbol: LinkSymbol, index: NameIndexOfFiles): void {
    if (this.definersOf(symbol, index).length === 0) return;
    const gap = `the program of ${this.root.file} is larger than what is followed: ${this.linked.size} of its sources were read`;
    if (!this.gaps.includes(gap)) this.gaps.push(gap);
  }

  private linkedDefiner(symbol: LinkSymbol): TranslationUnit | null {
    for (const unit of this.linked) if (definitionOf(symbol, unit) === "same") return unit;
    return null;
  }

  private *find(
    symbol: LinkSymbol,
    by: TranslationUnit,
    index: NameIndexOfFiles,
  ): Generator<void, TranslationUnit | null> {
    const candidates = this.candidates(symbol, index);
    return (
      (yield* this.nearest(symbol, byDistance(candidates, by.file))) ??
      (yield* this.nearest(symbol, byDistance(this.namedByMacros(index), by.file)))
    );
  }

  private *nearest(
    symbol: LinkSymbol,
    groups: readonly (readonly string[])[],
  ): Generator<void, TranslationUnit | null> {
    for (const group of groups) {
      const same: TranslationUnit[] = [];
      const like: TranslationUnit[] = [];
      for (const file of group) {
        const units = yield* this.options.read(file);
        // No program has two of them.
        const defining = (kind: "same" | "like") =>
          units.find((unit) => !definesMain(unit) && definitionOf(symbol, unit) === kind);
        const [exact, alike] = [defining("same"), defining("like")];
        if (exact !== undefined) same.push(exact);
        else if (alike !== undefined) like.push(alike);
      }
      const found = same.length > 0 ? same : like;
      const [only] = found;
      if (found.length === 1 && only !== undefined) return only;
      if (found.length > 1) {
        this.gaps.push(
          `${symbol.name} is defined in ${found.length} sources beside each other, and nothing tells which is linked`,
        );
        return null;
      }
    }
    return null;
  }

  /** `#define NAME(x) run_##x`: nobody knows what such sources define before they are read. Of many none is. */
  private namedByMacros(index: NameIndexOfFiles): readonly string[] {
    const found = index.namedByMacros().filter(this.isCandidate);
    return found.length <= mostCandidates ? found : [];
  }

  private readonly isCandidate = (file: string): boolean => {
    const { isLinked } = this.options;
    return file !== this.root.file && (isLinked === null || isLinked(file));
  };

  private candidates(symbol: LinkSymbol, index: NameIndexOfFiles): readonly string[] {
    const found = this.definersOf(symbol, index);
    if (found.length <= mostCandidates) return found;
    this.gaps.push(
      `${symbol.name} may be defined in ${found.length} sources, and nothing tells which is linked`,
    );
    return [];
  }

  private definersOf(symbol: LinkSymbol, index: NameIndexOfFiles): readonly string[] {
    const { isCandidate } = this;
    const definers = index.definersOf(hashOfName(lastOf(symbol.name))).filter(isCandidate);
    // A class template is instantiated with its members, which a header may define.
    const owner = ownerOf(symbol.name);
    return definers.length > 0 || owner === null
      ? definers
      : index.definersOf(hashOfName(owner)).filter(isCandidate);
  }
}

/** Whether `unit` defines `symbol` for others: itself, or something of its name that takes other parameters. */
function definitionOf(symbol: LinkSymbol, unit: TranslationUnit): "same" | "like" | "nothing" {
  const defined = symbolsOf(unit).defined.get(lastOf(symbol.name)) ?? [];
  const named = defined.filter(({ name }) => isSameName(name, symbol.name));
  if (named.some(({ signature }) => signature === symbol.signature)) return "same";
  return named.length > 0 ? "like" : "nothing";
}

/** `using namespace` may leave out of one name what the other has. */
function isSameName(a: string, b: string): boolean {
  return a === b || a.endsWith(`::${b}`) || b.endsWith(`::${a}`);
}

/** The files in groups of one distance from `from`, nearest first. */
function byDistance(files: readonly string[], from: string): readonly (readonly string[])[] {
  const groups = new Map<number, string[]>();
  for (const file of [...files].sort()) {
    const far = distanceBetween(file, from);
    const group = groups.get(far);
    if (group === undefined) groups.set(far, [file]);
    else group.push(file);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** Directories to leave and to enter from one file to the other. */
export function distanceBetween(a: string, b: string): number {
  const one = directoryOf(a).split("/");
  const other = directoryOf(b).split("/");
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  return one.length + other.length - 2 * shared;
}
