// npm run bench: bundles the benchmark and runs it in a process of its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

// The first argument names the program of scripts/bench: engine (by default) or survey, which takes folders.
const [name = "engine", ...rest] = process.argv.slice(2);
const folder = mkdtempSync(join("node_modules", ".bench-"));
const outfile = join(folder, "bench.mjs");
await build({
  entryPoints: [`scripts/bench/${name}.ts`],
  bundle: true,
  platform: "node",
  format: "esm",
  // jsonc-parser offers the bundler its ES modules under "module".
  mainFields: ["module", "main"],
  external: ["yaml", "web-tree-sitter", "vscode-languageserver", "vscode-languageserver-textdocument"],
  outfile,
});
// With `gc`, a benchmark can collect its own garbage before it times another process.
const { status } = spawnSync(process.execPath, ["--expose-gc", outfile, ...rest], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
