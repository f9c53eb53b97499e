// What a path means: its configuration, its workspace, what it may include, whether its findings are wanted.
import { type ConfigError, parseConfig } from "../config/parse.ts";
import { type Config, defaultConfig } from "../config/schema.ts";
import { type Host, readText } from "../host/host.ts";
import { ancestors, directoryOf, isInside, resolvePath } from "../text/path.ts";
import { type IgnoredFiles, ignoredFiles } from "./ignored.ts";
import { type IncludeReader, includeReader, type ReadInclude, type SourcesBeside } from "./includes.ts";
import { type BuildFlags, flagsOfMakefile, makefileNames } from "./makefile.ts";

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
}

/** What holds for one file. */
export interface FileSettings {
  readonly config: Config;
  /** The configuration file; null where there is none. */
  readonly configFile: string | null;
  /** The outermost directory whose files may be read. */
  readonly workspace: string;
  /** Absolute, in the order in which they are searched. */
  readonly includePaths: readonly string[];
  readonly readInclude: ReadInclude;
  readonly sourcesBeside: SourcesBeside;
  readonly ignored: IgnoredFiles;
}

/** Whether two settings are the same for the analysis of `files` as one unit, though they were read at different times. */
export function isSameFor(files: Iterable<string>, a: FileSettings, b: FileSettings): boolean {
  if (a === b) return true;
  const isIgnoredAlike = (file: string) =>
    a.ignored.isIgnored(file, "file") === b.ignored.isIgnored(file, "file");
  return textOf(a) === textOf(b) && [...files].every(isIgnoredAlike);
}

function textOf({ config, configFile, workspace, includePaths }: FileSettings): string {
  return JSON.stringify([config, configFile, workspace, includePaths]);
}

export type SettingsResult =
  | { readonly kind: "settings"; readonly settings: FileSettings }
  | { readonly kind: "errors"; readonly errors: readonly ConfigError[] };

export interface Project {
  /** Settings for `directory` and the files in it. Equal directories get the same object. */
  settingsOf(directory: string): SettingsResult;
  /** These files have other contents than before, or are new, or are gone: what was read of them by way of includes is read again. */
  forget(files: readonly string[]): void;
}

export function createProject(host: Host, options: ProjectOptions): Project {
  const ofDirectory = new Map<string, SettingsResult>();
  const configs = new Map<string, ReturnType<typeof readConfig>>();
  const settings = new Map<string, SettingsResult>();
  const readers: IncludeReader[] = [];

  const configOf = (path: string) => {
    const known = configs.get(path);
    if (known !== undefined) return known;
    const read = readConfig(host, path);
    configs.set(path, read);
    return read;
  };

  const settingsOf = (directory: string): SettingsResult => {
    const known = ofDirectory.get(directory);
    if (known !== undefined) return known;
    const configFile = options.configPath ?? nearestConfig(host, directory);
    const workspace = workspaceOf(host, directory, configFile);
    const makefile = nearestMakefile(host, directory, workspace);
    const linked = linkedWorkspace(host, directory, workspace);
    const key = [configFile, workspace, makefile, linked].join("\n");
    let result = settings.get(key);
    if (result === undefined) {
      result = makeSettings(configFile, workspace, makefile, linked);
      settings.set(key, result);
    }
    ofDirectory.set(directory, result);
    return result;
  };

  const makeSettings = (
    configFile: string | null,
    workspace: string,
    makefile: string | null,
    linked: string | null,
  ): SettingsResult => {
    const read =
      configFile === null ? { kind: "config" as const, config: defaultConfig } : configOf(configFile);
    if (read.kind === "errors") return read;
    const build = readMakefile(host, makefile, workspace);
    const own = overlay(read.config, options.overrides);
    const config = { ...own, defines: { ...build.defines, ...own.defines } };
    const base = configFile === null ? workspace : directoryOf(configFile);
    const includePaths = [
      ...options.includePaths,
      ...config.includePaths.map((path) => resolvePath(base, path)),
      ...build.includePaths,
    ];
    const reader = includeReader(host, workspace, includePaths, linked === null ? [] : [linked]);
    readers.push(reader);
    return {
      kind: "settings",
      settings: {
        config,
        configFile,
        workspace,
        includePaths,
        readInclude: reader.readInclude,
        sourcesBeside: reader.sourcesBeside,
        ignored: ignoredFiles(host, workspace, config.ignore, base),
      },
    };
  };
  return {
    settingsOf,
    forget: (files) => {
      for (const reader of readers) reader.forget(files);
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

/** What the build says, its include paths absolute; a build file opens nothing outside of the workspace. */
function readMakefile(host: Host, path: string | null, workspace: string): BuildFlags {
  const read = path === null ? null : readText(host, path);
  if (path === null || read?.kind !== "text") return { defines: {}, includePaths: [] };
  const { defines, includePaths } = flagsOfMakefile(read.text);
  const absolute = includePaths.map((each) => resolvePath(directoryOf(path), each));
  return { defines, includePaths: absolute.filter((each) => isInside(each, workspace)) };
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
