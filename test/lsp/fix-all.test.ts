// Fix All over the protocol: one edit whose parts the user confirms.
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TextEdit, WorkspaceEdit } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { FixAllResult } from "../../server/src/lsp/protocol.ts";
import { uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { clean, conflict } from "./texts.ts";

const { start, write: written } = serving();

describe("fix all", () => {
  it("gives the safe fixes of open and of linted files as one edit whose parts are confirmed one by one", async () => {
    const open = written("all/a.cu", conflict);
    written("all/b.cu", conflict.replaceAll("transpose", "other"));
    written("all/clean.cu", clean);
    const client = await start({ folders: [dirname(open)] });
    client.open(open, conflict);
    const here = await client.request<FixAllResult>("warplint/fixAll", { uri: uriOf(open) });
    expect(here).toMatchObject({ fixes: 1, files: 1 });
    const applied = (text: string, changes: WorkspaceEdit | null, uri: string) =>
      TextDocument.applyEdits(
        TextDocument.create(uri, "", 0, text),
        (changes?.documentChanges ?? []).flatMap((change) =>
          "edits" in change && change.textDocument.uri === uri ? (change.edits as TextEdit[]) : [],
        ),
      );
    expect(applied(conflict, here.edit, uriOf(open))).toContain("tile[N][N + 1]");
    expect(Object.values(here.edit?.changeAnnotations ?? {})).toMatchObject([
      { label: expect.stringContaining("Pad tile"), description: "a.cu:6", needsConfirmation: true },
    ]);
    await client.request("warplint/lintWorkspace", {});
    const all = await client.request<FixAllResult>("warplint/fixAll", { uri: null });
    expect(all).toMatchObject({ fixes: 2, files: 2 });
    const other = uriOf(join(dirname(open), "b.cu"));
    expect(applied(conflict, all.edit, other)).toContain("tile[N][N + 1]");
  });
});
