import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The first test of a file that parses starts WASM, and the machine may be busy.
    testTimeout: 60_000,
    // Some build what users run.
    hookTimeout: 120_000,
  },
});
