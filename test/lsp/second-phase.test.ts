// The second phase runs in a thread of its own: nothing that somebody waits for waits for it, and what comes out is what this thread would find.
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CancellationTokenSource, type CodeAction, type Range } from "vscode-languageserver/node";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import { fixTools } from "../../server/src/lint/fix-tools.ts";
import { fixSearchesOf } from "../../server/src/lint/fixes.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import type { Folders } from "../../server/src/lsp/folders.ts";
import type { FromThread, ToThread } from "../../server/src/lsp/second-phase/messages.ts";
import { Mirror } from "../../server/src/lsp/second-phase/mirror.ts";
import { type Snapshot, snapshotOf } from "../../server/src/lsp/second-phase/snapshot.ts";
import { searcherInThread } from "../../server/src/lsp/second-phase/thread.ts";
import { createProject, type Project } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";
import { type Client, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { heavyKernel, heavyLaunches } from "./texts.ts";

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await testPipeline();
});

const heavy = `${heavyKernel("mix")}\n${heavyLaunches(["mix"])}`;

describe("while a kernel is searched whose one evaluation takes long", () => {
  const server = serving();
  const path = join(server.folder, "heavy.cu");
  const uri = uriOf(path);

  const rangeOf = (client: Client, word: string): Range => {
    const document = client.document(uri);
    const start = document.getText().indexOf(word);
    return { start: document.positionAt(start), end: document.positionAt(start + 1) };
  };
  const menuOf = (client: Client): Promise<CodeAction[]> =>
    client.request("textDocument/codeAction", {
      textDocument: { uri },
      range: rangeOf(client, "tile[threadIdx.x]"),
      context: { diagnostics: [] },
    });

  // Times in milliseconds are for `npm run bench -- protocol`: here other tests run beside this one. What waited for the evaluation would
  // have waited for most of the search, however slow the machine is.
  it("menus and cancels are answered all the while, from the edit until the fix is there", async () => {
    const client = await server.start();
    client.open(path, heavy);
    await client.diagnostics(uri);
    const waits: number[] = [];
    // More is ready, and lenses are to be asked for again, when the search ends.
    const isOver = () => client.asked.includes("workspace/codeLens/refresh");
    const search = await timeOf(async () => {
      while (!isOver()) {
        waits.push(await timeOf(() => menuOf(client)), await timeOf(() => cancelled(client)));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    });
    expect(waits.length).toBeGreaterThan(10);
    expect(Math.max(...waits)).toBeLessThan(search / 2);
  });

  async function cancelled(client: Client): Promise<void> {
    const source = new CancellationTokenSource();
    const asked = client.connection.sendRequest(
      "textDocument/codeLens",
      { textDocument: { uri } },
      source.token,
    );
    source.cancel();
    await asked.catch(() => {});
  }

  async function timeOf(run: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await run();
    return performance.now() - start;
  }
});

describe("what the thread is shown", () => {
  const tile =
    "__global__ void k(float* p) { __shared__ float t[32][W]; p[threadIdx.x] = t[threadIdx.x][0]; }\n";
  const files = {
    "/w/warplint.json": '{ "defines": { "W": "32" }, "includePaths": ["deps"], "ignore": ["deps"] }',
    "/w/.gitignore": "build\n",
    "/w/deps/sizes.h": "#define BLOCKS 4\n",
    "/w/src/k.cuh": tile,
    "/w/src/a.cu": '#include "k.cuh"\n#include <sizes.h>\nvoid f(float* p) { k<<<BLOCKS, 32>>>(p); }\n',
    "/w/src/b.cu": '#include "k.cuh"\nvoid g(float* p) { k<<<2, 32>>>(p); }\n',
  };

  const worldOf = (now: Readonly<Record<string, string>>) => {
    const host = memoryHost(now, "/w");
    const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
    return { project, session: createLintSession({ host, project, pipeline, options: { block: null } }) };
  };

  /** As it arrives on the other side. */
  const sent = (analysis: FileAnalysis, world: { session: LintSession; project: Project }): Snapshot =>
    structuredClone(snapshotOf(analysis, world));

  const shownIn = (mirror: Mirror, snapshot: Snapshot): LintSession => {
    const session = mirror.show(snapshot);
    for (const unit of snapshot.units) session.include(unit);
    return session;
  };

  const keysIn = (session: LintSession, file: string): readonly string[] => {
    const analysis = session.analyse(file);
    if (analysis === null) throw new Error("cancelled");
    const searches = fixSearchesOf(analysis, session.fixMaterial(file), fixTools);
    return searches.map(({ kernel, key }) => `${kernel} ${key}`);
  };

  it.each(["/w/src/a.cu", "/w/src/k.cuh"])("makes the searches of %s what they are here", (file) => {
    const world = worldOf(files);
    for (const unit of ["/w/src/a.cu", "/w/src/b.cu"]) world.session.include(unit);
    const analysis = world.session.analyse(file);
    if (analysis === null) throw new Error("cancelled");
    const expected = keysIn(world.session, file);
    expect(expected.length).toBe(file.endsWith(".cuh") ? 1 : 0);
    expect(keysIn(shownIn(new Mirror(pipeline), sent(analysis, world)), file)).toEqual(expected);
    expect(shownIn(new Mirror(pipeline), sent(analysis, world)).analyse(file)?.report.findings).toEqual(
      analysis.report.findings,
    );
  });

  it("may change, and then is what a fresh look gives", () => {
    const mirror = new Mirror(pipeline);
    const wider = { ...files, "/w/src/k.cuh": tile.replace("[W]", "[W + 32]") };
    const alone = { ...files, "/w/src/a.cu": "void f() {}\n" };
    const configured = { ...files, "/w/warplint.json": '{ "defines": { "W": "33" } }' };
    for (const now of [files, wider, alone, configured, files]) {
      const world = worldOf(now);
      for (const unit of ["/w/src/b.cu", "/w/src/a.cu"]) world.session.include(unit);
      const analysis = world.session.analyse("/w/src/k.cuh");
      if (analysis === null) throw new Error("cancelled");
      const seen = shownIn(mirror, sent(analysis, world)).analyse("/w/src/k.cuh");
      expect(seen?.report.findings).toEqual(analysis.report.findings);
      expect(seen?.kernels.map(({ launches }) => launches.length)).toEqual(
        analysis.kernels.map(({ launches }) => launches.length),
      );
    }
  });
});

describe("a thread", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** One whose other side is played by the test. */
  const threads: { said: ToThread[]; tell(message: FromThread): void; fail(): void; isEnded: boolean }[] = [];
  const start = () => {
    let tell: (message: FromThread) => void = () => {};
    let fail: (error: unknown) => void = () => {};
    const one = {
      said: [] as ToThread[],
      tell: (message: FromThread) => tell(message),
      fail: () => fail(new Error("gone")),
      isEnded: false,
    };
    threads.push(one);
    return {
      post: (message: ToThread) => one.said.push(message),
      onMessage: (listener: typeof tell) => {
        tell = listener;
      },
      onFailure: (listener: typeof fail) => {
        fail = listener;
      },
      end: () => {
        one.isEnded = true;
      },
    };
  };

  const taskOf = (file: string) => {
    const host = memoryHost({ [file]: heavy }, "/w");
    const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
    const session = createLintSession({ host, project, pipeline, options: { block: null } });
    const analysis = session.analyse(file);
    if (analysis === null) throw new Error("cancelled");
    const found: string[] = [];
    const controller = new AbortController();
    return {
      folders: { of: () => ({ session, project }) } as unknown as Folders,
      found,
      stop: () => controller.abort(),
      task: {
        analysis,
        searches: fixSearchesOf(analysis, session.fixMaterial(file), fixTools),
        signal: controller.signal,
        onFound: ({ kernel }: { readonly kernel: string }) => found.push(kernel),
      },
    };
  };

  const here = (searched: string[]) => ({
    search: async ({ analysis }: { readonly analysis: FileAnalysis }) => {
      searched.push(analysis.file);
    },
    makeWay: () => {},
  });

  const log = { info: () => {}, warn: () => {}, failed: () => {} };
  const nothing = { fixes: [], refusals: [] };

  it("is started once, answers for what was asked alone, and ends when nobody asks for long", async () => {
    vi.useFakeTimers();
    threads.length = 0;
    const { folders, task, found } = taskOf("/w/a.cu");
    const searcher = searcherInThread(start, here([]), folders, log);
    const first = searcher.search(task);
    const [thread] = threads;
    if (thread === undefined) throw new Error("no thread");
    const [search] = task.searches;
    if (search === undefined) throw new Error("no search");
    const { kernel, key } = search;
    thread.tell({ kind: "found", id: 1, kernel, key: "another text", found: nothing });
    expect(found).toEqual([]);
    thread.tell({ kind: "found", id: 1, kernel, key, found: nothing });
    expect(found).toEqual([kernel]);
    thread.tell({ kind: "ended", id: 1 });
    await first;
    const second = searcher.search(task);
    vi.advanceTimersByTime(600_000);
    expect([threads.length, thread.isEnded]).toEqual([1, false]);
    thread.tell({ kind: "ended", id: 2 });
    await second;
    vi.advanceTimersByTime(600_000);
    expect(thread.isEnded).toBe(true);
    void searcher.search(task);
    expect(threads).toHaveLength(2);
  });

  it("hears that nobody waits any more", () => {
    threads.length = 0;
    const { folders, task, stop } = taskOf("/w/a.cu");
    void searcherInThread(start, here([]), folders, log).search(task);
    stop();
    expect(threads[0]?.said.map(({ kind }) => kind)).toEqual(["search", "stop"]);
  });

  it("is told to make way for the editor while it searches, and only then", async () => {
    threads.length = 0;
    const { folders, task } = taskOf("/w/a.cu");
    const searcher = searcherInThread(start, here([]), folders, log);
    searcher.makeWay();
    const search = searcher.search(task);
    searcher.makeWay();
    threads[0]?.tell({ kind: "ended", id: 1 });
    await search;
    searcher.makeWay();
    expect(threads[0]?.said.map(({ kind }) => kind)).toEqual(["search", "make-way"]);
  });

  it("that is lost, or cannot be had, is no loss of fixes", async () => {
    threads.length = 0;
    const { folders, task } = taskOf("/w/a.cu");
    const searched: string[] = [];
    const searcher = searcherInThread(start, here(searched), folders, log);
    const waiting = searcher.search(task);
    threads[0]?.fail();
    await waiting;
    await searcher.search(task);
    const none = () => {
      throw new Error("no threads here");
    };
    await searcherInThread(none, here(searched), folders, log).search(task);
    expect(searched).toEqual(["/w/a.cu", "/w/a.cu", "/w/a.cu"]);
    expect(threads).toHaveLength(1);
  });
});
