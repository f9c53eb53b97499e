// Lints all CUDA files of a folder, here or in a process of its own. Whoever does is told of each file as it is known.
import type { CancellationToken } from "vscode-languageserver";
import { walkingCuda } from "../project/walk.ts";
import { directoryOf } from "../text/path.ts";
import type { DiagnosticsContext } from "./context.ts";
import type { Folder } from "./folders.ts";
import { inSlices, type Scheduler } from "./scheduler.ts";
import { type FileResult, type LintedFiles, lintInParts } from "./workspace-parts.ts";

export interface FolderListener {
  /** All that are to be linted, before anything else. */
  onFiles(files: readonly string[]): void;
  /** What is known of a file; of a header again when there is more. */
  onFile(path: string, result: FileResult): void;
  /** Before each file. */
  onProgress(path: string, done: number): void;
}

export interface FolderLinter {
  /** Null where cancelled. */
  lint(folder: Folder, listener: FolderListener, token: CancellationToken): Promise<LintedFiles | null>;
  /** Makes way: the editor needs the processors for a moment. */
  makeWay(): void;
}

/** Lints in the server's own thread, between messages. */
export function linterHere(context: DiagnosticsContext & { readonly scheduler: Scheduler }): FolderLinter {
  const { scheduler } = context;
  return {
    lint: (folder, listener, token) =>
      inSlices(
        scheduler,
        "background",
        lintingFolder(folder, listener, context),
        () => token.isCancellationRequested,
      ),
    makeWay: () => scheduler.makeWay(),
  };
}

/** In steps. */
export function* lintingFolder(
  folder: Folder,
  listener: FolderListener,
  context: DiagnosticsContext,
): Generator<void, LintedFiles> {
  const files = yield* filesOf(folder);
  listener.onFiles(files);
  return yield* lintInParts({
    folder,
    files,
    context,
    onFile: listener.onFile,
    onProgress: listener.onProgress,
  });
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
