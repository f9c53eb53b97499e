// The workbench as a user drives it: by keyboard and mouse, in Chromium at 1280×800.
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { type CodeServer, workbenchUrl } from "./code-server.ts";

export const viewport = { width: 1280, height: 800 };

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
  await page.goto(workbenchUrl(server), { waitUntil: "domcontentloaded" });
  await page.locator(".monaco-workbench").waitFor({ timeout: 60_000 });
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
  return page;
}

export async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget input").fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator(".editor-instance .view-line").first().waitFor();
}

/** Puts the cursor somewhere; both from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await focusEditor(page);
  await page.keyboard.press("Control+G");
  await page.locator(".quick-input-widget input").fill(`:${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

export async function focusEditor(page: Page): Promise<void> {
  await page.keyboard.press("Control+1");
}

export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Opens the hover at the cursor. */
export async function openHover(page: Page): Promise<Locator> {
  await page.keyboard.press("Control+K");
  await page.keyboard.press("Control+I");
  const hover = page.locator(".monaco-editor .monaco-hover:not(.hidden)").first();
  await hover.locator(".hover-row").first().waitFor();
  // Rows come one provider after the other: wait until nothing is being loaded any more.
  await page.waitForTimeout(700);
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
  timeoutMs = 20_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  let value = await read();
  while (!isRight(value) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    value = await read();
  }
  return value;
}
