// Draws findings at random, to be read by hand against the source (docs/findings-read.md): files in a random order until enough of them have
// findings, and one finding of each.
//
//   node scripts/draw-findings.mjs [--seed=N] [--count=N] [--cli=FILE] FOLDER…
//
// --count is for each folder. The same seed draws the same findings of the same files. Messages are printed whole.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "6" },
    cli: { type: "string", default: "server/dist/cli.cjs" },
  },
});
const cli = resolve(values.cli);

for (const folder of positionals) {
  const random = randomNumbers(Number(values.seed));
  let left = Number(values.count);
  for (const file of shuffled(sourcesIn(folder), random)) {
    if (left === 0) break;
    const diagnostics = findingsOf(folder, file);
    if (diagnostics.length === 0) continue;
    const { line, column, severity, message } = diagnostics[Math.floor(random() * diagnostics.length)];
    console.log(`${relative(folder, file)}:${line}:${column} ${severity}\n${message}\n`);
    left--;
  }
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".cu"))
    .sort()
    .map((path) => join(folder, path));
}

/** Of the file itself; a file that takes longer than two minutes has none. */
function findingsOf(folder, file) {
  const { stdout } = spawnSync(process.execPath, [cli, "check", "--format", "json", relative(folder, file)], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    timeout: 120_000,
  });
  try {
    return JSON.parse(stdout).files.flatMap(({ path, diagnostics }) =>
      resolve(folder, path) === resolve(file) ? diagnostics : [],
    );
  } catch {
    return [];
  }
}

function shuffled(items, random) {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** Mulberry32. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
