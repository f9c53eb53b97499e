// Copies tree-sitter's trees through its public cursor: what `tree-memory.ts` must equal, and what stands in for it where it cannot read.
import type { Tree, TreeCursor } from "web-tree-sitter";
import type { SyntaxNode } from "./node.ts";
import { ERROR_SYMBOL, MAX_DEPTH, NO_CHILDREN, type SymbolTable } from "./symbol-table.ts";

/** A copy of `tree`. */
export function copyByCursor(tree: Tree, symbols: SymbolTable): SyntaxNode {
  const cursor = tree.walk();
  try {
    return copyUnder(cursor, symbols, 0);
  } finally {
    cursor.delete();
  }
}

function copyUnder(cursor: TreeCursor, symbols: SymbolTable, depth: number): SyntaxNode {
  const id = cursor.nodeTypeId;
  const isError = id === ERROR_SYMBOL;
  const field = symbols.fields[cursor.currentFieldId] ?? null;
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  const isMissing = start === end && cursor.nodeIsMissing;
  const children: SyntaxNode[] = [];
  const isParent = !symbols.isLeaf[id] && depth < MAX_DEPTH && cursor.gotoFirstChild();
  if (isParent) {
    do children.push(copyUnder(cursor, symbols, depth + 1));
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return {
    type: isError ? "ERROR" : (symbols.types[id] ?? ""),
    field,
    isNamed: isError || (symbols.isNamed[id] ?? false),
    start,
    end,
    children: isParent ? children : NO_CHILDREN,
    hasError: isError || isMissing || depth >= MAX_DEPTH || children.some((child) => child.hasError),
  };
}
