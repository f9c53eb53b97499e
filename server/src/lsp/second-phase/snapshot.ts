// What an analysis was made of, as plain data that another thread can be sent: the same analysis comes out there.
import type { FileAnalysis } from "../../lint/analysis.ts";
import type { LintSession } from "../../lint/session.ts";
import { sourceName } from "../../program/index.ts";
import type { DirectorySettings, FileSettings, Project } from "../../project/project.ts";
import { directoryOf, isInside } from "../../text/path.ts";

export interface Snapshot {
  readonly file: string;
  /** The roots of the programs that the file is seen through. */
  readonly units: readonly string[];
  /** Every file that they read. */
  readonly texts: ReadonlyMap<string, string>;
  /** By directory, of all texts. */
  readonly directories: ReadonlyMap<string, PlainSettings>;
  /** Of what may be compiled by itself, how it is compiled. */
  readonly files: ReadonlyMap<string, PlainFile>;
}

export type PlainFile = Pick<FileSettings, "config" | "flags" | "build" | "targets">;

/** `DirectorySettings` without what they can do. */
export interface PlainSettings extends Omit<DirectorySettings, "ignored"> {
  /** Of the texts, those that are ignored. */
  readonly ignored: readonly string[];
}

export function snapshotOf(
  { file, texts }: FileAnalysis,
  { session, project }: { readonly session: LintSession; readonly project: Project },
): Snapshot {
  const paths = [...texts.keys()];
  const units = session.rootsOf(file);
  const directories = new Map<string, PlainSettings>();
  for (const directory of new Set(paths.map(directoryOf))) {
    const result = project.settingsIn(directory);
    if (result.kind === "settings") directories.set(directory, plain(result.settings, paths));
  }
  const files = new Map<string, PlainFile>();
  for (const unit of new Set([...units, ...paths.filter((path) => sourceName.test(path))])) {
    const result = project.settingsOf(unit);
    if (result.kind !== "settings") continue;
    const { config, flags, build, targets } = result.settings;
    files.set(unit, { config, flags, build, targets });
  }
  return { file, units, texts, directories, files };
}

function plain(
  { config, configFile, workspace, ignored }: DirectorySettings,
  paths: readonly string[],
): PlainSettings {
  return {
    config,
    configFile,
    workspace,
    ignored: paths.filter((path) => isInside(path, workspace) && ignored.isIgnored(path, "file")),
  };
}
