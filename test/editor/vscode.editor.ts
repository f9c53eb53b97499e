// The packed extension in a real VS Code workbench, driven as a user drives it, and looked at as a user looks at it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type CodeServer, startCodeServer } from "./support/code-server.ts";
import { imagesFolder, workFolder } from "./support/paths.ts";
import {
  focusEditor,
  goTo,
  launchBrowser,
  lensTexts,
  openFile,
  openHover,
  openWorkbench,
  runCommand,
  squiggles,
  until,
  viewport,
} from "./support/workbench.ts";

const seed = "seed1_matrix_trans.cu";
/** Columns in which findings of the seed stand, read off its text: `a[myCol * m + myRow]` and `subMatrix[col][row]`. */
const loadInLine13 = { line: 13, column: 28, length: "a[myCol * m + myRow]".length };
const readInLine26 = { line: 26, column: 46, length: "subMatrix[col][row]".length };

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  mkdirSync(imagesFolder, { recursive: true });
  [server, browser] = await Promise.all([startCodeServer(), launchBrowser()]);
  page = await openWorkbench(browser, server);
  await openFile(page, seed);
  await page.locator(".squiggly-warning").first().waitFor({ timeout: 60_000 });
});

afterAll(async () => {
  await browser?.close();
  server?.stop();
});

afterEach(async ({ task }) => {
  if (task.result?.state === "fail")
    await page?.screenshot({ path: join(workFolder, `failed-${task.id}.png`) });
});

test("squiggles stand under the accesses", async () => {
  const seen = await until(
    () => squiggles(page, "warning"),
    (found) => found.length === 2,
  );
  expect(seen).toEqual([loadInLine13, readInLine26]);
  await closeNotices();
  await page.screenshot({ path: join(imagesFolder, "squiggles.png") });
});

test("nothing pops up", async () => {
  expect(await page.locator(".notification-toast").allInnerTexts()).toEqual([]);
});

test("a lens above each kernel says what it pays", async () => {
  const texts = await until(
    () => lensTexts(page),
    (found) => found.length >= 3,
  );
  expect(texts[0]).toMatch(/load 8\.0×.*store ideal/);
  expect(texts.join("\n")).toMatch(/line 26: 32\.0× · 3 other accesses ideal/);
  expect(texts.join("\n")).toMatch(/all 4 accesses ideal/);
});

describe("the hover, at 1280×800", () => {
  const themes = {
    dark: "Default Dark Modern",
    light: "Default Light Modern",
    "high-contrast": "Default High Contrast",
  };
  for (const [name, theme] of Object.entries(themes))
    test(`shows the whole map: ${name}`, async () => {
      server.setSettings({ "workbench.colorTheme": theme });
      await page.locator(`.monaco-workbench.${themeClasses[name as keyof typeof themes]}`).waitFor();
      await goTo(page, readInLine26.line, readInLine26.column + 2);
      const hover = await openHover(page);
      const text = await hover.innerText();
      expect(text).toContain("32-way bank conflict: 32 wavefronts where 1 would do");
      const lastRow = hover.getByText(/30 more, one lane each/).last();
      const row = await lastRow.boundingBox();
      const box = await hover.boundingBox();
      expect(row, "the last row of the map").not.toBeNull();
      expect(box).not.toBeNull();
      if (row === null || box === null) return;
      expect(row.y + row.height).toBeLessThanOrEqual(box.y + box.height);
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      // A cell that costs is drawn in the theme's red, on every theme.
      expect(await hover.locator('span[style*="--vscode-charts-red"]').count()).toBeGreaterThan(0);
      await page.screenshot({ path: join(imagesFolder, `hover-${name}.png`) });
      await page.keyboard.press("Escape");
    });

  test("has links, and they work", async () => {
    server.setSettings({});
    await goTo(page, readInLine26.line, readInLine26.column + 2);
    const hover = await openHover(page);
    await hover.getByText("Bank map", { exact: true }).click();
    await page
      .locator('.tab[data-resource-name*="Bank map"], .tab', { hasText: "Bank map" })
      .first()
      .waitFor();
    await runCommand(page, "View: Close All Editors in Other Groups").catch(() => {});
  });
});

const themeClasses = { dark: "vs-dark", light: "vs", "high-contrast": "hc-black" } as const;

test("the ignore action takes a finding away, and undo brings it back", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await page.keyboard.press("Control+.");
  const actions = page.locator(".action-widget .action");
  await actions.first().waitFor();
  const titles = await actions.allInnerTexts();
  expect(titles.filter((title) => /^(Ignore|Pad|Swizzle|Set)/.test(title.trim())).at(-1)).toMatch(
    /Ignore shared-bank-conflict on this line/,
  );
  await actions.filter({ hasText: "Ignore shared-bank-conflict" }).click();
  const left = await until(
    () => squiggles(page, "warning"),
    (found) => found.length === 1,
  );
  expect(left).toEqual([loadInLine13]);
  await page.keyboard.press("Control+Z");
  const back = await until(
    () => squiggles(page, "warning"),
    (found) => found.length === 2,
  );
  expect(back).toEqual([loadInLine13, readInLine26]);
});

test("settings change the severity at once", async () => {
  server.setSettings({ "warplint.rules": { "shared-bank-conflict": "error" } });
  const errors = await until(
    () => squiggles(page, "error"),
    (found) => found.length === 1,
  );
  expect(errors).toEqual([readInLine26]);
  server.setSettings({});
  const warnings = await until(
    () => squiggles(page, "warning"),
    (found) => found.length === 2,
  );
  expect(warnings).toEqual([loadInLine13, readInLine26]);
});

async function closeNotices(): Promise<void> {
  await focusEditor(page);
  await page.mouse.move(900, 700);
}
