// From offsets in texts to positions of the protocol, and back. Both count UTF-16 units.
import type { Location, Position, Range } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { SourceRange } from "../text/source.ts";

export interface Locations {
  rangeIn(file: string, range: { readonly start: number; readonly end: number }): Range;
  locationOf(range: SourceRange): Location;
  offsetIn(file: string, position: Position): number;
}

/** Locations in `texts` (by file). Offsets past the end are the end. */
export function createLocations(
  texts: ReadonlyMap<string, string>,
  uriOfFile: (file: string) => string,
): Locations {
  const documents = new Map<string, TextDocument>();
  const documentOf = (file: string): TextDocument => {
    let found = documents.get(file);
    if (found === undefined) {
      found = TextDocument.create(uriOfFile(file), "", 0, texts.get(file) ?? "");
      documents.set(file, found);
    }
    return found;
  };
  const rangeIn: Locations["rangeIn"] = (file, { start, end }) => {
    const document = documentOf(file);
    return { start: document.positionAt(start), end: document.positionAt(end) };
  };
  return {
    rangeIn,
    locationOf: (range) => ({ uri: uriOfFile(range.file), range: rangeIn(range.file, range) }),
    offsetIn: (file, position) => documentOf(file).offsetAt(position),
  };
}
