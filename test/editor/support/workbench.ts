// The workbench as a user drives it: by keyboard and mouse, in Chromium at 1280×800.
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { type CodeServer, quietSettings, workbenchUrl } from "./code-server.ts";

export const viewport = { width: 1280, height: 800 };

/** How long the workbench may take for what it does at once where the machine is quiet. */
const actionTimeoutMs = 60_000;

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A page with the workspace opened, ready for keys. */
export async function openWorkbench(browser: Browser, server: CodeServer): Promise<Page> {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(actionTimeoutMs);
  await page.goto(workbenchUrl(server), { waitUntil: "domcontentloaded" });
  await page.locator(".monaco-workbench").waitFor({ timeout: 120_000 });
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 120_000 });
  return page;
}

/** Opens a file of the folder's top, to stay open. Not by quick open, whose search is one of the native parts that are not built. */
export async function openFile(page: Page, name: string): Promise<void> {
  const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first();
  await row.dblclick();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator(".editor-instance .view-line").first().waitFor();
}

/** Puts the cursor somewhere; both from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await focusEditor(page);
  await page.keyboard.press("Control+G");
  await page.locator(".quick-input-widget input").fill(`:${line}:${column}`);
  await page
    .locator(".quick-input-list .monaco-list-row", { hasText: `line ${line}` })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

/** Gives the first group of editors the focus. A webview hands keys on late: without the wait, the next key might still be the webview's. */
export async function focusEditor(page: Page): Promise<void> {
  await page.keyboard.press("Control+1");
  await page.locator(".editor-group-container.active .editor-instance .monaco-editor.focused").waitFor();
}

export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${title}`);
  await page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first().click();
}

/** Writes the user's settings as a user does: in their file, in the editor. (What else writes that file is not noticed: the watcher is native.) */
export async function setSettings(page: Page, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await runCommand(page, "Preferences: Open User Settings (JSON)");
  await page.locator('.tab.active[data-resource-name="settings.json"]').waitFor();
  const line = page.locator('.monaco-editor[data-uri$="settings.json"] .view-line').first();
  await line.filter({ hasText: "workbench" }).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(JSON.stringify({ ...quietSettings, ...settings }));
  // What the editor has closed by itself.
  await page.keyboard.press("Control+Shift+End");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+S");
  await page.locator('.tab.active.dirty[data-resource-name="settings.json"]').waitFor({ state: "detached" });
  await page.locator('.tab.active[data-resource-name="settings.json"] .codicon-close').click();
  await page.locator('.tab[data-resource-name="settings.json"]').waitFor({ state: "detached" });
}

/**
 * VS Code asks for actions by itself a quarter of a second after the cursor has moved, and that takes the place of what the user asks for at the
 * same moment: it shows no actions then.
 */
const mostTries = 3;

/** Chooses what begins so in the list of actions at the cursor; gives all titles. */
export async function takeAction(page: Page, title: string): Promise<string[]> {
  const actions = page.locator(".action-widget .action");
  // The text is told to screen readers beside the message that is seen.
  const nothing = page.locator(".monaco-editor .message", { hasText: "No code actions available" });
  for (let tries = 0; tries < mostTries; tries++) {
    await page.keyboard.press("Control+.");
    await actions.first().or(nothing).first().waitFor();
    if (await actions.first().isVisible()) break;
    await page.keyboard.press("Escape");
    await nothing.waitFor({ state: "hidden" });
  }
  const titles = (await actions.allInnerTexts()).map((text) => text.trim());
  const focused = async () => (await page.locator(".action-widget .action.focused").allInnerTexts()).join();
  let at = await focused();
  for (let step = 0; step < titles.length && !at.includes(title); step++) {
    const before = at;
    await page.keyboard.press("ArrowDown");
    at = await until(focused, (text) => text !== before);
  }
  await page.keyboard.press("Enter");
  return titles;
}

/** Opens the hover at the cursor. */
export async function openHover(page: Page): Promise<Locator> {
  await page.keyboard.press("Control+K");
  await page.keyboard.press("Control+I");
  const hover = page.locator(".monaco-editor .monaco-hover:not(.hidden)").first();
  await hover.locator(".hover-row").first().waitFor();
  // Rows come one provider after the other.
  await hover.getByText("Loading...").waitFor({ state: "detached" });
  return hover;
}

/** The texts above kernels, in the order of the page, as they read: "a | b". */
export async function lensTexts(page: Page): Promise<string[]> {
  const lenses = await page.locator(".codelens-decoration").allInnerTexts();
  return lenses.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
}

/** Waits until `read` gives what `isRight`; gives what it last read, for the assertion to show. */
export async function until<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
  timeoutMs = actionTimeoutMs,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  let value = await read();
  while (!isRight(value) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    value = await read();
  }
  return value;
}

export interface Squiggle {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Where the editor has drawn squiggles, counted in lines and characters from 1: what is seen, not what was sent. */
export async function squiggles(page: Page, severity: "warning" | "error" | "info"): Promise<Squiggle[]> {
  const { marks, numbers, texts } = (await page.evaluate(measure(severity))) as Drawn;
  // The editor's font is of fixed pitch: the longest line tells it best.
  const [longest] = texts.toSorted((a, b) => b.text.length - a.text.length);
  const characterWidth = longest === undefined ? 1 : longest.width / longest.text.length;
  return marks
    .map(({ x, y, width, height }) => {
      const isBeside = (each: Box) => Math.abs(each.y - y) < height / 2;
      return {
        line: Number(numbers.find(isBeside)?.text),
        column: Math.round((x - (texts.find(isBeside)?.x ?? 0)) / characterWidth) + 1,
        length: Math.round(width / characterWidth),
      };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

interface Box {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Drawn {
  readonly marks: readonly Box[];
  readonly numbers: readonly Box[];
  readonly texts: readonly Box[];
}

/** Runs in the page, all at once: the editor takes lines away and puts others there at any time. */
function measure(severity: string): string {
  return `(() => {
    const editor = document.querySelector(".editor-instance");
    const boxes = (selector) => [...(editor?.querySelectorAll(selector) ?? [])].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { text: element.textContent, x, y, width, height };
    });
    return {
      marks: boxes(".squiggly-${severity}"),
      numbers: boxes(".margin-view-overlays .line-numbers"),
      texts: boxes(".view-lines .view-line > span"),
    };
  })()`;
}
