// The syntax tree as plain data: a copy of tree-sitter's, so that no tree-sitter node leaves this folder.

/** A node of tree-sitter-cuda's grammar. Offsets are into the text of its `SyntaxUnit`. */
export interface SyntaxNode {
  /** The grammar's name of the node: `call_expression`, `identifier`, `(`… */
  readonly type: string;
  /** The field of the parent that this node fills, or null. */
  readonly field: string | null;
  readonly isNamed: boolean;
  readonly start: number;
  readonly end: number;
  /** All children, anonymous ones too; comments are left out. */
  readonly children: readonly SyntaxNode[];
  /** Whether this node is, or has below it, an ERROR or MISSING node. */
  readonly hasError: boolean;
}

/** The first child that fills `field`, or null. */
export function childOf(node: SyntaxNode, field: string): SyntaxNode | null {
  for (const child of node.children) if (child.field === field) return child;
  return null;
}

/** All children that fill `field`. */
export function childrenOf(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((child) => child.field === field);
}

/** The first named child, or null. */
export function firstNamedChild(node: SyntaxNode): SyntaxNode | null {
  for (const child of node.children) if (child.isNamed) return child;
  return null;
}

/** The named children. */
export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.isNamed);
}
