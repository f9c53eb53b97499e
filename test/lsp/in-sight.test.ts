// A long file, asked as VS Code asks: what is in sight is answered first, and the client is told when the rest is there.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CodeLens, DocumentDiagnosticReport, Hover } from "vscode-languageserver/node";
import { type Client, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { heavyKernel, heavyLaunches, placeOf } from "./texts.ts";

const { folder, start } = serving();

const names = ["k0", "k1", "k2", "k3", "k4"];
/** Each takes hundreds of milliseconds. */
const text = `#define TRIPS 20\n${names.map((name) => heavyKernel(name, "TRIPS")).join("")}${heavyLaunches(names)}`;
const path = join(folder, "long.cu");
const uri = uriOf(path);
const lineOf = (name: string) => placeOf(text, ` ${name}(`).line;

const look = (client: Client, first: number, last: number) =>
  client.connection.sendNotification("warplint/inSight", {
    uri,
    ranges: [{ start: { line: first, character: 0 }, end: { line: last, character: 0 } }],
  });
/** Of the conflicts. */
const linesIn = (report: DocumentDiagnosticReport) =>
  report.kind === "full"
    ? report.items.flatMap(({ code, range }) => (code === "shared-bank-conflict" ? range.start.line : []))
    : null;
const refreshes = ({ asked }: Client) =>
  asked.filter((method) => method === "workspace/diagnostic/refresh").length;
const conflictLine = (name: string) => lineOf(name) + 11;

describe("a long file", () => {
  it("is answered for the kernel in sight first, then the client is told to ask for all", async () => {
    const client = await start();
    const at = lineOf("k3");
    await look(client, at + 2, at + 5);
    client.open(path, text);
    const pulled = client.pull(uri);
    const hovered = client.request<Hover | null>("textDocument/hover", {
      textDocument: { uri },
      position: {
        line: conflictLine("k3"),
        character: text.split("\n")[conflictLine("k3")]?.indexOf("tile["),
      },
    });
    const lenses = client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
    expect(linesIn(await pulled)).toEqual([conflictLine("k3")]);
    expect(JSON.stringify(await hovered)).toContain("32 wavefronts");
    expect(new Set((await lenses).map(({ range }) => range.start.line))).toEqual(new Set([at]));
    expect(refreshes(client)).toBe(0);
    await client.until(() => refreshes(client) > 0, "the rest");
    expect(linesIn(await client.pull(uri))).toEqual(names.map(conflictLine));
  });

  it("that is edited has what was known of the others until they are known anew", async () => {
    const client = await start();
    client.open(path, text);
    expect(linesIn(await client.pull(uri))).toEqual(names.map(conflictLine));
    const at = lineOf("k2");
    await look(client, at, at + 10);
    // All kernels read it.
    client.edit(uri, { start: { line: 0, character: 14 }, end: { line: 0, character: 16 } }, "21");
    expect(linesIn(await client.pull(uri))).toEqual(names.map(conflictLine));
    expect(refreshes(client)).toBe(0);
    await client.until(() => refreshes(client) > 0, "the rest");
    expect(linesIn(await client.pull(uri))).toEqual(names.map(conflictLine));
  });

  it("that nobody says to see is answered as a whole", async () => {
    const client = await start();
    client.open(path, text);
    expect(linesIn(await client.pull(uri))).toEqual(names.map(conflictLine));
    expect(refreshes(client)).toBe(0);
  });
});
