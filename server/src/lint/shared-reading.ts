// What sessions of one run share of what they read.
import type { LinkedTexts } from "./linked-programs.ts";
import type { UnitReader } from "./unit-reader.ts";

/** What sessions of one run share: units as they were read, and what programs read. While it lives no file may change. */
export interface SharedReading {
  readonly reader: UnitReader;
  /** By program. */
  readonly links: Map<string, LinkedTexts>;
}
