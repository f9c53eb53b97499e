// What the fuzzer tries: by its number, always the same. Texts, flags, build files, configurations, edits.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Random, seededRandom } from "../../../test/random/random.ts";
import { mutated } from "./mutators.ts";

/** A workspace and what happens to it. */
export interface FuzzInput {
  readonly kind: "text" | "flags" | "build file" | "configuration" | "edits";
  readonly files: Readonly<Record<string, string>>;
  /** What is linted. */
  readonly file: string;
  readonly defines: Readonly<Record<string, string>>;
  /** Texts that the file has one after another. */
  readonly edits: readonly string[];
  readonly mutations: readonly string[];
}

/** Texts beyond this are no place to begin: what is looked for is found in small ones. */
const mostSeedBytes = 8000;

const sourceFolders = [
  "fixtures/programs",
  "fixtures/seeds",
  "fixtures/forms",
  "fixtures/codegen",
  "fixtures/fixes",
];

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []))
    .sort();
}

function small(path: string): boolean {
  return statSync(path).size <= mostSeedBytes;
}

let sources: readonly string[] | null = null;
let projects: readonly string[] | null = null;

const buildFile =
  /(^|\/)(CMakeLists\.txt|CMakePresets\.json|[\w.]+\.cmake|[Mm]akefile|[\w.]+\.mk|build\.ninja|setup\.py|compile_commands\.json|BUILD(\.bazel)?|\.clangd|compile_flags\.txt|[\w.]+\.sh)$/;

/** Number `index` of the fuzzer. */
export function inputOf(index: number): FuzzInput {
  const random = seededRandom(index * 2654435761);
  sources ??= sourceFolders.flatMap(filesBelow).filter((path) => path.endsWith(".cu") && small(path));
  const text = readFileSync(random.pick(sources), "utf8");
  const other = readFileSync(random.pick(sources), "utf8");
  const base = { file: "/w/a.cu", defines: {}, edits: [] };
  const kind = random.between(0, 9);
  if (kind <= 5) {
    const { text: changed, names } = mutated(text, other, random);
    return { ...base, kind: "text", files: { "/w/a.cu": changed }, mutations: names };
  }
  if (kind === 6) return { ...base, kind: "flags", files: { "/w/a.cu": text }, ...flagsOf(text, random) };
  if (kind === 7) return buildInput(random);
  if (kind === 8) return { ...base, ...configurationOf(text, random) };
  const edits: string[] = [];
  const mutations: string[] = [];
  let current = text;
  for (let left = random.between(2, 12); left > 0; left--) {
    const { text: changed, names } = mutated(current, other, random, 1);
    // Half of them are taken back, as people do.
    if (!random.oneIn(2)) current = changed;
    edits.push(changed);
    mutations.push(...names);
  }
  return { ...base, kind: "edits", files: { "/w/a.cu": text }, edits: [...edits, current], mutations };
}

function flagsOf(text: string, random: Random) {
  const names = text.match(/\b[A-Za-z_]\w*\b/g) ?? ["x"];
  const values = [
    "",
    "1",
    "0",
    "-1",
    "x",
    "(",
    ")",
    "4294967296",
    "a b",
    '"',
    "threadIdx.x",
    "1;}",
    "#",
    "\0",
    "\n#if",
    "f(f(1))",
  ];
  const defines: Record<string, string> = {};
  for (let left = random.between(1, 5); left > 0; left--) {
    const name = random.pick(names);
    defines[name] = random.oneIn(4) ? `${name} ${name}` : random.pick(values);
  }
  return { defines, mutations: Object.entries(defines).map(([name, value]) => `-D${name}=${value}`) };
}

/** A project of the fixtures with a build file that somebody broke. */
function buildInput(random: Random): FuzzInput {
  projects ??= readdirSync("fixtures/projects", { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
  const folder = `fixtures/projects/${random.pick(projects)}`;
  const files: Record<string, string> = {};
  for (const path of filesBelow(folder)) files[`/w${path.slice(folder.length)}`] = readFileSync(path, "utf8");
  const builds = Object.keys(files).filter((path) => buildFile.test(path));
  const cu = Object.keys(files).filter((path) => /\.(cu|cuh|cpp|h)$/.test(path));
  const target = random.pick(builds.length > 0 ? builds : Object.keys(files));
  const other = files[random.pick(builds.length > 0 ? builds : Object.keys(files))] ?? "";
  const { text, names } = mutated(files[target] ?? "", other, random);
  files[target] = text;
  return {
    kind: "build file",
    files,
    file: random.pick(cu),
    defines: {},
    edits: [],
    mutations: [target, ...names],
  };
}

function configurationOf(text: string, random: Random) {
  const whole = JSON.stringify(
    {
      architecture: "sm_90",
      defines: { N: "64", M: 3 },
      includePaths: ["include", "../x", "/"],
      ignore: ["**/*.cu", "!a.cu"],
      rules: { "uncoalesced-access": "warning" },
      launches: { "*": { block: [32, 8, 1], grid: [4294967295, 1, 1] } },
    },
    null,
    1,
  );
  const { text: config, names } = mutated(whole, text, random);
  return {
    kind: "configuration" as const,
    files: { "/w/a.cu": text, "/w/warplint.json": config },
    mutations: names,
  };
}
