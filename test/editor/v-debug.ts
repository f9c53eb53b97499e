import { startCodeServer } from "./support/code-server.ts";
import { launchBrowser, openFile, openWorkbench, runCommand } from "./support/workbench.ts";
const server = await startCodeServer();
const browser = await launchBrowser();
try {
  server.setSettings({ "warplint.trace.server": "messages" });
  const page = await openWorkbench(browser, server);
  page.on("console", (m) => { if (/rror/.test(m.text())) console.log("console", m.text().slice(0, 300)); });
  await openFile(page, "seed1_matrix_trans.cu");
  await page.waitForTimeout(8000);
  await runCommand(page, "warplint: Show Output").catch((e) => console.log(String(e)));
  await page.waitForTimeout(3000);
  await page.screenshot({ path: "/tmp/s7/v1.png" });
  console.log((await page.locator(".panel .view-line").allInnerTexts()).join("\n"));
} finally { await browser.close(); server.stop(); }
