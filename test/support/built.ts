// The server as users run it, built once for all test files of a run: by the first that asks.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));

/** The path of `cli.cjs` in a folder of its own: no test writes there. To be called in `beforeAll`. */
export function builtCli(): string {
  const folder = inject("buildFolder");
  const dist = join(folder, "dist");
  const done = join(folder, "done");
  const lock = join(folder, "lock");
  while (!existsSync(done)) {
    if (!isTaken(lock)) {
      build(dist, done, lock);
      break;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMilliseconds);
  }
  return join(dist, "cli.cjs");
}

const pollMilliseconds = 100;

/** Files run side by side: one of them builds. */
function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return false;
  } catch {
    return true;
  }
}

function build(dist: string, done: string, lock: string): void {
  try {
    execFileSync(process.execPath, [script, dist], { stdio: "inherit" });
    writeFileSync(done, "");
  } finally {
    rmSync(lock, { recursive: true });
  }
}
