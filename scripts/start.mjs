// `npm start`: lints the shipped seed programs, or what is named behind `--`, and prints what a user sees. Findings are no error here.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { status } = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
if (status !== 0) process.exit(1);

const given = process.argv.slice(2);
const command =
  ["check", "analyze", "config"].includes(given[0] ?? "") || given[0]?.startsWith("-") ? [] : ["check"];
const paths = given.length === 0 ? ["fixtures/seeds"] : given;
// npm runs scripts in the repository; INIT_CWD is where the user stands, and what their paths are relative to.
const cwd = given.length === 0 ? root : (process.env.INIT_CWD ?? root);
const run = spawnSync(process.execPath, [join(root, "server/dist/cli.cjs"), ...command, ...paths], {
  stdio: "inherit",
  cwd,
});
process.exit(run.status === 1 ? 0 : (run.status ?? 2));
