// Installs what is missing: Debian's Chromium, Neovim and Emacs, and VS Code's workbench (code-server) from the npm registry alone.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, codeServerEntry } from "./paths.ts";

/** VS Code 1.100.3; runs on Node 20. */
const codeServerVersion = "4.100.3";

export function installEditors(): void {
  installDebianPackages();
  installCodeServer();
}

function installDebianPackages(): void {
  const missing = ["chromium", "neovim", "emacs-nox", "elpa-eglot"].filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { stdio: "inherit", env: environment } as const;
  execFileSync("apt-get", ["update"], options);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", ...missing], options);
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync("dpkg-query", ["--status", name], { encoding: "utf8" });
  return stdout.includes("Status: install ok installed");
}

/** Of its native modules only these are built: the server itself needs one, and channels of log output the other. */
function installCodeServer(): void {
  const done = join(cacheFolder, `vscode/.installed-${codeServerVersion}`);
  if (existsSync(done) && existsSync(codeServerEntry)) return;
  const folder = join(cacheFolder, "vscode");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  npm(folder, ["install", `code-server@${codeServerVersion}`, "--ignore-scripts"]);
  npm(folder, ["rebuild", "argon2"]);
  const vscode = join(folder, "node_modules/code-server/lib/vscode");
  npm(vscode, ["install", "--ignore-scripts", "--omit=dev"]);
  npm(vscode, ["rebuild", "@vscode/spdlog"]);
  symlinkSync("node_modules", join(vscode, "node_modules.asar"));
  npm(join(vscode, "extensions"), ["install", "--ignore-scripts", "--omit=dev"]);
  writeFileSync(done, "");
}

function npm(cwd: string, args: readonly string[]): void {
  execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, stdio: "inherit" });
}
