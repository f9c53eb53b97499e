// Edits in offsets as the protocol's, for the version of the documents that they were made for.
import type { TextEdit as ProtocolEdit, WorkspaceEdit } from "vscode-languageserver";
import type { TextEdit } from "../ide/types.ts";
import type { ServerContext } from "./context.ts";
import type { Locations } from "./locations.ts";

export function workspaceEdit(
  edits: readonly TextEdit[],
  locations: Locations,
  { documents, features }: Pick<ServerContext, "documents" | "features">,
): WorkspaceEdit {
  const ofFile = new Map<string, ProtocolEdit[]>();
  for (const { file, start, end, newText } of edits) {
    const known = ofFile.get(file) ?? [];
    known.push({ range: locations.rangeIn(file, { start, end }), newText });
    ofFile.set(file, known);
  }
  if (features.edits === "plain")
    return {
      changes: Object.fromEntries([...ofFile].map(([file, changes]) => [documents.uriOf(file), changes])),
    };
  return {
    documentChanges: [...ofFile].map(([file, changes]) => ({
      textDocument: { uri: documents.uriOf(file), version: documents.documentOf(file)?.version ?? null },
      edits: changes,
    })),
  };
}
