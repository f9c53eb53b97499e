// The search for the launches of a lone header keeps to its budgets: it reads what may launch, the nearest first, and not without end.
import { beforeAll, describe, expect, it, vi } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import type { OpenDocuments } from "../../server/src/lsp/documents.ts";
import { createFolders } from "../../server/src/lsp/folders.ts";
import { createLauncherSearch } from "../../server/src/lsp/launchers.ts";
import { createScheduler } from "../../server/src/lsp/scheduler.ts";
import { testPipeline } from "../support/pipeline.ts";

const header = "/w/k.cuh";
const kernel = "#pragma once\n__global__ void fill(float* p) { p[threadIdx.x] = 1; }\n";
const launching = '#include "/k.cuh"\nvoid run(float* p) { fill<<<1, 64>>>(p); }\n';
/** Speaks of the kernel, and does not read its header. */
const talking = "// fill<<<1, 64>>> stands elsewhere\n";

let pipeline: Pipeline;
const read: string[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    read: (file, ...rest) => {
      read.push(file);
      return real.read(file, ...rest);
    },
  };
});

/** What is read for the sake of the header, and whether its launch was found. */
async function searched(
  files: Readonly<Record<string, string>>,
): Promise<{ others: string[]; isFound: boolean }> {
  const host = memoryHost({ [header]: kernel, ...files }, "/w");
  const folders = createFolders(host, pipeline, () => null);
  folders.set([{ uri: "file:///w", path: "/w" }]);
  const analysis = folders.of(header).session.analyse(header);
  if (analysis === null) throw new Error("nobody cancels");
  read.length = 0;
  const isOpen = (path: string) => (path === header ? ({} as ReturnType<OpenDocuments["documentOf"]>) : null);
  let isFound = false;
  let isIdle = false;
  const scheduler = createScheduler({ now: () => 0, worked: () => 0, pause: () => Promise.resolve() });
  const search = createLauncherSearch(
    {
      folders,
      documents: { documentOf: isOpen } as OpenDocuments,
      scheduler: {
        ...scheduler,
        run: async (lane, work) => {
          const isDone = await scheduler.run(lane, work);
          // The walk of the folder is one piece of work, the reading of its files another.
          setTimeout(() => {
            isIdle = true;
          }, 0);
          return isDone;
        },
      },
      log: { info: () => {}, warn: () => {}, failed: (what, error) => expect.fail(`${what}: ${error}`) },
    },
    () => {
      isFound = true;
    },
  );
  search.consider(analysis);
  await vi.waitUntil(() => isIdle, { timeout: 50_000 });
  return { others: [...new Set(read)].filter((file) => file !== header), isFound };
}

describe("the search for the launches of a lone header", () => {
  it("reads what speaks of launching the kernel, and finds them", async () => {
    const files = {
      "/w/a.cu": launching.replace('"/', '"'),
      "/w/b.cu": "int unrelated() { return 1; }\n",
      "/w/c.cu": "// other<<<1, 64>>>\n",
    };
    expect(await searched(files)).toEqual({ others: ["/w/a.cu"], isFound: true });
  });

  it("gives up after sixteen files that only speak of it", async () => {
    const near = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/w/near${at}.cu`, talking]));
    const far = { "/w/far/away/z.cu": launching.replace('"/', '"../../') };
    const { others, isFound } = await searched({ ...near, ...far });
    expect(others).toHaveLength(16);
    expect(isFound).toBe(false);
  });

  it("leaves files of more than a megabyte alone", async () => {
    const large = launching.replace('"/', '"') + "// padding\n".repeat(100_000);
    expect(await searched({ "/w/a.cu": large })).toEqual({ others: [], isFound: false });
  });
});
