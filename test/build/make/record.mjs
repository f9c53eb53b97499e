// Renews what GNU make prints for the projects of projects.txt: `node test/build/make/record.mjs`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesOf, projectsIn, textOf } from "./trees.mjs";

const path = fileURLToPath(new URL("projects.txt", import.meta.url));
const text = readFileSync(path, "utf8");
const projects = projectsIn(text).map((project) => {
  const root = mkdtempSync(join(tmpdir(), "make-"));
  for (const [name, content] of Object.entries(filesOf(project))) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const { stdout, stderr } = spawnSync("make", ["-n", "-B", "-w", ...project.goals], {
    cwd: root,
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    encoding: "utf8",
  });
  rmSync(root, { recursive: true });
  if (stderr !== "") process.stderr.write(`${project.name}: ${stderr}`);
  return { ...project, recorded: stdout.replaceAll(root, "@ROOT@") };
});
writeFileSync(path, textOf(text.slice(0, text.search(/^=== /m)), projects));
