// What passes between the server and the process that lints a folder of the workspace for it.
import type { ClientFeatures } from "../features.ts";
import type { LastGood } from "../folders.ts";
import type { EditorSettings } from "../settings.ts";
import type { FileResult, LintedFiles } from "../workspace-parts.ts";

/** A folder, and what else the server knows: all that its files mean hangs on these and on what lies on disk. */
export interface LintTask {
  /** The address of the folder to lint. */
  readonly uri: string;
  /** All of the workspace. */
  readonly folders: readonly {
    readonly uri: string;
    readonly path: string;
    readonly settings: EditorSettings;
  }[];
  readonly documents: readonly { readonly uri: string; readonly version: number; readonly text: string }[];
  readonly features: ClientFeatures;
  readonly lastGood: LastGood;
}

export type ToLinter =
  /** To be answered by `files`, then by `progress` and `file`, and by `ended`. */
  | { readonly kind: "lint"; readonly task: LintTask }
  /** To make way for the editor, for a moment. */
  | { readonly kind: "make-way" };

export type FromLinter =
  | { readonly kind: "files"; readonly files: readonly string[] }
  | { readonly kind: "progress"; readonly path: string; readonly done: number }
  | { readonly kind: "file"; readonly path: string; readonly result: FileResult }
  | { readonly kind: "ended"; readonly linted: LintedFiles }
  | { readonly kind: "failed"; readonly detail: string };
