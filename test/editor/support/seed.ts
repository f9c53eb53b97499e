// What tests in VS Code's workbench begin with: a seed that has findings, open in the packed extension.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { type CodeServer, startCodeServer } from "./code-server.ts";
import { imagesFolder } from "./paths.ts";
import { launchBrowser, openFile, openWorkbench, runCommand, setSettings } from "./workbench.ts";

const seed = "seed1_matrix_trans.cu";
/** Where findings of the seed stand, read off its text. */
export const loadInLine13 = { line: 13, column: 28, length: "a[myCol * m + myRow]".length };
export const readInLine26 = { line: 26, column: 46, length: "subMatrix[col][row]".length };

export const darkTheme = "Default Dark Modern";

export interface SeedWorkbench {
  readonly server: CodeServer;
  readonly browser: Browser;
  readonly page: Page;
}

/** The seed in a dark workbench without a side bar, its findings shown. */
export async function openSeed(): Promise<SeedWorkbench> {
  mkdirSync(imagesFolder, { recursive: true });
  const [server, browser] = await Promise.all([startCodeServer(), launchBrowser()]);
  try {
    return { server, browser, page: await showSeed(server, browser) };
  } catch (error) {
    await browser.close();
    server.stop();
    throw error;
  }
}

async function showSeed(server: CodeServer, browser: Browser): Promise<Page> {
  const page = await openWorkbench(browser, server);
  await openFile(page, seed);
  await page.locator(".squiggly-warning").first().waitFor({ timeout: 120_000 });
  await setSettings(page, { "workbench.colorTheme": darkTheme });
  await runCommand(page, "View: Toggle Primary Side Bar Visibility");
  return page;
}

/** The bank map: a webview is a frame within a frame. */
export function panelOf(page: Page): FrameLocator {
  return page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
}

/** For the docs: without the pointer, and when everything has come to rest. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(24, 560);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(imagesFolder, `${name}.png`) });
}
