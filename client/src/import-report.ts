// Import Nsight Compute Report: what a GPU counted, beside what is predicted.
import { Uri, window, workspace } from "vscode";
import { base64Of } from "./files.ts";
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
  const show = result.isRead ? window.showInformationMessage : window.showErrorMessage;
  void show(result.message);
}

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
