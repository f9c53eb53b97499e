// npm run bench -- record-cmake [NAME…]: configures the projects of test/build/cmake with the real cmake and writes what it gives to the compiler beside them, as the tests expect it.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPresets } from "../../server/src/build/cmake/presets.ts";
import { readCompileCommands } from "../../server/src/build/compile-commands.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { buildHost } from "../../server/src/project/build-host.ts";
import { recordOf, treeOf } from "../../test/build/cmake/record.ts";

const folder = "test/build/cmake";
const names = process.argv.slice(2);
for (const file of readdirSync(folder).filter((name) => /^\w+\.txt$/.test(name))) {
  const name = file.replace(/\.txt$/, "");
  if (names.length > 0 && !names.includes(name)) continue;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "warplint-cmake-")));
  for (const [path, text] of Object.entries(treeOf(readFileSync(join(folder, file), "utf8")))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const host = buildHost(nodeHost(root), [root]);
  const [preset] = findPresets(host, root).presets;
  const build = join(root, "build");
  mkdirSync(join(build, ".cmake/api/v1/query"), { recursive: true });
  writeFileSync(join(build, ".cmake/api/v1/query/codemodel-v2"), "");
  const args = [...(preset === undefined ? [] : ["--preset", preset.name]), "-S", root, "-B", build];
  const run = spawnSync("cmake", [...args, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-Wno-dev"], {
    encoding: "utf8",
    cwd: root,
  });
  const judge = existsSync(join(build, "compile_commands.json"))
    ? readCompileCommands(host, join(build, "compile_commands.json"))
    : null;
  if (run.status !== 0 || judge === null) console.log(`${name}: cmake fails\n${run.stderr}`);
  else {
    const sources = judge.sources.filter(({ path }) => !path.includes("/CMakeFiles/"));
    const headers = headersBelow(build).map((path) => ({ path, text: readFileSync(path, "utf8") }));
    const record = recordOf(sources, headers, root);
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(record, null, 1)}\n`);
    // One reply of the File API is kept, for its reader.
    if (name === "cuda") writeFileSync(join(folder, "cuda.reply.txt"), replyOf(build, root));
    console.log(`${name}: ${sources.length} sources, ${headers.length} headers`);
  }
  rmSync(root, { recursive: true });
}

/** The files of the reply as one text, below "/project". */
function replyOf(build: string, root: string): string {
  const reply = join(build, ".cmake/api/v1/reply");
  return readdirSync(reply)
    .filter((name) => /^(?:index|codemodel|target)-/.test(name))
    .map((name) => {
      const text = JSON.stringify(JSON.parse(readFileSync(join(reply, name), "utf8")), null, 1);
      return `=== ${name}\n${text.replaceAll(root, "/project")}\n`;
    })
    .join("");
}

/** Headers that the project made; those of CMake's own are left out. */
function headersBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === "CMakeFiles" ? [] : headersBelow(path);
    return entry.name.endsWith(".h") ? [path] : [];
  });
}
