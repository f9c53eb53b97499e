// A server that nobody asks anything of takes no processor time, though VS Code keeps asking for the diagnostics of the workspace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceDiagnosticReport } from "vscode-languageserver/node";
import { type Client, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { clean, conflict } from "./texts.ts";

const { folder, start, write, empty } = serving();
beforeEach(empty);

/** How long VS Code waits between an answer and its next request. */
const pullMilliseconds = 2000;
const restMilliseconds = 10_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Seconds of processor time, as Linux counts them: 100 ticks a second. */
function workedSeconds({ process }: Client): number {
  const stat = readFileSync(`/proc/${process.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Asks as VS Code's client does: at once, and again a while after each answer, until `isOver`. Gives how many answers came. */
async function pulling(client: Client, isOver: () => boolean): Promise<number> {
  let previousResultIds: { uri: string; value: string }[] = [];
  for (let answers = 0; ; answers++) {
    const report = await Promise.race([
      client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
        partialResultToken: `p${answers}`,
        previousResultIds,
      }),
      (async () => {
        while (!isOver()) await pause(50);
        return null;
      })(),
    ]);
    if (report === null) return answers;
    previousResultIds = report.items.map(({ uri, resultId }) => ({ uri, value: resultId ?? "" }));
    await pause(pullMilliseconds);
  }
}

describe.runIf(process.platform === "linux")("a server at rest", () => {
  it("has one open answer and takes at most 0.2 s of processor time in 10 s", async () => {
    const client = await start();
    const paths = ["a.cu", "b.cu", "c.cu", "d.cu", "e.cu"];
    for (const [index, path] of paths.entries()) {
      const text = index % 2 === 0 ? conflict : clean;
      client.open(write(path, text), text);
    }
    let isOver = false;
    const answers = pulling(client, () => isOver);
    for (const path of paths)
      await client.request("textDocument/diagnostic", { textDocument: { uri: uriOf(join(folder, path)) } });
    // Fixes are searched for once the documents have been quiet, and the searcher's process takes its time to end.
    await pause(5000);
    const before = workedSeconds(client);
    await pause(restMilliseconds);
    const worked = workedSeconds(client) - before;
    isOver = true;
    expect(await answers).toBe(0);
    expect(worked).toBeLessThanOrEqual(0.2);
  });
});
