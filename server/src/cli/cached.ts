// Keeps what was said of the parts of a run, and says it again as long as all that it hangs on is as it was.
import type { Host } from "../host/host.ts";
import type { Indexes } from "../lint/indexes.ts";
import { cacheName } from "../project/cache-name.ts";
import { createProject, type Project } from "../project/project.ts";
import { ancestors, directoryOf, resolvePath } from "../text/path.ts";
import { CacheFiles, digestOf } from "./cache-files.ts";
import { digestOfIndex, stateOfIndex } from "./dependencies.ts";
import {
  contentOf,
  type Dependencies,
  DependencyCheck,
  type IndexState,
  type Surroundings,
} from "./dependency-check.ts";
import type { Task } from "./lint-part.ts";
import type { Piece } from "./piece.ts";
import type { SaidRun } from "./said.ts";
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
  /** What the pieces hang on that were found or kept; null where one could not be kept. */
  private used: Dependencies[] | null = [];
  /** The directory that holds the cache, before anything was written. */
  private readonly around: string;
  private readonly aroundBefore: string;

  constructor(options: PieceCacheOptions) {
    this.options = options;
    this.context = digestOf(JSON.stringify(options.context));
    this.check = new DependencyCheck(options.host);
    this.around = directoryOf(options.files.directory);
    this.aroundBefore = contentOf(options.host, this.around);
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
      if (!isSame) return null;
      this.used?.push(dependencies);
      return piece;
    } catch {
      // Written by something else.
      return null;
    }
  }

  keep(task: Task, { dependencies, surroundings, piece }: Kept): void {
    const { files } = this.options;
    // What could not be read may be another time; a bug stays one until there is another build.
    const read = new Set(dependencies.texts.map(([path]) => path));
    if (!task.files.every((file) => read.has(file))) {
      this.forgo();
      return;
    }
    this.used?.push(dependencies);
    const name = nameOfSurroundings(surroundings.name);
    if (!files.has(name)) files.write(name, surroundings);
    for (const [workspace, digest] of dependencies.indexes) {
      if (this.indexes.get(workspace) !== digest) this.fresh.add(workspace);
      this.indexes.set(workspace, digest);
    }
    const entry: Entry = { dependencies, piece };
    files.write(this.nameOf(task), entry);
  }

  /** A piece is not kept, so that the run as a whole is not either. */
  forgo(): void {
    this.used = null;
  }

  /** At the end of a run. `said`: what it said as a whole, if it would say so again. */
  close(said: Said | null): void {
    const { files, indexes, host } = this.options;
    const isUnchanged = contentOf(host, this.around) === this.aroundBefore;
    const unchanged = isUnchanged ? this.around : null;
    for (const workspace of this.fresh) {
      const digest = this.indexes.get(workspace) ?? "";
      const state = stateOfIndex(workspace, digest, { indexes, host, unchanged });
      if (state !== null) files.write(this.nameOfIndex(workspace), state);
    }
    if (said !== null && this.used !== null) files.write(said.name, this.runOf(said, this.used));
    files.bound();
  }

  private runOf({ asked, output, exitCode }: Said, used: readonly Dependencies[]): SaidRun {
    const texts = new Map(used.flatMap((each) => each.texts).map((text) => [text[0], text]));
    const missed = new Map<string, Set<string>>();
    for (const [directory, names] of used.flatMap((each) => each.missed)) {
      const all = missed.get(directory) ?? new Set();
      for (const name of names) all.add(name);
      missed.set(directory, all);
    }
    const indexes = new Map(used.flatMap((each) => each.indexes));
    return {
      // Files that parts read are told apart by these.
      asked: asked.filter(
        ([question, path]) => question === "real" || question === "list" || !texts.has(path),
      ),
      parts: {
        texts: [...texts.values()],
        absent: [...new Set(used.flatMap((each) => each.absent))],
        missed: [...missed].map(([directory, names]) => [directory, [...names]]),
      },
      surroundings: [...new Set(used.map((each) => nameOfSurroundings(each.surroundings)))],
      indexes: [...indexes].map(([workspace, digest]) => [this.nameOfIndex(workspace), digest]),
      output,
      exitCode,
    };
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
      const read = this.options.files.read(nameOfSurroundings(name)) as Surroundings | null;
      known = read !== null && this.check.areAnswersSame(read.asked);
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

/** What a run said. */
export interface Said extends Pick<SaidRun, "asked" | "output" | "exitCode"> {
  /** See `nameOfRun`. */
  readonly name: string;
}

function nameOfSurroundings(name: string): string {
  return `surroundings-${name}.json`;
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
