// An index of names over the files of a workspace: which sources may define a name, which files use it. Made in steps, kept by content.
import type { BuildDescription } from "../build/flags.ts";
import { type Host, readText } from "../host/host.ts";
import type { IgnoredFiles } from "../project/ignored.ts";
import { nameOf, resolvePath } from "../text/path.ts";
import { areEqual, type FileFacts, factsOf, type NameHash, noFacts } from "./facts.ts";

export interface IndexedFile {
  readonly path: string;
  readonly kind: "source" | "header";
  readonly facts: FileFacts;
}

/** What a compiler is given, by its name; and what such files include. */
export const sourceName = /\.(?:cu|cpp|cc|cxx|c)$/;
const headerName = /\.(?:cuh|h|H|hpp|hh|hxx|inl|inc|ipp|tpp|tcc)$/;

export interface NameIndexOfFiles {
  /** Looks for files, and reads what is not known yet, a few files a step. */
  refresh(): Generator<void, void>;
  /** Looks for files, and reads none. */
  list(): Generator<void, void>;
  /** How many files have still to be read. */
  readonly unreadCount: number;
  /** These files have other contents, or are new, or are gone. Of few of them it is known at once whether answers may be others. */
  update(changed: readonly string[]): void;
  /** Sources that a build compiles, which may be ignored, and files that it makes, which may be nowhere. */
  addBuilt(built: BuiltFiles): void;
  /** Builds may say something else now: what they alone named is not known any more. */
  forgetBuilt(): void;
  /** Files may have come or gone anywhere; what is known of those that are still there stays. */
  relist(ignored: IgnoredFiles): void;
  /** Another number whenever an answer may be another one. */
  readonly version: number;
  fileOf(path: string): IndexedFile | null;
  files(): Iterable<IndexedFile>;
  /** The sources that may define `name` for others. */
  definersOf(name: NameHash): readonly string[];
  /** The sources that define what macros name, their own or those of a header that they include themselves. */
  namedByMacros(): readonly string[];
  /** The files that include something of this name, without directories. */
  including(name: string): readonly string[];
  /** Why files are not known; null where all are. */
  readonly gap: string | null;
  /** Directories whose files were looked for. */
  readonly directories: readonly string[];
  /** All that answers hang on, in an order of its own: where it is the same, they are. */
  statements(): Iterable<string | Int32Array>;
}

/** What a build description says of files. */
export type BuiltFiles = Pick<BuildDescription, "sources" | "generatedFiles">;

/** Budgets: what lies beyond is not seen, and said so. */
const mostFiles = 20_000;
const mostDirectories = 50_000;
const mostFileBytes = 1 << 20;
const mostBytes = 1 << 28;
/** Files that are read as they change. */
const mostReadAtOnce = 8;
/** Bytes that are read between two steps. */
const stepBytes = 1 << 16;

export function createNameIndex(host: Host, workspace: string, ignored: IgnoredFiles): NameIndexOfFiles {
  return new WorkspaceIndex(host, workspace, ignored);
}

class WorkspaceIndex implements NameIndexOfFiles {
  version = 0;
  gap: string | null = null;
  directories: readonly string[] = [];
  private readonly host: Host;
  private readonly workspace: string;
  private ignored: IgnoredFiles;
  private readonly known = new Map<string, IndexedFile>();
  private readonly definers = new Map<NameHash, string[]>();
  /** How many headers give a meaning to a name. */
  private readonly headerNames = new Map<NameHash, number>();
  private readonly includers = new Map<string, string[]>();
  private stale = new Set<string>();
  /** What builds name and no listing finds: the text of what they make, null of what lies on the disk. */
  private readonly built = new Map<string, string | null>();
  private readonly builtBy = new Set<BuiltFiles>();
  private macroNamed: { readonly version: number; readonly sources: readonly string[] } | null = null;
  private isListed = false;
  private bytes = 0;

  constructor(host: Host, workspace: string, ignored: IgnoredFiles) {
    this.host = host;
    this.workspace = workspace;
    this.ignored = ignored;
  }

  *refresh(): Generator<void, void> {
    yield* this.list();
    let left = stepBytes;
    for (const path of [...this.stale]) {
      if (!this.stale.delete(path)) continue;
      left -= this.read(path);
      if (left > 0) continue;
      left = stepBytes;
      yield;
    }
  }

  get unreadCount(): number {
    return this.stale.size;
  }

  update(changed: readonly string[]): void {
    for (const path of changed) if (this.isWanted(path)) this.stale.add(path);
    if (this.stale.size > mostReadAtOnce) return;
    for (const path of this.stale) this.read(path);
    this.stale.clear();
  }

  addBuilt(files: BuiltFiles): void {
    if (this.builtBy.has(files)) return;
    this.builtBy.add(files);
    const made = new Map(files.generatedFiles.map(({ path, text }) => [path, text]));
    for (const path of [...files.sources.map((source) => source.path), ...made.keys()]) {
      if (this.known.has(path) || this.stale.has(path) || !path.startsWith(`${this.workspace}/`)) continue;
      if (!sourceName.test(path) && !headerName.test(path)) continue;
      const isThere = this.host.kindOf(path) === "file";
      const text = isThere ? null : (made.get(path) ?? null);
      if (!isThere && text === null) continue;
      this.built.set(path, text);
      this.stale.add(path);
    }
  }

  forgetBuilt(): void {
    for (const path of this.built.keys()) {
      this.stale.delete(path);
      if (this.known.has(path)) this.set(path, null);
    }
    this.built.clear();
    this.builtBy.clear();
  }

  relist(ignored: IgnoredFiles): void {
    this.ignored = ignored;
    this.isListed = false;
  }

  fileOf(path: string): IndexedFile | null {
    return this.known.get(path) ?? null;
  }

  files(): Iterable<IndexedFile> {
    return this.known.values();
  }

  definersOf(name: NameHash): readonly string[] {
    return this.definers.get(name) ?? [];
  }

  namedByMacros(): readonly string[] {
    if (this.macroNamed?.version === this.version) return this.macroNamed.sources;
    const files = [...this.known.values()];
    const headers = new Set(
      files.flatMap(({ kind, path, facts }) =>
        kind === "header" && facts.hasNamesOfMacros ? [nameOf(path)] : [],
      ),
    );
    const isNamedSo = ({ facts }: IndexedFile): boolean =>
      facts.hasNamesOfMacros || facts.includes.some((written) => headers.has(nameOf(written)));
    const sources = files.flatMap((file) => (file.kind === "source" && isNamedSo(file) ? [file.path] : []));
    this.macroNamed = { version: this.version, sources };
    return sources;
  }

  including(name: string): readonly string[] {
    return this.includers.get(name) ?? [];
  }

  *statements(): Generator<string | Int32Array, void> {
    yield this.gap ?? "";
    const files = [...this.known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const file of files) {
      const { isRoot, hasLaunch, hasNamesOfMacros, includes } = file.facts;
      yield [file.path, file.kind, isRoot, hasLaunch, hasNamesOfMacros, ...includes].join("\n");
      yield meanings(file);
      yield this.namedElsewhere(file);
    }
  }

  private namedElsewhere({ facts }: IndexedFile): Int32Array {
    return facts.mentioned.filter((name) => this.definers.has(name) || this.headerNames.has(name));
  }

  private isWanted(path: string): boolean {
    if (!sourceName.test(path) && !headerName.test(path)) return false;
    if (this.known.has(path)) return true;
    return this.isListed && path.startsWith(`${this.workspace}/`) && !this.ignored.isIgnored(path, "file");
  }

  *list(): Generator<void, void> {
    if (this.isListed) return;
    const found = new Set<string>();
    const pending = [this.workspace];
    const directories: string[] = [];
    this.gap = null;
    for (let visited = 0; pending.length > 0; visited++) {
      const directory = pending.shift();
      if (directory === undefined) break;
      if (visited >= mostDirectories || found.size >= mostFiles) {
        this.gap = `sources beyond the first ${found.size} of ${this.workspace} are not known`;
        break;
      }
      directories.push(directory);
      for (const entry of this.host.list(directory) ?? []) {
        const path = resolvePath(directory, entry.name);
        if (entry.kind === "directory") {
          if (entry.isLink || entry.name === "node_modules" || entry.name === ".git") continue;
          if (!this.ignored.isIgnored(path, "directory")) pending.push(path);
        } else if (
          entry.kind === "file" &&
          (sourceName.test(path) || headerName.test(path)) &&
          !this.ignored.isIgnored(path, "file")
        )
          found.add(path);
      }
      yield;
    }
    for (const path of [...this.known.keys()])
      if (!found.has(path) && !this.built.has(path)) this.set(path, null);
    for (const path of found) if (!this.known.has(path)) this.stale.add(path);
    this.directories = directories;
    this.isListed = true;
  }

  /** Gives what it read, in bytes. */
  private read(path: string): number {
    const kind = sourceName.test(path) ? "source" : "header";
    const size = this.host.sizeOf(path);
    if (size !== null && this.bytes + size > mostBytes) {
      this.gap = `sources beyond ${mostBytes >> 20} MB of ${this.workspace} are not known`;
      return 0;
    }
    // Larger ones are generated.
    const made = size === null ? (this.built.get(path) ?? null) : null;
    const onDisk = size !== null && size > mostFileBytes ? null : readText(this.host, path);
    const read = made === null ? onDisk : ({ kind: "text", text: made } as const);
    if (read?.kind !== "text") {
      this.set(path, size === null ? null : { path, kind, facts: noFacts });
      return 0;
    }
    this.bytes += read.text.length;
    const file = { path, kind, facts: factsOf(read.text) } as const;
    const before = this.known.get(path);
    if (before !== undefined && this.meanTheSame(before, file)) this.known.set(path, file);
    else this.set(path, file);
    return read.text.length;
  }

  /** Whether no answer hangs on the difference: words come and go with each key, and few of them name something elsewhere. */
  private meanTheSame(a: IndexedFile, b: IndexedFile): boolean {
    return (
      a.facts.isRoot === b.facts.isRoot &&
      a.facts.hasNamesOfMacros === b.facts.hasNamesOfMacros &&
      areEqual(meanings(a), meanings(b)) &&
      areEqual(this.namedElsewhere(a), this.namedElsewhere(b)) &&
      a.facts.includes.join("\n") === b.facts.includes.join("\n")
    );
  }

  private set(path: string, file: IndexedFile | null): void {
    this.version++;
    const before = this.known.get(path);
    if (before !== undefined) {
      if (before.kind === "header") for (const name of before.facts.own) this.count(name, -1);
      for (const name of definedForOthers(before)) dropFrom(this.definers, name, path);
      for (const name of includedNames(before)) dropFrom(this.includers, name, path);
    }
    if (file === null) {
      this.known.delete(path);
      return;
    }
    this.known.set(path, file);
    if (file.kind === "header") for (const name of file.facts.own) this.count(name, 1);
    for (const name of definedForOthers(file)) addTo(this.definers, name, path);
    for (const name of includedNames(file)) addTo(this.includers, name, path);
  }

  private count(name: NameHash, by: number): void {
    const count = (this.headerNames.get(name) ?? 0) + by;
    if (count > 0) this.headerNames.set(name, count);
    else this.headerNames.delete(name);
  }
}

/** What others may use. */
function meanings({ kind, facts }: IndexedFile): Int32Array {
  return kind === "header" ? facts.own : facts.defined;
}

function definedForOthers({ kind, facts }: IndexedFile): Iterable<NameHash> {
  return kind === "source" ? facts.defined : [];
}

function includedNames({ facts }: IndexedFile): ReadonlySet<string> {
  return new Set(facts.includes.map(nameOf));
}

function addTo<Key>(map: Map<Key, string[]>, key: Key, path: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [path]);
  else known.push(path);
}

function dropFrom<Key>(map: Map<Key, string[]>, key: Key, path: string): void {
  const rest = (map.get(key) ?? []).filter((each) => each !== path);
  if (rest.length > 0) map.set(key, rest);
  else map.delete(key);
}
