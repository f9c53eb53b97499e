// Places in documents, as commands carry them.
import { Position, Range, TextEditorRevealType, Uri, ViewColumn, window } from "vscode";
import type { PlaceArgument } from "../../server/src/lsp/protocol.ts";

export interface Place {
  readonly uri: Uri;
  readonly position: Position;
}

interface LineAndCharacter {
  readonly line: number;
  readonly character: number;
}

/** The place that a command was called with; null where it was called without. */
export function placeOf(argument: unknown): Place | null {
  const { uri, position } = (argument ?? {}) as Partial<PlaceArgument>;
  if (typeof uri !== "string" || position === undefined) return null;
  return { uri: Uri.parse(uri), position: new Position(position.line, position.character) };
}

/** Where the cursor of the active editor stands. */
export function cursorPlace(): Place | null {
  const editor = window.activeTextEditor;
  return editor === undefined ? null : { uri: editor.document.uri, position: editor.selection.active };
}

/** As the protocol writes it. */
export function placeArgument({ uri, position }: Place): PlaceArgument {
  return { uri: uri.toString(), position: { line: position.line, character: position.character } };
}

/** Shows a range in an editor, in the column where its document is open already. */
export async function selectRange(
  uri: Uri,
  { start, end }: { readonly start: LineAndCharacter; readonly end: LineAndCharacter },
): Promise<void> {
  const open = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const selection = new Range(start.line, start.character, end.line, end.character);
  const editor = await window.showTextDocument(uri, {
    viewColumn: open?.viewColumn ?? ViewColumn.Active,
    selection,
  });
  editor.revealRange(selection, TextEditorRevealType.InCenterIfOutsideViewport);
}
