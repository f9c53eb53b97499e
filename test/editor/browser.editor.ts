// The language server's bundle in a worker of a real browser: what the extension starts where there is no Node.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CodeAction, Diagnostic } from "vscode-languageserver";
import { type Client, pullCapabilities, startClient, uriOf } from "../lsp/client.ts";
import { root, seedsFolder, serverPath } from "./support/paths.ts";
import { launchBrowser } from "./support/workbench.ts";

const uri = uriOf("/seeds/kernel.cu");
const text = readFileSync(join(seedsFolder, "seed0_mat_trans.cu"), "utf8");

const shipped = ["/server.js", "/web-tree-sitter.wasm", "/tree-sitter-cuda.packed"];
/** Only the process knows pages beside itself. */
const initializationOptions = { files: "client", rulePages: "https://pages/" };

let files: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  files = createServer((request, response) => {
    const file = join(root, "server/dist", request.url ?? "");
    response.setHeader("Content-Type", file.endsWith(".js") ? "text/javascript" : "text/html");
    response.end(shipped.some((name) => file.endsWith(name)) ? readFileSync(file) : "<title>empty</title>");
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`);
  await page.evaluate(startWorker);
});

afterAll(async () => {
  await browser?.close();
  files?.close();
});

/** Runs in the page: a worker, told what it needs, and a way to talk to it. */
const startWorker = `(async () => {
  const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
  const worker = new Worker("/server.js");
  worker.postMessage({ role: "server", runtime: await bytes("/web-tree-sitter.wasm"), grammar: await bytes("/tree-sitter-cuda.packed"), version: "0.0.0" });
  const waiting = new Map();
  window.logged = [];
  let count = 0;
  worker.onmessage = ({ data }) => {
    if (data.method === undefined) {
      waiting.get(data.id)?.(data.error ?? data.result);
      waiting.delete(data.id);
    } else if (data.method === "window/logMessage") window.logged.push(data.params.message);
    else if (data.id !== undefined) worker.postMessage({ jsonrpc: "2.0", id: data.id, result: null });
  };
  window.notify = (method, params) => worker.postMessage({ jsonrpc: "2.0", method, params });
  window.request = (method, params) => new Promise((resolve) => {
    waiting.set(++count, resolve);
    worker.postMessage({ jsonrpc: "2.0", id: count, method, params });
  });
})()`;

function request<R>(method: string, params: unknown): Promise<R> {
  return page.evaluate(`request(${JSON.stringify(method)}, ${JSON.stringify(params)})`) as Promise<R>;
}

async function notify(method: string, params: unknown): Promise<void> {
  await page.evaluate(`notify(${JSON.stringify(method)}, ${JSON.stringify(params)})`);
}

/** `workspace/configuration` gives a list: this client has no settings, and says so. */
const { configuration: _, ...workspace } = pullCapabilities.workspace ?? {};
const capabilities = { ...pullCapabilities, workspace };

it("gives the diagnostics and hovers that the server gives in Node", async () => {
  const client: Client = await startClient({ cli: serverPath, capabilities, initializationOptions });
  client.openUri(uri, text);
  const inNode = await client.diagnostics(uri);
  const [first] = inNode;
  const hoverParams = { textDocument: { uri }, position: first?.range.start };
  const hoverInNode = await client.request("textDocument/hover", hoverParams);
  await client.stop();

  const { serverInfo } = await request<{ serverInfo: unknown }>("initialize", {
    processId: null,
    rootUri: null,
    capabilities,
    initializationOptions,
    workspaceFolders: null,
  });
  expect(serverInfo).toEqual({ name: "warplint", version: "0.0.0" });
  await notify("initialized", {});
  await notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "cuda-cpp", version: 1, text },
  });
  const { items } = await request<{ items: Diagnostic[] }>("textDocument/diagnostic", {
    textDocument: { uri },
  });
  const plain = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.map(({ range, severity, code, message }) => ({ range, severity, code, message }));
  expect(plain(items)).toEqual(plain(inNode));
  expect(items.map(({ message }) => message).join("\n")).toContain("Uncoalesced store: 32 sectors");
  expect(await request("textDocument/hover", hoverParams)).toEqual(hoverInNode);
});

it("searches for fixes in a worker of its own", async () => {
  const { items } = await request<{ items: Diagnostic[] }>("textDocument/diagnostic", {
    textDocument: { uri },
  });
  const menuAt = (range: Diagnostic["range"]) =>
    request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
  await expect
    .poll(
      async () => {
        const menus = await Promise.all(items.map(({ range }) => menuAt(range)));
        return menus.flatMap((menu) => menu.map(({ title }) => title)).join("\n");
      },
      { timeout: 60_000 },
    )
    .toContain("(output checked)");
  // That there can be no such worker would be in the log.
  expect(await page.evaluate("window.logged")).toEqual([]);
});

it("follows edits", async () => {
  await notify("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [
      {
        text: "__global__ void k(float* p) { p[threadIdx.x * 32] = 0; }\nint main() { float* p; cudaMalloc(&p, 4096 * 4); k<<<1, 32>>>(p); }\n",
      },
    ],
  });
  const { items } = await request<{ items: Diagnostic[] }>("textDocument/diagnostic", {
    textDocument: { uri },
  });
  expect(items.map(({ code, range }) => [code, range.start.line])).toEqual([["uncoalesced-access", 0]]);
});
