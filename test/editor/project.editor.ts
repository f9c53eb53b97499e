// A project in VS Code's workbench: kernels in a header that the build's flags give a meaning, launches elsewhere, nothing but the header open.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { closeBehindTests } from "./support/closing.ts";
import { type CodeServer, extensionLog, startCodeServer } from "./support/code-server.ts";
import { imagesFolder, root } from "./support/paths.ts";
import { panelOf, takePicture } from "./support/seed.ts";
import {
  goTo,
  launchBrowser,
  lensTexts,
  openFile,
  openHover,
  openWorkbench,
  runCommand,
  squiggles,
  until,
} from "./support/workbench.ts";

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  mkdirSync(imagesFolder, { recursive: true });
  const project = join(root, "test/editor/project");
  const settings = { "workbench.colorTheme": "Default Dark Modern" };
  [server, browser] = await Promise.all([startCodeServer({ project, settings }), launchBrowser()]);
  page = await openWorkbench(browser, server);
  await openFile(page, "transpose.h");
  await page.locator(".squiggly-warning").first().waitFor({ timeout: 120_000 });
});

closeBehindTests(() => ({ server, browser, page }));

test("a header has squiggles, lenses and figures with the launches of sources that are not open", async () => {
  const found = await until(
    () => squiggles(page, "warning"),
    (each) => each.length === 2,
  );
  expect(found.map(({ line }) => line)).toEqual([7, 18]);
  const lenses = await until(
    () => lensTexts(page),
    (texts) => texts.join().includes("main.cu:12"),
  );
  expect(lenses.join("\n")).toContain("main.cu:11");
  const hint = page.locator(".view-line", { hasText: "20,316,160 excess wavefronts" });
  await hint.waitFor();
  // The heat bar: the hottest line has the widest bar.
  await page.locator(".glyph-margin-widgets .cgmr").first().waitFor();
  await takePicture(page, "project-header");
});

const rows = () => page.locator('.sidebar .pane-body [role="treeitem"]');

test("the tree ranks the kernels of the file, and leads to an access", async () => {
  await page.locator('.activitybar [aria-label="warplint"]').first().click();
  const labels = await until(
    () => rows().allInnerTexts(),
    (texts) => texts.length >= 4,
  );
  expect(labels[0]).toContain("transposeTiled");
  expect(labels[0]).toContain("20,316,160 excess");
  expect(labels[1]).toContain("tile[threadIdx.x][threadIdx.y]");
  expect(labels.findIndex((text) => text.includes("transposeNaive"))).toBeGreaterThan(1);
  await rows().nth(1).click();
  await page.locator("#status\\.editor\\.selection, .statusbar", { hasText: "Ln 18" }).first().waitFor();
  await takePicture(page, "cost-tree");
});

const kernelsIn = (labels: readonly string[]) =>
  labels.filter((text) => /transposeTiled|rowSums|transposeNaive/.test(text));

test("the hover has the bank map, and the menu the fix that was tried", async () => {
  await until(
    () => lensTexts(page),
    (texts) => texts.join().includes("Fix"),
    120_000,
  );
  await goTo(page, 18, 45);
  const hover = await openHover(page);
  await hover.getByText("pass 1").waitFor();
  await takePicture(page, "project-hover");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .action", { hasText: "Pad tile to [TILE][TILE + 1]" }).first().waitFor();
  await takePicture(page, "project-fixes");
  await page.keyboard.press("Escape");
});

test("the tree of the workspace has the kernels of all sources once it was linted", async () => {
  await runCommand(page, "warplint: Show Memory Cost of the Workspace");
  await runCommand(page, "warplint: Lint Workspace");
  const labels = await until(
    () => rows().allInnerTexts(),
    (texts) => texts.some((text) => text.includes("rowSums")) && kernelsIn(texts).length === 3,
    120_000,
  );
  const kernels = kernelsIn(labels);
  expect(kernels).toHaveLength(3);
  expect(kernels[0]).toContain("transposeTiled");
  await takePicture(page, "cost-tree-workspace");
});

test("the panel has a table of the kernel's accesses, sorted by excess until a heading is clicked", async () => {
  await goTo(page, 18, 40);
  await runCommand(page, "warplint: Show Bank Map");
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "Memory cost of transposeTiled" }).waitFor();
  const firstCells = () => panel.locator("tbody tr td:first-child").allInnerTexts();
  expect((await firstCells())[0]).toBe("18");
  await panel.getByRole("button", { name: "Line" }).click();
  await panel.getByRole("button", { name: "Line" }).click();
  const lines = await firstCells();
  expect(lines).toEqual([...lines].sort((a, b) => Number(a) - Number(b)));
  await scrollToTable(panel);
  await takePicture(page, "cost-table");
  await panel.locator("tbody tr").first().click();
  await panel.getByRole("heading", { name: "threadIdx.y][threadIdx.x]" }).waitFor();
});

/** The panel is drawn anew while answers come in: a table that is gone meanwhile is looked for again. */
async function scrollToTable(panel: ReturnType<typeof panelOf>): Promise<void> {
  const isShown = () =>
    panel
      .locator("table")
      .scrollIntoViewIfNeeded()
      .then(
        () => true,
        () => false,
      );
  expect(await until(isShown, (shown) => shown)).toBe(true);
}

test("a report of Nsight Compute stands beside what is predicted, in tree, table and hover", async () => {
  await runCommand(page, "warplint: Import Nsight Compute Report");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "matrix.ncu-rep" }).click();
  await page.locator(".notification-list-item", { hasText: "12 launches of 3 kernels" }).waitFor();
  await runCommand(page, "Notifications: Clear All Notifications");
  await runCommand(page, "warplint: Show Memory Cost of This File");
  const labels = await until(
    () => rows().allInnerTexts(),
    (texts) => texts.some((text) => text.includes("measured")),
  );
  // Ten launches of 2,097,152 wavefronts, 65,536 ideal, as an H200 counted them.
  expect(labels.join("\n")).toContain("20,316,160 excess · measured 20,316,160");
  const panel = panelOf(page);
  await panel.getByRole("button", { name: "Measured" }).waitFor();
  await scrollToTable(panel);
  await takePicture(page, "measured");
});

test("Fix All shows the changes before it makes them, and undo takes them back", async () => {
  const isPadded = async () => {
    const lines = await page.locator(".editor-instance").first().locator(".view-line").allTextContents();
    return lines.some((line) => line.replaceAll("\u00a0", " ").includes("tile[TILE][TILE + 1]"));
  };
  await goTo(page, 11, 3);
  await runCommand(page, "warplint: Fix All in This File");
  const preview = page.locator(".bulk-edit-panel");
  await preview.locator("input.edit-checkbox").first().waitFor({ timeout: 120_000 });
  expect(await isPadded()).toBe(false);
  await preview.locator("input.edit-checkbox").first().click();
  await takePicture(page, "fix-all-preview");
  await preview.locator(".monaco-button", { hasText: "Apply" }).click();
  expect(await until(isPadded, (padded) => padded)).toBe(true);
  await goTo(page, 11, 3);
  await page.keyboard.press("Control+Z");
  expect(await until(isPadded, (padded) => !padded)).toBe(false);
});

test("the status item stays beside a file of another kind", async () => {
  await runCommand(page, "View: Show Explorer");
  await openFile(page, "CMakeLists.txt");
  await page.locator("#status\\.languageStatus a").first().click();
  const status = page.locator(".hover-language-status", { hasText: "warplint" }).first();
  const text = await until(
    async () => (await status.allInnerTexts()).join(" "),
    (found) => found.includes("No CUDA in this file"),
  );
  expect(text).toContain("Show memory cost");
  await takePicture(page, "status-elsewhere");
  await page.keyboard.press("Escape");
});

test("a mistake in warplint.json is told once, by the editor while it is open and by the server else", async () => {
  const problems = () => page.locator(".markers-panel .monaco-list-row", { hasText: "loud" });
  const others = () => page.locator(".markers-panel .monaco-list-row", { hasText: "Value is not accepted" });
  await openFile(page, "warplint.json");
  await page.locator('.monaco-editor[data-uri$="warplint.json"] .view-line').first().click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText('{ "rules": { "shared-bank-conflict": "loud" } }');
  // What the editor has closed by itself.
  await page.keyboard.press("Control+Shift+End");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+S");
  await page.locator('.tab.active.dirty[data-resource-name="warplint.json"]').waitFor({ state: "detached" });
  await runCommand(page, "warplint: Restart Server");
  await runCommand(page, "Problems: Focus on Problems View");
  await others().first().waitFor();
  await until(
    async () => extensionLog(server),
    (log) => log.includes("warplint.json:1:"),
  );
  await takePicture(page, "config-problem");
  expect(await problems().count()).toBe(0);
  expect(await others().count()).toBe(1);
  await page.locator('.tab[data-resource-name="warplint.json"] .codicon-close').click();
  await problems().first().waitFor();
  expect(await problems().count()).toBe(1);
  expect(await others().count()).toBe(0);
});

test("the example of the walkthrough opens in an editor of its own, with its finding", async () => {
  await runCommand(page, "warplint: Open an Example");
  const example = page.locator('.monaco-editor[data-uri^="untitled:"]');
  await example.locator(".squiggly-warning").first().waitFor();
  expect(await example.locator(".view-line").first().textContent()).toContain("transpose");
  await takePicture(page, "example");
});

test("the walkthrough has a page for each step", async () => {
  await runCommand(page, "View: Hide Panel");
  await runCommand(page, "View: Maximize Editor Group and Hide Side Bars");
  await runCommand(page, "Welcome: Open Walkthrough");
  const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Get started with warplint" });
  await choice.click();
  const steps = page.locator(".getting-started-step");
  await steps.first().waitFor();
  expect(await steps.count()).toBe(5);
  await steps.filter({ hasText: "Start with what costs most" }).click();
  const pageOfStep = page.frameLocator(".getting-started-media iframe").frameLocator("#active-frame");
  await pageOfStep.getByRole("heading", { name: "Memory cost" }).waitFor();
  await takePicture(page, "walkthrough");
});
