// The page of the docs on the configuration: its table is made from the schema.
import { configJsonSchema } from "./json-schema.ts";

interface Property {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly items?: Property;
  readonly additionalProperties?: Property | boolean;
  readonly anyOf?: readonly Property[];
  readonly propertyNames?: Property;
}

/** The page as Markdown. */
export function configurationPage(): string {
  const schema = configJsonSchema() as Property;
  return `# Configuration

<!-- Made by \`npm run docs\` from server/src/config/schema.ts. -->

warplint needs none. A \`warplint.json\` (JSON; comments and trailing commas are fine) holds for its folder and those below; the
nearest one counts, alone, with those that it \`extends\`. \`warplint config PATH\` prints what holds for a path. What the command line says (\`--arch\`,
\`--define\`, \`--include-path\`) is laid over it.

It is laid over what the build says of a file, which is read, not run: [projects](projects.md).

\`\`\`jsonc
{
  "$schema": "./node_modules/warplint/dist/warplint.schema.json",
  "architecture": "sm_90",
  "rules": { "uncoalesced-access": "information" },
  "launches": {
    // In place of what the source says, or where it says nothing.
    "transpose": { "block": [32, 8], "grid": [64, 64], "arguments": { "m": 2048, "n": 2048 } }
  },
  "defines": { "USE_PADDING": 1 },
  "includePaths": ["include"],
  "ignore": ["third_party/"],
  "overrides": [{ "files": ["tools/"], "rules": { "vectorizable-access": "off" } }]
}
\`\`\`

| Key | Value | Default | Meaning |
|---|---|---|---|
${rowsOf("", schema).join("\n")}

A launch can also be written above its kernel: \`// warplint: launch(block=(32,8), m=1024, n=1<<20, T=float)\`. It counts before the
configuration, and that before what the host code says.

Samples, benchmarks and tests are known by a folder below the workspace, or by all build targets of a file: a name with a part such as \`sample\`, \`example\`,
\`demo\`, \`bench\` or \`test\` (\`unit_tests\`, \`cuda-samples\`). Their warnings are shown as information; errors stay errors. \`"samples": "unchanged"\` shows them as everywhere.

\`extends\` names files relative to the configuration. Objects are laid over each other key by key, lists follow each other, everything else is replaced. Include directories
are relative to the file that names them; patterns are relative to the configuration that extends.

Invalid settings (unknown keys, wrong values, arguments that the kernel does not have) are errors: exit code 2. Settings without effect
(\`includePaths\` that do not exist, \`launches\` of kernels that no file below defines) are warnings on standard error.
`;
}

function rowsOf(prefix: string, schema: Property): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const isGroup = property.properties !== undefined;
    const value = isGroup ? "" : kindOf(property);
    const fallback =
      isGroup || property.default === undefined ? "" : `\`${JSON.stringify(property.default)}\``;
    const row = `| \`${name}\` | ${value} | ${fallback} | ${(property.description ?? "").replaceAll("|", "\\|")} |`;
    return [row, ...rowsOf(`${name}.`, property)];
  });
}

function kindOf(property: Property): string {
  if (property.enum !== undefined) return property.enum.map((value) => `\`${value}\``).join(" ");
  if (property.anyOf !== undefined) return [...new Set(property.anyOf.map(kindOf))].join(" or ");
  if (property.type === "array")
    return `list of ${property.items === undefined ? "values" : `${kindOf(property.items)}s`}`;
  if (property.type === "object") {
    const values = property.additionalProperties;
    return typeof values === "object" ? `object: ${kindOf(values)} by name` : "object";
  }
  return property.type === "integer" ? "whole number" : (property.type ?? "any");
}
