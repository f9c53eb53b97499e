// npm run sass -- FILE.cu…: the accesses that codegen leaves in each kernel of some programs, against those that nvcc makes of it on this machine.
// One by one, with their lines. No GPU is needed, and none is asked: how often an access is made is not compared, and what a run never executes is.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts } from "../../server/src/text/source.ts";
import { type CompiledKernel, instantiated } from "../../test/support/accesses.ts";
import { differencesOf } from "../../test/support/machine-accesses.ts";
import { readText } from "../../test/support/parser.ts";

async function main(): Promise<void> {
  const files = process.argv.slice(2);
  const counts = { kernels: 0, differing: 0 };
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const kernel of compiled(file)) {
      const program = generateCode(lowerProgram(await readText(text)));
      const definition = instantiated(program, kernel);
      const differences = definition === null ? [] : differencesOf(kernel, definition, lineStarts(text));
      counts.kernels++;
      if (definition !== null && differences.length === 0) continue;
      counts.differing++;
      console.log(`${file} ${kernel.kernel}${definition === null ? ": not found" : ""}`);
      for (const { who, count, access } of differences) console.log(`  ${who} alone: ${count} × ${access}`);
    }
  }
  console.log(`${counts.differing} of ${counts.kernels} kernels differ`);
}

function compiled(file: string): readonly CompiledKernel[] {
  const rows = execFileSync("python3", ["scripts/read-sass.py", file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return rows
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CompiledKernel);
}

await main();
