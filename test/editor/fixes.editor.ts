// Fixes as a user makes them in VS Code's workbench: by the menu of a squiggle, by the lens, and seen before and after in the panel.
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { closeBehindTests } from "./support/closing.ts";
import type { CodeServer } from "./support/code-server.ts";
import { loadInLine13, openSeed, panelOf, readInLine26, takePicture } from "./support/seed.ts";
import {
  focusEditor,
  goTo,
  lensTexts,
  runCommand,
  setSettings,
  squiggles,
  takeAction,
  until,
} from "./support/workbench.ts";

const padTitle = "Pad subMatrix to [blockSizeX][blockSizeY + 1]: 32 → 1 wavefronts, +128 B (output checked)";

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  ({ server, browser, page } = await openSeed());
});

closeBehindTests(() => ({ server, browser, page }));

test("the lens says when a fix is ready, and a click on it opens the menu of fixes", async () => {
  await goTo(page, 1, 1);
  const ready = "line 26: 32.0× · 3 other accesses ideal | 2 launches: block (32,32), line 52 | Fix";
  const texts = await until(
    () => lensTexts(page),
    (found) => found.includes(ready),
    120_000,
  );
  expect(texts).toContain(ready);
  // The first is that of line 13.
  await page.locator(".codelens-decoration a", { hasText: /^Fix$/ }).nth(1).click();
  await page.locator(".action-widget .action", { hasText: padTitle }).waitFor();
  await picture("quick-fix");
  await page.keyboard.press("Escape");
});

test("the first fix of the menu clears the squiggle, and undo brings it back", async () => {
  await expectWarnings([loadInLine13, readInLine26]);
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  const titles = await takeAction(page, padTitle);
  expect(titles[0]).toBe(padTitle);
  expect(titles.slice(-2)).toEqual([
    "Ignore shared-bank-conflict on this line…",
    "Disable shared-bank-conflict in this file…",
  ]);
  await expectWarnings([loadInLine13]);
  expect(await paddedTiles()).toBe(2);
  await focusEditor(page);
  await page.keyboard.press("Control+Z");
  await expectWarnings([loadInLine13, readInLine26]);
  expect(await paddedTiles()).toBe(1);
});

test("the panel shows the access before and after", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await runCommand(page, "warplint: Show Bank Map");
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "subMatrix[col][row]" }).waitFor();
  await panel.getByText(padTitle).waitFor({ timeout: 120_000 });
  await panel.getByRole("paragraph").filter({ hasText: "1 wavefront, 1 ideal" }).waitFor();
  expect(await panel.locator("svg").count()).toBe(2);
  await panel.getByText(padTitle).scrollIntoViewIfNeeded();
  await picture("before-after");
});

test("Fix All leaves the code alone, and saving makes the safe fixes where the settings name warplint's", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await runCommand(page, "Fix All");
  await page.waitForTimeout(1000);
  expect(await paddedTiles()).toBe(1);
  await setSettings(page, {
    "workbench.colorTheme": "Default Dark Modern",
    "editor.codeActionsOnSave": { "source.fixAll.warplint": "explicit" },
  });
  await goTo(page, 1, 1);
  await page.keyboard.type("// saved");
  await page.keyboard.press("Enter");
  // Saving makes what is ready, and does not wait for more: a later save makes the rest.
  const found = await until(
    async () => {
      await page.keyboard.type(".");
      await page.keyboard.press("Control+S");
      await page.waitForTimeout(2000);
      return squiggles(page, "warning");
    },
    (value) => value.length === 1,
    120_000,
  );
  expect(found).toEqual([{ ...loadInLine13, line: 14 }]);
});

/** How many tiles of the seed are padded, as the editor shows it: one is from the start. */
async function paddedTiles(): Promise<number> {
  const lines = await page.locator(".editor-instance").first().locator(".view-line").allTextContents();
  const padded = "__shared__ T subMatrix[blockSizeX][blockSizeY + 1];";
  return lines.filter((line) => line.replaceAll("\u00a0", " ").includes(padded)).length;
}

async function expectWarnings(expected: readonly object[]): Promise<void> {
  const right = JSON.stringify(expected);
  const found = await until(
    () => squiggles(page, "warning"),
    (value) => JSON.stringify(value) === right,
  );
  expect(found).toEqual(expected);
}

function picture(name: string): Promise<void> {
  return takePicture(page, name);
}
