// warplint/inSight: the lines of documents that somebody looks at. Their kernels are analysed before others.
import type { Range } from "vscode-languageserver";
import type { SourceRange } from "../text/source.ts";
import type { OpenDocuments } from "./documents.ts";
import type { InSightParams } from "./protocol.ts";
import { pathOf } from "./uri.ts";

export interface Sight {
  /** In place of what was in sight of the document before. */
  show(params: InSightParams): void;
  /** Whether anything of `range` is in sight. */
  sees(range: SourceRange): boolean;
}

export function createSight(documents: OpenDocuments): Sight {
  const shown = new Map<string, readonly Range[]>();
  return {
    show: ({ uri, ranges }) => {
      if (ranges.length === 0) shown.delete(pathOf(uri));
      else shown.set(pathOf(uri), ranges);
    },
    sees: ({ file, start, end }) => {
      const document = documents.documentOf(file);
      const ranges = shown.get(file) ?? [];
      if (document === null) return false;
      return ranges.some(
        (range) => document.offsetAt(range.start) <= end && start <= document.offsetAt(range.end),
      );
    },
  };
}
