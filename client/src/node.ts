// The extension's entry on the desktop and in remote hosts: the server is the command line's own `warplint lsp`, in a process beside.
import { type ExtensionContext, Uri } from "vscode";
import { LanguageClient, type LanguageClientOptions, TransportKind } from "vscode-languageclient/node";
import { type Extension, startExtension } from "./extension.ts";

let extension: Extension | null = null;

export function activate(context: ExtensionContext): void {
  const module = Uri.joinPath(context.extensionUri, "server", "dist", "cli.cjs").fsPath;
  extension = startExtension(context, (options) => new QuietClient(module, options));
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
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
