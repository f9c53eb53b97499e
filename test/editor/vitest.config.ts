import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

// Real editors: `npm run test:editor`. One after the other, for each wants the machine for itself.
export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/editor/**/*.editor.ts"],
    globalSetup: ["test/editor/support/setup.ts"],
    // What fails says so early on a quiet machine too; a busy one may take its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    sequence: { concurrent: false },
  },
});
