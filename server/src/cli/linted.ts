// From the paths of the command line to what is found in them.
import type { ConfigError } from "../config/parse.ts";
import type { Architecture, Config } from "../config/schema.ts";
import type { Host } from "../host/host.ts";
import { overlayHost } from "../host/overlay.ts";
import { lintSession } from "../lint/lint.ts";
import type { LintFailure, LintResult } from "../lint/report.ts";
import { createLintSession, type LintSession } from "../lint/session.ts";
import { missingIncludePaths, strangeLaunchNames } from "../project/config-warnings.ts";
import {
  createProject,
  type DirectorySettings,
  type Project,
  type ProjectOptions,
} from "../project/project.ts";
import { createPlaces, type Places } from "../render/places.ts";
import { onOneLine } from "../render/visible.ts";
import { directoryOf, relativeTo, resolvePath } from "../text/path.ts";
import { findInputs } from "./inputs.ts";
import type { Block, Defines } from "./options.ts";
import type { Terminal } from "./terminal.ts";

export interface CommandOptions {
  readonly arch?: Architecture;
  readonly block?: Block;
  readonly define?: Defines;
  readonly includePath?: readonly string[];
  readonly config?: string;
  /** Launches that somebody gives from outside of the configuration, by kernel. */
  readonly launches?: Config["launches"];
}

export interface Linted {
  readonly files: readonly string[];
  readonly result: LintResult;
  readonly places: Places;
  /** What went wrong; all of it went to standard error. */
  readonly problems: readonly string[];
  /** What knows the files; null where there are none. */
  readonly session: LintSession | null;
  /** From now on the session reads these texts in place of the files. */
  overlay(texts: ReadonlyMap<string, string>): void;
  /** The same files, with `texts` in place of some of them and of what was laid over them before. */
  again(texts: ReadonlyMap<string, string>): Linted;
}

const nothing: LintResult = { reports: [], texts: new Map(), failures: [] };

/** The files that `paths` stand for, and what is wrong with some of them: that went to standard error. */
export function inputsOf(
  paths: readonly string[],
  project: Project,
  host: Host,
  terminal: Terminal,
): { readonly files: readonly string[]; readonly problems: readonly string[] } {
  const { files, problems, skipped } = findInputs(paths, host, project);
  for (const problem of [...problems, ...skipped]) terminal.writeError(`warplint: ${problem}\n`);
  for (const { file, position, message } of configWarnings(files, host, project))
    terminal.writeError(
      `warplint: ${onOneLine(relativeTo(host.currentDirectory, file))}:${position.line}:${position.column}: warning: ${message}\n`,
    );
  return { files, problems };
}

export async function lint(
  paths: readonly string[],
  options: CommandOptions,
  terminal: Terminal,
): Promise<Linted> {
  let overlaid: ReadonlyMap<string, string> = new Map();
  const { currentDirectory } = terminal.host;
  const host = overlayHost(terminal.host, (path) => overlaid.get(path) ?? null, currentDirectory);
  const project = projectOf(options, host);
  const { files, problems: ofPaths } = inputsOf(paths, project, host, terminal);
  const block = options.block ?? null;
  const session =
    files.length === 0
      ? null
      : createLintSession({ host, project, pipeline: await terminal.createPipeline(), options: { block } });
  const look = (known: readonly string[]): Linted => {
    const result = session === null ? nothing : lintSession(files, session);
    const failures = result.failures.filter((failure) => !known.includes(problemText(failure, terminal)));
    return {
      files,
      result,
      places: createPlaces(result.texts, (file) => relativeTo(currentDirectory, file)),
      problems: [...known, ...failures.map((failure) => report(terminal, failure))],
      session,
      overlay: (texts) => {
        overlaid = texts;
      },
      again: (texts) => {
        const changed = new Set([...overlaid.keys(), ...texts.keys()]);
        overlaid = texts;
        session?.update([...changed]);
        return look([]);
      },
    };
  };
  return look(ofPaths);
}

/** What the configurations of `files` say that means nothing. */
function configWarnings(files: readonly string[], host: Host, project: Project): readonly ConfigError[] {
  const ofConfig = new Map<string, DirectorySettings>();
  for (const directory of new Set(files.map(directoryOf))) {
    const result = project.settingsIn(directory);
    if (result.kind !== "settings" || result.settings.configFile === null) continue;
    if (!ofConfig.has(result.settings.configFile)) ofConfig.set(result.settings.configFile, result.settings);
  }
  return [...ofConfig.values()].flatMap((settings) => [
    ...missingIncludePaths(host, settings),
    ...strangeLaunchNames(host, settings),
  ]);
}

export function projectOf(
  options: CommandOptions,
  host: Host,
  reading: Pick<ProjectOptions, "includeHost" | "onMissed"> = {},
): Project {
  const { define, includePath = [], launches } = options;
  const absolute = (path: string) => resolvePath(host.currentDirectory, path);
  return createProject(host, {
    configPath: options.config === undefined ? null : absolute(options.config),
    overrides: {
      ...(options.arch === undefined ? {} : { architecture: options.arch }),
      ...(define === undefined ? {} : { defines: define }),
      ...(launches === undefined ? {} : { launches }),
    },
    includePaths: includePath.map(absolute),
    ...reading,
  });
}

/** Writes a failure to standard error; its detail (a stack) only where WARPLINT_DEBUG asks for it. */
export function report(terminal: Terminal, failure: LintFailure): string {
  const text = problemText(failure, terminal);
  terminal.writeError(`warplint: ${text}\n`);
  if (failure.detail !== null && process.env.WARPLINT_DEBUG) terminal.writeError(`${failure.detail}\n`);
  return text;
}

function problemText({ file, message }: LintFailure, { host }: Terminal): string {
  return `${onOneLine(relativeTo(host.currentDirectory, file))}: ${message}`;
}
