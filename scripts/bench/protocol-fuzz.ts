// npm run fuzz:protocol -- [COUNT] [--from=N]: COUNT hostile sessions (200 by default) with the built server. Prints each in which the
// server ended, hung, left a question without an answer, logged a bug, or did not find in the end what it finds in a quiet session. Exits with 1 then.
// npm run fuzz:protocol -- --edits=10000: random edits of a file of 1,000 lines; prints the server's memory on the way, and compares in the end.
import { readFileSync } from "node:fs";
import { buildServer, pullCapabilities, uriOf } from "../../test/lsp/client.ts";
import { seededRandom } from "../../test/random/random.ts";
import { acts, type Stage } from "./hostile/acts.ts";
import { editAtLength } from "./hostile/edits.ts";
import { RawClient, until } from "./hostile/raw-client.ts";

const mostCpuSeconds = 10;
const mostMegabytes = 1500;
const mostActs = 30;
const folder = "/tmp/warplint-hostile";

const conflict = `__global__ void k(float* a) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x * 32 + threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}
int main() { float* d; cudaMalloc(&d, 4096); k<<<1, dim3(32, 32)>>>(d); }
`;

const texts = [
  "",
  "\u0000",
  conflict,
  conflict.slice(0, 200),
  conflict.replaceAll("\n", "\r\n"),
  readFileSync("fixtures/seeds/seed1_matrix_trans.cu", "utf8"),
  "{".repeat(2000),
  "#include __FILE__\n",
];

const configuration = uriOf(`${folder}/warplint.json`);

const uris = [
  ...["a.cu", "b.cu", "c.h", "warplint.json", "CMakeLists.txt"].map((name) => uriOf(`${folder}/${name}`)),
  "untitled:x",
  "x",
  "",
  "file://",
  "file:///%",
  "file:///%00.cu",
  "vscode-vfs://github/x/y.cu",
  "http://[::1",
  `file:///${"a/".repeat(2000)}b.cu`,
];

/** Before "initialize" a client may do anything else. */
const early = acts.filter(({ name }) => name !== "initialize again");

interface Session {
  readonly failures: readonly string[];
  readonly acts: readonly string[];
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

async function session(cli: string, index: number): Promise<Session> {
  const random = seededRandom(index * 2654435761);
  const client = new RawClient(cli, random);
  const stage: Stage = { client, random, uris, texts, asked: [] };
  const done: string[] = [];
  let isStreamWhole = true;
  const act = async (among = acts) => {
    const one = random.pick(among);
    done.push(one.name);
    one.run(stage);
    if (one.breaksStream) isStreamWhole = false;
    if (random.oneIn(3)) await new Promise((resolve) => setTimeout(resolve, random.between(0, 30)));
  };
  // Too early.
  if (random.oneIn(3)) for (let left = random.between(1, 4); left > 0; left--) await act(early);
  const start = client.ask("initialize", {
    processId: random.pick([process.pid, null]),
    rootUri: random.pick([null, uriOf(folder), "x"]),
    capabilities: random.pick([pullCapabilities, {}]),
    initializationOptions: random.pick([null, {}, "x", { commandLinks: 1, rulePages: [], files: "x" }]),
    workspaceFolders: random.pick([null, [], [{ uri: uriOf(folder), name: "x" }]]),
  });
  if (!random.oneIn(5)) await client.answer(start, mostCpuSeconds);
  if (!random.oneIn(10)) client.notify("initialized", {});
  for (let left = random.between(1, mostActs); left > 0; left--) await act();
  const failures: string[] = [];
  const fail = (text: string) => failures.push(text);
  client.behave();
  if (isStreamWhole) {
    await client.answer(start, mostCpuSeconds);
    // Some have said it before, and some not.
    client.notify("initialized", {});
    // An open configuration that cannot be read leaves nothing to be found.
    client.notify("textDocument/didClose", { textDocument: { uri: configuration } });
    const last = uriOf(`${folder}/last.cu`);
    client.notify("textDocument/didOpen", {
      textDocument: { uri: last, languageId: "cuda-cpp", version: 1, text: conflict },
    });
    const answer = await client.answer(
      client.ask("textDocument/codeLens", { textDocument: { uri: last } }),
      mostCpuSeconds,
    );
    if (client.ended !== null) fail(`ended with ${client.ended.code ?? client.ended.signal}`);
    else if (answer === null) fail("no answer in the end");
    else if (!JSON.stringify(answer).includes("line 5: 8.0"))
      fail(`another answer in the end: ${JSON.stringify(answer).slice(0, 200)}`);
    for (const id of stage.asked) await client.answer(id, mostCpuSeconds);
    for (const id of stage.asked) {
      const count = client.answers.get(id)?.length ?? 0;
      if (count !== 1 && client.ended === null) fail(`question ${id} was answered ${count} times`);
    }
  }
  const cpuSeconds = client.workedSeconds();
  const megabytes = Math.round(client.megabytes());
  if (megabytes > mostMegabytes) fail(`${megabytes} MB`);
  const isGoodbye = random.oneIn(2);
  if (isGoodbye) {
    client.ask("shutdown", null);
    if (random.oneIn(2)) await act();
    client.notify("exit", null);
  }
  // Behind a frame that was not whole, nobody can read an "exit".
  if (!isGoodbye || !isStreamWhole) client.process.stdin?.end();
  if (!(await until(() => client.ended !== null, 60_000))) {
    fail("did not end");
    client.process.kill("SIGKILL");
  } else if (client.ended?.signal !== null) fail(`ended by ${client.ended?.signal}`);
  const bugs = client.log.filter((line) => /\n\s+at |[a-z]Error\b|internal error/.test(line));
  if (bugs.length > 0) fail(`logged: ${bugs[0]?.split("\n").slice(0, 4).join(" ").slice(0, 500)}`);
  return { failures, acts: done, cpuSeconds, megabytes };
}

async function main(): Promise<void> {
  const options = process.argv.slice(2);
  const numberOf = (name: string) => options.find((one) => one.startsWith(`--${name}=`))?.split("=")[1];
  const server = buildServer();
  const edits = numberOf("edits");
  if (edits !== undefined) {
    const isSame = await editAtLength(server.cli, Number(edits));
    server.remove();
    process.exit(isSame ? 0 : 1);
  }
  const count = Number(options.find((one) => /^\d+$/.test(one)) ?? 200);
  const from = Number(numberOf("from") ?? 0);
  let bad = 0;
  let slowest = 0;
  let largest = 0;
  for (let index = from; index < from + count; index++) {
    const { failures, acts: done, cpuSeconds, megabytes } = await session(server.cli, index);
    slowest = Math.max(slowest, cpuSeconds);
    largest = Math.max(largest, megabytes);
    if (failures.length > 0) {
      bad++;
      console.log(`${index} (${done.join(", ")}): ${failures.join("; ")}`.slice(0, 1500));
    }
    if ((index - from + 1) % 100 === 0) console.log(`${index - from + 1} of ${count}`);
  }
  server.remove();
  console.log(
    `${count} sessions, ${bad} failed; at most ${slowest.toFixed(1)} s of CPU and ${largest} MB in a session`,
  );
  process.exit(bad > 0 ? 1 : 0);
}

await main();
