// The folders of the workspace: each with its settings, its project and its session.
import type { Host } from "../host/host.ts";
import { type OpenTexts, overlayHost } from "../host/overlay.ts";
import type { ProgramOf } from "../ide/trace.ts";
import type { Extent } from "../lint/budget.ts";
import { Indexes } from "../lint/indexes.ts";
import { launchedProgram } from "../lint/launched-program.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import {
  createLintSession,
  type LintOptions,
  type LintSession,
  type SessionOptions,
} from "../lint/session.ts";
import { createProject, type Project, type ProjectOptions } from "../project/project.ts";
import { isInside, nameOf, relativeTo, resolvePath } from "../text/path.ts";
import { type EditorSettings, noSettings } from "./settings.ts";

export interface Folder {
  /** Null: of all documents outside of every folder. */
  readonly path: string | null;
  readonly uri: string | null;
  readonly settings: EditorSettings;
  readonly host: Host;
  readonly project: Project;
  readonly session: LintSession;
  /** Makes sessions that know nothing yet, for work beside that on open documents; what the build says is read once for all of them. */
  freshSessions(): FreshSessions;
  /** What a launch that the analysis of `file` knows starts, made anew: for the panel. */
  programOf(file: string): ProgramOf;
  displayPath(file: string): string;
}

/** Sessions that read the folder anew, with what they share. */
export interface FreshSessions {
  readonly indexes: Indexes;
  begin(unlaunched: LintOptions["unlaunched"], extent: Extent): LintSession;
}

export interface Folders {
  /** The innermost folder around `path`. */
  of(path: string): Folder;
  /** Those of the workspace, in the order in which the client named them. */
  all(): readonly Folder[];
  /** Sets which folders there are; those that were there before keep what they know. */
  set(folders: readonly { readonly uri: string; readonly path: string }[]): void;
  /** By the folder's address; null for documents outside of all. Everything known of the folder is forgotten where they differ. */
  configure(uri: string | null, settings: EditorSettings): void;
  /** Configurations and ignored files may be others now: all is read again. Sessions keep what is the same. */
  reset(): void;
  /** These files have other contents. Whether files that do not read them may be known otherwise now. */
  update(paths: readonly string[]): "programs" | "texts";
}

/** What the server knows of its client. */
interface ClientState {
  readonly openTexts: OpenTexts;
  readonly trust: Trust;
  readonly isInSight: NonNullable<SessionOptions["isInSight"]>;
  readonly lastGood: LastGood;
}

/** What folders are made with. */
interface FolderTools extends ClientState {
  readonly base: Host;
  readonly pipeline: Pipeline;
}

export type LastGood = NonNullable<ProjectOptions["lastGood"]>;

type Trust = NonNullable<ProjectOptions["trust"]>;

export function createFolders(base: Host, pipeline: Pipeline, client: ClientState): Folders {
  const tools: FolderTools = { base, pipeline, ...client };
  const make = (path: string | null, uri: string | null, settings: EditorSettings): Folder =>
    makeFolder({ path, uri, settings }, tools);
  let outside = make(null, null, noSettings);
  let folders: Folder[] = [];
  return {
    of: (path) =>
      folders.reduce(
        (best, folder) => (isNearer(folder, best) && isInside(path, folder.path ?? "") ? folder : best),
        outside,
      ),
    all: () => folders,
    set: (wanted) => {
      folders = wanted.map(
        ({ uri, path }) => folders.find((folder) => folder.uri === uri) ?? make(path, uri, noSettings),
      );
    },
    configure: (uri, settings) => {
      if (uri === null) {
        if (!isSame(outside.settings, settings)) outside = make(null, null, settings);
        return;
      }
      folders = folders.map((folder) =>
        folder.uri === uri && !isSame(folder.settings, settings) ? make(folder.path, uri, settings) : folder,
      );
    },
    reset: () => {
      outside = makeFolder(outside, tools, outside.session);
      folders = folders.map((folder) => makeFolder(folder, tools, folder.session));
    },
    update: (paths) => {
      const changed = [outside, ...folders].map(({ session }) => session.update(paths));
      return changed.includes("programs") ? "programs" : "texts";
    },
  };
}

/** `earlier`: the session of the folder as it was, which goes on. */
function makeFolder(
  { path, uri, settings }: Pick<Folder, "path" | "uri" | "settings">,
  { base, pipeline, openTexts, trust, isInSight, lastGood }: FolderTools,
  earlier: LintSession | null = null,
): Folder {
  const host = overlayHost(base, openTexts, path ?? "/");
  const project = projectOf(host, settings, { trust, lastGood });
  earlier?.renew(project);
  const freshSessions: Folder["freshSessions"] = () => {
    const own = projectOf(host, settings, { trust, lastGood });
    const indexes = new Indexes(host, own, "awaited");
    return {
      indexes,
      begin: (unlaunched: LintOptions["unlaunched"] = "all", extent = "file") =>
        createLintSession({
          host,
          project: own,
          pipeline,
          indexes,
          options: { block: null, unlaunched, extent, edits: "none" },
        }),
    };
  };
  const options = { block: null, largeWorkspaces: "in the background" } as const;
  const session = earlier ?? createLintSession({ host, project, pipeline, options, isInSight });
  return {
    path,
    uri,
    settings,
    host,
    project,
    session,
    freshSessions,
    programOf: (file) => (launch, kernel, form) =>
      launchedProgram(launch, kernel, form, session.unitsOf(file, launch), pipeline),
    displayPath: (file) => (path === null ? nameOf(file) : relativeTo(path, file)),
  };
}

/** A project as the folder's settings have it. */
function projectOf(
  host: Host,
  { overrides, includePaths }: EditorSettings,
  kept: Pick<FolderTools, "trust" | "lastGood">,
): Project {
  return createProject(host, {
    configPath: null,
    overrides,
    includePaths: includePaths.map((path) => resolvePath(host.currentDirectory, path)),
    overridesOrigin: "<the editor's settings>",
    ...kept,
  });
}

function isNearer(folder: Folder, best: Folder): boolean {
  return (folder.path ?? "").length > (best.path ?? "").length;
}

function isSame(a: EditorSettings, b: EditorSettings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
