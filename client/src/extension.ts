// What the extension is made of, whichever host it runs in: the server's client, commands, status item and panel.
import {
  type Disposable,
  type ExtensionContext,
  languages,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import type { InitializationOptions } from "../../server/src/lsp/protocol.ts";
import { registerCommands } from "./commands.ts";
import { createConfigProblems } from "./config-problems.ts";
import { registerConfigurationView } from "./configuration-view.ts";
import { registerCostTree } from "./cost-tree.ts";
import { registerHeat } from "./heat.ts";
import { clientOptions } from "./options.ts";
import { registerPanel } from "./panel.ts";
import { cudaSelector, readSelector } from "./selector.ts";
import { createServer, type Server } from "./server.ts";
import { registerSight } from "./sight.ts";
import { registerStatus } from "./status.ts";

export interface Extension {
  readonly stop: () => Promise<void>;
}

/** What differs from host to host. */
export interface Connector {
  /** Who reads the workspace's files. */
  readonly files: NonNullable<InitializationOptions["files"]>;
  /** Makes the client of a server that is not yet started. */
  readonly connect: (options: LanguageClientOptions) => BaseLanguageClient;
}

export function startExtension(context: ExtensionContext, { files, connect }: Connector): Extension {
  const log = window.createOutputChannel("warplint", { log: true });
  const configProblems = createConfigProblems();
  const server = createServer(() => connect(clientOptions(context, log, files, configProblems)), log);
  const panel = registerPanel(context, server);
  const configuration = registerConfigurationView(server);
  const costs = registerCostTree(server);
  context.subscriptions.push(
    log,
    configProblems,
    panel,
    configuration,
    costs,
    registerStatus(server),
    registerHeat(server),
    registerSight(server),
    registerCommands({ context, server, log, panel, configuration, costs }),
    startWithFirstDocument(server),
    workspace.onDidGrantWorkspaceTrust(() => {
      if (server.state() !== "stopped") void server.restart();
    }),
  );
  return { stop: () => server.stop() };
}

/**
 * C++ opens this extension as well, since a user may have given .cu that language: no server is started but for CUDA, or for a header where
 * the workspace has CUDA.
 */
function startWithFirstDocument(server: Server): Disposable {
  let hasCuda: Thenable<boolean> | null = null;
  const startFor = async (document: TextDocument) => {
    if (server.state() !== "stopped") return;
    if (languages.match(cudaSelector(), document) === 0) {
      if (languages.match(readSelector(), document) === 0) return;
      hasCuda ??= workspace.findFiles("**/*.{cu,cuh}", undefined, 1).then((found) => found.length > 0);
      if (!cudaWords.test(document.getText()) && !(await hasCuda)) return;
    }
    void server.start();
  };
  for (const document of workspace.textDocuments) void startFor(document);
  return workspace.onDidOpenTextDocument((document) => void startFor(document));
}

const cudaWords = /\b__(?:global|device)__\b/;
