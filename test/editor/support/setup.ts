// What the editor tests need before the first of them runs: the editors, and the packed extension.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { installEditors } from "./install.ts";
import { packagePath, root, workFolder } from "./paths.ts";

export function setup(): void {
  mkdirSync(workFolder, { recursive: true });
  installEditors();
  execFileSync(process.execPath, ["scripts/package.mjs", packagePath], { cwd: root, stdio: "inherit" });
}
