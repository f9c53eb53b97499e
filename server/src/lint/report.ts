// What lint gives: for each file its launches with everything known of their accesses, and its findings.
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { Launch } from "../launches/launch.ts";
import type { Finding, KernelName } from "../rules/finding.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";

/** Launches of a kernel that do the same: equal shape and equal figures everywhere. */
export interface KernelLaunch {
  readonly kernel: KernelName;
  /** All of them; `profile` is that of the first. */
  readonly launches: readonly Launch[];
  readonly profile: LaunchProfile;
  readonly count: number;
}

export interface FileReport {
  readonly path: string;
  /** Of the translation unit that this file is; empty for a header that was reached through others. */
  readonly launches: readonly KernelLaunch[];
  /** Those that stand in this file, in the order of the text. */
  readonly findings: readonly Finding[];
  /** What a user may want to know of how the file was read: includes not found, names taken by convention. */
  readonly notes: readonly string[];
}

export interface LintResult {
  readonly reports: readonly FileReport[];
  /** The text of every file that was read. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files whose analysis failed inside: a bug of warplint, or a broken configuration. */
  readonly failures: readonly LintFailure[];
}

export interface LintFailure {
  readonly file: string;
  readonly message: string;
  /** For the log, never for the user's eyes alone; null where it says no more. */
  readonly detail: string | null;
}

/** What is said of a bug of warplint: what threw, and its stack for the log. */
export function internalFailure(file: string, error: unknown): LintFailure {
  const isError = error instanceof Error;
  return {
    file,
    message: `internal error: ${isError ? error.message : String(error)}. The other files were linted; please report this.`,
    detail: isError ? (error.stack ?? null) : null,
  };
}

/** What is wrong at a place of the text, such as an annotation. */
export function problemAt(
  range: SourceRange,
  texts: ReadonlyMap<string, string>,
  message: string,
): LintFailure {
  const { line, column } = positionAt(lineStarts(texts.get(range.file) ?? ""), range.start);
  return { file: `${range.file}:${line}:${column}`, message, detail: null };
}
