// npm run fuzz: the property tests of the engines at length. 2,000 random kernels, 6,000 random expressions, and the whole grids of the
// fixtures through the plain executor; takes about half an hour on two cores. RUNS and MOST_BLOCKS may be set otherwise.
import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["vitest", "run", "test/evaluate", "--testTimeout=7200000"], {
  stdio: "inherit",
  env: { RUNS: "2000", MOST_BLOCKS: "100000", MOST_STEPS: "50000000", ...process.env },
});
process.exit(status ?? 1);
