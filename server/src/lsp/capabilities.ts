// What the server says it can do, to this client.
import {
  CodeActionKind,
  PositionEncodingKind,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from "vscode-languageserver";
import type { ClientFeatures } from "./features.ts";
import { fixAllKind, serverCommands } from "./protocol.ts";

export function serverCapabilities(features: ClientFeatures): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    hoverProvider: true,
    codeLensProvider: { resolveProvider: false },
    inlayHintProvider: true,
    ...(features.canTakeActions
      ? { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] } }
      : {}),
    executeCommandProvider: { commands: Object.values(serverCommands) },
    ...(features.diagnostics === "pull"
      ? {
          diagnosticProvider: {
            identifier: "warplint",
            // A header's text changes what is found in a source, and a source's launches what is found in a header.
            interFileDependencies: true,
            workspaceDiagnostics: true,
          },
        }
      : {}),
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
