// A workspace that takes a while to lint, in VS Code's workbench.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { closeBehindTests } from "./support/closing.ts";
import { type CodeServer, startCodeServer } from "./support/code-server.ts";
import { imagesFolder, root } from "./support/paths.ts";
import { takePicture } from "./support/seed.ts";
import { launchBrowser, openFile, openWorkbench, runCommand, until } from "./support/workbench.ts";

const sourceCount = 60;

let server: CodeServer;
let browser: Browser;
let page: Page;
let opened: string;

beforeAll(async () => {
  mkdirSync(imagesFolder, { recursive: true });
  const programs = join(root, "fixtures/programs");
  const project = mkdtempSync(join(tmpdir(), "warplint-many-"));
  const names = readdirSync(programs).filter((name) => name.endsWith(".cu"));
  for (const name of names.slice(0, sourceCount)) copyFileSync(join(programs, name), join(project, name));
  opened = names[0] ?? "";
  [server, browser] = await Promise.all([startCodeServer({ project }), launchBrowser()]);
  page = await openWorkbench(browser, server);
  await openFile(page, opened);
});

closeBehindTests(() => ({ server, browser, page }));

test("how far the lint of the workspace is stands in the status bar, in hundredths", async () => {
  await runCommand(page, "warplint: Lint Workspace");
  const bar = page.locator(".statusbar", { hasText: "linting the workspace" });
  const shares = new Set<number>();
  await until(
    async () => {
      const share = /linting the workspace: (\d+) %/.exec((await bar.first().textContent()) ?? "")?.[1];
      if (share !== undefined) shares.add(Number(share));
      if (shares.size === 2) await takePicture(page, "lint-progress");
      return shares.size;
    },
    (count) => count >= 3,
    120_000,
  );
  expect([...shares]).toEqual([...shares].sort((a, b) => a - b));
  expect(Math.max(...shares)).toBeLessThanOrEqual(100);
});
