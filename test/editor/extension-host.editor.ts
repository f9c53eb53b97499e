// Tests that run inside VS Code's own extension host, with its API (extension-host/tests.ts).
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodeServer, startCodeServer } from "./support/code-server.ts";
import { workFolder } from "./support/paths.ts";
import { launchBrowser } from "./support/workbench.ts";

let server: CodeServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startCodeServer(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  server?.stop();
});

test("the extension within VS Code's extension host", async () => {
  const tests = join(workFolder, "extension-host-tests.cjs");
  await build({
    entryPoints: [join(import.meta.dirname, "extension-host/tests.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    outfile: tests,
  });
  const { code, lines } = await runInExtensionHost(tests);
  // Each test says how it went; a run that ended early has said too little.
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  expect(lines.filter((line) => line.startsWith("PASS")).length).toBeGreaterThanOrEqual(8);
  expect(code).toBe(0);
});

/** What VS Code's own test runner does, without its download: the workbench is told where extension and tests are, and says how it ended. */
async function runInExtensionHost(tests: string): Promise<{ code: number; lines: string[] }> {
  const page = await browser.newPage();
  const lines: string[] = [];
  let exit: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    exit = resolve;
  });
  await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => {
    lines.push(...args.map(String));
  });
  await page.exposeFunction("codeAutomationExit", (code: number) => exit(code));
  const remote = `vscode-remote://${server.address}`;
  const payload = [
    ["extensionDevelopmentPath", `${remote}${server.extension}`],
    ["extensionTestsPath", `${remote}${tests}`],
    ["skipWelcome", "true"],
  ];
  const folder = encodeURIComponent(server.workspace);
  await page.goto(
    `http://${server.address}/?folder=${folder}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
  );
  const timeout = new Promise<number>((resolve) => setTimeout(() => resolve(-1), 280_000));
  const code = await Promise.race([exited, timeout]);
  await page.close();
  const said = lines.flatMap((text) => text.split("\n")).map((line) => line.trim());
  return { code, lines: said };
}
