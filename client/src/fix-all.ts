// Fix All: the safe fixes of a file or of the workspace, in VS Code's preview of changes, where each is confirmed.
import { ProgressLocation, type Uri, window, workspace } from "vscode";
import type { FixAllResult } from "../../server/src/lsp/protocol.ts";
import { plural } from "../../server/src/render/words.ts";
import type { Server } from "./server.ts";

const messageMs = 8000;

/** Of the workspace where `uri` is null. */
export async function fixAll(server: Server, uri: Uri | null): Promise<void> {
  const result = await window.withProgress(
    { location: ProgressLocation.Window, title: "warplint: searching for fixes" },
    (progress, token) =>
      server.withProgress(
        "fixAll",
        { uri: uri?.toString() ?? null },
        ({ percentage = 0, message = "" }) => progress.report({ message: `${percentage} %, ${message}` }),
        token,
      ),
  );
  if (result === null) return;
  const { edit } = result;
  if (edit === null) {
    window.setStatusBarMessage("warplint: no safe fix", messageMs);
    return;
  }
  const converted = await server.client()?.protocol2CodeConverter.asWorkspaceEdit(edit);
  if (converted === undefined) return;
  // Every change asks to be confirmed: VS Code shows them before it makes them.
  const isMade = await workspace.applyEdit(converted, { isRefactoring: true });
  if (isMade) window.setStatusBarMessage(`warplint: ${countText(result)}`, messageMs);
}

function countText({ fixes, files }: FixAllResult): string {
  return `${plural(fixes, "fix").replace("fixs", "fixes")} in ${plural(files, "file")}`;
}
