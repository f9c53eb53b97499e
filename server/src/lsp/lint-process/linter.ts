// Lints a folder in a process of its own: however long a step of it takes, edits are answered meanwhile, and its memory goes with it.
import type { CancellationToken } from "vscode-languageserver";
import type { ServerContext } from "../context.ts";
import type { Folder, LastGood } from "../folders.ts";
import type { Helper } from "../port.ts";
import type { FolderLinter, FolderListener } from "../workspace-folder.ts";
import type { LintedFiles } from "../workspace-parts.ts";
import type { FromLinter, LintTask, ToLinter } from "./messages.ts";

/** Runs `serveLint`. */
export type LintProcess = Helper<FromLinter, ToLinter>;

type Known = Pick<ServerContext, "documents" | "features" | "folders" | "log"> & {
  readonly lastGood: LastGood;
};

/** A process for each folder. Where there can be none, or it ends before it is done, `substitute` lints. */
export function linterInProcess(
  start: () => LintProcess,
  substitute: FolderLinter,
  known: Known,
): FolderLinter {
  const running = new Set<LintProcess>();

  /** Rejects where the process fails. */
  const lintThere = (
    helper: LintProcess,
    folder: Folder,
    listener: FolderListener,
    token: CancellationToken,
  ): Promise<LintedFiles | null> =>
    new Promise((resolve, reject) => {
      token.onCancellationRequested(() => resolve(null));
      helper.onFailure(reject);
      helper.onMessage((message) => {
        if (token.isCancellationRequested) return;
        if (message.kind === "files") listener.onFiles(message.files);
        else if (message.kind === "progress") listener.onProgress(message.path, message.done);
        else if (message.kind === "file") listener.onFile(message.path, message.result);
        else if (message.kind === "ended") resolve(message.linted);
        else reject(new Error(message.detail));
      });
      helper.post({ kind: "lint", task: taskOf(folder, known) });
    });

  return {
    lint: async (folder, listener, token) => {
      if (token.isCancellationRequested) return null;
      let helper: LintProcess | null = null;
      try {
        helper = start();
        running.add(helper);
        return await lintThere(helper, folder, listener, token);
      } catch (error) {
        known.log.failed("the process that lints the workspace", error);
      } finally {
        if (helper !== null) running.delete(helper);
        helper?.end();
      }
      return substitute.lint(folder, listener, token);
    },
    makeWay: () => {
      for (const helper of running) helper.post({ kind: "make-way" });
      substitute.makeWay();
    },
  };
}

function taskOf(folder: Folder, { documents, features, folders, lastGood }: Known): LintTask {
  return {
    uri: folder.uri ?? "",
    folders: folders
      .all()
      .flatMap(({ uri, path, settings }) => (uri === null || path === null ? [] : [{ uri, path, settings }])),
    documents: documents
      .all()
      .map((document) => ({ uri: document.uri, version: document.version, text: document.getText() })),
    features,
    lastGood,
  };
}
