// A profiler's report, in whichever form it comes.
import { readCsv } from "./csv.ts";
import { isNcuReport, readNcuReport } from "./ncu-report.ts";
import type { ReadMeasurement } from "./report.ts";

/** Of an .ncu-rep file or a page of CSV. Never throws. */
export function readReport(bytes: Uint8Array): ReadMeasurement {
  return isNcuReport(bytes) ? readNcuReport(bytes) : readCsv(new TextDecoder().decode(bytes));
}
