// What `ide` reads of a file's analysis: the fields of lint's FileAnalysis that it needs, so that tests can make them by hand.
import type { FileReport, KernelLaunch } from "../lint/report.ts";
import type { AccessGroup } from "../rules/finding.ts";
import type { SourceRange } from "../text/source.ts";

export interface AnalysedFile {
  readonly file: string;
  readonly text: string;
  readonly report: FileReport;
  /** Those defined in this file, in the order of the text. */
  readonly kernels: readonly AnalysedKernel[];
  /** The shared and global accesses that stand in this file. */
  readonly groups: readonly AccessGroup[];
  /** The text of every file that was read. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface AnalysedKernel {
  readonly name: string;
  readonly nameRange: SourceRange;
  /** The whole definition. */
  readonly range: SourceRange;
  readonly launches: readonly KernelLaunch[];
}
