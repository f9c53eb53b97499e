import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Vitest leaves one processor alone; of two that is half of the machine.
    maxWorkers: "100%",
    // The first test of a file that parses starts WASM, and the machine may be busy.
    testTimeout: 60_000,
    // Some build what users run.
    hookTimeout: 120_000,
  },
});
