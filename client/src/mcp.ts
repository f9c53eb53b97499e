// The tools of `warplint mcp` for agents in VS Code: told where the editor knows of such servers, which is from 1.101 on.
import * as vscode from "vscode";

/** What VS Code 1.101 has beyond the types of the oldest that is supported. */
interface WithTools {
  readonly lm?: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: { provideMcpServerDefinitions(): readonly object[] },
    ): vscode.Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    version: string,
  ) => { cwd?: vscode.Uri };
}

/** VS Code 1.100 has the function, but asks for a contribution of another name. */
const firstMinorVersion = 101;

function hasTools(): boolean {
  const [major = 0, minor = 0] = vscode.version.split(".").map(Number);
  return major > 1 || minor >= firstMinorVersion;
}

/** Offers the command line at `module`, in the first folder of the workspace; nothing happens in an older editor. */
export function registerTools({ extension, subscriptions }: vscode.ExtensionContext, module: string): void {
  const { lm, McpStdioServerDefinition } = vscode as WithTools;
  if (!hasTools()) return;
  if (lm?.registerMcpServerDefinitionProvider === undefined || McpStdioServerDefinition === undefined) return;
  const version = String((extension.packageJSON as { version?: unknown }).version);
  subscriptions.push(
    lm.registerMcpServerDefinitionProvider("warplint.tools", {
      provideMcpServerDefinitions: () => {
        const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
        if (folder === undefined) return [];
        // The editor's own program runs scripts, too.
        const env = { ELECTRON_RUN_AS_NODE: "1" };
        const server = new McpStdioServerDefinition(
          "warplint",
          process.execPath,
          [module, "mcp"],
          env,
          version,
        );
        server.cwd = folder.uri;
        return [server];
      },
    }),
  );
}
