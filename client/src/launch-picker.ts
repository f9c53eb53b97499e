// Choose Launch: one of the launches that the source shows or one entered by hand, kept above the kernel. Figures follow by themselves,
// since the server sees the edit.
import { type QuickPickItem, QuickPickItemKind, ThemeIcon, window, workspace } from "vscode";
import type { LaunchChoicesResult } from "../../server/src/lsp/protocol.ts";
import { keepLaunches } from "./launch-settings.ts";
import { type Place, placeArgument } from "./place.ts";
import type { Server } from "./server.ts";

interface LaunchItem extends QuickPickItem {
  /** What is to stand in `launch(…)`; null: ask. */
  readonly annotation: string | null;
}

/** Where a choice is kept. */
type Keeping = "comment" | "settings";

interface Picked {
  readonly item: LaunchItem;
  readonly keeping: Keeping;
}

export async function chooseLaunch(server: Server, place: Place): Promise<void> {
  const choices = await server.request("launchChoices", placeArgument(place));
  if (choices === null) {
    window.setStatusBarMessage("warplint: no kernel here", 4000);
    return;
  }
  const picked = await pick(choices);
  if (picked === null) return;
  const annotation = picked.item.annotation ?? (await enterLaunch(server, place, choices));
  if (annotation !== undefined) await setLaunch(server, place, annotation, picked.keeping);
}

/** The list of launches; null where the user gave up. */
function pick(choices: LaunchChoicesResult): Promise<Picked | null> {
  const list = window.createQuickPick<LaunchItem>();
  list.title = `Launch of ${choices.kernel}`;
  list.placeholder = "Kept as a comment above the kernel. Overrides the launches found in the source.";
  list.matchOnDescription = true;
  list.items = itemsOf(choices);
  return new Promise((resolve) => {
    const end = (picked: Picked | null) => {
      resolve(picked);
      list.dispose();
    };
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      if (item !== undefined) end({ item, keeping: "comment" });
    });
    list.onDidTriggerItemButton(({ item }) => end({ item, keeping: "settings" }));
    list.onDidHide(() => end(null));
    list.show();
  });
}

function itemsOf({ choices, annotation: current }: LaunchChoicesResult): LaunchItem[] {
  // A comment above the kernel counts before all settings: beside one there is nothing to keep there.
  const buttons =
    current === null ? [{ iconPath: new ThemeIcon("gear"), tooltip: "Keep in the settings instead" }] : [];
  const found = choices.map(({ label, description, annotation, isCurrent }) => ({
    label: isCurrent ? `$(check) ${label}` : label,
    description,
    annotation,
    buttons,
  }));
  const separator = { label: "", kind: QuickPickItemKind.Separator, annotation: null };
  const byHand = {
    label: "$(edit) Enter a launch…",
    description: "block, grid, parameters",
    annotation: null,
    buttons,
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

async function setLaunch(server: Server, place: Place, annotation: string, keeping: Keeping): Promise<void> {
  const result = await server.request("setLaunch", { ...placeArgument(place), annotation });
  if (result === null) return;
  if (keeping === "settings" && result.setting !== null)
    await keepLaunches(place.uri, { [result.setting.kernel]: result.setting.launch });
  else {
    const edit = await server.client()?.protocol2CodeConverter.asWorkspaceEdit(result.edit);
    if (edit !== undefined) await workspace.applyEdit(edit);
  }
}
