// The menu of fixes in VS Code's workbench opens whatever the search for fixes is doing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { heavyKernel, heavyLaunches } from "../lsp/texts.ts";
import { closeBehindTests } from "./support/closing.ts";
import { type CodeServer, startCodeServer } from "./support/code-server.ts";
import { type OpenedMenu, openMenu } from "./support/menu-times.ts";
import { goTo, launchBrowser, openFile, openWorkbench } from "./support/workbench.ts";

/** Of loops: few enough that a slow machine finds the fix of each kernel within the two seconds that a search may take. */
const trips = "8";
/** They are searched one after another, each for a second or more. */
const kernels = ["mix0", "mix1", "mix2", "mix3"];
const lastKernel = kernels.length - 1;
const textOf = (kernel: string) => heavyKernel(kernel, trips);
const kernelLines = textOf("mix0").split("\n");
const quietMenuCount = 30;
/** Of who opens menus without haste. */
const pauseMilliseconds = 300;
/** What people take for at once. */
const wantedMilliseconds = 50;

let server: CodeServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startCodeServer(), launchBrowser()]);
  const text = `${kernels.map(textOf).join("")}${heavyLaunches(kernels)}`;
  writeFileSync(join(server.workspace, "heavy.cu"), text);
  page = await openWorkbench(browser, server);
  await openFile(page, "heavy.cu");
  await page.locator(".squiggly-warning").first().waitFor({ timeout: 120_000 });
});

closeBehindTests(() => ({ server, browser, page }));

// How long a menu takes is printed, and not judged: other work on the machine has a part in it. One that waited for the search of a kernel
// would have waited for a good part of all searches, however slow the machine is.
test("menus open while fixes are searched for, and wait for no search", async () => {
  await goToConflict(lastKernel);
  const searching = await openMenus(offersFix);
  const quiet = await openMenus((_, count) => count === quietMenuCount);
  process.stdout.write(`while searching: ${inWords(searching)}\nwhen all is quiet: ${inWords(quiet)}\n`);
  expect(searching.opened.length).toBeGreaterThan(0);
  expect(Math.max(...searching.opened)).toBeLessThan(searching.milliseconds / kernels.length);
});

interface MenuTimes {
  /** From the key to the list. */
  readonly opened: readonly number[];
  /** From the first pause on. */
  readonly milliseconds: number;
}

/** Of menus opened one after another, until one ends it. */
async function openMenus(isEnd: (menu: OpenedMenu, count: number) => boolean): Promise<MenuTimes> {
  const start = performance.now();
  const opened: number[] = [];
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    const menu = await openMenu(page);
    if (isEnd(menu, opened.length)) break;
    opened.push(menu.milliseconds);
  }
  return { opened, milliseconds: performance.now() - start };
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

function inWords({ opened }: MenuTimes): string {
  const slow = opened.filter((each) => each > wantedMilliseconds).length;
  return `${opened.length} menus, median ${median(opened).toFixed(0)} ms, longest ${Math.max(...opened).toFixed(0)} ms, ${slow} over ${wantedMilliseconds} ms`;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
