// npm run fuzz:gpu -- SEED FOLDER [COUNT]: writes COUNT programs of twelve random kernels each into FOLDER, for a machine with a GPU to
// record and `npm run accuracy -- --folder=FOLDER` to compare; CONTRIBUTING.md says how.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomProgram } from "./random-programs/program.ts";

const kernelsPerProgram = 12;

const [seed, folder, count = "30"] = process.argv.slice(2);
if (seed === undefined || folder === undefined) {
  console.error("usage: npm run fuzz:gpu -- SEED FOLDER [COUNT]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (let index = 0; index < Number(count); index++) {
  const name = `random${seed}_${String(index).padStart(2, "0")}.cu`;
  writeFileSync(join(folder, name), randomProgram(Number(seed) * 1000 + index, kernelsPerProgram));
}
