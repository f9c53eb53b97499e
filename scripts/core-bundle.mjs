// Parts the server in two bundles: one that runs anywhere, and one for Node that takes from the first whatever it imports of it. So the
// extension ships the core once, for Node and for browsers.
import { isBuiltin } from "node:module";
import { relative, sep } from "node:path";

/** What runs in Node alone. */
const nodeFiles = [
  /^server\/src\/(cli|mcp)\//,
  /^server\/src\/measured\/(cubin-lines|csv|messages|ncu-report|read)\.ts$/,
  /^server\/src\/lsp\/node[\w-]*\.ts$/,
  /^server\/src\/host\/(build-files|node|wasm)\.ts$/,
  /^node_modules\/(cli-progress|commander|emoji-regex|is-fullwidth-code-point|picocolors)\//,
  /^node_modules\/(signal-exit|string-width|strip-ansi|ansi-regex|write-file-atomic)\//,
  /^node_modules\/vscode-[\w-]+\/(lib\/node\/|node\.js$)/,
];

function nameOf(root, path) {
  return relative(root, path).split(sep).join("/");
}

function isNodeFile(name) {
  return nodeFiles.some((pattern) => pattern.test(name));
}

/**
 * Leaves the core's modules to the bundle at `core`, and notes in `wanted` which they are: names to paths. `libraries`: "own" are those that the
 * bundle holds itself, whatever the core has.
 */
export function fromCore(root, core, wanted, libraries = "of the core") {
  return {
    name: "from-core",
    setup(build) {
      build.onResolve(
        { filter: /.*/ },
        async ({ path, importer, resolveDir, kind, namespace, pluginData }) => {
          if (namespace === "core") return { path, external: true };
          if (importer === "" || pluginData === "resolving" || isBuiltin(path)) return undefined;
          if (libraries === "own" && (!path.startsWith(".") || importer.includes("/node_modules/")))
            return undefined;
          const found = await build.resolve(path, {
            importer,
            resolveDir,
            kind,
            namespace,
            pluginData: "resolving",
          });
          if (found.errors.length > 0 || found.external) return found;
          const name = nameOf(root, found.path);
          if (isNodeFile(name)) return found;
          wanted.set(name, found.path);
          return { path: name, namespace: "core" };
        },
      );
      build.onLoad({ filter: /.*/, namespace: "core" }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(core)}).modules[${JSON.stringify(path)}]();`,
        loader: "js",
      }));
    },
  };
}

/**
 * The entry of the core: the modules of `wanted`; in a worker, the language server. Our own modules are imported, so that the bundler makes one
 * scope of them, without a function around each; libraries are run when they are first asked for.
 */
export function coreEntry(root, wanted) {
  const own = [...wanted].filter(([name]) => name.startsWith("server/src/")).sort();
  const libraries = [...wanted].filter(([name]) => !name.startsWith("server/src/")).sort();
  const text = JSON.stringify;
  return `import { serveWorker } from ${text(`${root}/server/src/lsp/browser.ts`)};
${own.map(([, path], index) => `import * as own${index} from ${text(path)};`).join("\n")}
export const modules = {
${own.map(([name], index) => `${text(name)}: () => own${index},`).join("\n")}
${libraries.map(([name, path]) => `${text(name)}: () => require(${text(path)}),`).join("\n")}
};
if (typeof importScripts === "function") serveWorker(self);
`;
}

/** Runs the protocol's library when the first of it is asked for: a command line never does, and would wait for it. */
export const protocolWhenAsked = {
  name: "protocol-when-asked",
  setup(build) {
    build.onResolve(
      { filter: /^vscode-languageserver(\/browser)?$/ },
      async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === "resolving" || !importer.includes("/server/src/")) return undefined;
        const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: "resolving" });
        return {
          path,
          namespace: "when-asked",
          errors: found.errors,
          pluginData: { real: found.path, resolveDir },
        };
      },
    );
    build.onLoad({ filter: /.*/, namespace: "when-asked" }, ({ pluginData: { real, resolveDir } }) => ({
      // Imports become properties of an object whose prototype is this one's.
      contents: `module.exports = Object.create(new Proxy({}, { get: (_, name) => require(${JSON.stringify(real)})[name] }));`,
      loader: "js",
      resolveDir,
    }));
  },
};

/** Commands whose libraries nobody else needs, by the file that is imported for them: each has a bundle that only it loads. */
export const bundlesApart = { "mcp/stdio": "mcp.cjs", "measured/read": "measured.cjs" };

export const commandsApart = {
  name: "commands-apart",
  setup(build) {
    build.onResolve({ filter: /\/(mcp\/stdio|measured\/read)\.ts$/ }, ({ path, kind }) => {
      if (kind !== "dynamic-import") return undefined;
      return { path: path.includes("mcp") ? "./mcp.cjs" : "./measured.cjs", external: true };
    });
  },
};
