// What every file of tests in VS Code's workbench ends with.
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { workFolder } from "./paths.ts";
import type { SeedWorkbench } from "./seed.ts";

/**
 * Closes a workbench behind the last test, and keeps a picture of it where a test fails. `opened` is asked when a test ends: what could not be
 * opened is not there.
 */
export function closeBehindTests(opened: () => Partial<SeedWorkbench>): void {
  afterAll(async () => {
    const { server, browser } = opened();
    await browser?.close();
    server?.stop();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail")
      await opened().page?.screenshot({ path: join(workFolder, `failed${task.id}.png`) });
  });
}
