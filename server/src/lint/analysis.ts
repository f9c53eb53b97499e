// What is known of one file: what an editor shows of it is made of this alone.
import type { MissingInclude } from "../preprocess/preprocessed.ts";
import type { AccessGroup } from "../rules/finding.ts";
import type { SourceRange } from "../text/source.ts";
import type { FileReport, KernelLaunch, LintFailure } from "./report.ts";

export interface FileAnalysis {
  readonly file: string;
  /** The text that was analysed: every offset counts in it. */
  readonly text: string;
  /** Of a draft kernels are missing, or are as they were before. */
  readonly state: "whole" | "draft";
  readonly report: FileReport;
  /** The kernels that stand in this file, in the order of the text. */
  readonly kernels: readonly KernelSummary[];
  /** The shared and global accesses that stand in this file, in the order of the text. */
  readonly groups: readonly AccessGroup[];
  /** The texts of all files that were read, this one among them. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that the translation units of this file include, or, for a header, that the units it was reached through read. */
  readonly included: readonly string[];
  /** Whether other sources, as they are or as they may become, have a say in what is known of it. */
  readonly isOpenEnded: boolean;
  /** Headers that this file includes and that are not found: the quoted ones, and others where something in sight may hang on them. */
  readonly missingIncludes: readonly MissingInclude[];
  readonly notes: readonly string[];
  readonly failures: readonly LintFailure[];
}

/** A kernel as it stands in a file, with what all translation units that hold it say of it. */
export interface KernelSummary {
  readonly name: string;
  readonly nameRange: SourceRange;
  /** The whole definition. */
  readonly range: SourceRange;
  /** `// warplint: launch(…)` comments above it. */
  readonly annotations: readonly { readonly text: string; readonly range: SourceRange }[];
  /** Found, annotated or configured ones; where there are none, the assumed ones. */
  readonly launches: readonly KernelLaunch[];
  /** Why parts of it were not followed, in words. */
  readonly gaps: readonly string[];
  /**
   * Its text, or that of what it hangs on (what launches it, what it calls), has a syntax error that it had not before: what is said of it
   * is of the text before, moved with the edits.
   */
  readonly isStale: boolean;
}

/** Asked between launches: work whose result nobody waits for any more ends there. */
export interface CancelSignal {
  isCancelled(): boolean;
}
