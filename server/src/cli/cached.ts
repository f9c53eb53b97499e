// Keeps what was said of the parts of a run, and says it again as long as all that it hangs on is as it was.
import type { Host } from "../host/host.ts";
import type { Indexes } from "../lint/indexes.ts";
import { cacheName } from "../project/ignored.ts";
import { createProject, type Project } from "../project/project.ts";
import { ancestors, directoryOf, resolvePath } from "../text/path.ts";
import { CacheFiles, digestOf } from "./cache-files.ts";
import {
  type Dependencies,
  DependencyCheck,
  digestOfIndex,
  type IndexState,
  type Surroundings,
  stateOfIndex,
} from "./dependencies.ts";
import type { Task } from "./lint-part.ts";
import type { Piece } from "./piece.ts";
import type { Terminal } from "./terminal.ts";

/** A piece with what it hangs on. */
export interface Kept {
  readonly dependencies: Dependencies;
  readonly surroundings: Surroundings;
  readonly piece: Piece;
}

type Entry = Pick<Kept, "dependencies" | "piece">;

export interface PieceCacheOptions {
  readonly files: CacheFiles;
  readonly host: Host;
  readonly indexes: Indexes;
  /** All else that has a say in a piece: version, options, how it is printed. */
  readonly context: unknown;
}

export class PieceCache {
  private readonly options: PieceCacheOptions;
  private readonly context: string;
  private readonly check: DependencyCheck;
  private readonly surroundings = new Map<string, boolean>();
  /** By workspace, the state of its index now. */
  private readonly indexes = new Map<string, string>();
  /** Workspaces whose state has to be written. */
  private readonly fresh = new Set<string>();

  constructor(options: PieceCacheOptions) {
    this.options = options;
    this.context = digestOf(JSON.stringify(options.context));
    this.check = new DependencyCheck(options.host);
  }

  /** What was said of a part; null where it has to be linted. */
  find(task: Task): Piece | null {
    const entry = this.options.files.read(this.nameOf(task)) as Entry | null;
    if (entry === null) return null;
    const { dependencies, piece } = entry;
    try {
      const isSame =
        this.areSurroundingsSame(dependencies.surroundings) &&
        this.check.areTextsSame(dependencies) &&
        dependencies.indexes.every(([workspace, digest]) => this.indexOf(workspace) === digest);
      return isSame ? piece : null;
    } catch {
      // Written by something else.
      return null;
    }
  }

  keep(task: Task, { dependencies, surroundings, piece }: Kept): void {
    const { files } = this.options;
    // What could not be read may be another time; a bug stays one until there is another build.
    const read = new Set(dependencies.texts.map(([path]) => path));
    if (!task.files.every((file) => read.has(file))) return;
    const name = `surroundings-${surroundings.name}.json`;
    if (!files.has(name)) files.write(name, surroundings);
    for (const [workspace, digest] of dependencies.indexes) {
      if (this.indexes.get(workspace) !== digest) this.fresh.add(workspace);
      this.indexes.set(workspace, digest);
    }
    const entry: Entry = { dependencies, piece };
    files.write(this.nameOf(task), entry);
  }

  /** At the end of a run. */
  close(): void {
    for (const workspace of this.fresh) {
      const digest = this.indexes.get(workspace) ?? "";
      const state = stateOfIndex(workspace, digest, this.options.indexes);
      if (state !== null) this.options.files.write(this.nameOfIndex(workspace), state);
    }
    this.options.files.bound();
  }

  private nameOf(task: Task): string {
    return `part-${digestOf(JSON.stringify([this.context, task]))}.json`;
  }

  private nameOfIndex(workspace: string): string {
    return `index-${digestOf(JSON.stringify([this.context, workspace]))}.json`;
  }

  private areSurroundingsSame(name: string): boolean {
    let known = this.surroundings.get(name);
    if (known === undefined) {
      const read = this.options.files.read(`surroundings-${name}.json`) as Surroundings | null;
      known = read !== null && this.check.areSurroundingsSame(read);
      this.surroundings.set(name, known);
    }
    return known;
  }

  private indexOf(workspace: string): string {
    let known = this.indexes.get(workspace);
    if (known === undefined) {
      const state = this.options.files.read(this.nameOfIndex(workspace)) as IndexState | null;
      if (state !== null && this.check.isIndexSame(state)) known = state.digest;
      else {
        known = digestOfIndex(workspace, this.options.indexes);
        this.fresh.add(workspace);
      }
      this.indexes.set(workspace, known);
    }
    return known;
  }
}

/** Removes the cache that a run in the current directory uses. */
export function clean({ host, writeError, write }: Terminal): void {
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const directory = cacheDirectoryOf([resolvePath(host.currentDirectory, "here")], project, host);
  const files = new CacheFiles(directory);
  if (!files.isCache()) {
    writeError(`warplint: there is no cache in ${directory}\n`);
    return;
  }
  files.remove();
  write(`removed ${directory}\n`);
}

/** Where the cache of a run lies: beside the configuration of its first file, else at the root of the repository, else where it was started. */
export function cacheDirectoryOf(files: readonly string[], project: Project, host: Host): string {
  const wanted = process.env.WARPLINT_CACHE_DIR;
  if (wanted) return resolvePath(host.currentDirectory, wanted);
  const [first = host.currentDirectory] = files.map(directoryOf);
  const result = project.settingsIn(first);
  const configFile = result.kind === "settings" ? result.settings.configFile : null;
  const repository = ancestors(first).find((at) => host.kindOf(resolvePath(at, ".git")) !== "missing");
  const base = configFile === null ? (repository ?? host.currentDirectory) : directoryOf(configFile);
  return resolvePath(base, cacheName);
}
