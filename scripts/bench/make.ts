// Compares the reader of makefiles with GNU make, source by source: `node scripts/bench.mjs make [--show] FOLDER…` takes each folder that holds a makefile.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BuildHost } from "../../server/src/build/flags.ts";
import { makefileNames, readMake } from "../../server/src/build/make/make.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { compareSources, sourcesOfDryRun } from "../../test/build/make/dry-run.ts";

const isShown = process.argv.includes("--show");
const host = buildHost();
const totals = { equal: 0, doubtful: 0, different: 0, missing: 0 };
const folders = { all: 0, equal: 0 };
let slowest = 0;
for (const argument of process.argv.slice(2).filter((one) => !one.startsWith("--"))) {
  const folder = resolve(statSync(argument).isDirectory() ? argument : dirname(argument));
  const name = makefileNames.find((one) => existsSync(`${folder}/${one}`));
  if (name === undefined) continue;
  const output = dryRun(folder);
  const real = sourcesOfDryRun(host, output, folder);
  const start = process.cpuUsage();
  const description = readMake(host, `${folder}/${name}`, workspaceOf(folder));
  const milliseconds = process.cpuUsage(start).user / 1000;
  slowest = Math.max(slowest, milliseconds);
  if (real.length === 0) {
    if (isShown)
      console.log(
        `${argument}: make compiles nothing (${output.split("\n").find((line) => line.startsWith("make: ***")) ?? ""})`,
      );
    continue;
  }
  const compared = compareSources(description?.sources ?? [], real);
  for (const { verdict } of compared) totals[verdict]++;
  folders.all++;
  const others = compared.filter((one) => one.verdict !== "equal");
  if (others.length === 0) folders.equal++;
  else {
    console.log(`${argument}: ${others.length} of ${compared.length} sources are not equal`);
    for (const one of isShown ? others.slice(0, 2) : [])
      console.log(`${one.verdict}\n- ${one.real}\n+ ${one.read}`);
  }
  if (milliseconds > 2000) console.log(`${argument}: ${Math.round(milliseconds)} ms`);
}
const count = Object.values(totals).reduce((sum, one) => sum + one, 0);
console.log(
  `${folders.equal} of ${folders.all} folders equal; of ${count} sources ${totals.equal} equal, ${totals.doubtful} doubtful, ${totals.different} different, ${totals.missing} missing; slowest ${Math.round(slowest)} ms`,
);

/** What make prints, with the environment that a reader takes for granted. */
function dryRun(folder: string): string {
  const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", LC_ALL: "C" };
  const { stdout, stderr } = spawnSync("make", ["-n", "-B", "-k", "-w"], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 1 << 28,
  });
  return `${stdout}${stderr}`;
}

/** The directory of the nearest version control, or of --workspace=. */
function workspaceOf(folder: string): string {
  const given = process.argv.find((one) => one.startsWith("--workspace="));
  return given === undefined ? folder : resolve(given.slice("--workspace=".length));
}

function buildHost(): BuildHost {
  const node = nodeHost(process.cwd());
  return {
    readText: (path) => {
      const bytes = node.kindOf(path) === "file" ? node.readBytes(path) : null;
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
    kindOf: (path) => node.kindOf(path),
    list: (directory) =>
      (node.list(directory) ?? []).map(({ name, kind }) => ({
        name,
        kind: kind === "missing" ? "other" : kind,
      })),
  };
}
