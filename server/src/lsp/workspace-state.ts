// What changes around the documents: settings, folders, files on disk. Whatever it was, the client is told to ask again.
import {
  BulkRegistration,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  FileChangeType,
  type FileEvent,
} from "vscode-languageserver";
import { buildFileEndings, buildFileNames, isBuildFile } from "../build/names.ts";
import type { ConfigError } from "../config/parse.ts";
import { readText } from "../host/host.ts";
import { missingIncludePaths } from "../project/config-warnings.ts";
import { configFileName } from "../project/project.ts";
import { directoryOf, nameOf } from "../text/path.ts";
import { notifyAnalysed } from "./analysed.ts";
import { configDiagnostics } from "./config-problems.ts";
import type { ServerContext } from "./context.ts";
import { createPusher, createResultMemory, type ResultMemory } from "./document-diagnostics.ts";
import { unlessRefused } from "./refusals.ts";
import { noSettings, readSettings, settingsSection } from "./settings.ts";
import { settleInBackground } from "./settling.ts";
import { pathOf } from "./uri.ts";
import { createWorkspaceLint, type WorkspaceLint } from "./workspace-lint.ts";

export interface WorkspaceState {
  readonly memory: ResultMemory;
  readonly lint: WorkspaceLint;
  /** After `initialized`: registers for changes and reads the settings. */
  start(): Promise<void>;
}

/** Sources and what they include, configurations, and what builds are described in. */
const watchedFiles = [
  "**/*.{cu,cuh,h,H,hh,hpp,hxx,inl,inc,ipp,tpp,tcc,def,c,cc,cpp,cxx}",
  `**/${configFileName}`,
  "**/.gitignore",
  `**/{${buildFileNames.join(",")}}`,
  `**/*.{${buildFileEndings.join(",")}}`,
];

/** How long a header must be quiet until the lenses of what includes it are asked for again. */
const quietMilliseconds = 300;

/** How long a text that does not parse must be left as it is until it is taken for what its author meant: longer than people think between two words. */
const brokenMilliseconds = 5000;

/** `onReady` is called once the settings are known. */
export function createWorkspaceState(context: ServerContext, onReady: () => void): WorkspaceState {
  const { connection, features, documents, folders, analyses, fixes, log } = context;
  const memory = createResultMemory();
  const lint = createWorkspaceLint(context, memory);
  const pusher = createPusher(context);
  settleInBackground(context, () => {
    analyses.changeAll();
    refresh();
  });
  const showMore = (path: string): void => {
    refreshDiagnostics([path]);
    refreshLenses();
    notifyAnalysed([path], context);
  };
  fixes.onFound(showMore);
  analyses.onMore(showMore);
  let lensTimer: ReturnType<typeof setTimeout> | undefined;
  /** By document in which something waits to be mended. */
  const brokenTimers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By configuration, what is shown of it. */
  const publishedConfigs = new Map<string, string>();

  /** Tells the client that everything it shows may be out of date. */
  const refresh = (): void => {
    refreshDiagnostics(documents.cudaPaths());
    refreshLenses();
    showConfigProblems();
  };

  const refreshDiagnostics = (paths: readonly string[]): void => {
    if (features.diagnostics === "pull")
      void unlessRefused("to ask for diagnostics again", connection.languages.diagnostics.refresh(), log);
    else for (const path of paths) pusher.schedule(path);
  };

  const refreshLenses = (): void => {
    const ask = (what: string, method: string): void =>
      void unlessRefused(`to ask for ${what} again`, connection.sendRequest(method), log);
    if (features.canRefreshLenses) ask("lenses", "workspace/codeLens/refresh");
    if (features.canRefreshHints) ask("hints", "workspace/inlayHint/refresh");
  };

  const refreshLensesSoon = (): void => {
    clearTimeout(lensTimer);
    lensTimer = setTimeout(refreshLenses, quietMilliseconds);
  };

  /** Whether a build was read from the file, or would be. */
  const isOfBuild = ({ uri }: FileEvent): boolean => {
    const path = pathOf(uri);
    return isBuildFile(path) || folders.of(path).project.isOfBuild(path);
  };

  const reset = (): void => {
    folders.reset();
    analyses.changeAll();
  };

  const showConfigProblems = (): void => {
    const directories = [
      ...documents.cudaPaths().map(directoryOf),
      ...folders.all().flatMap(({ path }) => path ?? []),
    ];
    const errors: ConfigError[] = [];
    const warnings: ConfigError[] = [];
    for (const directory of directories) {
      const { project, host } = folders.of(directory);
      const result = project.settingsIn(directory);
      if (result.kind === "errors") errors.push(...result.errors);
      else {
        errors.push(...(result.settings.configErrors ?? []));
        warnings.push(...missingIncludePaths(host, result.settings));
      }
    }
    const found = configDiagnostics({ errors, warnings }, (file) => readText(folders.of(file).host, file));
    for (const file of publishedConfigs.keys()) if (!found.has(file)) publishConfig(file, []);
    for (const [file, diagnostics] of found) publishConfig(file, diagnostics);
  };

  const publishConfig = (file: string, diagnostics: readonly Diagnostic[]): void => {
    const text = JSON.stringify(diagnostics);
    if (publishedConfigs.get(file) === text) return;
    if (diagnostics.length === 0) publishedConfigs.delete(file);
    else publishedConfigs.set(file, text);
    for (const { range, message } of diagnostics)
      log.warn(`${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
    void connection.sendDiagnostics({ uri: documents.uriOf(file), diagnostics: [...diagnostics] });
  };

  /** Settings that the client does not answer for come with the notification that they have changed. */
  const readAllSettings = async (pushed: unknown): Promise<void> => {
    const uris = [null, ...folders.all().map(({ uri }) => uri)];
    const items = uris.map((uri) => ({
      section: settingsSection,
      ...(uri === null ? {} : { scopeUri: uri }),
    }));
    const answer: unknown = features.canConfigure
      ? await unlessRefused("its settings", connection.workspace.getConfiguration(items), log)
      : uris.map(() => pushed);
    const sections: readonly unknown[] = Array.isArray(answer) ? answer : [];
    const before = folders.all().map(({ settings }) => settings);
    for (const [index, uri] of uris.entries()) {
      const settings = sections[index] === undefined ? noSettings : readSettings(sections[index]);
      for (const problem of settings.problems) log.warn(problem);
      folders.configure(uri, settings);
    }
    if (before.length > 0 || pushed !== undefined) analyses.changeAll();
  };

  const changed = (path: string): void => {
    const dependents = analyses.change(path);
    for (const each of [path, ...dependents]) fixes.change(each);
    lint.drop(path);
    if (features.diagnostics === "push")
      for (const each of [path, ...dependents])
        if (documents.documentOf(each) !== null) pusher.schedule(each);
    notifyAnalysed([path, ...dependents], context);
    // Editors ask again for the lenses of the document that is typed in, not for those of another beside it.
    if (dependents.length > 0) refreshLensesSoon();
  };

  /** A document has been as it is for a while. */
  const leaveBroken = (path: string): void => {
    clearTimeout(brokenTimers.get(path));
    brokenTimers.delete(path);
    if (documents.documentOf(path) === null || !folders.of(path).session.leaveBroken(path)) return;
    changed(path);
    refresh();
  };

  analyses.onAnalysed(({ file, kernels }) => {
    clearTimeout(brokenTimers.get(file));
    brokenTimers.delete(file);
    if (kernels.some(({ isStale }) => isStale))
      brokenTimers.set(
        file,
        setTimeout(() => leaveBroken(file), brokenMilliseconds),
      );
  });

  documents.events.onDidChangeContent(({ document }) => changed(pathOf(document.uri)));
  documents.events.onDidOpen(({ document }) => {
    const path = pathOf(document.uri);
    if (memory.takeEarly(document.uri)) refresh();
    // Settings of a folder that was not asked about yet may be broken.
    if (folders.of(path).project.settingsIn(directoryOf(path)).kind === "errors") showConfigProblems();
  });
  documents.events.onDidClose(({ document }) => {
    const path = pathOf(document.uri);
    folders.of(path).session.forget(path);
    const dependents = analyses.change(path);
    analyses.forget(path);
    fixes.forget(path);
    for (const each of dependents) fixes.change(each);
    memory.forget(document.uri);
    if (features.diagnostics === "push") pusher.clear(path, document.uri);
    // What was never saved is gone: other documents see the file on disk now, and no client asks again because a document was closed.
    const isMeant = isConfiguration(path);
    if (isMeant) reset();
    if (isMeant || dependents.length > 0) refresh();
  });
  documents.events.onDidSave(() => {
    // Where nobody tells of files, a saved document is the only sign that a configuration beside it may be another.
    if (features.canWatchFiles) return;
    reset();
    refresh();
  });

  connection.onDidChangeWatchedFiles(({ changes }) => {
    const relevant = changes.filter(({ uri }) => documents.documentOf(pathOf(uri)) === null);
    if (relevant.length === 0) return;
    context.files?.forget(relevant.map(({ uri }) => pathOf(uri)));
    if (relevant.some((event) => changesMeaning(event) || isOfBuild(event))) reset();
    else for (const { uri } of relevant) analyses.change(pathOf(uri));
    for (const { uri } of relevant) lint.drop(pathOf(uri));
    refresh();
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    const pushed =
      (settings as Readonly<Record<string, unknown>> | null)?.[settingsSection] ?? settings ?? {};
    readAllSettings(pushed)
      .then(refresh)
      .catch((error: unknown) => log.failed("reading the settings", error));
  });

  const changeFolders = async (
    added: readonly { readonly uri: string }[],
    removed: readonly { readonly uri: string }[],
  ): Promise<void> => {
    const kept = folders.all().flatMap(({ uri }) => (uri === null ? [] : [{ uri }]));
    const gone = new Set(removed.map(({ uri }) => uri));
    folders.set(
      [...kept.filter(({ uri }) => !gone.has(uri)), ...added].map(({ uri }) => ({ uri, path: pathOf(uri) })),
    );
    analyses.changeAll();
    lint.dropOutside();
    await readAllSettings(undefined);
    refresh();
  };

  const register = async (): Promise<void> => {
    const registrations = BulkRegistration.create();
    if (features.canRegisterConfiguration)
      registrations.add(DidChangeConfigurationNotification.type, { section: settingsSection });
    if (features.canWatchFiles)
      registrations.add(DidChangeWatchedFilesNotification.type, {
        watchers: watchedFiles.map((globPattern) => ({ globPattern })),
      });
    if (features.canRegisterConfiguration || features.canWatchFiles)
      await unlessRefused(
        "to tell of changed files and settings",
        connection.client.register(registrations),
        log,
      );
  };

  if (features.canChangeFolders)
    connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
      changeFolders(added, removed).catch((error: unknown) => log.failed("changing folders", error));
    });

  return {
    memory,
    lint,
    start: async () => {
      const registered = register();
      try {
        await readAllSettings(undefined);
      } finally {
        onReady();
      }
      showConfigProblems();
      await registered;
    },
  };
}

/** Whether a change may give other files another meaning: configurations, what is ignored, includes that are found now or no more. */
function changesMeaning({ uri, type }: FileEvent): boolean {
  return isConfiguration(pathOf(uri)) || type !== FileChangeType.Changed;
}

function isConfiguration(path: string): boolean {
  return [configFileName, ".gitignore"].includes(nameOf(path));
}
