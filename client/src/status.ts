// The language status item: the kernel under the cursor with its launch, or what is wrong. Nothing is ever said in a message box. It stays for
// files of every kind once the server runs: who pinned it looks for it beside a Makefile as well.
import {
  type Command,
  commands,
  Disposable,
  type LanguageStatusItem,
  LanguageStatusSeverity,
  languages,
  window,
} from "vscode";
import { clientCommands, type StatusResult } from "../../server/src/lsp/protocol.ts";
import { debounce } from "./debounce.ts";
import { placeArgument } from "./place.ts";
import { isRead, readSelector } from "./selector.ts";
import type { Server, ServerState } from "./server.ts";

/** After the cursor rests for so long. */
const restMs = 150;

export function registerStatus(server: Server): Disposable {
  const item = languages.createLanguageStatusItem("warplint", readSelector());
  item.name = "warplint";
  const refresh = debounce(restMs, () => show(item, server));
  const showState = (state: ServerState) => {
    item.selector = state === "stopped" ? readSelector() : "*";
    if (state === "running") refresh();
    else showServer(item, state);
  };
  showState(server.state());
  return Disposable.from(
    item,
    refresh,
    server.onStateChanged(showState),
    server.onAnalysed(({ uri }) => {
      if (window.activeTextEditor?.document.uri.toString() === uri) refresh();
    }),
    window.onDidChangeActiveTextEditor(() => refresh()),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === window.activeTextEditor) refresh();
    }),
  );
}

async function show(item: LanguageStatusItem, server: Server): Promise<void> {
  const editor = window.activeTextEditor;
  if (server.state() !== "running" || editor === undefined) return;
  if (!isRead(editor.document)) return showNothing(item);
  const place = { uri: editor.document.uri, position: editor.selection.active };
  const status = await server.request("status", placeArgument(place));
  if (window.activeTextEditor !== editor || server.state() !== "running") return;
  // What the menus ask: a header's name does not say whether it is one of CUDA.
  void commands.executeCommand("setContext", "warplint.isCuda", status !== null);
  if (status !== null) showStatus(item, status);
  else showNothing(item);
}

function showStatus(item: LanguageStatusItem, status: StatusResult): void {
  const { kernel, isBusy, findings, problems } = status;
  item.busy = isBusy;
  item.severity = problems.length > 0 ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
  item.text = `warplint: ${kernel?.text ?? countText(findings)}`;
  item.detail = problems[0] ?? kernel?.detail ?? "";
  item.command = kernel === null ? showOutput : launchCommand(status.uri, kernel);
}

function showNothing(item: LanguageStatusItem): void {
  item.busy = false;
  item.severity = LanguageStatusSeverity.Information;
  item.text = "warplint";
  item.detail = "No CUDA in this file";
  item.command = { title: "Show memory cost", command: "warplint.showWorkspaceCost" };
}

function countText(findings: number): string {
  if (findings === 0) return "no findings";
  return findings === 1 ? "1 finding" : `${findings} findings`;
}

const showOutput: Command = { title: "Show output", command: "warplint.showOutput" };

function launchCommand(uri: string, kernel: NonNullable<StatusResult["kernel"]>): Command {
  return {
    title: kernel.isLaunchKnown ? "Change launch" : "Set launch",
    command: clientCommands.chooseLaunch,
    arguments: [{ uri, position: kernel.position }],
  };
}

function showServer(item: LanguageStatusItem, state: ServerState): void {
  item.busy = state === "starting";
  item.severity = state === "failed" ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
  item.text = state === "failed" ? "warplint: the server does not run" : "warplint";
  item.detail = state === "failed" ? "The output channel says why." : "";
  item.command =
    state === "failed" ? { title: "Restart server", command: "warplint.restartServer" } : showOutput;
}
