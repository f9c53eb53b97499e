// The process's own side: lints the folder that it is shown, with what the server knows of its client.
import { TextDocument } from "vscode-languageserver-textdocument";
import { noFixes } from "../../fixes/fix.ts";
import type { Host } from "../../host/host.ts";
import type { Pipeline } from "../../lint/pipeline.ts";
import type { DiagnosticsContext } from "../context.ts";
import { createFolders } from "../folders.ts";
import type { Port } from "../port.ts";
import { type Clock, createScheduler, inSlices } from "../scheduler.ts";
import { pathOf, uriOf } from "../uri.ts";
import { lintingFolder } from "../workspace-folder.ts";
import type { LintedFiles } from "../workspace-parts.ts";
import type { FromLinter, LintTask, ToLinter } from "./messages.ts";

export interface LintProcessEnvironment {
  readonly port: Port<ToLinter, FromLinter>;
  readonly host: Host;
  readonly clock: Clock;
  createPipeline(): Promise<Pipeline>;
}

/** Answers the server until the process is ended. */
export function serveLint({ port, host, clock, createPipeline }: LintProcessEnvironment): void {
  const pipeline = createPipeline();
  const scheduler = createScheduler(clock);

  const lint = async (task: LintTask): Promise<LintedFiles> => {
    const context = contextOf(task, host, await pipeline);
    const folder = context.folders.all().find(({ uri }) => uri === task.uri);
    if (folder === undefined) throw new Error(`no folder ${task.uri}`);
    const steps = lintingFolder(
      folder,
      {
        onFiles: (files) => port.post({ kind: "files", files }),
        onFile: (path, result) => port.post({ kind: "file", path, result }),
        onProgress: (path, done) => port.post({ kind: "progress", path, done }),
      },
      context,
    );
    const linted = await inSlices(scheduler, "background", steps, () => false);
    return linted ?? { counts: [], failures: [] };
  };

  port.onMessage((message) => {
    if (message.kind === "make-way") {
      scheduler.makeWay();
      return;
    }
    lint(message.task).then(
      (linted) => port.post({ kind: "ended", linted }),
      (error: unknown) =>
        port.post({
          kind: "failed",
          detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
}

function contextOf(
  { folders: shown, documents, features, lastGood }: LintTask,
  host: Host,
  pipeline: Pipeline,
): DiagnosticsContext {
  const byPath = new Map(
    documents.map(({ uri, version, text }) => [
      pathOf(uri),
      TextDocument.create(uri, "cuda-cpp", version, text),
    ]),
  );
  const folders = createFolders(host, pipeline, {
    openTexts: (path) => byPath.get(path)?.getText() ?? null,
    trust: features.trust,
    isInSight: () => false,
    lastGood,
  });
  folders.set(shown);
  for (const { uri, settings } of shown) folders.configure(uri, settings);
  return {
    documents: {
      documentOf: (path) => byPath.get(path) ?? null,
      uriOf: (path) => byPath.get(path)?.uri ?? uriOf(path),
    },
    features,
    folders,
    // Open documents have fixes; what is said here of files is for those that are not open.
    fixes: { of: () => noFixes },
  };
}
