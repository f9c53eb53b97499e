// Choose Launch: one of the launches that the source shows or one entered by hand, kept above the kernel. Figures follow by themselves,
// since the server sees the edit.
import { type QuickPickItem, QuickPickItemKind, Range, Uri, WorkspaceEdit, window, workspace } from "vscode";
import type { LaunchChoicesResult } from "../../server/src/lsp/protocol.ts";
import { type Place, placeArgument } from "./place.ts";
import type { Server } from "./server.ts";

interface LaunchItem extends QuickPickItem {
  /** What is to stand in `launch(…)`; null: ask. */
  readonly annotation: string | null;
}

export async function chooseLaunch(server: Server, place: Place): Promise<void> {
  const choices = await server.request("launchChoices", placeArgument(place));
  if (choices === null) {
    window.setStatusBarMessage("warplint: no kernel here", 4000);
    return;
  }
  const picked = await window.showQuickPick(itemsOf(choices), {
    title: `Launch of ${choices.kernel}`,
    placeHolder: "Kept as a comment above the kernel; it counts in place of what the source says",
    matchOnDescription: true,
  });
  if (picked === undefined) return;
  const annotation = picked.annotation ?? (await enterLaunch(server, place, choices));
  if (annotation !== undefined) await setLaunch(server, place, annotation);
}

function itemsOf({ choices }: LaunchChoicesResult): LaunchItem[] {
  const found = choices.map(({ label, description, annotation, isCurrent }) => ({
    label: isCurrent ? `$(check) ${label}` : label,
    description,
    annotation,
  }));
  const separator = { label: "", kind: QuickPickItemKind.Separator, annotation: null };
  const byHand = {
    label: "$(edit) Enter a launch…",
    description: "block, grid, parameters",
    annotation: null,
  };
  return found.length === 0 ? [byHand] : [...found, separator, byHand];
}

/** Asks for a launch, checked as it is typed; undefined where the user gave up. */
async function enterLaunch(
  server: Server,
  place: Place,
  choices: LaunchChoicesResult,
): Promise<string | undefined> {
  const names =
    choices.parameterNames.length === 0 ? "" : `; parameters: ${choices.parameterNames.join(", ")}`;
  return window.showInputBox({
    title: `Launch of ${choices.kernel}`,
    prompt: `block, grid, shared${names}`,
    placeHolder: "block=(32,8), grid=(128,128), n=1<<20",
    value: choices.annotation ?? choices.choices[0]?.annotation ?? "block=(256)",
    validateInput: async (annotation) => {
      const problems = await server.request("checkLaunch", { ...placeArgument(place), annotation });
      return problems?.[0];
    },
  });
}

async function setLaunch(server: Server, place: Place, annotation: string): Promise<void> {
  const result = await server.request("setLaunch", { ...placeArgument(place), annotation });
  const edit = await server.client()?.protocol2CodeConverter.asWorkspaceEdit(result?.edit);
  if (edit !== undefined) await workspace.applyEdit(edit);
}
