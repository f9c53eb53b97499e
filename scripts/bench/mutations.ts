// npm run fuzz:mutations -- [COUNT] [--from=N]: lints COUNT mutated inputs (2,000 by default), each within 10 s of CPU and 1.5 GB. Prints
// those that end in an internal error, a crash or a hang, or whose edits end in other findings than a fresh start; exits with 1 where there
// are any. `--show=N` writes the files of one into /tmp/warplint-fuzz-N and lints it alone.
import { fork } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import type { LintFailure } from "../../server/src/lint/report.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createProject } from "../../server/src/project/project.ts";
import { diagnosticsJson } from "../../server/src/render/json.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { type FuzzInput, inputOf } from "./mutations/inputs.ts";

const mostCpuSeconds = 10;
const mostMegabytes = 1500;

interface Outcome {
  readonly index: number;
  readonly failures: readonly string[];
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

type Message = { readonly started: number } | { readonly outcome: Outcome };

async function child(): Promise<void> {
  const runtime = new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm"));
  const grammar = new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm"));
  const pipeline = await createPipeline({ runtime, grammar });
  process.on("message", (index: number) => {
    process.send?.({ started: index } satisfies Message);
    const outcome = tryInput(index, pipeline);
    process.send?.({ outcome } satisfies Message);
  });
}

function tryInput(index: number, pipeline: Pipeline): Outcome {
  const input = inputOf(index);
  const before = process.cpuUsage();
  const failures: string[] = [];
  try {
    failures.push(...failuresOf(input, pipeline));
  } catch (error) {
    failures.push(
      `thrown: ${error instanceof Error ? error.stack?.split("\n").slice(0, 3).join(" ") : error}`,
    );
  }
  const { user, system } = process.cpuUsage(before);
  return {
    index,
    failures,
    cpuSeconds: (user + system) / 1e6,
    megabytes: Math.round(process.memoryUsage().rss / 1e6),
  };
}

/** Internal errors, and what edits leave that a fresh start does not find. */
function failuresOf({ files, file, defines, edits }: FuzzInput, pipeline: Pipeline): readonly string[] {
  const current: Record<string, string> = { ...files };
  const sessionOf = () => {
    const bytes = (path: string) => {
      const text = current[path];
      return text === undefined ? null : new TextEncoder().encode(text);
    };
    const host = {
      ...memoryHost(files, "/w"),
      readBytes: bytes,
      sizeOf: (path: string) => bytes(path)?.length ?? null,
    };
    const project = createProject(host, {
      configPath: null,
      overrides: Object.keys(defines).length > 0 ? { defines } : {},
      includePaths: [],
    });
    return createLintSession({ host, project, pipeline, options: { block: null } });
  };
  const session = sessionOf();
  session.include(file);
  const found = (from: typeof session) => {
    const texts = from.texts();
    return JSON.stringify(
      diagnosticsJson(
        from.reports([file]),
        createPlaces(texts, (path) => path),
        { fixes: new Map(), errors: [] },
      ),
    );
  };
  let last = found(session);
  const failures = [...internalErrors(session.failures())];
  for (const text of edits) {
    current[file] = text;
    session.update([file]);
    session.include(file);
    last = found(session);
    failures.push(...internalErrors(session.failures()));
  }
  if (edits.length > 0) {
    // Code that an edit broke waits to be mended for a while.
    session.leaveBroken(file);
    session.include(file);
    last = found(session);
    const fresh = sessionOf();
    fresh.include(file);
    const expected = found(fresh);
    if (expected !== last)
      failures.push(`edits end in other findings than a fresh start: ${firstDifference(last, expected)}`);
    fresh.forget(file);
  }
  session.forget(file);
  return failures;
}

function firstDifference(got: string, expected: string): string {
  let at = 0;
  while (got[at] === expected[at]) at++;
  const near = (text: string) => text.slice(Math.max(0, at - 60), at + 120);
  return `…${near(got)}… for …${near(expected)}…`;
}

/** Those with a stack; what a configuration says wrongly is the user's. */
function internalErrors(failures: readonly LintFailure[]): readonly string[] {
  return failures.flatMap(({ message, detail }) =>
    detail === null ? [] : `${message} ${detail.split("\n").slice(0, 4).join(" ")}`,
  );
}

/** Seconds of processor time of a process, as Linux counts them: 100 ticks a second. */
function workedSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Runs the inputs in one child after another; a child that hangs is killed with its input. */
async function runAll(next: () => number | null, report: (outcome: Outcome) => void): Promise<void> {
  for (let index = next(); index !== null; ) index = await runChild(index, next, report);
}

/** Runs inputs in a child until it ends; gives the next one, or null where there are no more. */
function runChild(
  first: number,
  next: () => number | null,
  report: (outcome: Outcome) => void,
): Promise<number | null> {
  return new Promise((resolve) => {
    const process_ = fork(process.argv[1] ?? "", ["--child"], {
      execArgv: [`--max-old-space-size=${mostMegabytes}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    let current: number | null = first;
    let startedAt = 0;
    let killed: string | null = null;
    const clock = setInterval(() => {
      if (process_.pid === undefined || startedAt === 0) return;
      if (workedSeconds(process_.pid) - startedAt <= mostCpuSeconds * 1.5) return;
      killed = `more than ${mostCpuSeconds * 1.5} s of CPU`;
      process_.kill("SIGKILL");
    }, 500);
    process_.on("message", (message: Message) => {
      if ("started" in message) {
        startedAt = workedSeconds(process_.pid ?? 0);
        return;
      }
      const { outcome } = message;
      startedAt = 0;
      report(outcome);
      current = next();
      if (current === null) process_.disconnect();
      // A fresh child now and then, so that the memory of one input is not charged to another.
      else if (outcome.megabytes > 900) process_.kill("SIGTERM");
      else process_.send(current);
    });
    process_.on("exit", (code, signal) => {
      clearInterval(clock);
      if (current !== null && startedAt > 0) {
        report({
          index: current,
          failures: [killed ?? `the process ended with ${code ?? signal}`],
          cpuSeconds: 0,
          megabytes: 0,
        });
        current = next();
      }
      resolve(current);
    });
    process_.send(first);
  });
}

function show(index: number): void {
  const { files, file, defines, edits, mutations } = inputOf(index);
  const folder = `/tmp/warplint-fuzz-${index}`;
  for (const [path, text] of Object.entries(files)) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
  for (const [at, text] of edits.entries()) writeFileSync(join(folder, `edit-${at}.cu`), text);
  console.log(JSON.stringify({ folder, file, defines, mutations }, null, 1));
}

async function main(): Promise<void> {
  const options = process.argv.slice(2);
  const numberOf = (name: string) => options.find((one) => one.startsWith(`--${name}=`))?.split("=")[1];
  const wanted = numberOf("show");
  if (wanted !== undefined) {
    show(Number(wanted));
    const runtime = new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm"));
    const grammar = new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm"));
    console.log(
      JSON.stringify(tryInput(Number(wanted), await createPipeline({ runtime, grammar })), null, 1),
    );
    return;
  }
  const count = Number(options.find((one) => /^\d+$/.test(one)) ?? 2000);
  const from = Number(numberOf("from") ?? 0);
  const jobs = Number(numberOf("jobs") ?? availableParallelism());
  let index = from;
  const next = () => (index < from + count ? index++ : null);
  const bad: Outcome[] = [];
  let done = 0;
  let slowest = 0;
  const report = (outcome: Outcome) => {
    done++;
    slowest = Math.max(slowest, outcome.cpuSeconds);
    const failures = [
      ...outcome.failures,
      ...(outcome.cpuSeconds > mostCpuSeconds ? [`${outcome.cpuSeconds.toFixed(1)} s of CPU`] : []),
      ...(outcome.megabytes > mostMegabytes ? [`${outcome.megabytes} MB`] : []),
    ];
    if (failures.length > 0) {
      bad.push({ ...outcome, failures });
      const { kind, mutations } = inputOf(outcome.index);
      console.log(
        `${outcome.index} (${kind}: ${mutations.join(", ")}): ${failures.join("; ")}`.slice(0, 900),
      );
    }
    if (done % 500 === 0) console.log(`${done} of ${count}`);
  };
  await Promise.all(Array.from({ length: jobs }, () => runAll(next, report)));
  console.log(`${done} inputs, ${bad.length} failed, slowest of the others ${slowest.toFixed(1)} s of CPU`);
  process.exit(bad.length > 0 ? 1 : 0);
}

await (process.argv.includes("--child") ? child() : main());
