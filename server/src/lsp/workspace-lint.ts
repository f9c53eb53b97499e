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
import { summaryOf } from "../render/summary.ts";
import { CancelledError } from "./analyses.ts";
import type { ServerContext } from "./context.ts";
import type { ResultMemory } from "./document-diagnostics.ts";
import type { Folder } from "./folders.ts";
import type { KernelRecord } from "./kernel-records.ts";
import type { LintWorkspaceResult } from "./protocol.ts";
import type { LintedFiles } from "./workspace-parts.ts";

export interface WorkspaceLint {
  /** Lints everything. Rejects with `CancelledError`. */
  run(token: CancellationToken, progress: WorkDoneProgressReporter): Promise<LintWorkspaceResult>;
  /** workspace/diagnostic: what is known now. */
  report(params: WorkspaceDiagnosticParams): WorkspaceDiagnosticReport;
  /** The same, once there is something that the client does not have. Rejects with `CancelledError`. */
  news(params: WorkspaceDiagnosticParams, token: CancellationToken): Promise<WorkspaceDiagnosticReport>;
  /** By file, the kernels of the last lint, as far as their files are what they were. */
  kernels(): ReadonlyMap<string, readonly KernelRecord[]>;
  /** Of the last lint. */
  filesWithFindings(): readonly string[];
  /** Whether it was done since the start. */
  hasRun(): boolean;
  /** The file has changed on disk, or was opened: what was said of it counts no more. */
  drop(path: string): void;
  /** Folders have left the workspace, and what was said of their files goes with them. */
  dropOutside(): void;
}

/** A folder within a folder is known only after it was asked for; so deep do we look. */
const mostRounds = 12;

const nothing: LintedFiles = { counts: [], failures: [] };

export function createWorkspaceLint(context: ServerContext, memory: ResultMemory): WorkspaceLint {
  const results = new Map<string, readonly Diagnostic[]>();
  const kernels = new Map<string, readonly KernelRecord[]>();
  /** Files that have changed since the lint that runs has begun: what it says of them is of what they were. */
  const changed = new Set<string>();
  let hasRun = false;
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

  const drop = (path: string): void => {
    changed.add(path);
    kernels.delete(path);
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
  ): Promise<LintedFiles> => {
    const requested = new Set<string>();
    changed.clear();
    const linted = await context.linter.lint(
      folder,
      {
        onFiles: (files) => {
          for (const file of files) requested.add(file);
        },
        onFile: (path, { diagnostics, kernels: own }) => {
          if (changed.has(path)) return;
          kernels.set(path, own);
          // Of other headers there is something to say only where something was found.
          if (requested.has(path) || diagnostics.length > 0 || results.has(path)) publish(path, diagnostics);
        },
        onProgress: (path, done) => onFile(folder.displayPath(path), done, requested.size),
      },
      token,
    );
    if (linted === null) throw new CancelledError();
    return linted;
  };

  /** Again, as long as a client's files come that were missed before. */
  const lintKnown = async (
    index: number,
    token: CancellationToken,
    onFile: (path: string, done: number, all: number) => void,
  ): Promise<LintedFiles> => {
    for (let round = 0; ; round++) {
      const folder = context.folders.all()[index];
      if (folder === undefined) return nothing;
      const linted = await lintFolder(folder, token, onFile);
      if (round === mostRounds || !(await context.files?.settle())) return linted;
      context.folders.reset();
      context.analyses.changeAll();
    }
  };

  return {
    run: async (token, progress) => {
      await context.ready;
      let result = nothing;
      progress.begin("warplint", 0, "Looking for CUDA files", true);
      try {
        const folderCount = context.folders.all().length;
        for (let index = 0; index < folderCount; index++) {
          const linted = await lintKnown(index, token, (file, done, count) => {
            const share = (index + done / Math.max(1, count)) / folderCount;
            progress.report(Math.round(100 * share), `${done + 1} of ${count}: ${file}`);
          });
          result = {
            counts: [...result.counts, ...linted.counts],
            failures: [...result.failures, ...linted.failures],
          };
        }
        hasRun = true;
      } finally {
        progress.done();
        wake();
      }
      for (const { file, message } of result.failures) context.log.warn(`${file}: ${message}`);
      return {
        files: result.counts.length,
        findings: result.counts.reduce((sum, { severities }) => sum + severities.length, 0),
        summary: summaryOf(result.counts),
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

    kernels: () => kernels,
    filesWithFindings: () => [...results].flatMap(([file, found]) => (found.length > 0 ? [file] : [])),
    hasRun: () => hasRun,
    drop,
    dropOutside: () => {
      for (const path of [...results.keys()]) if (context.folders.of(path).path === null) drop(path);
    },
  };
}
