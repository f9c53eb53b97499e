// Writes what docs and manifest repeat of the code: the JSON schema and the table of the configuration, the extension's settings, and the
// pages of the rules.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const docs = join(root, "docs");

/** Runs TypeScript of the server: bundled in memory, imported from a data URL. */
async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    absWorkingDir: root,
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

const { ruleIds } = await load("server/src/config/schema.ts");
const { configJsonSchema } = await load("server/src/config/json-schema.ts");
const { configurationPage } = await load("server/src/config/page.ts");
const { contributedSettings } = await load("server/src/config/settings.ts");

await mkdir(join(docs, "rules"), { recursive: true });
await writeFile(join(docs, "warplint.schema.json"), `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
await writeFile(join(docs, "configuration.md"), configurationPage());
for (const id of ruleIds) {
  const page = await readFile(join(root, "server/src/rules", id, "page.md"), "utf8");
  await writeFile(join(docs, "rules", `${id}.md`), page);
}
const manifestPath = join(root, "package.json");
const manifest = JSON.parse(await readFile(manifestPath, "utf8"));
manifest.contributes.configuration.properties = contributedSettings();
await writeFile(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`wrote ${pathToFileURL(docs).pathname}`);
