// The extension on the desktop and in remote hosts: the server is the command line's own `warplint lsp`, in a process beside.
import { type ExtensionContext, Uri, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions, TransportKind } from "vscode-languageclient/node";
import type { Connector } from "./extension.ts";
import { registerTools } from "./mcp.ts";

export function nodeConnector(context: ExtensionContext): Connector {
  const module = Uri.joinPath(context.extensionUri, "server", "dist", "cli.cjs").fsPath;
  registerTools(context, module);
  return { files: isVirtual() ? "client" : "server", connect: (options) => new QuietClient(module, options) };
}

/** Whether the server's process sees none of the workspace's files. */
function isVirtual(): boolean {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every(({ uri }) => uri.scheme !== "file");
}

/** A client that never opens a message box: what goes wrong stands in the log and in the status item. */
class QuietClient extends LanguageClient {
  constructor(module: string, options: LanguageClientOptions) {
    const run = { module, args: ["lsp"], transport: TransportKind.stdio };
    super("warplint", "warplint", { run, debug: run }, options);
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
}
