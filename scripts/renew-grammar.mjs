// Renews grammars/tree-sitter-cuda.wasm and its licence from the npm package: `node scripts/renew-grammar.mjs [VERSION]`.
// Prints what grammars/README.md must say; run the tests afterwards, since every version parses a little differently.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language, Parser } from "web-tree-sitter";

const DEFAULT_VERSION = "0.21.1";
const grammars = fileURLToPath(new URL("../grammars/", import.meta.url));
const version = process.argv[2] ?? DEFAULT_VERSION;
const folder = mkdtempSync(join(tmpdir(), "warplint-grammar-"));

try {
  const packed = execFileSync("npm", ["pack", `tree-sitter-cuda@${version}`, "--silent"], {
    cwd: folder,
    encoding: "utf8",
  });
  execFileSync("tar", ["xzf", packed.trim().split("\n").at(-1) ?? ""], { cwd: folder });
  const source = join(folder, "package");
  copyFileSync(join(source, "tree-sitter-cuda.wasm"), join(grammars, "tree-sitter-cuda.wasm"));
  copyFileSync(join(source, "LICENSE"), join(grammars, "LICENSE.tree-sitter-cuda"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const bytes = readFileSync(join(grammars, "tree-sitter-cuda.wasm"));
await Parser.init();
const language = await Language.load(bytes);
console.log(`version ${version}`);
console.log(`ABI ${language.abiVersion}`);
console.log(`sha256 ${createHash("sha256").update(bytes).digest("hex")}`);
console.log(`bytes ${bytes.length}`);
