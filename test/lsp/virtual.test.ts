// A workspace without a file system: every file comes from the client.
import { afterEach, describe, expect, it } from "vitest";
import type { LintWorkspaceResult } from "../../server/src/lsp/protocol.ts";
import { builtCli } from "../support/built.ts";
import { type Client, startClient } from "./client.ts";
import { conflict } from "./texts.ts";

const repository = "vscode-vfs://github/owner/repo";
const kernel = conflict.replace("#define N 32", '#include "sizes/size.h"');
const files = {
  [`${repository}/kernels/a.cu`]: kernel,
  [`${repository}/kernels/sizes/size.h`]: '#include "../../common.h"\n#define N SIZE\n',
  [`${repository}/common.h`]: "#define SIZE 32\n",
  [`${repository}/warplint.json`]: '{ "rules": { "shared-bank-conflict": "error" } }',
  [`${repository}/.gitignore`]: "ignored\n",
  [`${repository}/ignored/b.cu`]: conflict,
};

let client: Client;
afterEach(async () => {
  expect(client.log).toEqual([]);
  await client.stop();
});

describe("files of the client", () => {
  const uri = `${repository}/kernels/a.cu`;
  const start = async () => {
    client = await startClient({
      cli: builtCli(),
      folderUris: [repository],
      initializationOptions: { files: "client" },
      files,
    });
  };

  it("are the includes and the configuration of an open document", async () => {
    await start();
    client.openUri(uri, kernel);
    expect(await client.diagnostics(uri)).toMatchObject([{ code: "shared-bank-conflict", severity: 1 }]);
  });

  it("are linted with the workspace", async () => {
    await start();
    const result = await client.request<LintWorkspaceResult>("warplint/lintWorkspace", {});
    expect(result).toMatchObject({ files: 1, findings: 1, summary: expect.stringContaining("1 error") });
  });
});
