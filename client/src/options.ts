// How the client is set up: what it selects, what it lets a hover do, and that it stays quiet when something fails.
import { type ExtensionContext, type LogOutputChannel, Uri, workspace } from "vscode";
import {
  CloseAction,
  ErrorAction,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient";
import { clientCommands, type InitializationOptions } from "../../server/src/lsp/protocol.ts";
import type { ConfigProblems } from "./config-problems.ts";
import { readSelector } from "./selector.ts";

/** After as many ends of the server in three minutes it stays down until the user restarts it. */
const mostRestarts = 4;
const restartWindowMs = 3 * 60 * 1000;

export function clientOptions(
  { extensionUri }: ExtensionContext,
  log: LogOutputChannel,
  files: NonNullable<InitializationOptions["files"]>,
  configProblems: ConfigProblems,
): LanguageClientOptions {
  const initializationOptions: InitializationOptions = {
    commandLinks: true,
    rulePages: `${Uri.joinPath(extensionUri, "docs", "rules").toString()}/`,
    files,
    trust: workspace.isTrusted ? "trusted" : "restricted",
  };
  return {
    documentSelector: readSelector(),
    diagnosticCollectionName: "warplint",
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions,
    middleware: { handleDiagnostics: configProblems.handle },
    // Links run these commands and no others, whatever a comment in the workspace might smuggle into a hover.
    markdown: { isTrusted: { enabledCommands: Object.values(clientCommands) }, supportHtml: true },
    initializationFailedHandler: (error: unknown) => {
      log.error("the server could not be initialised", error);
      return false;
    },
    errorHandler: quietErrorHandler(log),
  };
}

function quietErrorHandler(log: LogOutputChannel): NonNullable<LanguageClientOptions["errorHandler"]> {
  const ends: number[] = [];
  return {
    error: (error, _message, count) => {
      log.error("the connection to the server failed", error);
      return { action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown, handled: true };
    },
    closed: () => {
      const now = Date.now();
      ends.push(now);
      const recent = ends.filter((time) => now - time < restartWindowMs).length;
      const action = recent <= mostRestarts ? CloseAction.Restart : CloseAction.DoNotRestart;
      log.error(
        action === CloseAction.Restart
          ? "the server ended; starting it again"
          : `the server ended ${recent} times in three minutes; it stays down until "warplint: Restart Server"`,
      );
      return { action, handled: true };
    },
  };
}
