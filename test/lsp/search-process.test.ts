// The search for fixes in Node is a process: it steps back with all that it does, and neither outlives its server nor takes it down.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeAction } from "vscode-languageserver/node";
import { buildServer, type Client, startClient, uriOf } from "./client.ts";
import { conflict, heavyKernel, heavyLaunches, placeOf } from "./texts.ts";

const folder = mkdtempSync(join(tmpdir(), "warplint-search-test-"));
const path = join(folder, "searched.cu");
const uri = uriOf(path);
const heavy = `${heavyKernel("mix")}\n${heavyLaunches(["mix"])}`;
const lowest = 19;

let built: ReturnType<typeof buildServer>;

beforeAll(() => {
  built = buildServer();
});

afterAll(() => {
  built.remove();
  rmSync(folder, { recursive: true });
});

// Processes are found by what Linux tells of them.
describe.runIf(process.platform === "linux")("the process that searches", () => {
  it("steps back with every thread of it, and the server with none", async () => {
    const { client, search } = await searching(heavy);
    expect(threadsOf(search).length).toBeGreaterThan(1);
    expect([...new Set(threadsOf(search))]).toEqual([lowest]);
    expect(threadsOf(client.process.pid ?? 0)).not.toContain(lowest);
    await client.stop();
  });

  it("ends with its server", async () => {
    const { client, search } = await searching(heavy);
    await client.stop();
    await client.until(() => !isRunning(search), "the end of the search");
  });

  it("ends when its server is lost", async () => {
    const { client, search } = await searching(heavy);
    client.process.kill("SIGKILL");
    await client.until(() => !isRunning(search), "the end of the search");
  });

  it("that is lost is no loss of fixes", async () => {
    const { client, search } = await searching(conflict);
    process.kill(search, "SIGKILL");
    const at = placeOf(conflict, "tile[threadIdx.x]");
    const menu = async (): Promise<string[]> => {
      const range = { start: at, end: at };
      const asked = { textDocument: { uri }, range, context: { diagnostics: [] } };
      return (await client.request<CodeAction[]>("textDocument/codeAction", asked)).map(({ title }) => title);
    };
    // The server searches by itself, by and by.
    while (!(await menu())[0]?.startsWith("Pad tile to [N][N + 1]"))
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.log.join("\n")).toContain("it has ended (SIGKILL)");
    await client.stop();
  });
});

/** A client whose server has begun to search in `text`, and the process that does. */
async function searching(text: string): Promise<{ client: Client; search: number }> {
  const client = await startClient({ cli: built.cli, folders: [folder] });
  client.open(path, text);
  await client.diagnostics(uri);
  let search: number | null = null;
  const isStarted = () => {
    search = searchOf(client.process.pid ?? 0);
    // It steps back first of all.
    return search !== null && threadsOf(search).every((nice) => nice === lowest);
  };
  await client.until(isStarted, "a search");
  return { client, search: search ?? 0 };
}

/** The process that `server` has started, as soon as it is what it is to be. */
function searchOf(server: number): number | null {
  const isSearch = (pid: string) =>
    statOf(pid)?.parent === server && textOf(`/proc/${pid}/cmdline`)?.includes("--search-for-a-server");
  const found = readdirSync("/proc").find((pid) => /^\d+$/.test(pid) && isSearch(pid));
  return found === undefined ? null : Number(found);
}

function isRunning(pid: number): boolean {
  const stat = statOf(String(pid));
  return stat !== null && stat.state !== "Z";
}

/** How far each thread of a process has stepped back. */
function threadsOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => statOf(`${pid}/task/${thread}`)?.nice ?? []);
}

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly nice: number;
}

/** Null where it has ended. */
function statOf(process: string): Stat | null {
  // What stands behind the name, which may hold anything.
  const fields = textOf(`/proc/${process}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  if (fields === undefined) return null;
  const [state = "", parent] = fields;
  return { state, parent: Number(parent), nice: Number(fields[16]) };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
