import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/support/slowest-first.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build-folder.ts"],
    sequence: { sequencer: SlowestFirst },
    // Vitest leaves one processor alone; of two that is half of the machine.
    maxWorkers: "100%",
    // The first test of a file that parses starts WASM, and the machine may be busy.
    testTimeout: 60_000,
    // Some build what users run.
    hookTimeout: 120_000,
  },
});
