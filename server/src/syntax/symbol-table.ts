// What the grammar calls its symbols and fields, so that no string crosses from WASM for each node.
import type { Language } from "web-tree-sitter";
import type { SyntaxNode } from "./node.ts";

export interface SymbolTable {
  readonly types: readonly string[];
  readonly isNamed: readonly boolean[];
  /** Symbols whose children say nothing: tokens, and names that stand for one. */
  readonly isLeaf: readonly boolean[];
  readonly fields: readonly (string | null)[];
}

/** Stands in trees for what the grammar has no rule for; it is in no table. */
export const ERROR_SYMBOL = 65535;
/** What lies deeper is cut off and counts as an error: as deep as clang lets brackets lie, and passes over the IR have the stack for it. */
export const MAX_DEPTH = 256;
/** The children of every leaf. */
export const NO_CHILDREN: readonly SyntaxNode[] = [];

const NAMED_LEAVES = new Set(
  "identifier field_identifier type_identifier namespace_identifier primitive_type true false this auto number_literal string_content".split(
    " ",
  ),
);

/** The symbols of `language` by id. */
export function symbolTable(language: Language): SymbolTable {
  const types: string[] = [];
  const isNamed: boolean[] = [];
  const isLeaf: boolean[] = [];
  for (let id = 0; id < language.nodeTypeCount; id++) {
    types.push(language.nodeTypeForId(id) ?? "");
    isNamed.push(language.nodeTypeIsNamed(id));
    isLeaf.push(!language.nodeTypeIsNamed(id) || NAMED_LEAVES.has(types[id] ?? ""));
  }
  return { types, isNamed, isLeaf, fields: language.fields.map((field) => field ?? null) };
}
