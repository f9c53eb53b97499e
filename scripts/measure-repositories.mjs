// Measures `warplint check` on whole repositories, for the table of docs/scale.md: from nothing, unchanged, and with a line added to one header.
//
//   node scripts/measure-repositories.mjs [--limit=SECONDS] [--jobs=N] [--cli=FILE] [--keep=FOLDER] FOLDER…
//
// A run is interrupted, as Ctrl-C would, after so many seconds of the clock. Prints a row of the table for each folder as soon as it is measured.
// What the first run prints is written to the folder of --keep.
// The header is the one in the middle of those named .cuh, else of those with kernels; it is put back as it was.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", default: "600" },
    jobs: { type: "string", default: "1" },
    cli: { type: "string", default: "server/dist/cli.cjs" },
    keep: { type: "string" },
  },
});
const cli = resolve(values.cli);
const titles = [
  "repository",
  "1,000 lines",
  "CPU s",
  "clock s",
  "CPU s per 1,000 lines",
  "peak MB",
  "unknown of accesses",
  "warnings",
  "internal errors",
  "unchanged, CPU s",
  "header touched, CPU s",
];
printRow(titles);
printRow(titles.map(() => "---"));
for (const folder of positionals) printRow(measured(resolve(folder)));

function measured(folder) {
  const scratch = mkdtempSync(join(tmpdir(), "warplint-repository-"));
  try {
    const files = readdirSync(folder, { recursive: true }).sort();
    const lines = sum(
      files.filter((file) => /\.cuh?$/.test(file)).map((file) => linesOf(join(folder, file))),
    );
    const first = check(folder, scratch);
    if (values.keep !== undefined) writeFileSync(join(values.keep, `${basename(folder)}.txt`), first.printed);
    const again = first.hasEnded ? check(folder, scratch) : null;
    const header = first.hasEnded ? headerOf(folder, files) : null;
    const touched = header === null ? null : withLineAdded(header, () => check(folder, scratch));
    return [
      basename(folder) + (first.hasEnded ? "" : `, not ended: ${first.filesLinted}`),
      (lines / 1000).toFixed(1),
      first.cpu.toFixed(0),
      first.clock.toFixed(0),
      first.hasEnded && lines > 0 ? ((first.cpu * 1000) / lines).toFixed(1) : "",
      (first.peakKilobytes / 1024).toFixed(0),
      `${first.unknown} of ${first.accesses}`,
      first.warnings,
      first.internalErrors,
      again?.cpu.toFixed(1) ?? "",
      touched?.cpu.toFixed(1) ?? "",
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function check(folder, scratch) {
  const used = join(scratch, "used.json");
  const saysUse = join(scratch, "says-use.cjs");
  writeFileSync(
    saysUse,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage())));`,
  );
  const start = performance.now();
  const run = spawnSync(
    "timeout",
    [
      "-s",
      "INT",
      values.limit,
      process.execPath,
      "--require",
      saysUse,
      cli,
      "check",
      "--no-fixes",
      "--jobs",
      values.jobs,
      ".",
    ],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      env: { ...process.env, WARPLINT_CACHE_DIR: join(scratch, "cache") },
    },
  );
  const clock = (performance.now() - start) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(used, "utf8"));
  const interrupted = /interrupted: (.*)/.exec(run.stderr)?.[1] ?? null;
  return {
    printed: run.stdout + run.stderr,
    hasEnded: interrupted === null && run.signal === null && run.status !== 124,
    filesLinted: interrupted ?? "",
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    clock,
    peakKilobytes: maxRSS,
    warnings: numberBefore(" warning", run.stdout),
    accesses: numberBefore(" accesses", run.stdout),
    unknown: numberBefore(" unknown\n", run.stdout),
    internalErrors: run.stderr.split("internal error").length - 1,
  };
}

/** The last number that stands before `words`; 0 where none does. */
function numberBefore(words, text) {
  const end = text.lastIndexOf(words);
  const digits = end < 0 ? null : /([\d,]+)$/.exec(text.slice(Math.max(0, end - 20), end));
  return digits === null ? 0 : Number(digits[1].replaceAll(",", ""));
}

function headerOf(folder, files) {
  const named = files.filter((file) => file.endsWith(".cuh"));
  const headers =
    named.length > 0
      ? named
      : files.filter((file) => /\.(h|hpp)$/.test(file) && textOf(join(folder, file)).includes("__global__"));
  const header = headers[Math.floor(headers.length / 2)];
  return header === undefined ? null : join(folder, header);
}

function withLineAdded(file, run) {
  const text = readFileSync(file);
  appendFileSync(file, "\n// A line more.\n");
  try {
    return run();
  } finally {
    writeFileSync(file, text);
  }
}

function linesOf(file) {
  return textOf(file)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

/** Of a folder that is named like a file none. */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

function printRow(cells) {
  console.log(`| ${cells.join(" | ")} |`);
}
