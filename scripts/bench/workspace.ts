// What a workspace of many sources costs the editor: CPU and memory of the server for its index, and for one file opened there, beside the same file
// in a workspace of the sources that its program links alone.
//
// npm run bench -- workspace [--sources=1000] [--build=cmake|none] [--lint]
//
// --lint: then the whole workspace is linted, with an edit in the open file every half second, by a client that keeps asking for the diagnostics of
// the workspace as VS Code does.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { WorkspaceDiagnosticReport } from "vscode-languageserver";
import { buildServer, type Client, startClient, uriOf } from "../../test/lsp/client.ts";
import { type Cost, costOf, megabytesNow } from "./process-cost.ts";

const { values } = parseArgs({
  options: {
    sources: { type: "string", default: "1000" },
    build: { type: "string", default: "cmake" },
    lint: { type: "boolean", default: false },
  },
});
const sourceCount = Number(values.sources);
/** A target links so many sources. */
const sourcesOfTarget = 5;
const restMilliseconds = 3000;
const editMilliseconds = 500;
/** How long VS Code waits between an answer about the workspace and its next request. */
const pullMilliseconds = 2000;

const header = `#pragma once
#ifndef TILE
#define TILE 32
#endif
__device__ inline float scaled(float x) { return x * 2.0f; }
`;

/** Programs of the fixtures as parts of one target: the first has main and calls the others. */
function writeTargets(folder: string, targetCount: number): string {
  const programs = readdirSync("fixtures/programs").filter((name) => name.endsWith(".cu"));
  writeFileSync(join(folder, "common.cuh"), header);
  const lines = ["cmake_minimum_required(VERSION 3.20)", "project(many CUDA)"];
  for (let target = 0; target < targetCount; target++) {
    const at = join(folder, `app${target}`);
    mkdirSync(at);
    const parts = Array.from({ length: sourcesOfTarget - 1 }, (_, part) => {
      const name = programs[(target * (sourcesOfTarget - 1) + part) % programs.length] ?? "";
      const text = readFileSync(join("fixtures/programs", name), "utf8");
      const run = `run_${target}_${part}`;
      writeFileSync(
        join(at, `part${part}.cu`),
        `#include "../common.cuh"\n${text.replace(/\bint main\([^)]*\)/, `int ${run}()`)}`,
      );
      return run;
    });
    const calls = parts.map((run) => `int ${run}();`).join("\n");
    writeFileSync(
      join(at, "main.cu"),
      `${calls}\nint main() { return ${parts.map((run) => `${run}()`).join(" + ")}; }\n`,
    );
    const sources = ["main.cu", ...parts.map((_, part) => `part${part}.cu`)].map(
      (name) => `app${target}/${name}`,
    );
    lines.push(`add_executable(app${target} ${sources.join(" ")})`);
    lines.push(`target_compile_definitions(app${target} PRIVATE TILE=${target % 2 === 0 ? 32 : 16})`);
  }
  if (values.build === "cmake") writeFileSync(join(folder, "CMakeLists.txt"), lines.join("\n"));
  return join(folder, "app0", "part0.cu");
}

/** Opens one file; then waits until the server is at rest. */
async function opened(
  cli: string,
  targetCount: number,
): Promise<{ readonly first: Cost; readonly rest: Cost; readonly milliseconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), "warplint-many-"));
  try {
    const path = writeTargets(folder, targetCount);
    const client = await startClient({ cli, folders: [folder] });
    const start = performance.now();
    client.open(path, readFileSync(path, "utf8"));
    await client.diagnostics(uriOf(path));
    const milliseconds = performance.now() - start;
    const pid = client.process.pid ?? 0;
    const first = costOf(pid);
    let last = first;
    let refreshes = 0;
    for (;;) {
      await pause(restMilliseconds);
      // As VS Code does where the server says that there may be more to show.
      const asked = client.asked.filter((method) => method === "workspace/diagnostic/refresh").length;
      if (asked > refreshes) await client.pull(uriOf(path));
      refreshes = asked;
      const now = costOf(pid);
      if (now.cpuSeconds - last.cpuSeconds < 0.1) break;
      last = now;
    }
    const rest = costOf(pid);
    if (values.lint && targetCount > 1) await lintWhileTyping(client, path);
    await client.stop();
    return { first, rest, milliseconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Prints what the lint of the workspace costs, how long edits wait meanwhile, and what the server does when it has ended. */
async function lintWhileTyping(client: Client, path: string): Promise<void> {
  const pid = client.process.pid ?? 0;
  const uri = uriOf(path);
  const before = costOf(pid);
  const start = performance.now();
  let isLinting = true;
  let isOver = false;
  let answers = 0;
  const pulling = async (): Promise<void> => {
    let previousResultIds: { uri: string; value: string }[] = [];
    while (!isOver) {
      const report = await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
        partialResultToken: `p${answers}`,
        previousResultIds,
      });
      answers++;
      const known = new Map(previousResultIds.map((each) => [each.uri, each.value]));
      for (const item of report.items) known.set(item.uri, item.resultId ?? "");
      previousResultIds = [...known].map(([each, value]) => ({ uri: each, value }));
      await pause(pullMilliseconds);
    }
  };
  void pulling().catch(() => {});
  const linted = client.request("warplint/lintWorkspace", {}).then((result) => {
    isLinting = false;
    return result;
  });
  const edits: number[] = [];
  let together = 0;
  const line = client
    .document(uri)
    .getText()
    .split("\n")
    .findIndex((text) => text.endsWith(") {"));
  const at = { line: line + 1, character: 0 };
  while (isLinting) {
    await pause(editMilliseconds);
    const asked = performance.now();
    client.edit(uri, { start: at, end: at }, `  float probe${edits.length} = 2.0f;\n`);
    await client.pull(uri);
    edits.push(performance.now() - asked);
    together = Math.max(together, megabytesNow(pid));
  }
  const seconds = (performance.now() - start) / 1000;
  const after = costOf(pid);
  console.log(`lint: ${JSON.stringify(await linted)}`);
  console.log(
    `lint: ${(after.cpuSeconds - before.cpuSeconds).toFixed(1)} s of CPU in ${seconds.toFixed(0)} s, peak ${after.megabytes.toFixed(0)} MB, with its processes ${together.toFixed(0)} MB`,
  );
  const longest = edits.indexOf(Math.max(...edits)) + 1;
  edits.sort((a, b) => a - b);
  const quantile = (share: number) => (edits[Math.floor((edits.length - 1) * share)] ?? 0).toFixed(0);
  console.log(
    `${edits.length} edits meanwhile: median ${quantile(0.5)} ms, 95 of 100 ${quantile(0.95)} ms, longest ${quantile(1)} ms (the ${longest}th)`,
  );
  await pause(5 * pullMilliseconds);
  const answered = answers;
  const rested = costOf(pid);
  console.log(`then: ${megabytesNow(pid).toFixed(0)} MB`);
  await pause(10_000);
  const then = costOf(pid);
  console.log(
    `then: ${(then.cpuSeconds - rested.cpuSeconds).toFixed(2)} s of CPU in 10 s, ${answers - answered} answers to what VS Code keeps asking`,
  );
  isOver = true;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const server = buildServer();
for (const targets of [1, sourceCount / sourcesOfTarget]) {
  const { first, rest, milliseconds } = await opened(server.cli, targets);
  console.log(
    `${targets * sourcesOfTarget} sources: first diagnostics after ${milliseconds.toFixed(0)} ms, ${first.cpuSeconds.toFixed(2)} s of CPU, ` +
      `${first.megabytes.toFixed(0)} MB; at rest ${rest.cpuSeconds.toFixed(2)} s, ${rest.megabytes.toFixed(0)} MB`,
  );
}
server.remove();
