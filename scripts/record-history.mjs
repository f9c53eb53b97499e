// The commits of test/compare/history.ts for the GPU: a folder and a recipe each, as scripts/record-truth.py --project takes them.
//
//   npm run record:history FOLDER
//   for each in FOLDER/*/; do python3 scripts/record-truth.py --project ${each%/}.jsonl $each; done
//   cat FOLDER/*.jsonl > test/compare/history.truth.jsonl
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: record-history.mjs FOLDER");
  process.exit(2);
}

const module = fileURLToPath(new URL("../test/compare/history.ts", import.meta.url));
const { outputFiles } = await build({ entryPoints: [module], format: "esm", write: false });
const { history, filesAfter } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

for (const commit of history.keys()) {
  const name = String(commit).padStart(2, "0");
  const files = filesAfter(commit);
  mkdirSync(join(folder, name), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(folder, name, path), text);
  const width = /TILE_WIDTH=(\d+)/.exec(files.get("CMakeLists.txt"))[1];
  const recipe = { build: [`nvcc -O3 -arch=sm_90 -DTILE_WIDTH=${width} *.cu -o app`], runs: ["./app"] };
  writeFileSync(join(folder, `${name}.recipe.json`), JSON.stringify(recipe));
}
