// What the client can do, read once from its `initialize` request, as plain data.
import type { ClientCapabilities, InitializeParams } from "vscode-languageserver";
import type { InitializationOptions } from "./protocol.ts";

export interface ClientFeatures {
  /** Pull needs the refresh too: a header or a setting may change what a file's findings are. */
  readonly diagnostics: "pull" | "push";
  readonly hover: "spans" | "fenced" | "plain";
  readonly canRefreshLenses: boolean;
  readonly canRefreshHints: boolean;
  readonly canConfigure: boolean;
  readonly canRegisterConfiguration: boolean;
  readonly canWatchFiles: boolean;
  readonly canChangeFolders: boolean;
  readonly canShowProgress: boolean;
  readonly canShowRelated: boolean;
  readonly canShowRulePage: boolean;
  readonly canShowTags: boolean;
  readonly canMarkPreferred: boolean;
  /** Whether actions may be literals; older clients know only commands. */
  readonly canTakeActions: boolean;
  readonly edits: "versioned" | "plain";
  readonly canApplyEdits: boolean;
  readonly commandLinks: boolean;
  readonly rulePages: string | null;
  readonly files: "client" | "server";
  /** Whether files of the workspace may name others outside of it. */
  readonly trust: "trusted" | "restricted";
}

/** `rulePages` holds where the client names no place for them. */
export function featuresOf(
  { capabilities, initializationOptions }: InitializeParams,
  rulePages: string | null,
): ClientFeatures {
  const { workspace, textDocument, window } = capabilities;
  const options = optionsOf(initializationOptions);
  const canPull = textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true;
  // Related places and tags are announced for both ways of sending diagnostics.
  const shown = canPull
    ? { ...textDocument?.publishDiagnostics, ...textDocument?.diagnostic }
    : textDocument?.publishDiagnostics;
  return {
    diagnostics: canPull ? "pull" : "push",
    hover: hoverOf(capabilities),
    canRefreshLenses: workspace?.codeLens?.refreshSupport === true,
    canRefreshHints: workspace?.inlayHint?.refreshSupport === true,
    canConfigure: workspace?.configuration === true,
    canRegisterConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    canWatchFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    canChangeFolders: workspace?.workspaceFolders === true,
    canShowProgress: window?.workDoneProgress === true,
    canShowRelated: shown?.relatedInformation === true,
    canShowRulePage: shown?.codeDescriptionSupport === true,
    canShowTags: shown?.tagSupport !== undefined,
    canMarkPreferred: textDocument?.codeAction?.isPreferredSupport === true,
    canTakeActions: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    edits: workspace?.workspaceEdit?.documentChanges === true ? "versioned" : "plain",
    canApplyEdits: workspace?.applyEdit === true,
    commandLinks: options.commandLinks === true,
    rulePages: options.rulePages ?? rulePages,
    files: options.files ?? "server",
    // A client that has the only files there are gives none outside of the workspace.
    trust: options.files === "client" ? "restricted" : (options.trust ?? "trusted"),
  };
}

/** Clients send what they like; what is of another type counts as missing. */
function optionsOf(options: unknown): InitializationOptions {
  if (typeof options !== "object" || options === null) return {};
  const { commandLinks, rulePages, files, trust } = options as Readonly<Record<string, unknown>>;
  return {
    ...(commandLinks === true ? { commandLinks } : {}),
    ...(typeof rulePages === "string" ? { rulePages } : {}),
    ...(files === "client" ? { files } : {}),
    ...(trust === "restricted" ? { trust } : {}),
  };
}

/** Colours need `<pre>` and `<span style>`, which a client must allow by name. */
function hoverOf({ general, textDocument }: ClientCapabilities): ClientFeatures["hover"] {
  const formats = textDocument?.hover?.contentFormat ?? [];
  if (!formats.includes("markdown")) return "plain";
  const tags = general?.markdown?.allowedTags ?? [];
  return tags.includes("span") && tags.includes("pre") ? "spans" : "fenced";
}
