// The tree of the text that was parsed last, to parse the next text by: while somebody types, that is the same declaration again with one
// stretch typed anew, and tree-sitter takes over what lies outside of it.
import { Edit, type Point, type Tree } from "web-tree-sitter";
import { type ChangedStretch, changedStretch } from "../text/stretch.ts";

/** Owns the tree that it keeps. */
export interface LastTree {
  /**
   * The tree, told how `text` differs, for the caller to delete: it is kept no more. Null where most of `text` is new, or where it is likely
   * to have errors still: such a text is parsed by itself in the end.
   */
  takeFor(text: string): Tree | null;
  /** In place of the one kept. */
  keep(text: string, tree: Tree): void;
  dispose(): void;
}

export function createLastTree(): LastTree {
  let kept: { readonly text: string; readonly tree: Tree } | null = null;
  const dispose = (): void => {
    kept?.tree.delete();
    kept = null;
  };
  return {
    takeFor: (text) => {
      if (kept === null) return null;
      const { tree } = kept;
      const change = changedStretch(kept.text, text);
      if (2 * (change.newEnd - change.start) > text.length) return null;
      if (tree.rootNode.hasError && !mayMend(change, text)) return null;
      tree.edit(editOf(change, kept.text, text));
      kept = null;
      return tree;
    },
    keep: (text, tree) => {
      dispose();
      kept = { text, tree };
    },
    dispose,
  };
}

/** What a statement lacks that is being typed is mostly what ends something. */
function mayMend({ start, oldEnd, newEnd }: ChangedStretch, text: string): boolean {
  return oldEnd > start || /[;)\]}>"']/.test(text.slice(start, newEnd));
}

function editOf({ start, oldEnd, newEnd }: ChangedStretch, before: string, after: string): Edit {
  return new Edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: pointAt(after, start),
    oldEndPosition: pointAt(before, oldEnd),
    newEndPosition: pointAt(after, newEnd),
  });
}

function pointAt(text: string, index: number): Point {
  const lines = text.slice(0, index).split("\n");
  return { row: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}
