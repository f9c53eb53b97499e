// Bundles the command line into server/dist (or the folder named), with both WASM files beside it, and the extension into client/dist:
// what the packages ship.
import { copyFile, cp, mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = resolve(process.argv[2] ?? join(root, "server/dist"));
const require = createRequire(import.meta.url);
const treeSitter = dirname(require.resolve("web-tree-sitter"));

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: [join(root, "server/src/cli/main.ts")],
  outfile: join(dist, "cli.cjs"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // The extension's package has to stay small. Functions keep their names: the log's stack traces are read by people.
  minify: true,
  keepNames: true,
  // jsonc-parser's main file is UMD, which no bundler can follow.
  mainFields: ["module", "main"],
  legalComments: "eof",
  banner: { js: "#!/usr/bin/env node" },
  // web-tree-sitter's module asks for import.meta.url, which a CommonJS bundle lacks; its own CommonJS build does not.
  alias: { "web-tree-sitter": join(treeSitter, "web-tree-sitter.cjs") },
  define: { "import.meta.dirname": "__dirname" },
  logLevel: "warning",
});
await copyFile(join(treeSitter, "web-tree-sitter.wasm"), join(dist, "web-tree-sitter.wasm"));
await copyFile(join(root, "grammars/tree-sitter-cuda.wasm"), join(dist, "tree-sitter-cuda.wasm"));
await copyFile(join(root, "LICENSE"), join(dist, "LICENSE"));
await copyFile(join(root, "grammars/LICENSE.tree-sitter-cuda"), join(dist, "LICENSE.tree-sitter-cuda"));
await copyFile(join(root, "docs/warplint.schema.json"), join(dist, "warplint.schema.json"));
await cp(join(root, "docs/rules"), join(dist, "rules"), { recursive: true });

// The extension belongs to the repository's own server: a server built elsewhere has none.
if (process.argv[2] === undefined) await buildClient(join(root, "client/dist"));

async function buildClient(out) {
  const common = { bundle: true, minify: true, legalComments: "none", logLevel: "warning" };
  await rm(out, { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: [join(root, "client/src/node.ts")],
    outfile: join(out, "extension.cjs"),
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    legalComments: "external",
  });
  await build({
    ...common,
    entryPoints: [join(root, "client/src/webview/panel.ts"), join(root, "client/src/webview/panel.css")],
    outdir: out,
    platform: "browser",
    format: "iife",
    target: "es2022",
  });
}
