// Neovim and Emacs, headless, with the settings that docs/editors.md gives their users.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, seedsFolder, serverPath } from "./support/paths.ts";

const scripts = join(import.meta.dirname, "other");
const seed = "seed1_matrix_trans.cu";

interface Said {
  readonly [kind: string]: unknown;
}

interface SeenDiagnostic {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

test("Neovim shows findings and hover, and applies an action", () => {
  const { folder, file, environment } = prepare();
  const settings = settingsOf("neovim", folder, "settings.lua");
  const said = run(
    "nvim",
    [
      "--headless",
      "-u",
      "NONE",
      "-i",
      "NONE",
      "-n",
      "-c",
      `luafile ${settings}`,
      "-c",
      `luafile ${scripts}/neovim.lua`,
    ],
    { folder, environment: { ...environment, LSP_FILE: file } },
  );
  expect(said.filetype).toBe("cuda");
  checkSaid(said);
});

test("Emacs with eglot shows findings and hover, and applies an action", () => {
  const { folder, file, environment } = prepare();
  const settings = settingsOf("emacs", folder, "settings.el");
  const said = run(
    "emacs",
    ["--batch", "--eval", loadPath, "-l", settings, "-l", join(scripts, "eglot.el")],
    { folder, environment: { ...environment, LSP_FILE: file } },
  );
  expect(said.mode).toBe("cuda-mode");
  checkSaid(said);
});

/** Debian's packages for Emacs, which batch mode does not look for. */
const loadPath =
  '(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list (quote load-path) folder))';

function checkSaid(said: Said): void {
  expect(said.problem).toBeUndefined();
  const diagnostics = said.diagnostics as readonly SeenDiagnostic[];
  // The three kernels' findings, by hand: step 1 loads and step 2 reads columns.
  const places = diagnostics.map(({ line, column }) => `${line}:${column}`).sort();
  expect(places).toEqual(["13:28", "26:46"]);
  const conflict = diagnostics.find(({ line }) => line === 26)?.message ?? "";
  expect(conflict).toContain("32-way bank conflict: 32 wavefronts, 1 ideal");

  const hover = [said.hover].flat().join("\n");
  // Plain text that can be read: a map, and nothing of HTML.
  expect(hover).toMatch(/sector|pass 1/);
  expect(hover).not.toMatch(/<span|<pre|&nbsp;|&lt;/);

  const actions = said.actions as readonly string[];
  expect(actions.slice(-2)).toEqual([
    "Ignore uncoalesced-access on this line…",
    "Disable uncoalesced-access in this file…",
  ]);
  expect(said.text).toMatch(/^ {4}\/\/ warplint-disable-next-line uncoalesced-access/);
  const after = said.after as readonly SeenDiagnostic[];
  expect(after.map(({ line }) => line)).toEqual([27]);
}

/** A folder of its own with a seed, and `warplint` on the path as an installed package would put it there. */
function prepare() {
  const folder = mkdtempSync(join(tmpdir(), "warplint-workspace-"));
  const file = join(folder, seed);
  cpSync(join(seedsFolder, seed), file);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const command = join(bin, "warplint");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${serverPath}" "$@"\n`);
  chmodSync(command, 0o755);
  return { folder, file, environment: { ...process.env, PATH: `${bin}:${process.env.PATH}` } };
}

/** Writes the settings that the docs print; what stands there is what is tested. */
function settingsOf(editor: string, folder: string, name: string): string {
  const page = readFileSync(join(root, "docs/editors.md"), "utf8");
  const block = new RegExp(`<!-- tested: ${editor} -->\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(page);
  const path = join(folder, name);
  writeFileSync(path, block?.[1] ?? "");
  return path;
}

function run(
  command: string,
  args: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Said {
  const output = execFileSync(command, args, {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    timeout: 240_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Record<string, unknown> = {};
  for (const line of output.split("\n").filter((text) => text.startsWith("{"))) {
    const { kind, value } = JSON.parse(line) as { kind: string; value: unknown };
    said[kind] = value;
  }
  return said;
}
