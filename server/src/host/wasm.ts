// The two WASM files that the parser needs, from where this installation keeps them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keepBuildFile, keptBuildFile } from "./build-files.ts";
import { withRepeats } from "./repeats.ts";

export interface WasmFiles {
  /** tree-sitter itself. */
  readonly runtime: Uint8Array;
  /** The grammar of CUDA. */
  readonly grammar: Uint8Array;
}

/** Reads both files: beside the bundle, as the package ships them, else from a checkout of the repository. Throws where neither is. */
export function readWasm(bundleDirectory: string): WasmFiles {
  const checkout = join(bundleDirectory, "../../..");
  return {
    runtime: firstOf([
      join(bundleDirectory, "web-tree-sitter.wasm"),
      join(checkout, "node_modules/web-tree-sitter/web-tree-sitter.wasm"),
    ]),
    grammar: grammarIn(bundleDirectory) ?? firstOf([join(checkout, "grammars/tree-sitter-cuda.wasm")]),
  };
}

function grammarIn(bundleDirectory: string): Uint8Array | null {
  const shipped = join(bundleDirectory, "tree-sitter-cuda.packed");
  return existsSync(shipped) ? unpacked(shipped) : null;
}

/** Unpacked once for this build. */
function unpacked(shipped: string): Uint8Array {
  const kept = keptBuildFile("tree-sitter-cuda.wasm");
  if (kept !== null) return kept;
  const grammar = withRepeats(readFileSync(shipped));
  keepBuildFile("tree-sitter-cuda.wasm", grammar);
  return grammar;
}

function firstOf(paths: readonly string[]): Uint8Array {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`the installation is incomplete: ${paths[0]} is missing`);
  return readFileSync(found);
}
