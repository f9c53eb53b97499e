// What sessions of one part share of what they read and found.
import type { ToldInstances } from "./instances.ts";
import type { LinkedTexts } from "./linked-programs.ts";
import type { UnitReader } from "./unit-reader.ts";

/** Units as they were read, what programs read, and what instances of templates told. While it lives no file may change. */
export interface SharedReading {
  readonly reader: UnitReader;
  /** By program. */
  readonly links: Map<string, LinkedTexts>;
  readonly told: ToldInstances;
}
