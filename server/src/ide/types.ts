// What `ide` gives to an editor, whichever it is: plain data in offsets of UTF-16 units. `lsp` alone turns it into the protocol's types.
import type { RuleId, Severity } from "../config/schema.ts";
import type { ContentCommand } from "../render/content.ts";
import type { TextEdit } from "../text/edit.ts";
import type { SourceRange } from "../text/source.ts";

/** Half-open, in the file that was asked about. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

export interface IdeDiagnostic {
  readonly range: OffsetRange;
  readonly severity: Severity;
  readonly rule: RuleId;
  /** Two lines: what with figures, then why and what to do. */
  readonly message: string;
  /** The launch that the figures are of, where the source has one; then other accesses that the finding speaks for. */
  readonly related: readonly { readonly range: SourceRange; readonly message: string }[];
}

/** What an editor shows above a kernel. */
export interface Lens {
  readonly range: OffsetRange;
  readonly title: string;
  readonly command: ContentCommand | null;
}

export type { TextEdit } from "../text/edit.ts";

export interface Action {
  readonly title: string;
  readonly kind: "quickfix" | "fix-all";
  readonly origin: "fix" | "launch" | "ignore";
  readonly edits: readonly TextEdit[];
  /** For what no edit can do; null where `edits` are all. */
  readonly command: ContentCommand | null;
  readonly isPreferred: boolean;
  /** The rules of the diagnostics that it answers to, and where they stand. */
  readonly diagnostics: readonly { readonly rule: RuleId; readonly range: OffsetRange }[];
}

/** One launch to choose from, and the annotation that would keep it. */
export interface LaunchChoice {
  /** "block (32,32), grid (32,32)". */
  readonly label: string;
  /** "line 52", "annotation", "assumed". */
  readonly description: string;
  /** What stands in `// warplint: launch(…)`: "block=(32,32), grid=(32,32)". */
  readonly annotation: string;
  readonly isCurrent: boolean;
}

export interface LaunchChoices {
  readonly kernel: string;
  readonly range: OffsetRange;
  /** The annotation that stands there now; null where none does. */
  readonly annotation: string | null;
  /** To start from where none is: names that the annotation may give. */
  readonly parameterNames: readonly string[];
  readonly choices: readonly LaunchChoice[];
}

/** The kernel under the cursor. */
export interface KernelStatus {
  readonly kernel: string;
  readonly offset: number;
  /** "transpose: 2 launches: block (32,32), line 52", "reduce0, no launch found". */
  readonly text: string;
  readonly detail: string;
  readonly isLaunchKnown: boolean;
}
