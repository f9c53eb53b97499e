// warplint/importReport: a report of Nsight Compute, to be shown beside what is predicted.

import { launchCount } from "../ide/measured.ts";
import type { KernelLaunch } from "../lint/report.ts";
import { launchesToImport } from "../measured/imported.ts";
import { onOneLine } from "../render/visible.ts";
import { plural } from "../render/words.ts";
import { notifyAnalysed } from "./analysed.ts";
import { type ServerContext, viewOfAnalysis } from "./context.ts";
import type { ImportReportParams, ImportReportResult } from "./protocol.ts";

export async function importReport(
  { name, base64 }: ImportReportParams,
  context: ServerContext,
): Promise<ImportReportResult> {
  const { measurements, readReport } = context;
  if (base64 === null) {
    measurements.use(null);
    notifyAnalysed(context.documents.cudaPaths(), context);
    return { isRead: true, message: "No report is shown any more.", launches: {} };
  }
  if (readReport === null) return refused("Reports can be read on the desktop, not in a browser.");
  const read = await readReport(new Uint8Array(Buffer.from(base64, "base64")));
  if (read.kind === "error") return refused(`${onOneLine(name)}: ${read.message}`);
  measurements.use({ name, launches: read.launches });
  const predicted: KernelLaunch[] = [];
  for (const path of context.documents.cudaPaths()) {
    const analysis = context.analyses.last(path);
    // The text as it is now is the one that the report is held against.
    if (analysis === null) continue;
    measurements.of(analysis, viewOfAnalysis(analysis, null, context).places);
    predicted.push(...analysis.kernels.flatMap(({ launches }) => launches));
  }
  notifyAnalysed(context.documents.cudaPaths(), context);
  const kernels = new Set(read.launches.map(({ kernel }) => kernel)).size;
  const found = `${launchCount(read.launches.length)} of ${plural(kernels, "kernel")}`;
  return {
    isRead: true,
    message: [`${onOneLine(name)}: ${found}.`, ...read.notes].join(" "),
    launches: launchesToImport(read.launches, predicted),
  };
}

function refused(message: string): ImportReportResult {
  return { isRead: false, message, launches: {} };
}
