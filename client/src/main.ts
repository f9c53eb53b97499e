// The extension's entry, one file for every host: what only one of them has is loaded there alone.
import type { ExtensionContext } from "vscode";
import { type Connector, type Extension, startExtension } from "./extension.ts";

let extension: Extension | null = null;

export async function activate(context: ExtensionContext): Promise<void> {
  extension = startExtension(context, await connectorOf(context));
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}

async function connectorOf(context: ExtensionContext): Promise<Connector> {
  if (isBrowser()) return (await import("./browser.ts")).browserConnector(context);
  return (await import("./node.ts")).nodeConnector(context);
}

/** Extension hosts of browsers are workers. */
function isBrowser(): boolean {
  return typeof (globalThis as { importScripts?: unknown }).importScripts === "function";
}
