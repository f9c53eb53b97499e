import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { startClient, uriOf } from "./client.ts";
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms));
it("measures", { timeout: 3_000_000 }, async () => {
  const folder = "/tmp/pw/w800";
  const client = await startClient({ cli: "/work/wt/projects/server/dist/cli.cjs", folders: [folder] });
  const stat = () => {
    const s = readFileSync(`/proc/${client.process.pid}/stat`, "utf8");
    const f = s.slice(s.lastIndexOf(")") + 2).split(" ");
    return (Number(f[11]) + Number(f[12])) / 100;
  };
  const hwm = () => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${client.process.pid}/status`, "utf8"))?.[1];
  let answers = 0;
  let over = false;
  void (async () => {
    let previous: { uri: string; value: string }[] = [];
    while (!over) {
      const report = await client.request<{ items: { uri: string; resultId?: string }[] }>("workspace/diagnostic", { partialResultToken: `p${answers}`, previousResultIds: previous });
      answers++;
      previous = report.items.map(({ uri, resultId }) => ({ uri, value: resultId ?? "" }));
      await pause(2000);
    }
  })().catch(() => {});
  const path = join(folder, "d0", readdirSync(join(folder, "d0"))[3] ?? "");
  const text = readFileSync(path, "utf8");
  client.open(path, text);
  const uri = uriOf(path);
  await client.diagnostics(uri);
  let done = false;
  const before = stat();
  const started = Date.now();
  const linted = client.request<{ summary: string; files: number }>("warplint/lintWorkspace", {}).then((r) => { done = true; return r; });
  const times: [number, number][] = [];
  for (let i = 0; !done; i++) {
    await pause(3000);
    const at = Date.now();
    const w = stat();
    client.edit(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, `// ${i}\n`);
    await client.pull(uri);
    times.push([Date.now() - at, Math.round((stat() - w) * 1000)]);
    if (i % 10 === 0) console.log(i, Date.now() - started, "ms", stat() - before, "s CPU", hwm(), "kB", times.at(-1), "answers", answers);
  }
  const result = await linted;
  console.log(result, "CPU", stat() - before, "wall", Date.now() - started, "HWM", hwm(), "edits", times.map(([t]) => t).sort((a, b) => a - b).join(" "), "answers", answers);
  await pause(8000);
  const rest = stat();
  const asked = answers;
  await pause(10_000);
  console.log("at rest", stat() - rest, "answers in 10 s", answers - asked);
  over = true;
  await client.stop();
});
