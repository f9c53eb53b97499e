// What a path means: its configuration, its workspace, what it may include, whether its findings are wanted.
import { type CompileFlags, noFlags } from "../build/flags.ts";
import { type ConfigError, parseConfig } from "../config/parse.ts";
import { type Config, defaultConfig } from "../config/schema.ts";
import { type Host, readText } from "../host/host.ts";
import { ancestors, directoryOf, isInside, resolvePath } from "../text/path.ts";
import { configuredFlags, overlaidFlags } from "./flags.ts";
import { type IgnoredFiles, ignoredFiles } from "./ignored.ts";
import {
  fileTexts,
  type IncludeReader,
  includeReader,
  type ReadInclude,
  type SourcesBeside,
} from "./includes.ts";
import { flagsOfMakefile, makefileNames } from "./makefile.ts";

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
}

/** What holds for the files of a directory, whatever the build says of each. */
export interface DirectorySettings {
  readonly config: Config;
  /** The configuration file; null where there is none. */
  readonly configFile: string | null;
  /** The outermost directory whose files may be read. */
  readonly workspace: string;
  readonly ignored: IgnoredFiles;
}

/** What holds for one file, and for what it includes. */
export interface FileSettings extends DirectorySettings {
  /** What its compiler is given: the build's flags, with the configuration's laid over them. */
  readonly flags: CompileFlags;
  readonly readInclude: ReadInclude;
  readonly sourcesBeside: SourcesBeside;
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
  /** Settings of a file as its build compiles it. Files that are compiled alike get the same object. */
  settingsOf(file: string): SettingsResult;
  /** What holds for `directory` and the files in it. Equal directories get the same object. */
  settingsIn(directory: string): SettingsResult<DirectorySettings>;
  /** These files have other contents than before, or are new, or are gone: what was read of them is read again. */
  forget(files: readonly string[]): void;
}

/** What is known of a directory before any file of it is asked for. */
interface Surroundings {
  readonly settings: DirectorySettings;
  /** Flags that the configuration and what is laid over it give to every file. */
  readonly configured: CompileFlags;
  /** Of a directory that a link leads to out of the workspace: the workspace of where it lies; null of others. */
  readonly linked: string | null;
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
  const configs = new Map<string, ReturnType<typeof readConfig>>();
  const ofFlags = new Map<Surroundings, Map<CompileFlags, SettingsResult>>();
  const makefiles = new Map<string, CompileFlags>();
  const texts = fileTexts(host);
  const readers: IncludeReader[] = [];

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
    const workspace = workspaceOf(host, directory, configFile);
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
    const read =
      configFile === null ? { kind: "config" as const, config: defaultConfig } : configOf(configFile);
    if (read.kind === "errors") return read;
    const config = overlay(read.config, options.overrides);
    const base = configFile === null ? workspace : directoryOf(configFile);
    const ignored = ignoredFiles(host, workspace, config.ignore, base);
    const settings = { config, configFile, workspace, ignored };
    const configured = configuredFlags(host, { config: read.config, file: configFile, base }, options);
    return {
      kind: "surroundings",
      surroundings: { settings, configured, linked },
      result: { kind: "settings", settings },
    };
  };

  const buildFlagsOf = (file: string, workspace: string): CompileFlags => {
    const makefile = nearestMakefile(host, directoryOf(file), workspace);
    if (makefile === null) return noFlags;
    const found = makefiles.get(makefile) ?? readMakefile(host, makefile, workspace);
    makefiles.set(makefile, found);
    return found;
  };

  const makeSettings = (
    { settings, configured, linked }: Surroundings,
    build: CompileFlags,
  ): FileSettings => {
    const { workspace } = settings;
    const flags = overlaidFlags(build, configured);
    const { includePaths } = flags;
    const alsoRead = linked === null ? [] : [linked];
    const reader = includeReader(host, texts, { workspace, alsoRead, includePaths });
    readers.push(reader);
    return { ...settings, flags, readInclude: reader.readInclude, sourcesBeside: reader.sourcesBeside };
  };

  return {
    settingsOf: (file) => {
      const found = around(directoryOf(file));
      if (found.kind === "errors") return found;
      const build = buildFlagsOf(file, found.surroundings.settings.workspace);
      const alike = ofFlags.get(found.surroundings) ?? new Map<CompileFlags, SettingsResult>();
      ofFlags.set(found.surroundings, alike);
      const result = alike.get(build) ?? {
        kind: "settings",
        settings: makeSettings(found.surroundings, build),
      };
      alike.set(build, result);
      return result;
    },
    settingsIn: (directory) => {
      const found = around(directory);
      return found.kind === "errors" ? found : found.result;
    },
    forget: (files) => {
      for (const reader of readers) reader.forgetSources(files);
      if (texts.forget(files)) for (const reader of readers) reader.forgetAnswers();
    },
  };
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

function readConfig(host: Host, path: string): ReturnType<typeof parseConfig> {
  const read = readText(host, path);
  if (read.kind === "text") return parseConfig(path, read.text);
  const reasons = {
    missing: "there is no such file",
    directory: "this is a directory",
    unreadable: "the file cannot be read (permission?)",
    binary: "this is a binary file",
    "utf-16": "the file is UTF-16; save it as UTF-8",
    "too-large": "the file is too large",
    "not-a-file": "this is no file",
  };
  const error: ConfigError = { file: path, position: { line: 1, column: 1 }, message: reasons[read.kind] };
  return { kind: "errors", errors: [error] };
}

function nearestConfig(host: Host, directory: string): string | null {
  for (const at of ancestors(directory)) {
    const path = resolvePath(at, configFileName);
    if (host.kindOf(path) === "file") return path;
  }
  return null;
}

function nearestMakefile(host: Host, directory: string, workspace: string): string | null {
  for (const at of ancestors(directory).filter((each) => isInside(each, workspace)))
    for (const name of makefileNames) {
      const path = resolvePath(at, name);
      if (host.kindOf(path) === "file") return path;
    }
  return null;
}

/** A build file opens nothing outside of the workspace. */
function readMakefile(host: Host, path: string, workspace: string): CompileFlags {
  const read = readText(host, path);
  if (read.kind !== "text") return noFlags;
  const { defines, includePaths } = flagsOfMakefile(read.text);
  const origin = { file: path, line: 1 };
  const absolute = includePaths.map((each) => resolvePath(directoryOf(path), each));
  return {
    ...noFlags,
    macros: Object.entries(defines).map(([name, value]) => ({
      kind: "define",
      name,
      value,
      doubt: null,
      origin,
    })),
    includePaths: absolute
      .filter((each) => isInside(each, workspace))
      .map((each) => ({ path: each, kind: "user", doubt: null, origin })),
  };
}

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
