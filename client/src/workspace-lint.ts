// Lint Workspace: the server reads all CUDA files; findings come as diagnostics, progress in the status bar.
import { commands, ProgressLocation, window } from "vscode";
import type { Server } from "./server.ts";

/** How long the summary stays in the status bar. */
const summaryMs = 8000;

export async function lintWorkspace(server: Server): Promise<void> {
  const result = await window.withProgress(
    { location: ProgressLocation.Window, title: "warplint: linting the workspace" },
    (progress, token) =>
      server.withProgress(
        "lintWorkspace",
        {},
        ({ percentage = 0, message = "" }) => progress.report({ message: `${percentage} %, ${message}` }),
        token,
      ),
  );
  if (result === null) return;
  window.setStatusBarMessage(`warplint: ${result.summary}`, summaryMs);
  if (result.findings > 0) await commands.executeCommand("workbench.actions.view.problems");
}
