// Tree-sitter behind a plain function: text in, plain nodes out. Of its trees the last is kept, to parse the next text by.
import { Language, Parser, type Tree } from "web-tree-sitter";
import { createLastTree } from "./last-tree.ts";
import type { SyntaxNode } from "./node.ts";
import { symbolTable } from "./symbol-table.ts";
import { copyByCursor } from "./tree-cursor.ts";
import { createTreeReader, type TreeReader, type WasmHeap } from "./tree-memory.ts";

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
  /** The same tree, copied through tree-sitter's public interface: slower, for tests to compare with. */
  readonly parseByCursor: (text: string) => SyntaxNode;
  /** How `parse` copies trees: "by cursor" where the memory is not laid out as known. */
  readonly copies: "from memory" | "by cursor";
  /** Frees the WASM memory; the parser must not be used any more. */
  readonly dispose: () => void;
}

// The callback comes every 100 operations; a clean parse takes about 3 operations a character.
const CALLBACKS_PER_CHARACTER = 2;
const LEAST_CALLBACKS = 2000;

/** Starts tree-sitter. */
export async function createParser(wasm: ParserWasm): Promise<CudaParser> {
  const heap = await startRuntime(wasm.runtime);
  const language = await Language.load(wasm.grammar);
  const parser = new Parser();
  parser.setLanguage(language);
  const symbols = symbolTable(language);
  const byCursor: TreeReader = (tree) => copyByCursor(tree, symbols);
  const read = checkedReader(() => createTreeReader(language, symbols, heap), parser, byCursor);
  const last = createLastTree();
  return {
    parse: (text) => {
      const tree = treeAfter(parser, text, last.takeFor(text)) ?? treeOf(parser, text, null);
      if (tree === null) return emptyRoot(text);
      last.keep(text, tree);
      return read(tree);
    },
    parseByCursor: (text) => parseOnce(parser, byCursor, text),
    copies: read === byCursor ? "by cursor" : "from memory",
    dispose: () => {
      last.dispose();
      parser.delete();
    },
  };
}

let runtime: Promise<WasmHeap> | null = null;

/** web-tree-sitter starts once in a process, whoever asks first. Its module is the object that it is given. */
function startRuntime(wasmBinary: Uint8Array): Promise<WasmHeap> {
  const start = async () => {
    const module: WasmHeap & { readonly wasmBinary: ArrayBuffer } = { wasmBinary: wasmBinary.slice().buffer };
    await Parser.init(module);
    return module;
  };
  runtime ??= start();
  return runtime;
}

/** Text that has what a layout of the memory could differ in: fields through hidden nodes, aliases, large and small leaves, errors. */
const SAMPLE = `template <typename T, int N = 4> __global__ void kernel(const T* __restrict__ in, T (&out)[N]) {
  for (int i = threadIdx.x, j = 0; i < N; i += blockDim.x) out[i] = in[static_cast<int>(i)]._${"x".repeat(300)};
  if (auto f = [=](float a) -> float { return a * 2.0f; }; f) std::vector<int>{1, 2}, "text", 'c' + ;
}
unsigned long long x = 1, y[2] = {(int)3}; struct A : B { enum { c = 1 }; int d : 3; } e; k<<<1, 2>>>(`;

/** The reader that `make` gives if it reads a sample as a cursor does, else the cursor's. */
function checkedReader(make: () => TreeReader, parser: Parser, byCursor: TreeReader): TreeReader {
  const tree = treeOf(parser, SAMPLE, null);
  if (tree === null) return byCursor;
  try {
    const reader = make();
    return JSON.stringify(reader(tree)) === JSON.stringify(byCursor(tree)) ? reader : byCursor;
  } catch {
    return byCursor;
  } finally {
    tree.delete();
  }
}

function parseOnce(parser: Parser, read: TreeReader, text: string): SyntaxNode {
  const tree = treeOf(parser, text, null);
  if (tree === null) return emptyRoot(text);
  try {
    return read(tree);
  } finally {
    tree.delete();
  }
}

/**
 * The tree of `text`, by that of an earlier text, which is deleted. Null where `text` has errors: how tree-sitter goes on behind one may
 * hang on what it knew before, and a text must have one tree, whatever was typed before it.
 */
function treeAfter(parser: Parser, text: string, earlier: Tree | null): Tree | null {
  if (earlier === null) return null;
  const tree = treeOf(parser, text, earlier);
  earlier.delete();
  if (tree === null || !tree.rootNode.hasError) return tree;
  tree.delete();
  return null;
}

/** Null where it took too long. */
function treeOf(parser: Parser, text: string, earlier: Tree | null): Tree | null {
  let callbacksLeft = LEAST_CALLBACKS + text.length * CALLBACKS_PER_CHARACTER;
  const tree = parser.parse(text, earlier, { progressCallback: () => --callbacksLeft < 0 });
  if (tree === null) parser.reset();
  return tree;
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
