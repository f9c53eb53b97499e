// Lints all CUDA files of all folders when the user asks, in the background, with progress. Results of files that are not open are kept
// for the client until the files change.
import {
  type CancellationToken,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type WorkDoneProgressReporter,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import type { LintResult } from "../lint/report.ts";
import type { LintSession } from "../lint/session.ts";
import { cudaKindOf, walkingCuda } from "../project/walk.ts";
import { summaryText } from "../render/summary.ts";
import { directoryOf } from "../text/path.ts";
import { CancelledError } from "./analyses.ts";
import { type ServerContext, viewOfAnalysis } from "./context.ts";
import { diagnosticsOfView, type ResultMemory } from "./document-diagnostics.ts";
import type { Folder } from "./folders.ts";
import type { LintWorkspaceResult } from "./protocol.ts";
import { inSlices } from "./scheduler.ts";

export interface WorkspaceLint {
  /** Lints everything. Rejects with `CancelledError`. */
  run(token: CancellationToken, progress: WorkDoneProgressReporter): Promise<LintWorkspaceResult>;
  /** workspace/diagnostic: what is known now. */
  report(params: WorkspaceDiagnosticParams): WorkspaceDiagnosticReport;
  /** The same, once there is something that the client does not have. Rejects with `CancelledError`. */
  news(params: WorkspaceDiagnosticParams, token: CancellationToken): Promise<WorkspaceDiagnosticReport>;
  /** The file has changed on disk, or was opened: what was said of it counts no more. */
  drop(path: string): void;
  /** Folders have left the workspace, and what was said of their files goes with them. */
  dropOutside(): void;
}

/** A folder within a folder is known only after it was asked for; so deep do we look. */
const mostRounds = 12;

export function createWorkspaceLint(context: ServerContext, memory: ResultMemory): WorkspaceLint {
  const results = new Map<string, readonly Diagnostic[]>();
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  const publish = (path: string, diagnostics: readonly Diagnostic[]): void => {
    results.set(path, diagnostics);
    // Open documents have diagnostics of their own.
    if (context.features.diagnostics === "push" && context.documents.documentOf(path) === null)
      void context.connection.sendDiagnostics({
        uri: context.documents.uriOf(path),
        diagnostics: [...diagnostics],
      });
  };

  /** A file a step: each is seen through all units that read it, which takes a while where there are thousands. */
  function* publishing(files: readonly string[], session: LintSession): Generator<void, "published"> {
    for (const file of files) {
      const analysis = session.analyse(file);
      if (analysis !== null)
        publish(file, diagnosticsOfView(viewOfAnalysis(analysis, null, context), context));
      yield;
    }
    return "published";
  }

  const drop = (path: string): void => {
    if (!results.has(path)) return;
    if (context.documents.documentOf(path) !== null) results.delete(path);
    else publish(path, []);
    wake();
  };

  const report = ({ previousResultIds }: WorkspaceDiagnosticParams): WorkspaceDiagnosticReport => {
    const previous = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items = [...results].map(([path, diagnostics]): WorkspaceDocumentDiagnosticReport => {
      const uri = context.documents.uriOf(path);
      const version = context.documents.documentOf(path)?.version ?? null;
      const resultId = memory.idOf(uri, diagnostics);
      return previous.get(uri) === resultId
        ? { kind: DocumentDiagnosticReportKind.Unchanged, uri, version, resultId }
        : { kind: DocumentDiagnosticReportKind.Full, uri, version, resultId, items: [...diagnostics] };
    });
    return { items };
  };

  const lintFolder = async (
    folder: Folder,
    token: CancellationToken,
    onFile: (path: string, done: number, all: number) => void,
  ): Promise<LintResult> => {
    // A session of its own, so that the work on open documents goes on beside it.
    const session = folder.freshSession();
    const inBackground = <T>(steps: Generator<void, T>) =>
      inSlices(context.scheduler, "background", steps, () => token.isCancellationRequested);
    const files = await inBackground(filesOf(folder));
    if (files === null) throw new CancelledError();
    // As the command line: sources first, then headers.
    const sources = files.filter((file) => cudaKindOf(file) !== "header");
    const headers = files.filter((file) => cudaKindOf(file) === "header");
    let done = 0;
    for (const file of [...sources, ...headers]) {
      onFile(folder.displayPath(file), done, files.length);
      done++;
      await include(session, file, token, context);
    }
    if ((await inBackground(publishing(files, session))) === null) throw new CancelledError();
    return { reports: session.reports(files), texts: session.texts(), failures: session.failures() };
  };

  /** Again, as long as a client's files come that were missed before. */
  const lintKnown = async (
    index: number,
    token: CancellationToken,
    onFile: (path: string, done: number, all: number) => void,
  ): Promise<LintResult> => {
    for (let round = 0; ; round++) {
      const folder = context.folders.all()[index];
      if (folder === undefined) return { reports: [], texts: new Map(), failures: [] };
      const linted = await lintFolder(folder, token, onFile);
      if (round === mostRounds || !(await context.files?.settle())) return linted;
      context.folders.reset();
      context.analyses.changeAll();
    }
  };

  return {
    run: async (token, progress) => {
      await context.ready;
      let result: LintResult = { reports: [], texts: new Map(), failures: [] };
      progress.begin("warplint", 0, "looking for CUDA files", true);
      try {
        for (const index of context.folders.all().keys()) {
          const linted = await lintKnown(index, token, (file, done, count) => {
            progress.report(Math.round((100 * done) / Math.max(1, count)), file);
          });
          result = {
            reports: [...result.reports, ...linted.reports],
            texts: result.texts,
            failures: [...result.failures, ...linted.failures],
          };
        }
      } finally {
        progress.done();
        wake();
      }
      for (const { file, message } of result.failures) context.log.warn(`${file}: ${message}`);
      return {
        files: result.reports.length,
        findings: result.reports.reduce((sum, { findings }) => sum + findings.length, 0),
        summary: summaryText(result),
      };
    },

    report,
    news: async (params, token) => {
      for (;;) {
        const known = report(params);
        if (known.items.some(({ kind }) => kind === DocumentDiagnosticReportKind.Full)) return known;
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          token.onCancellationRequested(() => reject(new CancelledError()));
        });
      }
    },

    drop,
    dropOutside: () => {
      for (const path of [...results.keys()]) if (context.folders.of(path).path === null) drop(path);
    },
  };
}

/** As the command line's `check` on the folder: files of nearer configurations that ignore them are left out. In steps. */
function* filesOf({ path, project, host }: Folder): Generator<void, string[]> {
  if (path === null) return [];
  const around = project.settingsIn(path);
  const files = yield* walkingCuda(
    host,
    path,
    around.kind === "settings" ? around.settings.ignored : { isIgnored: () => false },
  );
  return files.filter((file) => {
    const own = project.settingsIn(directoryOf(file));
    return own === around || own.kind === "errors" || !own.settings.ignored.isIgnored(file, "file");
  });
}

async function include(
  session: LintSession,
  file: string,
  token: CancellationToken,
  { scheduler }: ServerContext,
): Promise<void> {
  const isDone = await scheduler.run("background", {
    isAbandoned: () => token.isCancellationRequested,
    advance: (isOver) => session.include(file, { isCancelled: isOver }),
  });
  if (!isDone) throw new CancelledError();
}
