// The tools that the extension offers to agents, in editors that know of such servers and in older ones.
import { beforeEach, expect, it, vi } from "vitest";
import type { ExtensionContext } from "vscode";
import { registerTools } from "../../client/src/mcp.ts";

interface Editor {
  lm: object;
  McpStdioServerDefinition?: unknown;
  workspace: { workspaceFolders: { uri: { scheme: string } }[] };
  version: string;
}

const editor = vi.hoisted((): Editor => ({ lm: {}, workspace: { workspaceFolders: [] }, version: "" }));
vi.mock("vscode", () => ({
  get lm() {
    return editor.lm;
  },
  get McpStdioServerDefinition() {
    return editor.McpStdioServerDefinition;
  },
  workspace: editor.workspace,
  get version() {
    return editor.version;
  },
}));

class Definition {
  cwd: unknown;
  readonly given: readonly unknown[];
  constructor(...given: readonly unknown[]) {
    this.given = given;
  }
}

function context(): ExtensionContext {
  const made = { subscriptions: [], extension: { packageJSON: { version: "1.2.3" } } };
  return made as unknown as ExtensionContext;
}

beforeEach(() => {
  editor.version = "1.101.0";
  editor.lm = {};
  delete editor.McpStdioServerDefinition;
  editor.workspace.workspaceFolders = [];
});

it("an editor without the interface is left alone", () => {
  const given = context();
  registerTools(given, "/cli.cjs");
  expect(given.subscriptions).toEqual([]);
});

it("VS Code 1.100, which has the function under another contribution, is left alone", () => {
  editor.version = "1.100.3";
  editor.lm = {
    registerMcpServerDefinitionProvider: () => {
      throw new Error("must be registered in the contributes.modelContextServerCollections array");
    },
  };
  editor.McpStdioServerDefinition = Definition;
  const given = context();
  registerTools(given, "/cli.cjs");
  expect(given.subscriptions).toEqual([]);
});

it("offers the command line in the first folder that lies on the disk", () => {
  const providers: { provideMcpServerDefinitions(): Definition[] }[] = [];
  editor.lm = {
    registerMcpServerDefinitionProvider: (id: string, provider: (typeof providers)[number]) => {
      expect(id).toBe("warplint.tools");
      providers.push(provider);
      return { dispose: () => {} };
    },
  };
  editor.McpStdioServerDefinition = Definition;
  const given = context();
  registerTools(given, "/cli.cjs");
  expect(given.subscriptions).toHaveLength(1);
  expect(providers[0]?.provideMcpServerDefinitions()).toEqual([]);
  const uri = { scheme: "file" };
  editor.workspace.workspaceFolders = [{ uri: { scheme: "vscode-vfs" } }, { uri }];
  const [server] = providers[0]?.provideMcpServerDefinitions() ?? [];
  expect(server?.given).toEqual([
    "warplint",
    process.execPath,
    ["/cli.cjs", "mcp"],
    { ELECTRON_RUN_AS_NODE: "1" },
    "1.2.3",
  ]);
  expect(server?.cwd).toBe(uri);
});
