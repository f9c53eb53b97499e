// Reads every CUDA file of some folders as warplint does, sources first, and says how much of them is understood: files that fail or are
// slow, kernels lowered and launched from the source, accesses by verdict, and the reasons for what is unknown.
//
//   npm run survey -- [--every=N [--first=K]] [--rows=FILE] [--list=N] [--root=FOLDER] FOLDER…
//
// --every takes each Nth directory that holds sources, from the Kth on (0 is the first), --rows writes what is known of every access as JSON, a line each, --list says how many
// reasons are printed. Of an access as written, the least counts that is known of it in any launch; "on average" counts in what share of its launches
// and copies it is known, "executed" every one of these by itself. --root is the workspace where a folder is only part of one. Times are those that the
// main thread had a processor: other work does not count, nor what V8 does beside it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { readWasm } from "../../server/src/host/wasm.ts";
import type { KernelSummary } from "../../server/src/lint/analysis.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createProject } from "../../server/src/project/project.ts";
import { cudaKindOf, holdsCuda, walkCuda } from "../../server/src/project/walk.ts";
import { directoryOf, isInside } from "../../server/src/text/path.ts";

/** What is known of a kernel, through all programs that reach it. */
interface KernelRow {
  readonly name: string;
  /** The file that it stands in. */
  readonly unit: string;
  readonly isLaunched: boolean;
  /** Why it was not lowered; null where it was. */
  readonly gap: string | null;
  /** As they are written: of all launches the one that is known least. */
  readonly accesses: readonly AccessRow[];
  /** As they are executed: under each launch that is not like another, in each instance and call. */
  readonly executed: readonly Pick<AccessRow, "space" | "verdict">[];
}

interface AccessRow {
  readonly space: string;
  readonly expression: string;
  readonly operation: string;
  /** The least that is known of it. */
  readonly verdict: "exact" | "conditional" | "unknown";
  /** In how many of its launches and copies its figure is known, and of how many. */
  readonly known: number;
  readonly all: number;
  readonly reason: string | null;
  /** Whether the contents of memory decide: nobody who reads the source alone could say. */
  readonly dependsOnData: boolean;
  /** Where it stands: "file:offset". */
  readonly place: string;
}

interface FolderSurvey {
  readonly files: number;
  readonly failures: readonly string[];
  /** Processor time of each file. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly kernels: readonly KernelRow[];
}

const slowSeconds = 10;
const usage = "npm run survey -- [--every=N [--first=K]] [--rows=FILE] [--list=N] [--root=FOLDER] FOLDER…";

/** Each Nth directory that holds sources, from the Kth on. */
interface Sample {
  readonly every: number;
  readonly first: number;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      every: { type: "string", default: "1" },
      first: { type: "string", default: "0" },
      help: { type: "boolean" },
      rows: { type: "string" },
      list: { type: "string", default: "25" },
      root: { type: "string" },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const pipeline = await createPipeline(readWasm(resolve("server/src/host")));
  if (values.rows !== undefined) writeFileSync(values.rows, "");
  const lines: string[] = [];
  for (const folder of positionals) {
    const survey = surveyFolder(
      resolve(folder),
      resolve(values.root ?? folder),
      { every: Number(values.every), first: Number(values.first) },
      pipeline,
    );
    printDetails(folder, survey, Number(values.list));
    lines.push(tableLine(folder, survey));
    if (values.rows === undefined) continue;
    for (const { executed: _, ...kernel } of survey.kernels)
      appendFileSync(values.rows, `${JSON.stringify({ folder, ...kernel })}\n`);
  }
  console.log(`\n${[...tableHead, ...lines].join("\n")}`);
}

function surveyFolder(folder: string, root: string, part: Sample, pipeline: Pipeline): FolderSurvey {
  const host = nodeHost(root);
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const around = project.settingsIn(folder);
  if (around.kind === "errors") throw new Error(around.errors.map(({ message }) => message).join());
  const files = sample(walkCuda(host, folder, around.settings.ignored), part);
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const kernels = new Map<string, KernelRow>();
  const seen = new Set<string>(files);
  const held: string[] = [];
  const seconds = new Map<string, number>();
  const failures: string[] = [];
  const survey = (file: string): readonly string[] => {
    const analysis = session.analyse(file);
    held.push(file);
    failures.push(
      ...(analysis?.failures ?? []).map((each) => `${each.file}: ${each.detail ?? each.message}`),
    );
    for (const kernel of analysis?.kernels ?? [])
      kernels.set(`${file}:${kernel.nameRange.start}`, kernelRow(kernel, file));
    return (analysis?.included ?? []).filter((header) =>
      holdsCuda(header, analysis?.texts.get(header) ?? ""),
    );
  };
  const isSource = (file: string) => cudaKindOf(file) === "source";
  for (const file of [...files.filter(isSource), ...files.filter((each) => !isSource(each))]) {
    const start = processorSeconds();
    // Kernels of headers that came with it too.
    for (const header of survey(file)) {
      if (seen.has(header) || !isInside(header, folder)) continue;
      seen.add(header);
      survey(header);
    }
    // Neighbours share programs.
    for (const gone of held.splice(0, held.length - mostHeld)) session.forget(gone);
    const taken = processorSeconds() - start;
    seconds.set(file, taken);
    if (taken > slowSeconds) console.error(`${taken.toFixed(1)} s: ${file}`);
  }
  return { files: files.length, failures, seconds, kernels: [...kernels.values()] };
}

/** Files whose programs are kept for those after them. */
const mostHeld = 16;

function kernelRow({ name, launches, gaps }: KernelSummary, file: string): KernelRow {
  const profiles = launches.map(({ profile }) => profile);
  return {
    name,
    unit: file,
    isLaunched: profiles.some(({ launch }) => launch.origin.kind !== "assumed"),
    gap:
      profiles.length === 0
        ? (gaps[0] ?? "a template without arguments in sight")
        : (profiles[0]?.gaps[0] ?? null),
    accesses: worstOfEachPlace(profiles.flatMap(({ accesses }) => accesses)),
    executed: profiles.flatMap(({ accesses }) =>
      accesses.map(({ space, verdict }) => ({ space, verdict: verdict.kind })),
    ),
  };
}

/** Of the main thread, for whose work people wait; where the system does not tell, of all threads. */
function processorSeconds(): number {
  const ofMainThread = `/proc/self/task/${process.pid}/schedstat`;
  if (existsSync(ofMainThread)) return Number.parseInt(readFileSync(ofMainThread, "utf8"), 10) / 1e9;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Files of the wanted directories among those that hold any. */
function sample(files: readonly string[], { every, first }: Sample): readonly string[] {
  const directories = [...new Set(files.map(directoryOf))];
  const wanted = new Set(directories.filter((_, index) => index % every === first));
  return files.filter((file) => wanted.has(directoryOf(file)));
}

const severities = ["exact", "conditional", "unknown"];

/** The accesses as written: one for each place, operation and memory, whatever the number of launches and copies. */
function worstOfEachPlace(accesses: readonly AccessProfile[]): AccessRow[] {
  const rows = new Map<string, AccessRow>();
  for (const access of accesses) {
    const { range, space, operation, verdict } = access;
    if (space !== "shared" && space !== "global") continue;
    const key = `${range.file}:${range.start}:${range.end}:${space}:${operation}`;
    const row = rowOf(access);
    const before = rows.get(key);
    const isWorse =
      before === undefined || severities.indexOf(before.verdict) < severities.indexOf(verdict.kind);
    rows.set(key, {
      ...(isWorse ? row : before),
      known: row.known + (before?.known ?? 0),
      all: row.all + (before?.all ?? 0),
    });
  }
  return [...rows.values()];
}

function rowOf({ range, space, operation, expression, verdict }: AccessProfile): AccessRow {
  const isUnknown = verdict.kind === "unknown";
  return {
    space,
    expression,
    operation,
    verdict: verdict.kind,
    known: isUnknown ? 0 : 1,
    all: 1,
    reason: isUnknown ? verdict.reason : null,
    dependsOnData: isUnknown && verdict.dependsOnData === true,
    place: `${range.file}:${range.start}`,
  };
}

const tableHead = [
  "| folder | files | failed | over 10 s | slowest | kernels | lowered | launched from source | shared accesses | exact or conditional | data decide | on average | executed | exact or conditional | global accesses | exact or conditional | data decide | on average | executed | exact or conditional | minutes |",
  "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
];

function tableLine(folder: string, { files, failures, seconds, kernels }: FolderSurvey): string {
  const times = [...seconds.values()];
  const cells = [
    folder,
    files,
    failures.length,
    times.filter((each) => each > slowSeconds).length,
    `${Math.max(0, ...times).toFixed(1)} s`,
    kernels.length,
    percent(kernels.filter(({ gap }) => gap === null).length, kernels.length),
    percent(kernels.filter(({ isLaunched }) => isLaunched).length, kernels.length),
    ...["shared", "global"].flatMap((space) => {
      const accesses = accessesOf(kernels, space);
      const executed = kernels.flatMap((kernel) => kernel.executed.filter((each) => each.space === space));
      return [
        accesses.length,
        percent(accesses.filter(isSettled).length, accesses.length),
        percent(accesses.filter(({ dependsOnData }) => dependsOnData).length, accesses.length),
        percent(
          accesses.reduce((sum, { known, all }) => sum + known / all, 0),
          accesses.length,
        ),
        executed.length,
        percent(executed.filter(isSettled).length, executed.length),
      ];
    }),
    (times.reduce((sum, each) => sum + each, 0) / 60).toFixed(1),
  ];
  return `| ${cells.join(" | ")} |`;
}

function accessesOf(kernels: readonly KernelRow[], space: string): AccessRow[] {
  return kernels.flatMap(({ accesses }) => accesses.filter((access) => access.space === space));
}

function isSettled({ verdict }: Pick<AccessRow, "verdict">): boolean {
  return verdict !== "unknown";
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

function printDetails(folder: string, { failures, seconds, kernels }: FolderSurvey, limit: number): void {
  console.log(`\n${folder}`);
  for (const failure of failures) console.log(`  failed: ${failure}`);
  const slowest = [...seconds].sort((a, b) => b[1] - a[1]).slice(0, 5);
  for (const [file, taken] of slowest) console.log(`  ${taken.toFixed(1).padStart(5)} s  ${file}`);
  console.log("  why not lowered:");
  printCounts(
    kernels.flatMap(({ gap, name, unit }) =>
      gap === null ? [] : [{ text: gap, example: `${unit} ${name}` }],
    ),
    limit,
  );
  for (const decided of ["data", "source"] as const) {
    console.log(decided === "data" ? "  unknown since data decide:" : "  unknown for other reasons:");
    printCounts(unknownsOf(kernels, decided), limit);
  }
}

function unknownsOf(
  kernels: readonly KernelRow[],
  decidedBy: "data" | "source",
): { text: string; example: string }[] {
  return kernels.flatMap(({ accesses, unit }) =>
    accesses.flatMap(({ space, reason, expression, dependsOnData }) =>
      reason === null || dependsOnData !== (decidedBy === "data")
        ? []
        : [{ text: `${space}: ${shortened(reason)}`, example: `${unit} ${expression}` }],
    ),
  );
}

/** Indices left out, so that like reasons are counted together. */
function shortened(reason: string): string {
  return reason.replace(/\[.*\]/, "[…]");
}

function printCounts(entries: readonly { text: string; example: string }[], limit: number): void {
  const counts = new Map<string, { count: number; example: string }>();
  for (const { text, example } of entries) {
    const known = counts.get(text);
    counts.set(text, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  }
  const sorted = [...counts].sort((a, b) => b[1].count - a[1].count);
  for (const [text, { count, example }] of sorted.slice(0, limit))
    console.log(`    ${`${count}`.padStart(5)}  ${text}  (${example.replaceAll("\n", " ").slice(-110)})`);
}

await main();
