// The extension in a browser: the server is a worker of its own.
import { type ExtensionContext, Uri, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/browser";
import type { WorkerStart } from "../../server/src/lsp/protocol.ts";
import type { Connector } from "./extension.ts";

export function browserConnector(context: ExtensionContext): Connector {
  let last: BrowserWorker | null = null;
  const stop = () => {
    last?.terminate();
    last = null;
  };
  context.subscriptions.push({ dispose: stop });
  return {
    files: "client",
    connect: (options) =>
      new QuietClient(
        "warplint",
        "warplint",
        async () => {
          stop();
          last = await startWorker(context);
          return last as Worker;
        },
        options,
      ),
  };
}

/** A client that never opens a message box: what goes wrong stands in the log and in the status item. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
}

/** What browsers give: this repository's types are those of Node. */
interface BrowserWorker {
  postMessage(message: unknown): void;
  terminate(): void;
}

/** A worker that knows what it needs and waits for the protocol. */
async function startWorker({ extensionUri, extension }: ExtensionContext): Promise<BrowserWorker> {
  const file = (name: string) => Uri.joinPath(extensionUri, "server", "dist", name);
  const [runtime, grammar] = await Promise.all(
    ["web-tree-sitter.wasm", "tree-sitter-cuda.wasm"].map((name) => workspace.fs.readFile(file(name))),
  );
  if (runtime === undefined || grammar === undefined) throw new Error("the installation is incomplete");
  const scope = globalThis as unknown as { readonly Worker: new (url: string) => BrowserWorker };
  const worker = new scope.Worker(file("server.js").toString(true));
  const start: WorkerStart = { runtime, grammar, version: String(extension.packageJSON.version) };
  worker.postMessage(start);
  return worker;
}
