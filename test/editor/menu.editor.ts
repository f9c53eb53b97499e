// The menu of fixes in VS Code's workbench opens at once, whatever the search for fixes is doing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { heavyKernel, heavyLaunches } from "../lsp/texts.ts";
import { type CodeServer, startCodeServer } from "./support/code-server.ts";
import { actionRoundTrips, type OpenedMenu, openMenu } from "./support/menu-times.ts";
import { workFolder } from "./support/paths.ts";
import { goTo, launchBrowser, openFile, openWorkbench, until } from "./support/workbench.ts";

/** They are searched one after another, each for a second or more. */
const kernels = ["mix0", "mix1", "mix2", "mix3"];
const lastKernel = kernels.length - 1;
const kernelLines = heavyKernel("mix0").split("\n");
const menuCount = 20;

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startCodeServer({ logLevel: "trace" }), launchBrowser()]);
  const text = `${kernels.map((name) => heavyKernel(name)).join("")}${heavyLaunches(kernels)}`;
  writeFileSync(join(server.workspace, "heavy.cu"), text);
  page = await openWorkbench(browser, server);
  await openFile(page, "heavy.cu");
  await page.locator(".squiggly-warning").first().waitFor({ timeout: 60_000 });
});

afterAll(async () => {
  await browser?.close();
  server?.stop();
});

afterEach(async ({ task }) => {
  if (task.result?.state === "fail")
    await page?.screenshot({ path: join(workFolder, `failed${task.id}.png`) });
});

test("the menu opens while fixes are searched for as it does when nothing is", async () => {
  // The search is under way: it has found what is to be found of the first kernel, and not yet of the last.
  await goToConflict(0);
  await until(() => openMenu(page), offersFix, 60_000);
  await goToConflict(lastKernel);
  const searching = await openMenus(offersFix);
  await until(() => openMenu(page), offersFix, 60_000);
  const quiet = await openMenus(() => false);
  process.stdout.write(`while searching: ${inWords(searching)}\nwhen all is quiet: ${inWords(quiet)}\n`);
  // Did a menu wait for the search of a kernel, there were no more of them than kernels.
  expect(searching.opened.length).toBeGreaterThan(kernels.length);
  expect(median(searching.roundTrips)).toBeLessThan(50);
  expect(median(searching.opened)).toBeLessThan(Math.max(250, 3 * median(quiet.opened)));
}, 180_000);

interface MenuTimes {
  /** From the key to the list. */
  readonly opened: readonly number[];
  /** What of it are the extension and the server. */
  readonly roundTrips: readonly number[];
}

/** Of menus opened one after another, as many as are wanted, or until one comes too late. */
async function openMenus(isTooLate: (menu: OpenedMenu) => boolean): Promise<MenuTimes> {
  const before = actionRoundTrips(server).length;
  const opened: number[] = [];
  while (opened.length < menuCount) {
    const menu = await openMenu(page);
    if (isTooLate(menu)) break;
    opened.push(menu.milliseconds);
  }
  return { opened, roundTrips: actionRoundTrips(server).slice(before) };
}

function offersFix({ titles }: OpenedMenu): boolean {
  return titles.some((title) => title.startsWith("Pad tile to [32][33]"));
}

/** Puts the cursor on the conflict of a kernel. */
async function goToConflict(kernel: number): Promise<void> {
  const conflict = "tile[threadIdx.x][threadIdx.y]";
  const line = kernelLines.findIndex((each) => each.includes(conflict));
  const column = (kernelLines[line] ?? "").indexOf(conflict);
  await goTo(page, kernel * (kernelLines.length - 1) + line + 1, column + 3);
}

function inWords({ opened, roundTrips }: MenuTimes): string {
  const [list, ours] = [opened, roundTrips].map(
    (times) => `median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  );
  return `${opened.length} menus, ${list}; of it warplint ${ours}`;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
