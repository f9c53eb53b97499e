// What a path means: its configuration, its workspace, what it may include, whether its findings are wanted.
import { type Build, createBuild, type FileBuild } from "../build/build.ts";
import type { BuildDescription, CompileFlags } from "../build/flags.ts";
import type { ConfigError, ConfigResult } from "../config/parse.ts";
import { type Architecture, type Config, defaultConfig } from "../config/schema.ts";
import type { Host } from "../host/host.ts";
import { ancestors, directoryOf, isInside, resolvePath } from "../text/path.ts";
import { architectureOf, configuredArchitecture } from "./architecture.ts";
import { buildHost } from "./build-host.ts";
import { readConfig } from "./config-file.ts";
import { configuredFlags, overlaidFlags } from "./flags.ts";
import { type IgnoredFiles, ignoredFiles } from "./ignored.ts";
import { fileTexts, type IncludeReader, includeReader, type ReadInclude } from "./includes.ts";

export const configFileName = "warplint.json";

/** What is said beside a configuration. Objects are laid over it key by key, lists go before its own. */
export type ConfigOverrides = Partial<
  Omit<Config, "thresholds" | "includePaths"> & { readonly thresholds: Partial<Config["thresholds"]> }
>;

export interface ProjectOptions {
  /** A configuration file to use for every path, in place of the nearest one. */
  readonly configPath: string | null;
  /** Laid over every configuration: what the command line or an editor's settings say. */
  readonly overrides: ConfigOverrides;
  /** Absolute; searched before those of the configuration. */
  readonly includePaths: readonly string[];
  /** Where `overrides` and `includePaths` stand, as people call it: "<command line>" if not given. */
  readonly overridesOrigin?: string;
  /** "restricted": nothing outside of the workspace is read, whatever files in it ask for. "trusted" if not given. */
  readonly trust?: "trusted" | "restricted";
  /** What the texts of included files are read from, where somebody tells them from all else that is read; the project's host if not given. */
  readonly includeHost?: Host;
  /**
   * By configuration, what stood in it when it was right last: it holds as long as the file is not. To be kept from project to project; without
   * it a broken configuration takes the settings of its files away.
   */
  readonly lastGood?: Map<string, ReadConfig>;
  /** Told of each path at which an included file was looked for in vain. */
  onMissed?(path: string): void;
}

/** A configuration that could be read. */
type ReadConfig = Extract<ConfigResult, { kind: "config" }>;

/** What holds for the files of a directory, whatever the build says of each. */
export interface DirectorySettings {
  readonly config: Config;
  /** The configuration file; null where there is none. */
  readonly configFile: string | null;
  /** The outermost directory whose files may be read. */
  readonly workspace: string;
  readonly ignored: IgnoredFiles;
  /** What is wrong with the configuration: what it said before holds. Left out where it is right. */
  readonly configErrors?: readonly ConfigError[];
}

/** What holds for one file, and for what it includes, in one of the ways in which it is compiled. */
export interface FileSettings extends DirectorySettings {
  /** With the architecture that the figures are of. */
  readonly config: Config;
  /** What its compiler is given: the build's flags, with the configuration's laid over them. */
  readonly flags: CompileFlags;
  /** What the build says of the file, and where. */
  readonly build: FileBuild;
  /** The targets that the file is compiled for with these flags. */
  readonly targets: readonly string[];
  readonly readInclude: ReadInclude;
}

/** Whether two settings are the same for the analysis of `files` as one unit, though they were read at different times. */
export function isSameFor(files: Iterable<string>, a: FileSettings, b: FileSettings): boolean {
  if (a === b) return true;
  const isIgnoredAlike = (file: string) =>
    a.ignored.isIgnored(file, "file") === b.ignored.isIgnored(file, "file");
  return textOf(a) === textOf(b) && [...files].every(isIgnoredAlike);
}

function textOf({ config, configFile, workspace, flags }: FileSettings): string {
  return JSON.stringify([config, configFile, workspace, flags]);
}

export type SettingsResult<Settings = FileSettings> =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "errors"; readonly errors: readonly ConfigError[] };

export interface Project {
  /** Settings of a file as its build compiles it, in the first of several ways. Equal files get the same object until something changes. */
  settingsOf(file: string): SettingsResult;
  /** The same of every way in which its build compiles it: of at least one. */
  contextsOf(file: string): SettingsResult<readonly FileSettings[]>;
  /** What holds for `directory` and the files in it. Equal directories get the same object. */
  settingsIn(directory: string): SettingsResult<DirectorySettings>;
  /** The build description that names `file`, or that its flags come from; null where there is none. */
  descriptionOf(file: string): BuildDescription | null;
  /** The text of a file that a build makes, by the descriptions that were read; null of all others. */
  generatedText(path: string): string | null;
  /** Whether a change of `file` may change what the build says of others. */
  isOfBuild(file: string): boolean;
  /**
   * These files have other contents than before, or are new, or are gone: what was read of them is read again. Whether the settings of
   * other files may be others now.
   */
  forget(files: readonly string[]): "settings" | "texts";
}

/** What is known of a directory before any file of it is asked for. */
interface Surroundings {
  readonly settings: DirectorySettings;
  /** Flags that the configuration and what is laid over it give to every file. */
  readonly configured: CompileFlags;
  /** Null where nobody chose one. */
  readonly architecture: Architecture | null;
  /** The workspace; of a directory that a link leads to out of it, also the workspace of where it lies. */
  readonly allowed: readonly string[];
}

type SurroundingsResult =
  | {
      readonly kind: "surroundings";
      readonly surroundings: Surroundings;
      readonly result: SettingsResult<DirectorySettings>;
    }
  | { readonly kind: "errors"; readonly errors: readonly ConfigError[] };

export function createProject(host: Host, options: ProjectOptions): Project {
  const ofDirectory = new Map<string, SurroundingsResult>();
  const surroundings = new Map<string, SurroundingsResult>();
  const configs = new Map<string, ConfigResult>();
  const builds = new Map<string, Build>();
  const ofFile = new Map<string, SettingsResult<readonly FileSettings[]>>();
  const readers = new Map<string, IncludeReader>();
  const includeHost = options.includeHost ?? host;
  const generatedText = (path: string): string | null => {
    for (const build of builds.values()) {
      const made = build.generated(path);
      if (made !== null) return made;
    }
    return null;
  };
  const texts = fileTexts(includeHost, generatedText);

  const configOf = (path: string) => {
    const known = configs.get(path);
    if (known !== undefined) return known;
    const read = readConfig(host, path);
    configs.set(path, read);
    return read;
  };

  const around = (directory: string): SurroundingsResult => {
    const known = ofDirectory.get(directory);
    if (known !== undefined) return known;
    const configFile = options.configPath ?? nearestConfig(host, directory);
    const workspace = projectAround(host, directory, workspaceOf(host, directory, configFile), options);
    const linked = linkedWorkspace(host, directory, workspace);
    const key = [configFile, workspace, linked].join("\n");
    const found = surroundings.get(key) ?? makeSurroundings(configFile, workspace, linked);
    surroundings.set(key, found);
    ofDirectory.set(directory, found);
    return found;
  };

  const makeSurroundings = (
    configFile: string | null,
    workspace: string,
    linked: string | null,
  ): SurroundingsResult => {
    const now: ConfigResult =
      configFile === null ? { kind: "config", config: defaultConfig, written: {} } : configOf(configFile);
    const read = now.kind === "config" ? now : (options.lastGood?.get(configFile ?? "") ?? now);
    if (read.kind === "errors") return read;
    if (configFile !== null) options.lastGood?.set(configFile, read);
    const configErrors = now.kind === "errors" ? { configErrors: now.errors } : {};
    const config = overlay(read.config, options.overrides);
    const base = configFile === null ? workspace : directoryOf(configFile);
    const ignored = ignoredFiles(host, workspace, config.ignore, base);
    const settings = { config, configFile, workspace, ignored, ...configErrors };
    return {
      kind: "surroundings",
      surroundings: {
        settings,
        configured: configuredFlags(host, { config: read.config, file: configFile, base }, options),
        architecture: configuredArchitecture(host, configFile, config, options),
        allowed: linked === null ? [workspace] : [workspace, linked],
      },
      result: { kind: "settings", settings },
    };
  };

  const buildIn = ({ settings: { workspace }, allowed }: Surroundings): Build => {
    const key = allowed.join("\n");
    const found = builds.get(key) ?? createBuild(buildHost(host, allowed), workspace);
    builds.set(key, found);
    return found;
  };

  const readerFor = (
    { settings: { workspace }, allowed }: Surroundings,
    { includePaths }: CompileFlags,
  ): IncludeReader => {
    const key = JSON.stringify([allowed, includePaths.map(({ kind, path }) => [kind, path])]);
    const outside = options.trust === "restricted" ? [] : includePaths.map(({ path }) => path);
    const found =
      readers.get(key) ??
      includeReader(includeHost, texts, {
        workspace,
        allowed: { inside: allowed, outside },
        includePaths,
        ...(options.onMissed === undefined ? {} : { onMissed: options.onMissed }),
      });
    readers.set(key, found);
    return found;
  };

  const contextsIn = (file: string, around: Surroundings): readonly FileSettings[] => {
    const { settings, configured, architecture } = around;
    const build = buildIn(around).of(file);
    return build.contexts.map(({ flags: own, targets }) => {
      const flags = overlaidFlags(
        { ...own, unresolved: [...own.unresolved, ...unreadFiles(build)] },
        configured,
      );
      const { readInclude } = readerFor(around, flags);
      const config = {
        ...settings.config,
        architecture: architecture ?? architectureOf(own, build.unresolved) ?? settings.config.architecture,
      };
      return { ...settings, config, flags, build, targets, readInclude };
    });
  };

  const contextsOf = (file: string): SettingsResult<readonly FileSettings[]> => {
    const known = ofFile.get(file);
    if (known !== undefined) return known;
    const found = around(directoryOf(file));
    const result: SettingsResult<readonly FileSettings[]> =
      found.kind === "errors" ? found : { kind: "settings", settings: contextsIn(file, found.surroundings) };
    ofFile.set(file, result);
    return result;
  };
  const firsts = new WeakMap<SettingsResult<readonly FileSettings[]>, SettingsResult>();

  return {
    contextsOf,
    settingsOf: (file) => {
      const all = contextsOf(file);
      if (all.kind === "errors") return all;
      const [settings] = all.settings;
      const result: SettingsResult =
        firsts.get(all) ??
        (settings === undefined ? { kind: "errors", errors: [] } : { kind: "settings", settings });
      firsts.set(all, result);
      return result;
    },
    settingsIn: (directory) => {
      const found = around(directory);
      return found.kind === "errors" ? found : found.result;
    },
    descriptionOf: (file) => {
      const found = around(directoryOf(file));
      return found.kind === "errors" ? null : buildIn(found.surroundings).descriptionOf(file);
    },
    generatedText,
    isOfBuild: (file) => [...builds.values()].some((build) => build.hangsOn(file)),
    forget: (files) => {
      let isOther = false;
      for (const build of builds.values()) if (build.forget(files)) isOther = true;
      if (isOther) {
        ofFile.clear();
        // Files that a build makes are made anew.
        texts.forgetAll();
      }
      if (texts.forget(files) || isOther) for (const reader of readers.values()) reader.forgetAnswers();
      return isOther ? "settings" : "texts";
    },
  };
}

/** Parts of a description that are not there: whatever stands in them may be of every file. */
function unreadFiles({ unresolved }: FileBuild): FileBuild["unresolved"] {
  return unresolved.filter(
    ({ what, reason }) =>
      /^(include\(.*\.cmake"?\)|-?include\s+\S)/.test(what) ||
      reason.includes("more commands than are followed"),
  );
}

function overlay(config: Config, overrides: ConfigOverrides): Config {
  return {
    ...config,
    ...overrides,
    rules: { ...config.rules, ...overrides.rules },
    thresholds: { ...config.thresholds, ...overrides.thresholds },
    launches: { ...config.launches, ...overrides.launches },
    defines: { ...config.defines, ...overrides.defines },
    ignore: [...(overrides.ignore ?? []), ...config.ignore],
  };
}

function nearestConfig(host: Host, directory: string): string | null {
  for (const at of ancestors(directory)) {
    const path = resolvePath(at, configFileName);
    if (host.kindOf(path) === "file") return path;
  }
  return null;
}

/**
 * Of a directory that lies in no workspace but its own: that of the nearest build around it, and of the builds that this one lies in directly. Not in Restricted Mode.
 */
function projectAround(
  host: Host,
  directory: string,
  workspace: string,
  { trust }: Pick<ProjectOptions, "trust">,
): string {
  if (workspace !== directory || trust === "restricted") return workspace;
  const around = ancestors(directory).slice(0, farthestBuild);
  const isBuilt = (at: string): boolean =>
    at !== "/" && buildNames.some((name) => host.kindOf(resolvePath(at, name)) === "file");
  const first = around.findIndex(isBuilt);
  if (first === -1 || host.currentDirectory === directory) return workspace;
  let last = first;
  while (last + 1 < around.length && isBuilt(around[last + 1] ?? "/")) last++;
  return around[last] ?? workspace;
}

/** Directories up to which a build is looked for. */
const farthestBuild = 8;

/** What the directory of a build holds. */
const buildNames =
  "CMakeLists.txt Makefile makefile GNUmakefile setup.py compile_commands.json build.ninja MODULE.bazel WORKSPACE".split(
    " ",
  );

/** Of a directory that a link leads to out of the workspace: the workspace of where it lies; null of others. */
function linkedWorkspace(host: Host, directory: string, workspace: string): string | null {
  const real = host.realPath(directory) ?? directory;
  if (real === directory || isInside(real, host.realPath(workspace) ?? workspace)) return null;
  return workspaceOf(host, real, null);
}

/**
 * The outermost of: the directory itself, the current directory, that of the configuration, the repository's; each only if the
 * directory lies in it. The root of the file system is nobody's workspace.
 */
function workspaceOf(host: Host, directory: string, configFile: string | null): string {
  const repository = ancestors(directory).find((at) => host.kindOf(resolvePath(at, ".git")) !== "missing");
  const candidates = [
    host.currentDirectory,
    ...(configFile === null ? [] : [directoryOf(configFile)]),
    ...(repository === undefined ? [] : [repository]),
  ];
  let outermost = directory;
  for (const candidate of candidates)
    if (candidate !== "/" && isInside(outermost, candidate)) outermost = candidate;
  return outermost;
}
