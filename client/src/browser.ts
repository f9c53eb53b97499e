// The extension in a browser: the server is a worker of its own.
import { type ExtensionContext, Uri, workspace } from "vscode";
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from "vscode-languageclient/browser";
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
          // VS Code's workers are of a class of their own, which the library does not know for one.
          const port = last as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
          return { reader: new BrowserMessageReader(port), writer: new BrowserMessageWriter(port) };
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

type BrowserScope = { readonly Worker: new (url: string) => BrowserWorker };

/** A worker that knows what it needs and waits for the protocol. */
async function startWorker({ extensionUri, extension }: ExtensionContext): Promise<BrowserWorker> {
  const read = (name: string) => workspace.fs.readFile(Uri.joinPath(extensionUri, "server", "dist", name));
  const [script, runtime, grammar] = await Promise.all([
    read("server.js"),
    read("web-tree-sitter.wasm"),
    read("tree-sitter-cuda.packed"),
  ]);
  // By its text: the script's own address may be one that no worker is started from (VS Code refuses those of remote extensions).
  const address = URL.createObjectURL(new Blob([script.slice()], { type: "text/javascript" }));
  const worker = new (globalThis as unknown as BrowserScope).Worker(address);
  const start: WorkerStart = {
    role: "server",
    runtime,
    grammar,
    version: String(extension.packageJSON.version),
  };
  worker.postMessage(start);
  return worker;
}
