// Which build description knows a file, and what it says of it. Descriptions are read once and kept until a file changes that they were read from.
import { ancestors, directoryOf, isInside, nameOf } from "../text/path.ts";
import { type BuildFinder, findersOf } from "./finders.ts";
import {
  type BuildDescription,
  type BuildHost,
  type BuildKind,
  type BuildReader,
  type CompiledSource,
  type CompileFlags,
  noFlags,
  type Unresolved,
} from "./flags.ts";
import { allReaders, type BuildReaders } from "./readers.ts";
import { type Recorded, recorded } from "./recorded.ts";

/** One way in which a file is compiled. */
export interface FileFlags {
  readonly flags: CompileFlags;
  /** The targets that it is compiled for so. */
  readonly targets: readonly string[];
}

/** What the build says of a file. */
export interface FileBuild {
  /** At least one, no two of them alike, in the order of the description. */
  readonly contexts: readonly FileFlags[];
  /** Null where no description says anything. */
  readonly source: { readonly kind: BuildKind; readonly file: string } | null;
  /** The source whose flags these are, where no description names the file itself; null elsewhere. */
  readonly borrowedFrom: string | null;
  /** The descriptions that were read to find it, in their order. */
  readonly lookedAt: readonly string[];
  /** What has a say in the description as a whole and could not be evaluated. */
  readonly unresolved: readonly Unresolved[];
}

export interface Build {
  /** `file` is absolute and in the workspace. Equal files get the same object until something of the build changes. */
  of(file: string): FileBuild;
  /** The description that names `file` or that its flags come from; null where there is none. */
  descriptionOf(file: string): BuildDescription | null;
  /** The text of a file that a build makes; null where none of the descriptions that were read makes one there. */
  generated(path: string): string | null;
  /** Whether a change of `path` may change what the build says. */
  hangsOn(path: string): boolean;
  /** These files have other contents than before, or are new, or are gone; whether what is said of files may be other than before. */
  forget(changedFiles: readonly string[]): boolean;
}

/** A description as it was read. */
interface Known {
  /** Null where there was nothing to read. */
  readonly description: BuildDescription | null;
  readonly record: Recorded;
  readonly named: ReadonlyMap<string, readonly CompiledSource[]>;
  /** By directory, its sources in the order of the description. */
  readonly directories: ReadonlyMap<string, readonly CompiledSource[]>;
}

interface Answer {
  readonly build: FileBuild;
  readonly description: BuildDescription | null;
}

/** `workspace`: the outermost directory whose files may be read; `host` reads nothing outside of it. */
export function createBuild(host: BuildHost, workspace: string, readers: BuildReaders = allReaders): Build {
  const finders = findersOf(readers);
  const known = new Map<BuildReader, Map<string, Known>>(finders.map(({ read }) => [read, new Map()]));
  const candidates = new Map<string, readonly (readonly [BuildFinder, string])[]>();
  const answers = new Map<string, Answer>();
  let looking = recorded(host);

  const candidatesOf = (directory: string): readonly (readonly [BuildFinder, string])[] => {
    const found = candidates.get(directory);
    if (found !== undefined) return found;
    const directories = ancestors(directory).filter((each) => isInside(each, workspace));
    const all = finders.flatMap((finder) =>
      finder.candidates(looking.host, directories).map((path) => [finder, path] as const),
    );
    candidates.set(directory, all);
    return all;
  };

  const read = (finder: BuildFinder, path: string): Known => {
    const ofReader = known.get(finder.read);
    const found = ofReader?.get(path) ?? readDescription(finder, path);
    ofReader?.set(path, found);
    return found;
  };

  const readDescription = (finder: BuildFinder, path: string): Known => {
    const record = recorded(host);
    const description = finder.read(record.host, path, workspace);
    const sources = description?.sources ?? [];
    return {
      description,
      record,
      named: groupedBy(sources, ({ path: source }) => source),
      directories: groupedBy(sources, ({ path: source }) => directoryOf(source)),
    };
  };

  const answerFor = (file: string): Answer => {
    const lookedAt: string[] = [];
    const seen: (Known & { readonly description: BuildDescription; readonly finder: BuildFinder })[] = [];
    for (const [finder, path] of candidatesOf(directoryOf(file))) {
      if (finder.isOfNamedAlone && !compiledName.test(file)) continue;
      const each = read(finder, path);
      const { description } = each;
      if (description === null) continue;
      const named = each.named.get(file);
      if (named === undefined && finder.isOfNamedAlone) continue;
      lookedAt.push(path);
      if (named !== undefined) return answer(description, named.map(withLanguage), null, lookedAt);
      seen.push({ ...each, description, finder });
    }
    // Of a kind the nearest: it is of this part of the tree.
    const depthOf = ({ description: { file: at } }: (typeof seen)[number]) => at.split("/").length;
    const byKind = finders.flatMap((finder) =>
      seen.filter((each) => each.finder === finder).sort((a, b) => depthOf(b) - depthOf(a)),
    );
    for (const each of byKind) {
      const { description, finder } = each;
      const nearest = nearestSource(file, each.directories);
      const sources = nearest === null ? undefined : each.named.get(nearest.path);
      if (sources !== undefined && nearest !== null)
        return answer(description, borrowed(sources, file, nearest.path), nearest.path, lookedAt);
      if (description.others === null || !isInside(file, governedBy(description.file))) continue;
      const flags = finder.flagsOf?.(each.record.host, description.file, file) ?? description.others;
      return answer(description, [{ target: null, flags }], null, lookedAt);
    }
    return {
      description: null,
      build: {
        contexts: [{ flags: noFlags, targets: [] }],
        source: null,
        borrowedFrom: null,
        lookedAt,
        unresolved: [],
      },
    };
  };

  const answerOf = (file: string): Answer => {
    const found = answers.get(file) ?? answerFor(file);
    answers.set(file, found);
    return found;
  };

  const all = (): Known[] => [...known.values()].flatMap((ofReader) => [...ofReader.values()]);
  const hangsOn = (path: string): boolean =>
    looking.hangsOn(path) || all().some(({ record }) => record.hangsOn(path));

  return {
    of: (file) => answerOf(file).build,
    descriptionOf: (file) => answerOf(file).description,
    generated: (path) => {
      for (const { description } of all()) {
        const made = description?.generatedFiles.find((each) => each.path === path);
        if (made !== undefined) return made.text;
      }
      return null;
    },
    hangsOn,
    forget: (changed) => {
      let isOther = false;
      for (const ofReader of known.values())
        for (const [path, { record }] of ofReader) {
          if (!changed.some(record.hangsOn)) continue;
          ofReader.delete(path);
          isOther = true;
        }
      if (changed.some(looking.hangsOn)) {
        looking = recorded(host);
        candidates.clear();
        isOther = true;
      }
      if (isOther) answers.clear();
      return isOther;
    },
  };
}

function answer(
  description: BuildDescription,
  sources: readonly Pick<CompiledSource, "target" | "flags">[],
  borrowedFrom: string | null,
  lookedAt: readonly string[],
): Answer {
  const { kind, file, unresolved } = description;
  return {
    description,
    build: {
      contexts: distinctContexts(sources),
      source: { kind, file },
      borrowedFrom,
      lookedAt,
      unresolved,
    },
  };
}

/**
 * The flags of a neighbour: a header has them, whoever includes it. A source that the build does not compile may never be compiled like that,
 * or at all: nothing is certain of its macros.
 */
function borrowed(
  sources: readonly CompiledSource[],
  file: string,
  from: string,
): readonly Pick<CompiledSource, "target" | "flags">[] {
  if (!compiledName.test(file)) return sources;
  const doubt = `the build does not compile ${nameOf(file)}; it is read as ${nameOf(from)} is compiled`;
  const isOfOneKind = endingOf(file) === endingOf(from);
  return sources
    .map((source) => (isOfOneKind ? withLanguage(source) : source))
    .map(({ flags }) => ({
      target: null,
      flags: { ...flags, macros: flags.macros.map((macro) => ({ ...macro, doubt: macro.doubt ?? doubt })) },
    }));
}

/** The source with its language among its flags, where its name does not say it. */
function withLanguage(source: CompiledSource): CompiledSource {
  const { path, language, flags } = source;
  return (language === "cuda") === (endingOf(path) === "cu")
    ? source
    : { ...source, flags: { ...flags, language } };
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** What is compiled by itself, by its name. */
const compiledName = /\.(cu|cpp|cc|cxx|c)$/;

function distinctContexts(
  sources: readonly Pick<CompiledSource, "target" | "flags">[],
): readonly FileFlags[] {
  const contexts = new Map<string, FileFlags>();
  for (const { target, flags } of sources) {
    const key = meaningOf(flags);
    const known = contexts.get(key);
    const targets = [...(known?.targets ?? []), ...(target === null ? [] : [target])];
    contexts.set(key, { flags: known?.flags ?? flags, targets: [...new Set(targets)] });
  }
  return [...contexts.values()];
}

/** The directory whose files a description is of, where it names none. */
function governedBy(description: string): string {
  const directory = directoryOf(description);
  return nameOf(directory) === ".vscode" ? directoryOf(directory) : directory;
}

/** Equal for flags that differ in nothing but where they are written. */
export function meaningOf(flags: CompileFlags): string {
  return JSON.stringify(flags, (key, value) => (key === "origin" ? undefined : value));
}

function groupedBy(
  sources: readonly CompiledSource[],
  keyOf: (source: CompiledSource) => string,
): Map<string, CompiledSource[]> {
  const groups = new Map<string, CompiledSource[]>();
  for (const source of sources) {
    const key = keyOf(source);
    const known = groups.get(key);
    if (known) known.push(source);
    else groups.set(key, [source]);
  }
  return groups;
}

/** In the directory with the fewest steps from that of `file`: the one of its name, else the first of CUDA, else the first. */
function nearestSource(
  file: string,
  directories: ReadonlyMap<string, readonly CompiledSource[]>,
): CompiledSource | null {
  const here = directoryOf(file).split("/");
  let nearest: readonly CompiledSource[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const [directory, sources] of directories) {
    const steps = stepsBetween(here, directory.split("/"));
    if (steps >= least) continue;
    least = steps;
    nearest = sources;
  }
  const stem = stemOf(file);
  const isCuda = ({ language }: CompiledSource) => language === "cuda";
  return nearest.find(({ path }) => stemOf(path) === stem) ?? nearest.find(isCuda) ?? nearest[0] ?? null;
}

/** Directories to leave and to enter. */
function stepsBetween(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  return one.length + other.length - 2 * shared;
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\..*$/, "");
}
