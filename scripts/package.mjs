// `npm run package`: builds, and packs the extension into warplint-VERSION.vsix (or the file named). Fails where it grows past a megabyte and a half.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { path7za } from "7zip-bin";

const mostBytes = 1_500_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const out = resolve(process.argv[2] ?? join(root, `warplint-${version}.vsix`));

execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
// The bundles hold all that is needed: no dependency is packed. Links of the README stay as they are, since no repository is published.
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/@vscode/vsce/vsce"),
    "package",
    "--no-dependencies",
    "--skip-license",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
    "--readme-path",
    "client/README.md",
    "--out",
    out,
  ],
  { stdio: "inherit", cwd: root },
);
if (status !== 0) process.exit(1);
packAgain(out);
const { size } = statSync(out);
console.log(`${out}: ${size} bytes`);
if (size > mostBytes) {
  console.error(`the package is larger than ${mostBytes} bytes`);
  process.exit(1);
}

/** vsce compresses in a hurry: 7-Zip, which may take fifteen passes, makes the same archive a fourteenth smaller. */
function packAgain(archive) {
  const folder = mkdtempSync(join(tmpdir(), "warplint-package-"));
  // npm does not keep for every platform that this is a program.
  if (process.platform !== "win32") chmodSync(path7za, 0o755);
  const zip = (...options) =>
    execFileSync(path7za, options, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
  zip("x", archive);
  rmSync(archive);
  zip("a", "-tzip", "-mx=9", "-mfb=258", "-mpass=15", archive, ".");
  rmSync(folder, { recursive: true });
}
