// Budgets of text, headers counted once for each source that includes them: a million characters take a second of CPU or two.
import type { Extent } from "./budget.ts";

export interface TextLimits {
  /**
   * Of the programs that are analysed for the sake of one file. The program that passes it is the last. The tests and samples of a library each
   * link all of it.
   */
  readonly ofFile: number;
  /** Of the programs that are linked to see whether they have a file. */
  readonly ofTried: number;
  /** Of one program. */
  readonly ofProgram: number;
  /** Of one that is entered in the midst, for its root is used by others: it tells little of launches, and these programs overlap. */
  readonly ofUsed: number;
}

export const textLimits: Readonly<Record<Extent, TextLimits>> = {
  file: { ofFile: 8_000_000, ofTried: Infinity, ofProgram: 60_000_000, ofUsed: 60_000_000 },
  repository: { ofFile: 4_000_000, ofTried: 8_000_000, ofProgram: 4_000_000, ofUsed: 1_000_000 },
};
