// npm run bench -- builds [--cmake=-DX=1,…] [--show=N] FOLDER…: configures each project with the real cmake below FOLDER/build, and compares what the static reader says of every source.
// Only for projects that you would configure yourself: cmake executes what they say.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { readCMake } from "../../server/src/build/cmake/cmake.ts";
import { findPresets } from "../../server/src/build/cmake/presets.ts";
import { readCompileCommands } from "../../server/src/build/compile-commands.ts";
import type { BuildHost } from "../../server/src/build/flags.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { buildHost } from "../../server/src/project/build-host.ts";
import { type Comparison, compareBuilds } from "./compare-builds.ts";

const options = process.argv.slice(2).filter((one) => one.startsWith("--"));
const folders = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const given = (name: string): string | undefined =>
  options.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
const definitions = (given("cmake") ?? "").split(",").filter((one) => one !== "");
/** Which cmake judges. */
const tool = given("tool") ?? "cmake";
const shown = Number(given("show") ?? 8);

/** Libraries of a whole toolkit, for machines that have a part of it: they are linked to, never opened here. */
const _libraries =
  "cublas cublasLt cufft curand cusolver cusparse nvrtc nvml cuda_driver nvToolsExt nppc nppial nppicc nppidei nppif nppig nppim nppist nppisu nppitc npps nvjpeg"
    .split(" ")
    .flatMap((name) => [
      `-DCUDA_${name}_LIBRARY=/usr/lib/lib${name}.so`,
      `-DCUDA_${name}_static_LIBRARY=/usr/lib/lib${name}.a`,
    ]);

/** The files without the build tree, which the reader would take its values from. */
function without(host: BuildHost, directory: string): BuildHost {
  const isHidden = (path: string): boolean => path === directory || path.startsWith(`${directory}/`);
  return {
    readText: (path) => (isHidden(path) ? null : host.readText(path)),
    kindOf: (path) => (isHidden(path) ? "missing" : host.kindOf(path)),
    list: (path) =>
      isHidden(path) ? [] : host.list(path).filter(({ name }) => !isHidden(`${path}/${name}`)),
  };
}

/** `-DNAME=value` as the user's cache: a text in front of the project's own. */
function preset(host: BuildHost, file: string, words: readonly string[]): BuildHost {
  const lines = words.flatMap((word) => {
    const found = /^-D(\w+)(?::\w+)?=(.*)$/.exec(word);
    return found === null ? [] : [`set(${found[1]} "${found[2]}" CACHE STRING "" FORCE)`];
  });
  return {
    ...host,
    readText: (path) => {
      const text = host.readText(path);
      return path === file && text !== null ? `${lines.join(" ")} ${text}` : text;
    },
  };
}

console.log("| project | sources | equal | but for doubts | different | missing | extra | milliseconds |");
console.log("|---|---|---|---|---|---|---|---|");
for (const folder of folders) {
  const root = resolve(folder);
  const build = `${root}/build-judge`;
  if (!existsSync(`${build}/compile_commands.json`)) {
    rmSync(build, { recursive: true, force: true });
    const [own] = findPresets(buildHost(nodeHost(root), [root]), root).presets;
    const named = own === undefined ? [] : ["--preset", own.name];
    const args = [
      ...named,
      "-S",
      root,
      "-B",
      build,
      "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
      "-Wno-dev",
      ...definitions,
    ];
    const run = spawnSync(tool, args, { encoding: "utf8", timeout: 600_000, cwd: root });
    if (!existsSync(`${build}/compile_commands.json`)) {
      console.log(`| ${basename(root)} | does not configure |`);
      console.error(`${run.stdout}\n${run.stderr}`.split("\n").slice(-25).join("\n"));
      continue;
    }
  }
  const host = buildHost(nodeHost(root), [root]);
  // The reader takes <root>/build for the build tree.
  const swapped: BuildHost = {
    readText: (path) => host.readText(path)?.replaceAll(build, `${root}/build`) ?? null,
    kindOf: (path) => host.kindOf(path),
    list: (path) => host.list(path),
  };
  const moved: BuildHost = {
    ...swapped,
    readText: (path) => swapped.readText(path.replace(`${root}/build/`, `${build}/`)),
  };
  const judge = readCompileCommands(moved, `${build}/compile_commands.json`);
  const file = `${root}/CMakeLists.txt`;
  const begin = performance.now();
  const reader = readCMake(preset(without(host, build), file, definitions), file, root);
  const milliseconds = Math.round(performance.now() - begin);
  if (judge === null || reader === null) {
    console.log(`| ${basename(root)} | ${judge === null ? "no judge" : "not read"} |`);
    continue;
  }
  const isOwn = (path: string): boolean => !path.includes("/CMakeFiles/") && !/\/_deps\//.test(path);
  const results = compareBuilds(
    { ...judge, sources: judge.sources.filter(({ path }) => isOwn(path)) },
    reader,
  );
  const count = (kind: Comparison["result"]): number =>
    results.filter(({ result }) => result === kind).length;
  const total = results.length - count("extra");
  console.log(
    `| ${basename(root)} | ${total} | ${count("equal")} | ${count("doubtful")} | ${count("different")} | ${count("missing")} | ${count("extra")} | ${milliseconds} |`,
  );
  const reasons = new Map<string, string[]>();
  for (const { source, reasons: all, result } of results) {
    if (result === "equal") continue;
    for (const reason of all) {
      const key = `${result}: ${reason}`;
      reasons.set(key, [...(reasons.get(key) ?? []), source.replace(`${root}/`, "")]);
    }
  }
  const sorted = [...reasons].sort((a, b) => b[1].length - a[1].length).slice(0, shown);
  for (const [reason, sources] of sorted)
    console.error(`  ${sources.length} × ${reason.replaceAll(root, ".")}   e.g. ${sources[0]}`);
  if (options.includes("--unresolved")) {
    for (const { what, reason, origin } of reader.unresolved) {
      console.error(`  ? ${what}: ${reason} (${origin.file.replace(root, ".")}:${origin.line})`);
    }
  }
}
