// Public repositories linted as their maintainers would: `check --no-fixes .` at the root, from nothing, then once more unchanged. Prints a row of
// a table in Markdown for each: files, lines of device code, seconds of CPU and of the clock, the most memory, findings, and how it ended.
//
//   npm run bench -- repositories FOLDER [NAME…]
//
// FOLDER holds git repositories, bare or not, as OWNER+NAME/repo or NAME, or plain folders. JOBS (2) is the number of threads, SECONDS (900) the longest run.
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const names = [
  "marlin",
  "diff-gaussian-rasterization",
  "FlashMLA",
  "DeepGEMM",
  "tiny-cuda-nn",
  "llm-awq",
  "gsplat",
  "nunchaku",
  "instant-ngp",
  "gromacs",
  "quda",
  "amrex",
  "raft",
  "whisper.cpp",
  "TransformerEngine",
  "flashinfer",
  "flash-attention",
  "faiss",
];
const jobs = process.env.JOBS ?? "2";
const longestSeconds = Number(process.env.SECONDS ?? "900");
/** How often the memory of a run is looked at. */
const lookMilliseconds = 250;
/** Larger files are data. */
const largestBytes = 2_000_000;
const commandLine = resolve("server/dist/cli.cjs");

interface Run {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  readonly exit: string;
  readonly lastLine: string;
}

async function main(): Promise<void> {
  const [folder = ".", ...wanted] = process.argv.slice(2);
  console.log(
    "| repository | .cu, .cuh | 1,000 lines | CPU s | clock s | CPU s per 1,000 lines | peak MB | again CPU s | end |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const name of wanted.length > 0 ? wanted : names) {
    const repository = repositoryOf(folder, name);
    if (repository === null) {
      console.log(`| ${name} | not in ${folder} |`);
      continue;
    }
    console.log(await rowOf(name, repository));
  }
}

async function rowOf(name: string, repository: string): Promise<string> {
  const tree = mkdtempSync(join(tmpdir(), `${name}-`));
  try {
    writeTree(repository, tree);
    const { files, lines } = deviceCode(tree);
    const first = await check(tree);
    const again = await check(tree);
    const thousands = lines / 1000;
    const cells = [
      name,
      String(files),
      thousands.toFixed(1),
      first.cpuSeconds.toFixed(1),
      first.wallSeconds.toFixed(0),
      (first.cpuSeconds / thousands).toFixed(2),
      first.peakMegabytes.toFixed(0),
      again.cpuSeconds.toFixed(1),
      `${first.exit}: ${first.lastLine}`,
    ];
    return `| ${cells.join(" | ")} |`;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Writes the files of HEAD (of a plain folder: all), but for what is large or that a partial clone does not hold. */
function writeTree(repository: string, tree: string): void {
  if (!existsSync(join(repository, "HEAD"))) {
    cpSync(repository, tree, { recursive: true });
    return;
  }
  const git = (command: readonly string[], input = ""): Buffer =>
    execFileSync("git", ["--git-dir", repository, ...command], { input, maxBuffer: 2 ** 31 - 1 });
  const listed = git(["ls-tree", "-r", "-l", "-z", "HEAD"]).toString("utf8").split("\0");
  const wanted: { readonly blob: string; readonly path: string }[] = [];
  for (const line of listed) {
    const [, blob = "", size = "", path = ""] = /^100\d+ blob (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
    if (path !== "" && Number(size) <= largestBytes) wanted.push({ blob, path });
  }
  const blobs = git(["cat-file", "--batch"], wanted.map(({ blob }) => `${blob}\n`).join(""));
  let at = 0;
  for (const { path } of wanted) {
    const end = blobs.indexOf(10, at);
    const bytes = Number(blobs.toString("utf8", at, end).split(" ")[2]);
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), blobs.subarray(end + 1, end + 1 + bytes));
    at = end + bytes + 2;
  }
}

function repositoryOf(folder: string, name: string): string | null {
  const entry = readdirSync(folder).find((each) => each === name || each.endsWith(`+${name}`));
  if (entry === undefined) return null;
  const inner = join(folder, entry, "repo");
  if (existsSync(inner)) return resolve(inner);
  const hidden = join(folder, entry, ".git");
  return resolve(existsSync(hidden) ? hidden : join(folder, entry));
}

/** The files named .cu and .cuh, and their lines that are not empty. */
function deviceCode(tree: string): { readonly files: number; readonly lines: number } {
  let files = 0;
  let lines = 0;
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.cuh?$/.test(entry.name)) continue;
    files++;
    for (const line of readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n")) {
      if (line.trim() !== "") lines++;
    }
  }
  return { files, lines };
}

/** One run in a process of its own; it is interrupted as Ctrl-C would after the longest time. */
function check(tree: string): Promise<Run> {
  const start = Date.now();
  const child = spawn(process.execPath, [commandLine, "check", "--no-fixes", "--jobs", jobs, "."], {
    cwd: tree,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1" },
  });
  let peakMegabytes = 0;
  let cpuSeconds = 0;
  const look = setInterval(() => {
    if (child.pid === undefined) return;
    const seen = lookAt(child.pid);
    peakMegabytes = Math.max(peakMegabytes, seen.megabytes);
    cpuSeconds = Math.max(cpuSeconds, seen.cpuSeconds);
  }, lookMilliseconds);
  const limit = setTimeout(() => child.kill("SIGINT"), longestSeconds * 1000);
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output = (output + data.toString("utf8")).slice(-2000);
  });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors = (errors + data.toString("utf8")).slice(-2000);
  });
  return new Promise((done) => {
    child.on("close", (code, signal) => {
      clearInterval(look);
      clearTimeout(limit);
      const bug = errors.split("\n").find((line) => /internal error|out of memory/i.test(line));
      const lastLine = bug ?? output.trim().split("\n").at(-1) ?? "";
      done({
        cpuSeconds,
        wallSeconds: (Date.now() - start) / 1000,
        peakMegabytes,
        exit: signal ?? String(code),
        lastLine: lastLine.replaceAll("|", "/").slice(0, 120),
      });
    });
  });
}

/** What the kernel says of a process: the CPU that it took so far, and the most memory that it held. */
function lookAt(pid: number): { readonly cpuSeconds: number; readonly megabytes: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? "0");
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: kilobytes / 1024 };
  } catch {
    return { cpuSeconds: 0, megabytes: 0 };
  }
}

await main();
