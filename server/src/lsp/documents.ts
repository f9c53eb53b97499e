// Open documents, by the path that the core knows them by.
import { TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { mayHoldCuda } from "../project/walk.ts";
import { pathOf, uriOf } from "./uri.ts";

export interface OpenDocuments {
  /** To be connected to the client. */
  readonly events: TextDocuments<TextDocument>;
  textOf(path: string): string | null;
  documentOf(path: string): TextDocument | null;
  /** The address by which the client knows a file: its own where it has it open. */
  uriOf(path: string): string;
  all(): readonly TextDocument[];
  /** Those that may hold CUDA, in the order in which they were opened. */
  cudaPaths(): readonly string[];
}

export function createDocuments(): OpenDocuments {
  const events = new TextDocuments(TextDocument);
  const byPath = new Map<string, TextDocument>();
  events.onDidOpen(({ document }) => byPath.set(pathOf(document.uri), document));
  events.onDidChangeContent(({ document }) => byPath.set(pathOf(document.uri), document));
  events.onDidClose(({ document }) => {
    const path = pathOf(document.uri);
    if (byPath.get(path)?.uri === document.uri) byPath.delete(path);
  });
  const documentOf = (path: string): TextDocument | null => byPath.get(path) ?? null;
  return {
    events,
    documentOf,
    textOf: (path) => documentOf(path)?.getText() ?? null,
    uriOf: (path) => documentOf(path)?.uri ?? uriOf(path),
    all: () => [...byPath.values()],
    cudaPaths: () =>
      [...byPath].flatMap(([path, document]) => (mayHoldCuda(path, document.getText()) ? [path] : [])),
  };
}
