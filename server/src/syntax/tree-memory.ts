// Reads tree-sitter's trees where they lie, in the memory of its WASM module: a cursor's calls into WASM take as long as the parse. The
// layout is that of `subtree.h`, `tree.h` and `parser.h` of tree-sitter 0.27 for 32-bit addresses; `parser.ts` makes sure that it holds.
import type { Language, Tree } from "web-tree-sitter";
import type { SyntaxNode } from "./node.ts";
import { ERROR_SYMBOL, MAX_DEPTH, NO_CHILDREN, type SymbolTable } from "./symbol-table.ts";

/** Copies a tree: gives what a walk of a cursor over it would give. */
export type TreeReader = (tree: Tree) => SyntaxNode;

/** Views of the memory, as Emscripten's module keeps them: new ones whenever the memory has grown. */
export interface WasmHeap {
  readonly HEAPU8?: Uint8Array;
  readonly HEAPU16?: Uint16Array;
  readonly HEAPU32?: Uint32Array;
}

/** Byte offsets in `TSLanguage`. */
const LANGUAGE = {
  productionCount: 28,
  longestProduction: 36,
  fieldMapSlices: 64,
  fieldMapEntries: 68,
  publicSymbols: 76,
  aliasSequences: 84,
} as const;

/** Byte offsets in `SubtreeHeapData`. A `Subtree` holds its address, or a small leaf itself: the lowest bit tells. */
const SUBTREE = {
  paddingBytes: 4,
  sizeBytes: 16,
  childCount: 36,
  symbol: 40,
  flags: 44,
  production: 66,
} as const;
/** The children of a subtree are this many bytes each, and end where its own data begins. */
const BYTES_A_CHILD = 8;
/** Bits of the flags, as a small leaf has them behind the bit that tells it is one. */
const VISIBLE = 1;
const EXTRA = 4;
const MISSING = 16;

/** UTF-16: two bytes a unit. */
const BYTES_A_UNIT = 2;
const MOST_NESTED_CALLS = 2 * MAX_DEPTH;

/** A reader of trees of `language` that lie in `heap`. What it reads is nonsense where they do not lie there in the layout above. */
export function createTreeReader(language: Language, symbols: SymbolTable, heap: WasmHeap): TreeReader {
  const grammar = grammarIn(heap, addressOf(language), symbols);
  return (tree) => new SubtreeReader(heap, grammar).rootAt(addressOf(tree));
}

class SubtreeReader {
  private readonly halves: Uint16Array;
  private readonly words: Uint32Array;
  private readonly grammar: Grammar;
  /** The children found so far of the nodes being read, those of the innermost node last. */
  private readonly found: SyntaxNode[] = [];
  private foundCount = 0;
  private nestedCalls = 0;
  // The subtree that `load` saw last.
  private flags = 0;
  private padding = 0;
  private size = 0;
  private symbol = 0;
  /** Its address where it has children, else 0. */
  private parent = 0;

  constructor({ HEAPU16, HEAPU32 }: WasmHeap, grammar: Grammar) {
    this.halves = HEAPU16 ?? new Uint16Array();
    this.words = HEAPU32 ?? new Uint32Array();
    this.grammar = grammar;
  }

  rootAt(address: number): SyntaxNode {
    this.load(address >> 2);
    return this.loadedNode(this.symbol, null, this.padding, 0);
  }

  private load(at: number): void {
    const head = this.words[at] ?? 0;
    if ((head & 1) === 1) {
      const tail = this.words[at + 1] ?? 0;
      this.flags = head >> 1;
      this.padding = (tail >> 16) & 0xff;
      this.size = tail >>> 24;
      this.symbol = (head >> 8) & 0xff;
      this.parent = 0;
      return;
    }
    const flags = this.halves[(head + SUBTREE.flags) >> 1] ?? 0;
    this.flags = (flags & (VISIBLE | EXTRA)) | ((flags >> 5) & MISSING);
    this.padding = this.words[(head + SUBTREE.paddingBytes) >> 2] ?? 0;
    this.size = this.words[(head + SUBTREE.sizeBytes) >> 2] ?? 0;
    this.symbol = this.halves[(head + SUBTREE.symbol) >> 1] ?? 0;
    this.parent = this.words[(head + SUBTREE.childCount) >> 2] === 0 ? 0 : head;
  }

  /** The node of the loaded subtree, under `symbol`. */
  private loadedNode(symbol: number, field: string | null, start: number, depth: number): SyntaxNode {
    const { size, parent } = this;
    const isError = symbol === ERROR_SYMBOL;
    let hasError = isError || depth >= MAX_DEPTH || (size === 0 && (this.flags & MISSING) !== 0);
    let children = NO_CHILDREN;
    if (parent !== 0 && depth < MAX_DEPTH && this.grammar.isLeaf[symbol] !== true) {
      const first = this.foundCount;
      if (this.findChildren(parent, null, start, depth + 1)) hasError = true;
      // A slice has no room to spare, as a list that grew would have.
      if (this.foundCount > first) children = this.found.slice(first, this.foundCount);
      this.foundCount = first;
    }
    return {
      type: isError ? "ERROR" : (this.grammar.types[symbol] ?? ""),
      field,
      isNamed: isError || (this.grammar.isNamed[symbol] ?? false),
      start: start / BYTES_A_UNIT,
      end: (start + size) / BYTES_A_UNIT,
      children,
      hasError,
    };
  }

  /**
   * Adds the visible children of `parent` to `found`, and those of its hidden children, which have its field where they have none of their
   * own. Returns whether one has an error.
   */
  private findChildren(parent: number, inherited: string | null, start: number, depth: number): boolean {
    if (this.nestedCalls >= MOST_NESTED_CALLS) return true;
    this.nestedCalls++;
    const { width, aliases, fields } = this.grammar;
    const count = this.words[(parent + SUBTREE.childCount) >> 2] ?? 0;
    const production = this.halves[(parent + SUBTREE.production) >> 1] ?? 0;
    // Production 0 says nothing, and its nodes may have any number of children.
    let row = production * width;
    const step = production === 0 ? 0 : 1;
    let position = start;
    let hasError = false;
    for (let index = 0; index < count; index++) {
      this.load((parent - (count - index) * BYTES_A_CHILD) >> 2);
      // The padding of the first child is its parent's own.
      if (index > 0) position += this.padding;
      const end = position + this.size;
      const isExtra = (this.flags & EXTRA) !== 0;
      const alias = isExtra ? 0 : (aliases[row] ?? 0);
      const field = isExtra ? null : (fields[row] ?? inherited);
      if (!isExtra) row += step;
      if (alias !== 0 || (this.flags & VISIBLE) !== 0) {
        const node = this.loadedNode(alias === 0 ? this.symbol : alias, field, position, depth);
        if (node.hasError) hasError = true;
        this.found[this.foundCount++] = node;
      } else if (this.parent !== 0 && this.findChildren(this.parent, field, position, depth)) {
        hasError = true;
      }
      position = end;
    }
    this.nestedCalls--;
    return hasError;
  }
}

/** What reading needs of the grammar: names by the symbols that the parser uses, which `language` shows under public ones. */
interface Grammar extends SymbolTable {
  /** Children of a production at most. */
  readonly width: number;
  /** By `production * width + child`: the symbol that stands in for the child's own, or 0. */
  readonly aliases: readonly number[];
  /** By the same index. */
  readonly fields: readonly (string | null)[];
}

function grammarIn(heap: WasmHeap, language: number, symbols: SymbolTable): Grammar {
  const word = (address: number) => heap.HEAPU32?.[address >> 2] ?? 0;
  const half = (address: number) => heap.HEAPU16?.[address >> 1] ?? 0;
  const byte = (address: number) => heap.HEAPU8?.[address] ?? 0;
  const pointer = (offset: number) => word(language + offset);
  const publicIds = symbols.types.map((_, id) => half(pointer(LANGUAGE.publicSymbols) + 2 * id));
  const slices = pointer(LANGUAGE.fieldMapSlices);
  const entries = pointer(LANGUAGE.fieldMapEntries);
  const sequences = pointer(LANGUAGE.aliasSequences);
  const width = half(language + LANGUAGE.longestProduction);
  const aliases: number[] = new Array(width).fill(0);
  const fields: (string | null)[] = new Array(width).fill(null);
  for (let production = 1; production < word(language + LANGUAGE.productionCount); production++) {
    const row = production * width;
    for (let child = 0; child < width; child++) aliases.push(half(sequences + 2 * (row + child)));
    for (let child = 0; child < width; child++) fields.push(null);
    const first = half(slices + 4 * production);
    const length = half(slices + 4 * production + 2);
    // The first of several entries for one child counts.
    for (let index = first + length - 1; index >= first; index--) {
      const entry = entries + 4 * index;
      const isInherited = byte(entry + 3) !== 0;
      const child = byte(entry + 2);
      if (!isInherited && child < width) fields[row + child] = symbols.fields[half(entry)] ?? null;
    }
  }
  return {
    types: publicIds.map((id) => symbols.types[id] ?? ""),
    isNamed: publicIds.map((id) => symbols.isNamed[id] ?? false),
    isLeaf: publicIds.map((id) => symbols.isLeaf[id] ?? false),
    width,
    aliases,
    fields,
  };
}

/** web-tree-sitter's objects hold the address of what they stand for at index 0. */
function addressOf(object: Language | Tree): number {
  return (object as unknown as { readonly 0: number })[0];
}
