// What an analysis was made of, as plain data that another thread can be sent: the same analysis comes out there.
import type { FileAnalysis } from "../../lint/analysis.ts";
import type { LintSession } from "../../lint/session.ts";
import type { FileSettings, Project } from "../../project/project.ts";
import { directoryOf, isInside } from "../../text/path.ts";

export interface Snapshot {
  readonly file: string;
  /** The translation units that the file is seen through, in the order in which they were first asked for. */
  readonly units: readonly string[];
  /** Every file that they read. */
  readonly texts: ReadonlyMap<string, string>;
  /** By directory, of all texts. */
  readonly settings: ReadonlyMap<string, PlainSettings>;
}

/** `FileSettings` without what they can do. */
export interface PlainSettings extends Omit<FileSettings, "readInclude" | "sourcesBeside" | "ignored"> {
  /** Of the texts, those that are ignored. */
  readonly ignored: readonly string[];
}

export function snapshotOf(
  { file, texts }: FileAnalysis,
  { session, project }: { readonly session: LintSession; readonly project: Project },
): Snapshot {
  const paths = [...texts.keys()];
  const settings = new Map<string, PlainSettings>();
  for (const directory of new Set(paths.map(directoryOf))) {
    const result = project.settingsOf(directory);
    if (result.kind === "settings") settings.set(directory, plain(result.settings, paths));
  }
  return { file, units: session.unitsReading(file), texts, settings };
}

function plain(
  { config, configFile, workspace, includePaths, ignored }: FileSettings,
  paths: readonly string[],
): PlainSettings {
  return {
    config,
    configFile,
    workspace,
    includePaths,
    ignored: paths.filter((path) => isInside(path, workspace) && ignored.isIgnored(path, "file")),
  };
}
