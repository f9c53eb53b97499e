// A client of the language server over stdio, as an editor has it: documents are kept here too, so that what the server says of them can be
// checked against their text.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type ClientCapabilities,
  createMessageConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  ErrorCodes,
  type InitializeResult,
  type MessageConnection,
  type PublishDiagnosticsParams,
  type Range,
  type RegistrationParams,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds what users run into a folder of its own: test files run side by side. */
export function buildServer(): { readonly cli: string; remove(): void } {
  const dist = mkdtempSync(join(tmpdir(), "warplint-lsp-"));
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), dist], { stdio: "inherit" });
  return { cli: join(dist, "cli.cjs"), remove: () => rmSync(dist, { recursive: true }) };
}

/** What VS Code announces, as far as the server reads it. */
export const pullCapabilities: ClientCapabilities = {
  general: { markdown: { parser: "marked", allowedTags: ["pre", "span", "code"] } },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    codeLens: { refreshSupport: true },
    diagnostics: { refreshSupport: true },
  },
  window: { workDoneProgress: true },
  textDocument: {
    hover: { contentFormat: ["markdown", "plaintext"] },
    diagnostic: { relatedDocumentSupport: true },
    publishDiagnostics: {
      relatedInformation: true,
      codeDescriptionSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    codeAction: {
      isPreferredSupport: true,
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["", "quickfix"] } },
    },
  },
};

/** A client that can do little: no pull, no configuration, no markdown, no literals. */
export const plainCapabilities: ClientCapabilities = {
  textDocument: { hover: { contentFormat: ["plaintext"] }, publishDiagnostics: {} },
};

export interface ClientOptions {
  readonly cli: string;
  readonly capabilities?: ClientCapabilities;
  /** Absolute paths. */
  readonly folders?: readonly string[];
  readonly initializationOptions?: object;
  /** The section `warplint`, by folder's address; "" for no folder. */
  settings?(scope: string): unknown;
  /** What the client answers where the server asks it for files, by address. */
  readonly files?: Readonly<Record<string, string>>;
  readonly folderUris?: readonly string[];
  /** Whether what the server asks is answered with an error. */
  refuses?(method: string): boolean;
}

export interface Client {
  readonly connection: MessageConnection;
  readonly initialized: InitializeResult;
  readonly process: ChildProcess;
  /** Everything that the server logged, and what it wrote to its error stream. */
  readonly log: string[];
  /** Methods that the server asked the client for, in their order. */
  readonly asked: string[];
  readonly notified: { readonly method: string; readonly params: unknown }[];
  readonly published: PublishDiagnosticsParams[];
  readonly progress: { readonly token: string | number; readonly value: unknown }[];
  readonly registered: string[];
  /** Patterns of the files that the server wants to be told of. */
  readonly watched: string[];
  open(path: string, text: string, languageId?: string): void;
  openUri(uri: string, text: string, languageId?: string): void;
  /** Incremental, as an editor sends it. */
  edit(uri: string, range: Range, text: string): void;
  replace(uri: string, text: string): void;
  close(uri: string): void;
  document(uri: string): TextDocument;
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  /** All diagnostics of a document, however the server gives them. */
  diagnostics(uri: string): Promise<readonly Diagnostic[]>;
  request<R>(method: string, params: unknown): Promise<R>;
  until(isSo: () => boolean, what: string): Promise<void>;
  /** Says goodbye; gives the exit code. */
  stop(): Promise<number | null>;
}

export function uriOf(path: string): string {
  return pathToFileURL(path).toString();
}

export async function startClient(options: ClientOptions): Promise<Client> {
  const {
    cli,
    capabilities = pullCapabilities,
    folders = [],
    folderUris = [],
    settings = () => null,
    files = {},
    refuses = () => false,
  } = options;
  const child = spawn(process.execPath, [cli, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const client: Pick<
    Client,
    "log" | "asked" | "notified" | "published" | "progress" | "registered" | "watched"
  > = {
    log: [],
    asked: [],
    notified: [],
    published: [],
    progress: [],
    registered: [],
    watched: [],
  };
  child.stderr.on("data", (data: Buffer) => client.log.push(String(data)));
  listen(connection, client, { settings, files, refuses });
  connection.listen();
  const initialized = await connection.sendRequest<InitializeResult>("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities,
    initializationOptions: options.initializationOptions,
    workspaceFolders: [...folders.map(uriOf), ...folderUris].map((uri) => ({ uri, name: uri })),
  });
  await connection.sendNotification("initialized", {});
  return {
    ...client,
    ...documentsOf(child, connection, client, initialized),
    connection,
    initialized,
    process: child,
  };
}

function listen(
  connection: MessageConnection,
  client: Pick<Client, "log" | "asked" | "notified" | "published" | "progress" | "registered" | "watched">,
  { settings, files, refuses }: Required<Pick<ClientOptions, "settings" | "files" | "refuses">>,
): void {
  connection.onRequest((method, params) => {
    client.asked.push(method);
    if (refuses(method)) return new ResponseError(ErrorCodes.InternalError, "no");
    if (method === "workspace/configuration") {
      const { items } = params as { items: readonly { scopeUri?: string }[] };
      return items.map(({ scopeUri = "" }) => settings(scopeUri) ?? null);
    }
    if (method === "client/registerCapability") {
      const { registrations } = params as RegistrationParams;
      client.registered.push(...registrations.map((each) => each.method));
      for (const { registerOptions } of registrations)
        for (const { globPattern } of registerOptions?.watchers ?? []) client.watched.push(globPattern);
    }
    if (method === "workspace/applyEdit") return { applied: true };
    if (method === "warplint/readFile") {
      const text = files[(params as { uri: string }).uri];
      return { base64: text === undefined ? null : Buffer.from(text).toString("base64") };
    }
    if (method === "warplint/listDirectory")
      return { entries: entriesOf((params as { uri: string }).uri, files) };
    return null;
  });
  connection.onNotification((method, params) => {
    client.notified.push({ method, params });
    if (method === "window/logMessage") client.log.push((params as { message: string }).message);
    if (method === "textDocument/publishDiagnostics")
      client.published.push(params as PublishDiagnosticsParams);
  });
  connection.onUnhandledProgress(({ token, value }) => client.progress.push({ token, value }));
}

/** The names below a directory of `files`, with their kinds; null where there is none. */
function entriesOf(directory: string, files: Readonly<Record<string, string>>) {
  const entries = new Map<string, { name: string; kind: "file" | "directory" }>();
  for (const uri of Object.keys(files)) {
    if (!uri.startsWith(`${directory}/`)) continue;
    const [name = "", ...below] = uri.slice(directory.length + 1).split("/");
    entries.set(name, { name, kind: below.length === 0 ? "file" : "directory" });
  }
  return entries.size === 0 ? null : [...entries.values()];
}

function documentsOf(
  child: ChildProcess,
  connection: MessageConnection,
  client: Pick<Client, "published">,
  { capabilities }: InitializeResult,
) {
  const documents = new Map<string, TextDocument>();
  const document = (uri: string): TextDocument => {
    const found = documents.get(uri);
    if (found === undefined) throw new Error(`${uri} is not open`);
    return found;
  };
  const openUri = (uri: string, text: string, languageId = "cuda-cpp"): void => {
    documents.set(uri, TextDocument.create(uri, languageId, 1, text));
    void connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId, version: 1, text },
    });
  };
  const change = (uri: string, contentChanges: readonly { range?: Range; text: string }[]): void => {
    const before = document(uri);
    const after = TextDocument.update(before, [...contentChanges], before.version + 1);
    documents.set(uri, after);
    void connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: after.version },
      contentChanges,
    });
  };
  const pull = (uri: string, previousResultId?: string) =>
    connection.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", {
      textDocument: { uri },
      ...(previousResultId === undefined ? {} : { previousResultId }),
    });
  const until = async (isSo: () => boolean, what: string): Promise<void> => {
    for (let waited = 0; !isSo(); waited += 5) {
      if (waited > 20_000) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const diagnostics = async (uri: string): Promise<readonly Diagnostic[]> => {
    if (capabilities.diagnosticProvider !== undefined) {
      const report = await pull(uri);
      return report.kind === "full" ? report.items : [];
    }
    const { version } = document(uri);
    const latest = () => client.published.findLast((each) => each.uri === uri && each.version === version);
    await until(() => latest() !== undefined, `diagnostics of ${uri}, version ${version}`);
    return latest()?.diagnostics ?? [];
  };
  return {
    open: (path: string, text: string, languageId?: string) => openUri(uriOf(path), text, languageId),
    openUri,
    edit: (uri: string, range: Range, text: string) => change(uri, [{ range, text }]),
    replace: (uri: string, text: string) => change(uri, [{ text }]),
    close: (uri: string) => {
      documents.delete(uri);
      void connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    },
    document,
    pull,
    until,
    diagnostics,
    request: <R>(method: string, params: unknown) => connection.sendRequest<R>(method, params),
    stop: async () => {
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      return ended;
    },
  };
}
