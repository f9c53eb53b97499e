// A workspace of a thousand sources: what is read of it as translation units, and what is merely looked through.
import { beforeAll, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintOptions, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { runToEnd } from "../../server/src/steps.ts";
import { testPipeline } from "../support/pipeline.ts";

const count = 1000;

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

/** Libraries of ten sources each, of which one launches, and a program for each library. */
function files(): Record<string, string> {
  const made: Record<string, string> = {};
  for (let at = 0; at < count; at++) {
    const library = Math.floor(at / 10);
    const path = `/w/lib${library}/part${at}`;
    if (at % 10 === 0)
      made[`${path}.cu`] =
        `__global__ void k${library}(float* p) { p[threadIdx.x * 2] = 1; }\nvoid run${library}(float* p, int n) { k${library}<<<1, n>>>(p); }\n`;
    else if (at % 10 === 1)
      made[`${path}.cpp`] =
        `void run${library}(float* p, int n);\nint main() { run${library}(0, ${32 * ((library % 8) + 1)}); }\n`;
    else made[`${path}.cpp`] = `int part${at}(int n) { return n < ${at} ? part${at}(n + 1) : n; }\n`;
  }
  return made;
}

function world(options: LintOptions): {
  session: LintSession;
  looked: string[];
  edit(path: string, text: string): void;
} {
  read.length = 0;
  const texts = files();
  const looked: string[] = [];
  const plain = memoryHost(texts, "/w");
  const edits = new Map<string, string>();
  const host = {
    ...plain,
    sizeOf: (path: string) => edits.get(path)?.length ?? texts[path]?.length ?? null,
    readBytes: (path: string) => {
      looked.push(path);
      const text = edits.get(path) ?? texts[path];
      return text === undefined ? null : new TextEncoder().encode(text);
    },
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options });
  return {
    session,
    looked,
    edit: (path, text) => {
      edits.set(path, text);
      session.update([path]);
    },
  };
}

const blockOf = (session: LintSession, file: string) =>
  session.analyse(file)?.kernels[0]?.launches[0]?.profile.launch;

const file = "/w/lib42/part420.cu";
const program = [file, "/w/lib42/part421.cpp"];

it("reads the program of a file alone, and each other source once to know its names", () => {
  const { session, looked } = world({ block: null });
  expect(blockOf(session, file)?.block).toEqual([96, 1, 1]);
  expect([...read].sort()).toEqual(program);
  const sources = looked.filter((path) => /\.(cu|cpp)$/.test(path));
  expect(new Set(sources).size).toBe(count);
  // Those of the program as translation units, too.
  expect(sources.length).toBe(count + program.length);
});

it("looks at what was edited, and at nothing else", () => {
  const { session, looked, edit } = world({ block: null });
  blockOf(session, file);
  read.length = 0;
  looked.length = 0;
  edit("/w/lib42/part421.cpp", "void run42(float* p, int n);\nint main() { run42(0, 64); }\n");
  expect(blockOf(session, file)?.block).toEqual([64, 1, 1]);
  expect(read).toEqual(["/w/lib42/part421.cpp"]);
  expect(new Set(looked.filter((path) => /\.(cu|cpp)$/.test(path)))).toEqual(
    new Set(["/w/lib42/part421.cpp"]),
  );
});

it("answers before all is known where somebody waits, and better once it is", () => {
  const { session, looked } = world({ block: null, largeWorkspaces: "in the background" });
  expect(blockOf(session, file)?.origin.kind).toBe("assumed");
  expect(looked.filter((path) => /\.(cu|cpp)$/.test(path))).toEqual([file]);
  expect(session.isProvisional).toBe(true);
  runToEnd(session.settle());
  expect(session.isProvisional).toBe(false);
  expect(blockOf(session, file)?.block).toEqual([96, 1, 1]);
  expect([...new Set(read)].sort()).toEqual(program);
});
