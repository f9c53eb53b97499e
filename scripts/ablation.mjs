// npm run ablation: what each rule of server/src/codegen is worth, measured by leaving it out. The functions of scripts/bench/ablation/rules.mjs
// are wrapped while the program is bundled: each tells that it did something, and does nothing where it is left out.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { build } from "esbuild";
import { neutrals, rules } from "./bench/ablation/rules.mjs";

const codegen = join("server", "src", "codegen") + sep;

const switches = {
  name: "switches",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const at = path.indexOf(codegen);
      const file =
        at < 0
          ? null
          : path
              .slice(at + codegen.length, -".ts".length)
              .split(sep)
              .join("/");
      const ofFile = Object.entries((file && rules[file]) ?? {});
      if (ofFile.length === 0) return null;
      const contents = ofFile.reduce(wrapped(file), await readFile(path, "utf8"));
      return { contents, loader: "ts" };
    });
  },
};

/** The text of a module in which the exported function is called through its switch. */
function wrapped(file) {
  return (text, [name, kind]) => {
    const head = `export function ${name}`;
    if (!text.includes(`${head}(`) && !text.includes(`${head}<`))
      throw new Error(
        `${codegen}${file}.ts exports no function ${name}: see scripts/bench/ablation/rules.mjs`,
      );
    const { value, isIdle } = neutrals[kind];
    const inner = `${name}WithoutSwitch`;
    const outer = `${head}(...args: any[]): any {
  if (globalThis.ablation.leftOut.has("${file} ${name}")) return ${value};
  const result = (${inner} as any)(...args);
  if (!(${isIdle})) globalThis.ablation.acting.add("${file} ${name}");
  return result;
}
`;
    return text.replace(head, `${outer}function ${inner}`);
  };
}

const folder = mkdtempSync(join("node_modules", ".ablation-"));
const outfile = join(folder, "ablation.mjs");
await build({
  entryPoints: ["scripts/bench/ablation/ablation.ts"],
  bundle: true,
  platform: "node",
  format: "esm",
  mainFields: ["module", "main"],
  external: ["yaml", "web-tree-sitter"],
  define: {
    ruleNames: JSON.stringify(
      Object.entries(rules).flatMap(([file, ofFile]) => Object.keys(ofFile).map((name) => `${file} ${name}`)),
    ),
  },
  plugins: [switches],
  outfile,
});
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
