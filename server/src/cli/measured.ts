// `warplint measured`: what Nsight Compute counted beside what is predicted, line by line.
import { besidePredicted } from "../measured/beside.ts";
import { launchesToImport } from "../measured/imported.ts";
import type { ReadMeasurement } from "../measured/report.ts";
import { besideText, isDifferent } from "../measured/text.ts";
import { onOneLine } from "../render/visible.ts";
import { resolvePath } from "../text/path.ts";
import { type CommandOptions, lint } from "./linted.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export const measuredFormats = ["text", "json"] as const;

export interface MeasuredOptions extends CommandOptions {
  readonly format: (typeof measuredFormats)[number];
}

/** Ends with 1 where a figure differs from what is predicted. */
export async function measured(
  report: string,
  paths: readonly string[],
  options: MeasuredOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const read = await readFile(report, terminal);
  if (read.kind === "error") return refused(report, read.message, terminal);
  if (read.launches.length === 0) return refused(report, "the report has no launches", terminal);
  for (const note of read.notes) terminal.writeError(`warplint: ${onOneLine(report)}: ${note}\n`);
  const wanted = paths.length === 0 ? ["."] : paths;
  const first = await lint(wanted, options, terminal);
  const found = first.result.reports.flatMap(({ launches }) => launches);
  const imported = launchesToImport(read.launches, found);
  const linted =
    Object.keys(imported).length === 0
      ? first
      : await lint(wanted, { ...options, launches: imported }, terminal);
  const predicted = linted.result.reports.flatMap(({ launches }) => launches);
  const beside = besidePredicted(read.launches, predicted, linted.places);
  if (options.format === "text") terminal.write(besideText(beside));
  else
    terminal.write(
      `${JSON.stringify(
        {
          schemaVersion: 1,
          launches: beside.map(({ measured: launch, count, rows, reason }) => ({
            kernel: launch.kernel,
            signature: launch.signature,
            block: launch.block,
            grid: launch.grid,
            count,
            reason,
            rows,
          })),
        },
        null,
        1,
      )}\n`,
    );
  if (linted.problems.length > 0) return 2;
  return beside.some(({ rows }) => rows.some(isDifferent)) ? 1 : 0;
}

async function readFile(report: string, { host }: Terminal): Promise<ReadMeasurement> {
  const bytes = host.readBytes(resolvePath(host.currentDirectory, report));
  if (bytes === null) return { kind: "error", message: "no such file, or it cannot be read" };
  const { readReport } = await import("../measured/read.ts");
  return readReport(bytes);
}

function refused(report: string, message: string, terminal: Terminal): 2 {
  terminal.writeError(`warplint: ${onOneLine(report)}: ${message}\n`);
  return 2;
}
