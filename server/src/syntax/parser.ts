// Tree-sitter behind a plain function: text in, plain nodes out. No tree outlives the call.
import { Language, Parser, type TreeCursor } from "web-tree-sitter";
import type { SyntaxNode } from "./node.ts";

/** Both WASM files, as bytes that the host has loaded. */
export interface ParserWasm {
  /** web-tree-sitter's own `web-tree-sitter.wasm`. */
  readonly runtime: Uint8Array;
  /** `grammars/tree-sitter-cuda.wasm`. */
  readonly grammar: Uint8Array;
}

export interface CudaParser {
  /** The tree of `text`; its root is a `translation_unit`. Ends in bounded time on any text. */
  readonly parse: (text: string) => SyntaxNode;
  /** Frees the WASM memory; the parser must not be used any more. */
  readonly dispose: () => void;
}

const ERROR_SYMBOL = 65535;
const MAX_DEPTH = 1000;
// The callback comes every 100 operations; a clean parse takes about 3 operations a character.
const CALLBACKS_PER_CHARACTER = 2;
const LEAST_CALLBACKS = 2000;

const WORDS = new Set(
  "identifier field_identifier type_identifier namespace_identifier primitive_type true false this auto".split(
    " ",
  ),
);
const NAMED_LEAVES = new Set([...WORDS, "number_literal", "string_content"]);
const NO_CHILDREN: SyntaxNode[] = [];

/** Starts tree-sitter. */
export async function createParser(wasm: ParserWasm): Promise<CudaParser> {
  await Parser.init({ wasmBinary: wasm.runtime.slice().buffer });
  const language = await Language.load(wasm.grammar);
  const parser = new Parser();
  parser.setLanguage(language);
  const symbols = symbolTable(language);
  return {
    parse: (text) => parseText(parser, symbols, text),
    dispose: () => parser.delete(),
  };
}

/** Names of the grammar's symbols and fields, so that no string crosses from WASM for each node. */
interface SymbolTable {
  readonly types: readonly string[];
  readonly isNamed: readonly boolean[];
  /** Symbols that never have children. */
  readonly isLeaf: readonly boolean[];
  /** Symbols that are one word of the text, whatever it is. */
  readonly isWord: readonly boolean[];
  readonly fields: readonly (string | null)[];
}

function symbolTable(language: Language): SymbolTable {
  const types: string[] = [];
  const isNamed: boolean[] = [];
  const isLeaf: boolean[] = [];
  const isWord: boolean[] = [];
  for (let id = 0; id < language.nodeTypeCount; id++) {
    types.push(language.nodeTypeForId(id) ?? "");
    isNamed.push(language.nodeTypeIsNamed(id));
    isLeaf.push(!language.nodeTypeIsNamed(id) || NAMED_LEAVES.has(types[id] ?? ""));
    isWord.push(language.nodeTypeIsNamed(id) && WORDS.has(types[id] ?? ""));
  }
  return { types, isNamed, isLeaf, isWord, fields: language.fields };
}

function parseText(parser: Parser, symbols: SymbolTable, text: string): SyntaxNode {
  let callbacksLeft = LEAST_CALLBACKS + text.length * CALLBACKS_PER_CHARACTER;
  const tree = parser.parse(text, null, { progressCallback: () => --callbacksLeft < 0 });
  if (tree === null) {
    parser.reset();
    return emptyRoot(text);
  }
  const cursor = tree.walk();
  try {
    return copyTree(cursor, symbols, tree.rootNode.hasError ? null : text) ?? emptyRoot(text);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** What stands for a text that took too long to parse. */
function emptyRoot(text: string): SyntaxNode {
  return {
    type: "translation_unit",
    field: null,
    isNamed: true,
    start: 0,
    end: text.length,
    children: [],
    hasError: true,
  };
}

interface Building {
  type: string;
  field: string | null;
  isNamed: boolean;
  start: number;
  end: number;
  children: SyntaxNode[];
  hasError: boolean;
}

/**
 * Copies the tree under the cursor. Every call into WASM costs, so an inner node's extent is taken from its children, and that of a
 * token from `clean`: the text, where it has no error. There tokens follow one another with nothing but white space between.
 */
function copyTree(cursor: TreeCursor, symbols: SymbolTable, clean: string | null): SyntaxNode | null {
  const open: Building[] = [];
  let position = 0;
  for (;;) {
    const id = cursor.nodeTypeId;
    const node = nodeUnder(cursor, id, symbols);
    if (!symbols.isLeaf[id] && open.length < MAX_DEPTH && cursor.gotoFirstChild()) {
      node.children = [];
      open.push(node);
      continue;
    }
    if (clean === null || !finishToken(node, symbols.isWord[id] ?? false, clean, position))
      finishLeaf(node, cursor);
    position = node.end;
    if (open.length >= MAX_DEPTH) node.hasError = true;
    let finished = node;
    for (;;) {
      const parent = open.at(-1);
      if (parent === undefined) return finished;
      parent.children.push(finished);
      if (finished.hasError) parent.hasError = true;
      if (cursor.gotoNextSibling()) break;
      cursor.gotoParent();
      open.pop();
      parent.start = parent.children[0]?.start ?? 0;
      parent.end = finished.end;
      finished = parent;
    }
  }
}

function nodeUnder(cursor: TreeCursor, id: number, symbols: SymbolTable): Building {
  const isError = id === ERROR_SYMBOL;
  const fieldId = cursor.currentFieldId;
  return {
    type: isError ? "ERROR" : (symbols.types[id] ?? ""),
    field: fieldId === 0 ? null : (symbols.fields[fieldId] ?? null),
    isNamed: isError || (symbols.isNamed[id] ?? false),
    start: 0,
    end: 0,
    children: NO_CHILDREN,
    hasError: isError,
  };
}

/** A leaf of no length was not in the text: the parser made it up. */
function finishLeaf(node: Building, cursor: TreeCursor): void {
  node.start = cursor.startIndex;
  node.end = cursor.endIndex;
  if (node.start === node.end) node.hasError ||= cursor.nodeIsMissing;
}

/** Finds a token of known spelling, or a word, behind `position`; false where it is something else. */
function finishToken(node: Building, isWord: boolean, text: string, position: number): boolean {
  if (node.isNamed && !isWord) return false;
  let start = position;
  while (text.charCodeAt(start) <= 32) start++;
  const end = isWord
    ? endOfWord(text, start)
    : text.startsWith(node.type, start)
      ? start + node.type.length
      : 0;
  if (end <= start) return false;
  node.start = start;
  node.end = end;
  return true;
}

/** 0 for words with characters beyond ASCII. */
function endOfWord(text: string, start: number): number {
  let end = start;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code > 127) return 0;
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    const isDigit = code >= 48 && code <= 57;
    if (!isLetter && !isDigit && code !== 95 && code !== 36) return end;
    end++;
  }
}
