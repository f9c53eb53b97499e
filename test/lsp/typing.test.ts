// While people type: requests that come too late, are taken back, or arrive in the midst of edits; texts that are half there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CancellationTokenSource,
  type CodeLens,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type Range,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { type Client, plainCapabilities, pullCapabilities, root, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { conflict, placeOf } from "./texts.ts";

const access = "tile[threadIdx.x][threadIdx.y]";
const atStart: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const { folder, start, write } = serving();

const seed = (name: string) => readFileSync(join(root, "fixtures/seeds", name), "utf8");

describe("requests", () => {
  it("that are cancelled are answered so at once, and the server goes on", async () => {
    const client = await start();
    const path = join(folder, "slow.cu");
    // Long enough that no answer is there when the cancel comes.
    client.open(path, readFileSync(join(root, "fixtures/seeds/seed0_mat_trans.cu"), "utf8"));
    const uri = uriOf(path);
    const source = new CancellationTokenSource();
    const lenses = client.connection.sendRequest<CodeLens[]>(
      "textDocument/codeLens",
      { textDocument: { uri } },
      source.token,
    );
    const pulled = client.connection.sendRequest<DocumentDiagnosticReport>(
      "textDocument/diagnostic",
      { textDocument: { uri } },
      source.token,
    );
    source.cancel();
    await expect(lenses).rejects.toMatchObject({ code: -32800 });
    await expect(pulled).rejects.toMatchObject({
      code: expect.toSatisfy((code) => code === -32800 || code === -32802),
    });
    expect((await client.diagnostics(uri)).length).toBeGreaterThan(0);
  });

  it("that name a place are not answered for another text", async () => {
    const client = await start();
    const path = join(folder, "moved.cu");
    client.open(path, conflict);
    const uri = uriOf(path);
    const hover = client.request("textDocument/hover", {
      textDocument: { uri },
      position: placeOf(conflict, access),
    });
    client.edit(uri, atStart, "\n\n");
    await expect(hover).rejects.toMatchObject({ code: -32801 });
    const [found] = await client.diagnostics(uri);
    expect(client.document(uri).getText(found?.range)).toBe(access);
  });

  it("of many documents at once are all answered, each for its own", async () => {
    const client = await start();
    const uris = Array.from({ length: 12 }, (_, index) => {
      const path = join(folder, `many${index}.cu`);
      client.open(path, "\n".repeat(index) + conflict);
      return uriOf(path);
    });
    const found = await Promise.all([...uris].reverse().map((uri) => client.diagnostics(uri)));
    expect(found.map(([first]) => first?.range.start.line)).toEqual(uris.map((_, index) => 5 + 11 - index));
  });

  it("for a document that is closed meanwhile are answered with nothing", async () => {
    const client = await start();
    const path = join(folder, "closed.cu");
    client.open(path, conflict);
    const uri = uriOf(path);
    const pulled = client.pull(uri);
    client.close(uri);
    expect(await pulled).toMatchObject({ kind: "full", items: [] });
  });
});

describe("edits", () => {
  /** 100 edits at random places and then their opposites in reverse, so that the last text can be parsed. */
  function rapidEdits(client: Client, uri: string, onEdit: (index: number) => void): void {
    const next = randomNumbers(7);
    const undo: { readonly start: number; readonly inserted: number; readonly removed: string }[] = [];
    const apply = (start: number, end: number, text: string) => {
      const document = client.document(uri);
      client.edit(uri, { start: document.positionAt(start), end: document.positionAt(end) }, text);
    };
    const pieces = ["{", "}", "[", "* 2", "\n", "x", "// ", '"', "<<<", " + 1"];
    for (let index = 0; index < 100; index++) {
      const text = client.document(uri).getText();
      const start = next(text.length);
      const end = Math.min(text.length, start + next(4));
      const piece = pieces[next(pieces.length)] ?? "";
      undo.push({ start, inserted: piece.length, removed: text.slice(start, end) });
      apply(start, end, piece);
      onEdit(index);
    }
    for (const { start, inserted, removed } of undo.reverse()) {
      apply(start, start + inserted, removed);
      onEdit(100);
    }
  }

  it.each(["seed1_matrix_trans.cu", "seed3_padding.cu"])(
    "200 in a row end in what a fresh server finds in %s, pulled",
    async (name) => {
      const client = await start();
      const path = join(folder, name);
      const uri = uriOf(path);
      client.open(path, seed(name));
      let source = new CancellationTokenSource();
      const answers: Promise<unknown>[] = [];
      rapidEdits(client, uri, () => {
        source.cancel();
        source = new CancellationTokenSource();
        const pulled = client.connection.sendRequest(
          "textDocument/diagnostic",
          { textDocument: { uri } },
          source.token,
        );
        answers.push(pulled.catch(() => null));
      });
      await Promise.all(answers);
      const edited = await client.diagnostics(uri);
      const fresh = await start();
      fresh.open(path, client.document(uri).getText());
      expect(client.document(uri).getText()).toBe(seed(name));
      expect(edited).toEqual(await fresh.diagnostics(uri));
      expect(edited.length).toBeGreaterThan(0);
    },
  );

  it("200 in a row end in what a fresh server finds, pushed", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const path = join(folder, "pushed.cu");
    const uri = uriOf(path);
    client.open(path, seed("seed1_matrix_trans.cu"));
    rapidEdits(client, uri, () => {});
    const edited = await client.diagnostics(uri);
    expect(client.published.length).toBeLessThan(20);
    const fresh = await start({ capabilities: plainCapabilities });
    fresh.open(path, client.document(uri).getText());
    expect(edited).toEqual(await fresh.diagnostics(uri));
  });

  it("in the midst of an analysis are in its result", async () => {
    const client = await start();
    const path = join(folder, "midst.cu");
    const uri = uriOf(path);
    const text = seed("seed0_mat_trans.cu");
    client.open(path, text);
    const first = client.pull(uri).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, 30));
    client.edit(uri, atStart, "\n");
    await first;
    const fresh = await start();
    fresh.open(path, `\n${text}`);
    expect(await client.diagnostics(uri)).toEqual(await fresh.diagnostics(uri));
  });
});

describe("a kernel that does not parse", () => {
  it("says on hover and lens that its figures are those of before", async () => {
    const client = await start();
    const path = join(folder, "stale.cu");
    const uri = uriOf(path);
    client.open(path, conflict);
    const hover = () =>
      client.request<{ contents: { value: string } }>("textDocument/hover", {
        textDocument: { uri },
        position: placeOf(client.document(uri).getText(), access),
      });
    const note = "Outdated: syntax error";
    expect((await hover()).contents.value).not.toContain(note);
    const brace = conflict.indexOf("{") + 1;
    const end = client.document(uri).positionAt(brace);
    client.edit(uri, { start: end, end }, "\n  int half = (;");
    expect((await hover()).contents.value).toContain(note);
    const lenses = await client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
    expect(lenses[0]?.command?.title).toContain("outdated: syntax error");
  });
});

describe("findings of a kernel that does not parse", () => {
  const half = conflict.replace(
    "  __syncthreads",
    "  if (threadIdx.x == [ { float *q = tile[(;\n  __syncthreads",
  );

  it("stay when the document is saved, where nobody tells of files", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const path = write("saved.cu", conflict);
    const uri = uriOf(path);
    client.open(path, conflict);
    expect(await client.diagnostics(uri)).toHaveLength(1);
    client.replace(uri, half);
    expect(await client.diagnostics(uri)).toHaveLength(1);
    const before = client.published.length;
    void client.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
    await client.until(() => client.published.length > before, "diagnostics after saving");
    expect(client.published.at(-1)?.diagnostics).toHaveLength(1);
  });

  it("are those of a fresh server once it was left so for a while", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const path = join(folder, "left.cu");
    const uri = uriOf(path);
    client.open(path, conflict);
    expect(await client.diagnostics(uri)).toHaveLength(1);
    client.replace(uri, half);
    expect(await client.diagnostics(uri)).toHaveLength(1);
    const isEmpty = () => client.published.at(-1)?.diagnostics.length === 0;
    await client.until(isEmpty, "diagnostics of what was left");
    const fresh = await start({ capabilities: plainCapabilities });
    fresh.open(path, half);
    const expected = await fresh.diagnostics(uri);
    expect(expected).toHaveLength(0);
    expect(client.published.at(-1)?.diagnostics).toEqual(expected);
  });

  it("stay when another file is created", async () => {
    const client = await start();
    const path = join(folder, "beside.cu");
    client.open(path, conflict);
    await client.diagnostics(uriOf(path));
    client.replace(uriOf(path), half);
    expect(await client.diagnostics(uriOf(path))).toHaveLength(1);
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(write("generated.h", "")), type: 1 }],
    });
    await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
    expect(await client.diagnostics(uriOf(path))).toHaveLength(1);
  });
});

describe("every prefix of a kernel", () => {
  const linesOf = (text: string) => text.split(/\r\n|\r|\n/);

  function isInside({ start, end }: Range, document: TextDocument): boolean {
    const lines = linesOf(document.getText());
    const isPlace = ({ line, character }: Range["start"]) =>
      line < lines.length && character <= (lines[line]?.length ?? -1);
    const isOrdered = document.offsetAt(start) <= document.offsetAt(end);
    return isPlace(start) && isPlace(end) && isOrdered;
  }

  it("is read without a word in the log, and nothing is said of text that is not there", {
    timeout: 120_000,
  }, async () => {
    const client = await start({ capabilities: pullCapabilities });
    const path = join(folder, "prefix.cu");
    const uri = uriOf(path);
    client.open(path, "");
    const check = (diagnostics: readonly Diagnostic[]) => {
      const document = client.document(uri);
      for (const { range, relatedInformation } of diagnostics) {
        expect(isInside(range, document)).toBe(true);
        for (const { location } of relatedInformation ?? [])
          expect(isInside(location.range, document)).toBe(true);
      }
    };
    for (let length = 1; length <= conflict.length; length++) {
      // Typed, not set: each edit is one more character.
      const end = client.document(uri).positionAt(length);
      client.edit(uri, { start: end, end }, conflict.slice(length - 1, length));
      check(await client.diagnostics(uri));
      if (length % 10 !== 0) continue;
      const lenses = await client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
      for (const { range } of lenses) expect(isInside(range, client.document(uri))).toBe(true);
      await client.request("textDocument/hover", { textDocument: { uri }, position: end });
      await client.request("warplint/status", { uri, position: end });
    }
    expect((await client.diagnostics(uri)).map(({ code }) => code)).toEqual(["shared-bank-conflict"]);
    // And away again, from the end, in steps.
    for (let length = conflict.length; length > 0; length -= 7) {
      client.replace(uri, conflict.slice(0, length));
      check(await client.diagnostics(uri));
    }
  });
});

/** Whole numbers below a limit, always the same for a seed. */
function randomNumbers(start: number): (limit: number) => number {
  let state = start;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
