// A condition holds for every value that it names: the figures under it are those of any such number, counted lane by lane.
import { describe, expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

const strides = [
  "n",
  "n / 4",
  "n % 8",
  "(n & ~3)",
  "((n + 7) / 8 * 8)",
  "(n >> 2)",
  "n * n",
  "(n - 1)",
  "(n + 5)",
  "(2 * n)",
  "(n / 4 + 1)",
  "(n / 2 * n)",
  "(n / 8 * 4)",
  "(n % 100)",
  "(n | 1)",
  "(n ^ 1)",
  "(n << 1)",
  "(3 * n / 2)",
  "__ffs(n)",
  "(n >> (__ffs(n) - 1))",
  "(n >> (__ffs(n & 0x7ffffff0) & 7))",
] as const;

const lanes = Array.from({ length: 32 }, (_, lane) => lane);

/** Sectors of one request for words that far apart. */
function sectorsAt(stride: number): number {
  return new Set(lanes.map((lane) => Math.floor((lane * stride * 4) / 32))).size;
}

/** Wavefronts of one request: the most different words in one bank. */
function wavefrontsAt(stride: number): number {
  const words = new Set(lanes.map((lane) => lane * stride));
  const counts = new Array<number>(32).fill(0);
  for (const word of words) counts[((word % 32) + 32) % 32] = (counts[((word % 32) + 32) % 32] ?? 0) + 1;
  return Math.max(...counts);
}

/** Which bit is the first that is set, counted from 1; 0 of 0. */
const firstBit = (n: number) => (n === 0 ? 0 : 1 + Math.log2(n & -n));

/** An expression of C on integers for a number; `f(n)` in a condition stands for a number that has no short text: here the stride. */
function integerOf(text: string, n: number, f?: (n: number) => number): number {
  const integer = text.replace(/(\((?:[^()]|\([^()]*\))*\)|[\w.]+)\s*\/\s*(\d+)/g, "Math.trunc($1 / $2)");
  const names = ["n", "min", "max", "__ffs", "f"];
  return Number(new Function(...names, `return ${integer};`)(n, Math.min, Math.max, firstBit, f));
}

/** Whether a condition such as "n / 4 >= 8 and large n" holds. */
function holds(condition: string | null, n: number, stride: string): boolean {
  const f = () => integerOf(stride, n);
  if (condition === null) return true;
  return condition.split(" and ").every((part) => {
    const large = /^large (.*)$/.exec(part);
    if (large?.[1]) return integerOf(large[1].trim(), n, f) >= 4096;
    const [left = "", right = ""] = part.split(" >= ");
    return integerOf(left, n, f) >= Number(right);
  });
}

async function accessOf(space: "global" | "shared", stride: string): Promise<AccessProfile | undefined> {
  const body = {
    global: `y[threadIdx.x] = x[threadIdx.x * (${stride})];`,
    shared: `extern __shared__ float s[]; y[threadIdx.x] = s[threadIdx.x * (${stride})];`,
  }[space];
  const text = `// warplint: launch(block=32)\n__global__ void k(const float *x, float *y, int n) { ${body} }\n`;
  const program = lowerProgram(await readText(text), { prelude: await testPrelude() });
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  return evaluateLaunch(program, launch).accesses.find(({ operation }) => operation === "load");
}

const numbers = [...Array.from({ length: 300 }, (_, index) => index + 1), 1000, 1024, 4096, 4100, 65_536];

describe.each([
  ["global", sectorsAt],
  ["shared", wavefrontsAt],
] as const)("conditions on strides in %s memory", (space, costAt) => {
  it.each(strides)("%s", async (stride) => {
    const access = await accessOf(space, stride);
    const bounds = access?.perRequest;
    if (!access || !bounds || access.verdict.kind === "unknown") return;
    const condition = access.verdict.kind === "conditional" ? access.verdict.condition : null;
    // Sizes and what is computed of them are taken to be positive: of a stride of 0 nothing is said.
    const positive = numbers.filter((n) => integerOf(stride, n) > 0);
    const wrong = positive.filter((n) => {
      const cost = costAt(integerOf(stride, n));
      return holds(condition, n, stride) && (cost < bounds.least.cost || cost > bounds.most.cost);
    });
    expect({ condition, cost: [bounds.least.cost, bounds.most.cost], wrong }).toMatchObject({ wrong: [] });
  });
});
