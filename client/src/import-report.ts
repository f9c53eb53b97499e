// Import Nsight Compute Report: what a GPU counted, beside what is predicted.
import { Uri, window, workspace } from "vscode";
import type { ImportReportResult } from "../../server/src/lsp/protocol.ts";
import { base64Of } from "./files.ts";
import { keepLaunches } from "./launch-settings.ts";
import type { Server } from "./server.ts";

/** Of the explorer's file, or one that the user picks. */
export async function importReport(server: Server, argument: unknown): Promise<void> {
  const file = argument instanceof Uri ? argument : await pickedReport();
  if (file === undefined) return;
  const bytes = await bytesOf(file);
  if (bytes === null) {
    void window.showErrorMessage(`warplint: ${nameOf(file)} cannot be read`);
    return;
  }
  const base64 = base64Of(bytes);
  const result = await server.request("importReport", { name: nameOf(file), base64 });
  if (result === null) return;
  if (!result.isRead) void window.showErrorMessage(result.message);
  else await offerLaunches(result, file);
}

/** A report knows block and grid of kernels that nothing in sight launches. */
async function offerLaunches({ message, launches }: ImportReportResult, file: Uri): Promise<void> {
  const kernels = Object.keys(launches);
  if (kernels.length === 0) {
    void window.showInformationMessage(message);
    return;
  }
  const question = `${message} No launch is in sight of ${kernels.join(", ")}.`;
  const answer = await window.showInformationMessage(question, takeLaunches);
  if (answer === takeLaunches) await keepLaunches(file, launches);
}

const takeLaunches = "Use the Report's Launches";

export async function forgetReport(server: Server): Promise<void> {
  await server.request("importReport", { name: "", base64: null });
}

async function pickedReport(): Promise<Uri | undefined> {
  const picked = await window.showOpenDialog({
    title: "Import Nsight Compute Report",
    openLabel: "Import",
    filters: { "Nsight Compute": ["ncu-rep", "csv"] },
  });
  return picked?.[0];
}

async function bytesOf(file: Uri): Promise<Uint8Array | null> {
  try {
    return await workspace.fs.readFile(file);
  } catch {
    return null;
  }
}

function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
