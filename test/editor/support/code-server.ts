// A real VS Code, served to a browser: the packed extension installed, a workspace and settings of its own.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { codeServerEntry, packagePath, seedsFolder, workFolder } from "./paths.ts";

export interface CodeServer {
  readonly address: string;
  readonly workspace: string;
  readonly userData: string;
  /** Where the packed extension was unpacked to. */
  readonly extension: string;
  readonly stop: () => void;
}

/** No welcome page and nothing that asks; the workspace stays untrusted, since warplint has to work there. */
export const quietSettings = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "workbench.tips.enabled": false,
  "chat.commandCenter.enabled": false,
  "editor.minimap.enabled": false,
  "git.enabled": false,
};

export interface CodeServerOptions {
  /** What is copied to be the workspace: the seeds, unless said. */
  readonly project?: string;
  /** The user's, beside those that keep it quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export async function startCodeServer({
  settings = {},
  project = seedsFolder,
}: CodeServerOptions = {}): Promise<CodeServer> {
  const folder = mkdtempSync(join(workFolder, "vscode-"));
  // Not below the repository: all that lies here is ignored by git, and in a folder of tests.
  const workspace = join(mkdtempSync(join(tmpdir(), "warplint-workspace-")), basename(project));
  const userData = join(folder, "user");
  const extensions = join(folder, "extensions");
  cpSync(project, workspace, { recursive: true, filter: (name) => !name.endsWith(".jsonl") });
  mkdirSync(join(userData, "User"), { recursive: true });
  writeFileSync(join(userData, "User/settings.json"), JSON.stringify({ ...quietSettings, ...settings }));
  const common = ["--user-data-dir", userData, "--extensions-dir", extensions];
  execFileSync(process.execPath, [codeServerEntry, ...common, "--install-extension", packagePath], {
    stdio: "pipe",
  });
  const port = await freePort();
  const server = spawn(
    process.execPath,
    [
      codeServerEntry,
      ...common,
      "--auth=none",
      "--disable-telemetry",
      "--disable-update-check",
      "--disable-getting-started-override",
      "--log=info",
      `--bind-addr=127.0.0.1:${port}`,
    ],
    { stdio: "ignore", detached: true },
  );
  const address = `127.0.0.1:${port}`;
  await answers(`http://${address}/healthz`);
  const extension = join(extensions, "warplint.warplint-vscode-0.1.0");
  return { address, workspace, userData, extension, stop: () => stopGroup(server) };
}

/** What the extension and its server have written down so far. */
export function extensionLog({ userData }: CodeServer): string {
  const logs = join(userData, "logs");
  const paths = readdirSync(logs, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith("warplint.log"))
    .map((path) => readFileSync(join(logs, path), "utf8"))
    .join("");
}

/** The workbench with a folder opened. */
export function workbenchUrl({ address, workspace }: CodeServer): string {
  return `http://${address}/?folder=${encodeURIComponent(workspace)}`;
}

/** Ends the server with its extension hosts: it leads a group of its own. */
function stopGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function answers(url: string): Promise<void> {
  const end = Date.now() + 120_000;
  while (Date.now() < end) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} does not answer`);
}
