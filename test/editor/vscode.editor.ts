// The packed extension in a real VS Code workbench, driven as a user drives it, and looked at as a user looks at it. The images of the
// docs are taken here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { closeBehindTests } from "./support/closing.ts";
import { type CodeServer, extensionLog } from "./support/code-server.ts";
import { darkTheme, loadInLine13, openSeed, panelOf, readInLine26, takePicture } from "./support/seed.ts";
import {
  focusEditor,
  goTo,
  lensTexts,
  openHover,
  runCommand,
  type Squiggle,
  setSettings,
  squiggles,
  takeAction,
  until,
  viewport,
} from "./support/workbench.ts";

const themes = [
  { name: "dark", theme: darkTheme, element: ".monaco-workbench.vs-dark" },
  { name: "light", theme: "Default Light Modern", element: ".monaco-workbench.vs" },
  { name: "high-contrast", theme: "Default High Contrast", element: ".monaco-workbench.hc-black" },
] as const;

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  ({ server, browser, page } = await openSeed());
});

closeBehindTests(() => ({ server, browser, page }));

test("squiggles stand under the accesses", async () => {
  await goTo(page, 1, 1);
  await expectSquiggles("warning", [loadInLine13, readInLine26]);
  await picture("squiggles");
});

test("nothing pops up", async () => {
  expect(await page.locator(".notification-toast").allInnerTexts()).toEqual([]);
});

test("nothing has failed that only the log tells of", () => {
  const lines = extensionLog(server).split("\n");
  expect(lines.filter((line) => line.includes("[error]"))).toEqual([]);
});

test("a lens above each kernel says what it pays", async () => {
  await goTo(page, 1, 1);
  await expectSoon(
    () => lensTexts(page),
    [
      "line 13 load: 8.0× · store ideal | 2 launches: block (32,32), line 51 | Fix",
      "line 26: 32.0× · 3 other accesses ideal | 2 launches: block (32,32), line 52 | Fix",
      "all 4 accesses ideal | 2 launches: block (32,32), line 53",
    ],
  );
});

for (const { name, theme, element } of themes)
  test(`the hover at 1280×800 shows the whole map: ${name}`, async () => {
    await setSettings(page, { "workbench.colorTheme": theme });
    await page.locator(element).waitFor();
    await goTo(page, readInLine26.line, readInLine26.column + 2);
    const hover = await openHover(page);
    await expectInside(hover.getByText("32-way bank conflict: 32 wavefronts, 1 ideal"), hover);
    await expectInside(hover.getByText(/30 more, one lane each/).last(), hover);
    await expectInside(hover.getByText("Change launch", { exact: true }), hover);
    const bottom = await hover.boundingBox();
    expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    // A cell that costs is drawn in the theme's own red.
    expect(await hover.locator('span[style*="--vscode-charts-red"]').count()).toBeGreaterThan(0);
    await picture(`hover-${name}`);
    await page.keyboard.press("Escape");
  });

test("the code of a finding opens the page of its rule, to be read", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  const hover = await openHover(page);
  await hover.locator("a.code-link", { hasText: "shared-bank-conflict" }).first().click();
  const preview = panelOf(page);
  await preview.getByRole("heading", { name: "shared-bank-conflict", exact: true }).waitFor();
  await preview.getByRole("heading", { name: "What it finds" }).waitFor();
  expect(await preview.locator("body").textContent()).not.toContain("## ");
  await picture("rule-page");
  const tab = page.locator(".tab.active", { hasText: "Preview shared-bank-conflict.md" });
  await tab.locator(".codicon-close").click();
  await page.locator("iframe.webview.ready").waitFor({ state: "detached" });
});

test("the status item names the kernel under the cursor and its launch", async () => {
  await goTo(page, readInLine26.line, 1);
  await page.locator("#status\\.languageStatus a").first().click();
  const status = page.locator(".hover-language-status", { hasText: "warplint" }).first();
  await status.waitFor();
  const text = await until(
    async () => (await status.allInnerTexts()).join(" "),
    (found) => found.includes("matrix_trans_step2"),
  );
  expect(text).toContain("matrix_trans_step2");
  expect(text).toContain("Change launch");
  await page.keyboard.press("Escape");
});

test("the ignore action stands behind all fixes and takes the finding away, and undo brings it back", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  const titles = await takeAction(page, "Ignore shared-bank-conflict");
  expect(titles.slice(-2)).toEqual([
    "Ignore shared-bank-conflict on this line…",
    "Disable shared-bank-conflict in this file…",
  ]);
  await expectSquiggles("warning", [loadInLine13]);
  await focusEditor(page);
  await page.keyboard.press("Control+Z");
  await expectSquiggles("warning", [loadInLine13, readInLine26]);
});

test("settings change the severity at once", async () => {
  await setSettings(page, { ...dark, "warplint.rules": { "shared-bank-conflict": "error" } });
  await expectSquiggles("error", [readInLine26]);
  await setSettings(page, dark);
  await expectSquiggles("warning", [loadInLine13, readInLine26]);
});

test("a launch entered by hand changes the figures, and undo takes it back", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await runCommand(page, "warplint: Choose Launch");
  const choices = page.locator(".quick-input-list .monaco-list-row");
  await choices.filter({ hasText: "Enter a launch" }).waitFor();
  expect((await choices.allInnerTexts()).join("\n")).toContain("block (32,32)");
  await picture("choose-launch");
  await page.keyboard.type("Enter a launch");
  await choices.and(page.locator(".focused")).filter({ hasText: "Enter a launch" }).waitFor();
  await page.keyboard.press("Enter");
  const input = page.locator(".quick-input-widget input");
  const prompt = page.locator(".quick-input-message", { hasText: "block, grid, shared" });
  await prompt.waitFor();
  // Wrong text is said to be wrong as it stands there, in place of the prompt.
  await input.fill("block=(32,");
  await prompt.waitFor({ state: "detached" });
  await input.fill("block=(4,32), grid=(256,32), m=1024, T=float");
  await prompt.waitFor();
  await page.keyboard.press("Enter");
  const texts = await until(
    () => lensTexts(page),
    (found) => found.some((text) => text.includes("annotated")),
  );
  // By hand: a warp is 4 columns of 8 rows. A row of the tile is 32 words, so the store (line 25 now) hits 4 banks in 8 rows each, and
  // the load (line 27) 8 banks in 4 rows each.
  expect(texts[1]).toMatch(/^line 25: 8\.0× · line 27: 4\.0× .*\| block \(4,32\) annotated$/);
  expect(await page.locator(".view-line", { hasText: "warplint: launch(" }).count()).toBe(1);
  await focusEditor(page);
  await page.keyboard.press("Control+Z");
  const back = await until(
    () => lensTexts(page),
    (found) => found.some((text) => text.includes("32.0×")),
  );
  expect(back.join("\n")).toContain("line 26: 32.0× · 3 other accesses ideal");
});

test("a launch kept in the settings changes the figures, and leaves them as they were when it is taken out", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await runCommand(page, "warplint: Choose Launch");
  const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "block (32,32)" }).first();
  await choice.hover();
  await choice.locator(".action-label.codicon-gear").click();
  const texts = await until(
    () => lensTexts(page),
    (found) => found.some((text) => text.includes("configured")),
  );
  expect(texts.join("\n")).toMatch(/line 26: .*configured/);
  const kept = JSON.parse(readFileSync(join(server.workspace, ".vscode/settings.json"), "utf8"));
  expect(kept).toMatchObject({
    "warplint.launches": { matrix_trans_step2: { block: [32, 32, 1], arguments: { m: 1024 } } },
  });
  await runCommand(page, "Preferences: Open Workspace Settings (JSON)");
  await page.locator('.tab.active[data-resource-name="settings.json"]').waitFor();
  await page.locator('.monaco-editor[data-uri$=".vscode/settings.json"] .view-line').first().click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("{}");
  await page.keyboard.press("Control+S");
  await page.locator('.tab.active.dirty[data-resource-name="settings.json"]').waitFor({ state: "detached" });
  await page.locator('.tab.active[data-resource-name="settings.json"] .codicon-close').click();
  await expectSoon(async () => (await lensTexts(page)).some((text) => text.includes("configured")), false);
});

test("the bank map stands beside the code and follows the cursor", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await runCommand(page, "warplint: Show Bank Map");
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "subMatrix[col][row]" }).waitFor();
  await panel
    .getByText(/32 wavefronts, 1 ideal/)
    .first()
    .waitFor();
  await panel.locator("svg").first().waitFor();
  const policy = await panel.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  expect(policy).toMatch(/^default-src 'none'; style-src [^;]+; script-src 'nonce-[0-9a-f]{32}'$/);
  // Lanes by keyboard.
  await panel.getByRole("option", { name: "0", exact: true }).click();
  await page.keyboard.press("ArrowRight");
  await panel.getByRole("heading", { name: "Lane 1" }).waitFor();
  expect(await panel.locator("#lane-values dt:text-is('bank') + dd").textContent()).toBe("0");
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  await picture("panel");
  await goTo(page, loadInLine13.line, loadInLine13.column + 2);
  await panel.getByRole("heading", { name: "a[myCol * m + myRow]" }).waitFor();
  await panel
    .getByText(/32 sectors, 4 ideal/)
    .first()
    .waitFor();
});

test("a lane's values stay in sight beside a tall map, wherever it is scrolled to", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "subMatrix[col][row]" }).waitFor();
  await panel.getByRole("option", { name: "0", exact: true }).click();
  await page.keyboard.press("End");
  const lane = panel.getByRole("heading", { name: "Lane 31" });
  await lane.waitFor();
  const map = panel.locator("main");
  expect(await map.evaluate((main: Scrolled) => main.scrollHeight > main.clientHeight)).toBe(true);
  for (const top of [0, 100_000]) {
    await map.evaluate((main: Scrolled, to: number) => main.scrollTo(0, to), top);
    await expectInside(lane, panel.locator("body"));
    await expectInside(panel.locator("#lane-values dd").first(), panel.locator("body"));
  }
});

test("the keyboard stays on the lane when the panel is drawn anew, and in the code when it is there", async () => {
  const panel = panelOf(page);
  await panel.getByRole("option", { name: "0", exact: true }).click();
  // What the extension sends when it sends the same once more.
  const redraw = `window.dispatchEvent(new MessageEvent("message", { data: {
    html: document.getElementById("content").innerHTML,
    lanes: Array.from({ length: 32 }, (_, lane) => ({ lane, isActive: true, values: [] })),
    kept: null,
  } }))`;
  await panel.locator("body").evaluate(redraw);
  await page.keyboard.press("ArrowRight");
  await panel.getByRole("heading", { name: "Lane 1" }).waitFor();
  await focusEditor(page);
  await panel.locator("body").evaluate(redraw);
  await page.keyboard.press("ArrowDown");
  expect(await panel.getByRole("heading", { name: /^Lane/ }).textContent()).toBe("Lane 1");
  expect(await page.locator(".editor-instance .monaco-editor.focused").count()).toBe(1);
});

test("what is picked in the panel is shown", async () => {
  await goTo(page, readInLine26.line, readInLine26.column + 2);
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "subMatrix[col][row]" }).waitFor();
  const launches = panel.locator('select[data-pick="launch"]');
  const options = await launches.locator("option").allInnerTexts();
  expect(options.length).toBe(2);
  await launches.selectOption({ index: options.findIndex((text) => text.includes("double")) });
  await panel
    .getByText(/32 wavefronts, 2 ideal/)
    .first()
    .waitFor();
});

test("a narrow panel shows all lists and lanes, and a map that can be read", async () => {
  await page.setViewportSize({ width: 640, height: viewport.height });
  const panel = panelOf(page);
  const boxOf = async (of: Locator) => (await of.boundingBox()) ?? { x: 0, width: 0, height: 0 };
  const edge = async (of: Locator) => {
    const { x, width } = await boxOf(of);
    return x + width;
  };
  const seen = async () => {
    const body = panel.locator("body");
    const right = await edge(body);
    return {
      isNarrow: (await boxOf(body)).width < 320,
      hasLists: (await edge(panel.locator('select[data-pick="launch"]'))) <= right,
      hasLanes: (await edge(panel.getByRole("option", { name: "15", exact: true }))) <= right,
      isLegible: (await boxOf(panel.locator("svg text").first())).height > 8,
    };
  };
  await expectSoon(seen, { isNarrow: true, hasLists: true, hasLanes: true, isLegible: true });
  await page.setViewportSize(viewport);
});

const dark = { "workbench.colorTheme": darkTheme };

/** What is drawn, once it is what is expected: boxes that are measured while lines move under lenses are no figures. */
function expectSquiggles(severity: "warning" | "error", wanted: readonly Squiggle[]): Promise<void> {
  return expectSoon(() => squiggles(page, severity), wanted);
}

async function expectSoon<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const seen = await until(read, (value) => JSON.stringify(value) === JSON.stringify(wanted));
  expect(seen).toEqual(wanted);
}

/** As much of an element as is needed here: these tests' types are those of Node. */
interface Scrolled {
  readonly scrollHeight: number;
  readonly clientHeight: number;
  scrollTo(left: number, top: number): void;
}

/** Boxes are measured until they are where they should be: rows and fonts may come late. */
async function expectInside(inner: Locator, outer: Locator): Promise<void> {
  const seen = await until(
    async () => placeWithin(await inner.boundingBox(), await outer.boundingBox()),
    (place) => place === "inside",
  );
  expect(seen).toBe("inside");
}

function placeWithin(inner: Extent | null, outer: Extent | null): string {
  if (inner === null || outer === null) return "not shown";
  const isInside = inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
  return isInside ? "inside" : `${inner.y} + ${inner.height} in ${outer.y} + ${outer.height}`;
}

interface Extent {
  readonly y: number;
  readonly height: number;
}

function picture(name: string): Promise<void> {
  return takePicture(page, name);
}
