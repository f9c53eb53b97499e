// Bundles what the packages ship. Into server/dist (or the folder named): server.js, the core that runs anywhere, which in a browser's
// worker is the language server; command.cjs, the command line and all that needs Node; mcp.cjs and measured.cjs, commands that nobody else waits for; cli.cjs, which loads
// them; the parser's WASM and its grammar. Into client/dist: the extension.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { minify } from "@swc/core";
import { build } from "esbuild";
import { bundlesApart, commandsApart, coreEntry, fromCore, protocolWhenAsked } from "./core-bundle.mjs";
import { leanClient } from "./lean-client.mjs";
import { noticesFor } from "./notices.mjs";
import { withoutRepeats } from "./without-repeats.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = resolve(process.argv[2] ?? join(root, "server/dist"));
const require = createRequire(import.meta.url);
const treeSitter = dirname(require.resolve("web-tree-sitter"));

const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  // The extension's package has to stay small. The map beside each bundle, which is not shipped, reads the stack traces of logs.
  minify: true,
  sourcemap: "external",
  logLevel: "warning",
  // jsonc-parser's main file is UMD, which no bundler can follow.
  mainFields: ["module", "main"],
};

/** Stands for the digest of the build until there is one. */
const unnamedBuild = "0".repeat(20);

const forNode = {
  platform: "node",
  format: "cjs",
  target: "node20",
  legalComments: "none",
  charset: "ascii",
  define: { "import.meta.dirname": "__dirname", WARPLINT_BUILD: JSON.stringify(unnamedBuild) },
};

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await buildServer(dist);
await copyFile(join(treeSitter, "web-tree-sitter.wasm"), join(dist, "web-tree-sitter.wasm"));
const grammar = await readFile(join(root, "grammars/tree-sitter-cuda.wasm"));
await writeFile(join(dist, "tree-sitter-cuda.packed"), withoutRepeats(grammar));
await copyFile(join(root, "LICENSE"), join(dist, "LICENSE"));
await copyFile(join(root, "grammars/LICENSE.tree-sitter-cuda"), join(dist, "LICENSE.tree-sitter-cuda"));
await copyFile(join(root, "docs/warplint.schema.json"), join(dist, "warplint.schema.json"));
await cp(join(root, "docs/rules"), join(dist, "rules"), { recursive: true });
await writeFile(join(dist, "warplint.1"), execFileSync(process.execPath, [join(dist, "cli.cjs"), "man"]));

// The extension belongs to the repository's own server: a server built elsewhere has none.
if (process.argv[2] === undefined) await buildClient(join(root, "client/dist"));

async function buildServer(out) {
  const wanted = new Map();
  const commandLine = await build({
    ...common,
    entryPoints: [join(root, "server/src/cli/main.ts")],
    outfile: join(out, "command.cjs"),
    ...forNode,
    // A bundle that is run as a script has `require` alone.
    supported: { "dynamic-import": false },
    plugins: [commandsApart, fromCore(root, "./server.js", wanted)],
  });
  const apart = [];
  for (const [entry, bundle] of Object.entries(bundlesApart))
    apart.push(
      await build({
        ...common,
        entryPoints: [join(root, `server/src/${entry}.ts`)],
        outfile: join(out, bundle),
        ...forNode,
        plugins: [fromCore(root, "./server.js", wanted, "own")],
      }),
    );
  const core = await build({
    ...common,
    stdin: { contents: coreEntry(root, wanted), resolveDir: root, sourcefile: "core.js" },
    outfile: join(out, "server.js"),
    platform: "browser",
    format: "iife",
    globalName: "warplint",
    target: "es2022",
    legalComments: "none",
    footer: { js: 'if (typeof module === "object") module.exports = warplint;' },
    // web-tree-sitter's module asks for import.meta.url, which a script lacks; its own CommonJS build does not, and asks for files in Node.
    alias: { "web-tree-sitter": join(treeSitter, "web-tree-sitter.cjs") },
    external: ["fs"],
    plugins: [protocolWhenAsked],
  });
  await shrink(join(out, "server.js"));
  const start = await build({
    ...common,
    entryPoints: [join(root, "server/src/cli/start.ts")],
    outfile: join(out, "cli.cjs"),
    ...forNode,
    banner: { js: "#!/usr/bin/env node" },
  });
  await nameBuild(out);
  await writeNotices(out, [start, commandLine, ...apart, core]);
  await scriptsAreCommonJs(out);
}

/** One file for every host: extension hosts of browsers load no second one. */
async function buildClient(out) {
  await rm(out, { recursive: true, force: true });
  const extension = await build({
    ...common,
    entryPoints: [join(root, "client/src/main.ts")],
    outfile: join(out, "extension.js"),
    platform: "node",
    conditions: ["browser"],
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    legalComments: "none",
    plugins: [leanClient],
  });
  const panel = await build({
    ...common,
    sourcemap: false,
    entryPoints: [join(root, "client/src/webview/panel.ts"), join(root, "client/src/webview/panel.css")],
    outdir: out,
    platform: "browser",
    format: "iife",
    target: "es2022",
    legalComments: "none",
  });
  await shrink(join(out, "extension.js"));
  await writeNotices(out, [extension, panel]);
  await scriptsAreCommonJs(out);
}

/** swc names what esbuild has minified so that it compresses a thirtieth better. The map beside it leads to the sources as before. */
async function shrink(bundle) {
  const map = `${bundle}.map`;
  const { code, map: shrunkMap } = await minify(await readFile(bundle, "utf8"), {
    module: false,
    compress: false,
    mangle: true,
    format: { comments: false, asciiOnly: true },
    sourceMap: { content: await readFile(map, "utf8") },
  });
  await writeFile(bundle, code);
  await writeFile(map, shrunkMap);
}

/** What a build keeps for its next start is of this build alone. */
async function nameBuild(out) {
  const digest = createHash("sha1");
  for (const name of ["cli.cjs", "command.cjs", ...Object.values(bundlesApart), "server.js"])
    digest.update(await readFile(join(out, name)));
  digest.update(await readFile(join(root, "grammars/tree-sitter-cuda.wasm")));
  const name = digest.digest("hex").slice(0, unnamedBuild.length);
  for (const bundle of ["cli.cjs", "command.cjs", ...Object.values(bundlesApart)]) {
    const text = await readFile(join(out, bundle), "utf8");
    await writeFile(join(out, bundle), text.replaceAll(unnamedBuild, name));
  }
}

async function writeNotices(directory, bundles) {
  const metafiles = bundles.map(({ metafile }) => metafile);
  await writeFile(join(directory, "THIRD-PARTY-NOTICES.txt"), await noticesFor(metafiles, root));
}

/** Browsers want files named .js, which Node reads as modules below this repository's package.json. */
async function scriptsAreCommonJs(directory) {
  await writeFile(join(directory, "package.json"), '{ "type": "commonjs" }\n');
}
