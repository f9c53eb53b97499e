// The fixes of fixtures/fixes and fixtures/seeds, as the built command line makes them: for the GPU, and as the table of docs/fixes.md.
//
//   npm run record:fixes prepare FOLDER [CASE…] writes CASE.before.cu, CASE.after.cu and fixes.json: what scripts/record-fixes.py needs
//   npm run record:fixes merge RECORD.jsonl    puts what that script recorded into fixtures/fixes/truth.jsonl, with the fix itself
//   npm run record:fixes table                 writes the table of docs/fixes.md from fixtures/fixes/truth.jsonl
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "fixtures/fixes");
const truthPath = join(folder, "truth.jsonl");
const [action, path, ...names] = process.argv.slice(2);

const isPad = ({ kind }) => kind === "pad";
const isDeclared = ({ file, title }) => / to \[/.test(title) && !file.startsWith("template");

/** What is counted in docs/fixes.md, and which of the recorded fixes are meant. */
const kindsOfFix = [
  ["plain pads", (row) => isPad(row) && isDeclared(row)],
  ["flattened, carved or template pads", (row) => isPad(row) && !isDeclared(row)],
  ["swizzles", ({ kind }) => kind === "swizzle"],
  ["arrays transposed", ({ kind }) => kind === "transpose"],
  ["elements left free", ({ kind }) => kind === "spread"],
  ["groupings into vectors", ({ kind }) => kind === "vectorize"],
  ["other launches", ({ kind }) => kind === "launch-shape"],
  ["records aligned", ({ kind }) => kind === "align"],
  ["neighbouring elements for neighbouring threads", ({ kind }) => kind === "stripe"],
  ["tiles in shared memory", ({ kind }) => kind === "stage-tile"],
  ["x and y swapped", ({ kind }) => kind === "swap-axes"],
  ["misaligned vectors mended", ({ kind }) => kind === "realign" || kind === "scalarize"],
];

const kindsOfSectors = new Set(["vectorize", "launch-shape", "stage-tile", "swap-axes", "align", "stripe"]);

if (action === "prepare" && path) prepare(path);
else if (action === "merge" && path) merge(path);
else if (action === "table") writeTable();
else {
  console.error("usage: record-fixes.mjs prepare FOLDER | merge RECORD.jsonl | table");
  process.exit(2);
}

/** Programs whose first line expects a fix, and the seeds' fixes. */
function wantedFixes() {
  const own = readdirSync(folder)
    .filter((name) => name.endsWith(".cu"))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const kind = /^\/\/ expects: ([\w-]+)/.exec(text)?.[1];
      return kind
        ? [{ case: name.slice(0, -3), path: join(folder, name), kind, line: null, capture: false }]
        : [];
    });
  const seeds = JSON.parse(readFileSync(join(folder, "seeds.json"), "utf8")).map(({ file, kind, line }) => ({
    case: `${file.slice(0, -3)}.${kind}.${line}`,
    path: join(root, "fixtures/seeds", file),
    kind,
    line,
    capture: true,
  }));
  return [...own, ...seeds].filter((each) => names.length === 0 || names.includes(each.case));
}

/** The first fix of the kind that the command line offers for the file, at the line if one is given. A busy machine may need another try. */
function fixOf(wanted) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const fix = offeredFix(wanted);
    if (fix !== null) return fix;
  }
  return null;
}

function offeredFix({ path: file, kind, line }) {
  const cli = join(root, "server/dist/cli.cjs");
  const printed = execFileSync(process.execPath, [cli, "analyze", file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const { diagnostics } = JSON.parse(printed).files[0];
  const fixes = diagnostics
    .filter((each) => line === null || each.line === line)
    .flatMap((each) => each.fixes);
  return fixes.find((each) => each.kind === kind) ?? null;
}

function applied(text, edits) {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end), text);
}

function prepare(target) {
  mkdirSync(target, { recursive: true });
  for (const name of ["harness.cuh", "capture.cuh"]) copyFileSync(join(folder, name), join(target, name));
  const found = [];
  for (const wanted of wantedFixes()) {
    const fix = fixOf(wanted);
    if (fix === null) {
      console.log(`${wanted.case}: no ${wanted.kind}`);
      continue;
    }
    const text = readFileSync(wanted.path, "utf8");
    writeFileSync(join(target, `${wanted.case}.before.cu`), text);
    writeFileSync(join(target, `${wanted.case}.after.cu`), applied(text, fix.edits));
    const edits = fix.edits.map(({ start, end, newText }) => ({ start, end, newText }));
    const { case: name, kind, line, capture } = wanted;
    const { title, safety } = fix;
    found.push({ case: name, file: basename(wanted.path), kind, line, title, safety, edits, capture });
  }
  writeFileSync(join(target, "fixes.json"), `${JSON.stringify(found, null, 2)}\n`);
  console.log(`${found.length} fixes`);
}

function rowsOf(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The record beside fixes.json; what was recorded before and is not in it stays. */
function merge(record) {
  const fixes = JSON.parse(readFileSync(join(record, "../fixes.json"), "utf8"));
  const rows = new Map((existsSync(truthPath) ? rowsOf(truthPath) : []).map((row) => [row.case, row]));
  for (const row of rowsOf(record)) {
    const { capture: _, ...fix } = fixes.find((each) => each.case === row.case);
    rows.set(row.case, { ...fix, before: row.before, after: row.after });
  }
  const sorted = [...rows.values()].sort((a, b) => (a.case < b.case ? -1 : 1));
  writeFileSync(truthPath, sorted.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function writeTable() {
  const rows = rowsOf(truthPath).map((row) => {
    const unit = kindsOfSectors.has(row.kind) ? "sectors" : "wavefronts";
    const title = row.title.replace(/: [^:]*$/, "").replaceAll("|", "\\|");
    const figures = `${total(row.before, unit)} | ${total(row.after, unit)} ${unit}`;
    return `| \`${row.file}\` | ${title} | ${row.safety} | ${figures} | ${outputOf(row)} |`;
  });
  const none = readdirSync(folder).flatMap((name) => {
    const reason = /^\/\/ expects no fix: (.+)\n/.exec(readFileSync(join(folder, name), "utf8"))?.[1];
    return reason ? [`| \`${name}\` | … ${reason} … |`] : [];
  });
  const recorded = rowsOf(truthPath);
  const kinds = kindsOfFix.map(([name, isOf]) => `| ${name} | ${recorded.filter(isOf).length} |`);
  kinds.push(`| programs whose answer is no fix | ${none.length} |`);
  const header = ["| Program | Fix | Safety | Before | After | Output |", "|---|---|---|---:|---:|---|"];
  const path = join(root, "docs/fixes.md");
  const text = readFileSync(path, "utf8");
  const withKinds = between(text, "kinds", ["| What | How many |", "|---|---:|", ...kinds]);
  const withTable = between(withKinds, "table", [...header, ...rows]);
  writeFileSync(
    path,
    between(withTable, "none", ["| Program | Said of its findings |", "|---|---|", ...none]),
  );
}

function between(text, name, lines) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest] = text.split(start);
  return `${before}${start}\n${lines.join("\n")}\n${end}${rest.split(end)[1]}`;
}

function outputOf({ before, after }) {
  if (before.error) return "the original faults";
  return JSON.stringify(before.output) === JSON.stringify(after.output) ? "the same" : "DIFFERENT";
}

/** Of all launches of the program, shared memory or global memory. */
function total({ launches }, unit) {
  if (!launches) return "faults";
  const sum = launches.reduce(
    (all, launch) => all + launch.launches * launch.sites.reduce((some, site) => some + (site[unit] ?? 0), 0),
    0,
  );
  return sum.toLocaleString("en-US");
}
