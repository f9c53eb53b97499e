// npm run bench: bundles the benchmark and runs it in a process of its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join("node_modules", ".bench-"));
const outfile = join(folder, "bench.mjs");
await build({
  entryPoints: ["scripts/bench/engine.ts"],
  bundle: true,
  platform: "node",
  format: "esm",
  external: ["web-tree-sitter"],
  outfile,
});
const { status } = spawnSync(process.execPath, [outfile], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
