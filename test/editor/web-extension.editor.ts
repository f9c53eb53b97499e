// The packed extension in VS Code's web extension host: no Node, the server in a worker, files through VS Code alone.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodeServer, startCodeServer } from "./support/code-server.ts";
import {
  goTo,
  launchBrowser,
  lensTexts,
  openFile,
  openHover,
  openWorkbench,
  squiggles,
  until,
} from "./support/workbench.ts";

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const settings = { "remote.extensionKind": { "warplint.warplint-vscode": ["web"] } };
  [server, browser] = await Promise.all([startCodeServer({ settings }), launchBrowser()]);
  page = await openWorkbench(browser, server);
  await openFile(page, "seed1_matrix_trans.cu");
});

afterAll(async () => {
  await browser?.close();
  server?.stop();
});

test("squiggles and lenses are those of the desktop", async () => {
  await page.locator(".squiggly-warning").first().waitFor({ timeout: 120_000 });
  await goTo(page, 1, 1);
  const found = await until(
    () => squiggles(page, "warning"),
    (each) => each.length === 2,
  );
  expect(found.map(({ line, column }) => [line, column])).toEqual([
    [13, 28],
    [26, 46],
  ]);
  const lenses = await until(
    () => lensTexts(page),
    (each) => each.some((text) => text.includes("32.0×")),
  );
  expect(lenses.join("\n")).toContain("line 26: 32.0×");
});

test("the hover has the map", async () => {
  await goTo(page, 26, 48);
  const hover = await openHover(page);
  await hover
    .getByText(/30 more, one lane each/)
    .last()
    .waitFor();
  await page.keyboard.press("Escape");
});

test("the server is a worker of the browser, and its search for fixes another", async () => {
  const found = await until(warplintWorkers, (count) => count === 2);
  expect(found).toBe(2);
});

async function warplintWorkers(): Promise<number> {
  const answers = await Promise.all(
    page.workers().map((worker) => worker.evaluate("typeof warplint === 'object'")),
  );
  return answers.filter(Boolean).length;
}
