// What took a time, or a stack, that grew beyond bounds with what a text has more of. Times are of the processor.
import { describe, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import { lintFiles } from "../../server/src/lint/lint.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

const mostSeconds = 10;

const texts: readonly (readonly [name: string, device: string, host?: string])[] = [
  [
    "elements of a table of constants",
    `__constant__ int table[1500] = {${times(1500, (at) => `${at % 61}`).join(", ")}};\n${kernel("a[table[i % 1500]] = 1;")}`,
  ],
  ["loops of two trips in each other", kernel(`${loops(20, "2")} a[i + j0] += 1;`)],
  ["loops in each other", kernel(`${loops(300, "i")} a[i] += 1;`)],
  ["host loops in each other", kernel("a[i] = 1;"), `${loops(1000, "2")} k<<<32, 256>>>(d);`],
  ["choices in choices", kernel(`a[i] = ${"i > 3 ? i : ".repeat(60)}1;`)],
  ["terms of a sum", kernel(`a[i] = ${"1 + ".repeat(4831)}1;`)],
  ["members of members", `struct S { S* n; int v; };\n${kernel(`S* s; a[s${"->n".repeat(950)}->v] = 1;`)}`],
];

describe("the time and the stack that a text takes stay within bounds with", () => {
  it.each(texts)("%s", async (_, device, host = "k<<<32, 256>>>(d);") => {
    const text = `${device}\nint main() {\n  float* d;\n  cudaMalloc(&d, 1 << 24);\n  ${host}\n}\n`;
    const files = memoryHost({ "/w/main.cu": text }, "/w");
    const project = createProject(files, { configPath: null, overrides: {}, includePaths: [] });
    const pipeline = await testPipeline();
    const before = process.cpuUsage();
    const { failures } = lintFiles(["/w/main.cu"], files, project, pipeline, { block: null });
    const { user } = process.cpuUsage(before);
    expect(failures).toEqual([]);
    expect(user / 1e6).toBeLessThan(mostSeconds);
  });
});

function kernel(body: string): string {
  return `__global__ void k(float* a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ${body}\n}`;
}

function loops(count: number, end: string): string {
  return times(count, (at) => `for (int j${at} = 0; j${at} < ${end}; j${at}++)`).join(" ");
}

function times(count: number, make: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
