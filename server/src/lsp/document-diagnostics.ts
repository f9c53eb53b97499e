// Diagnostics of open documents: pulled where the client can be told to pull again, else pushed with the document's version; never both.
import {
  type CancellationToken,
  CancellationTokenSource,
  type Diagnostic,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  LSPErrorCodes,
  ResponseError,
} from "vscode-languageserver";
import { noFixes } from "../fixes/fix.ts";
import { CancelledError } from "./analyses.ts";
import { anyDraft, type DiagnosticsContext, type FileView, type ServerContext, viewOf } from "./context.ts";
import { protocolDiagnostics } from "./diagnostics.ts";
import { isReported } from "./reported.ts";
import { pathOf } from "./uri.ts";

/** What a client was given last, to tell it when nothing has changed. */
export interface ResultMemory {
  /** The id of `diagnostics` for `uri`: that of the last time where they are the same. */
  idOf(uri: string, diagnostics: readonly Diagnostic[]): string;
  forget(uri: string): void;
  /** A client asked about a document that it had not opened yet. */
  askEarly(uri: string): void;
  /** Whether it did, before the document was opened now: then it has to be told to ask again. */
  takeEarly(uri: string): boolean;
}

export function createResultMemory(): ResultMemory {
  const known = new Map<string, { readonly id: string; readonly text: string }>();
  const early = new Set<string>();
  let count = 0;
  return {
    askEarly: (uri) => {
      early.add(uri);
    },
    takeEarly: (uri) => early.delete(uri),
    idOf: (uri, diagnostics) => {
      const text = JSON.stringify(diagnostics);
      const last = known.get(uri);
      if (last?.text === text) return last.id;
      count++;
      const id = String(count);
      known.set(uri, { id, text });
      return id;
    },
    forget: (uri) => {
      known.delete(uri);
    },
  };
}

/** Nothing of a file of which nothing is reported. */
export function diagnosticsOfView(
  { analysis, places, locations }: FileView,
  context: DiagnosticsContext,
): Diagnostic[] {
  const { documents, features, fixes, folders } = context;
  if (!isReported(analysis.file, folders)) return [];
  const found = documents.documentOf(analysis.file) === null ? noFixes : fixes.of(analysis);
  return protocolDiagnostics(analysis, places, locations, features, found);
}

/** textDocument/diagnostic. */
export async function pulledDiagnostics(
  { textDocument, previousResultId }: DocumentDiagnosticParams,
  token: CancellationToken,
  memory: ResultMemory,
  context: ServerContext,
): Promise<DocumentDiagnosticReport> {
  // VS Code's client asks for what is open at its start, and may do so before it sends the text.
  if (context.documents.documentOf(pathOf(textDocument.uri)) === null) memory.askEarly(textDocument.uri);
  const view = await viewOf(textDocument.uri, token, context, anyDraft).catch((error: unknown) => {
    if (!(error instanceof CancelledError)) throw error;
    // Also where the client itself has cancelled: VS Code's (10.1.2) loses a document for good that is not to be asked for again.
    const data = { retriggerRequest: true };
    throw new ResponseError(LSPErrorCodes.ServerCancelled, "the analysis was cancelled", data);
  });
  const items = view === null ? [] : diagnosticsOfView(view, context);
  const resultId = memory.idOf(textDocument.uri, items);
  return resultId === previousResultId
    ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
    : { kind: DocumentDiagnosticReportKind.Full, resultId, items };
}

export interface DiagnosticsPusher {
  /** The document's diagnostics may be others: they follow once it has been quiet for a moment. */
  schedule(path: string): void;
  /** The document is closed. */
  clear(path: string, uri: string): void;
}

/** How long a document must be quiet until it is analysed: people do not read while they type. */
const quietMilliseconds = 100;

export function createPusher(context: ServerContext): DiagnosticsPusher {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const running = new Map<string, CancellationTokenSource>();

  const stop = (path: string): void => {
    clearTimeout(timers.get(path));
    timers.delete(path);
    running.get(path)?.cancel();
    running.delete(path);
  };

  const push = async (path: string): Promise<void> => {
    timers.delete(path);
    const source = new CancellationTokenSource();
    running.set(path, source);
    try {
      const uri = context.documents.uriOf(path);
      const view = await viewOf(uri, source.token, context);
      const document = context.documents.documentOf(path);
      if (document === null || source.token.isCancellationRequested) return;
      const diagnostics = view === null ? [] : diagnosticsOfView(view, context);
      await context.connection.sendDiagnostics({ uri, version: document.version, diagnostics });
    } catch (error) {
      if (!(error instanceof CancelledError)) context.log.failed(`diagnostics of ${path}`, error);
    } finally {
      if (running.get(path) === source) running.delete(path);
      source.dispose();
    }
  };

  return {
    schedule: (path) => {
      stop(path);
      timers.set(
        path,
        setTimeout(() => void push(path), quietMilliseconds),
      );
    },
    clear: (path, uri) => {
      stop(path);
      void context.connection.sendDiagnostics({ uri, diagnostics: [] });
    },
  };
}
