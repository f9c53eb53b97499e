// A long file of varied kernels with their launches, for benchmarks: random kernels under names of their own, one main.
import { randomKernel } from "../../test/random/kernel.ts";

/** At least `lineCount` lines of CUDA, always the same. */
export function manyKernels(lineCount: number): string {
  const parts: string[] = [];
  const calls: string[] = [];
  let lines = 0;
  for (let seed = 1; lines < lineCount; seed++) {
    const { source } = randomKernel(seed);
    parts.push(`namespace n${seed} {\n${source.replace("int main()", "int run()")}\n}\n`);
    calls.push(`  n${seed}::run();`);
    lines += source.split("\n").length + 3;
  }
  return `${parts.join("\n")}\nint main() {\n${calls.join("\n")}\n  return 0;\n}\n`;
}
