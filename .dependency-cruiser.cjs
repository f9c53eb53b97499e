// The invariants of ARCHITECTURE.md that are about who may import whom.
const core =
  "^server/src/(build|program|text|preprocess|syntax|ir|lower|semantics|launches|codegen|hardware|evaluate|simulator|rules|fixes|lint|ide|compare|render|project|config|measured)/";
const inOrder = [
  ["text", []],
  ["build", ["text"]],
  ["preprocess", ["text", "build/flags"]],
  ["syntax", ["text", "preprocess"]],
  ["ir", ["text", "semantics"]],
  ["semantics", ["ir", "text"]],
  ["lower", ["text", "syntax", "ir", "semantics"]],
  ["launches", ["text", "ir", "semantics"]],
  ["codegen", ["text", "ir", "semantics"]],
  ["hardware", ["evaluate/profile"]],
  ["evaluate", ["text", "ir", "semantics", "launches", "hardware"]],
  ["simulator", ["text", "ir", "semantics", "launches/launch", "hardware", "evaluate/profile"]],
  ["rules", ["text", "ir", "launches/launch", "hardware", "evaluate/profile", "config"]],
  [
    "fixes",
    [
      "text",
      "preprocess",
      "ir",
      "semantics",
      "launches",
      "codegen",
      "hardware",
      "simulator",
      "evaluate/profile",
      "rules",
      "config/schema",
    ],
  ],
  ["config", ["text"]],
  ["compare", []],
  [
    "render",
    [
      "text",
      "build/(build|flags)",
      "ir",
      "launches/launch",
      "hardware",
      "evaluate/profile",
      "config",
      "rules",
      "fixes/fix",
      "lint/report",
      "compare",
    ],
  ],
  [
    "ide",
    [
      "text",
      "build/flags",
      "ir",
      "launches/(launch|asked/(annotation|integer-expression))",
      "hardware",
      "simulator",
      "evaluate/profile",
      "config",
      "rules",
      "fixes/fix",
      "lint/(analysis|report)",
      "render",
      "measured/(beside|report)",
    ],
  ],
  ["measured", ["text", "config/schema", "evaluate/profile", "launches/launch", "lint/report", "render"]],
  ["project", ["text", "build", "config", "host/host"]],
  ["program", ["text", "build/flags", "syntax", "host/host", "project"]],
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles-between-folders",
      comment:
        "Folders follow the data. Within a folder, mutual recursion (expressions and statements) is fine; types may look both ways.",
      severity: "error",
      scope: "folder",
      from: { path: "^server/src/(config|host|project|render|rules|lint|cli)" },
      to: { circular: true, pathNot: "^server/src/(render|lint)" },
    },
    ...inOrder.map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `${folder} may import: ${["steps", "table", ...allowed].join(", ")}`,
      severity: "error",
      from: { path: `^server/src/${folder}/` },
      to: {
        path: "^server/src/",
        pathNot: [folder, "steps", "table", ...allowed].map((name) => `^server/src/${name}[/.]`),
      },
    })),
    {
      name: "no-io-in-the-core",
      comment:
        "Files, clock, environment and console are for host, lsp and cli: the core runs in a browser as well.",
      severity: "error",
      from: { path: core },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "core-knows-hosts-by-interface",
      severity: "error",
      from: { path: core },
      to: { path: "^server/src/(host/(?!host\\.ts)|cli|lsp)" },
    },
    {
      name: "tree-sitter-in-syntax-only",
      comment: "Tree-sitter's nodes never leave syntax; it gives plain data.",
      severity: "error",
      from: { path: "^(server|client)/src/", pathNot: "^server/src/syntax/" },
      to: { path: "node_modules/web-tree-sitter" },
    },
    {
      name: "lsp-types-in-lsp-only",
      severity: "error",
      from: { path: "^server/src/", pathNot: "^server/src/lsp/" },
      to: { path: "node_modules/vscode-languageserver" },
    },
    {
      name: "vscode-in-client-only",
      severity: "error",
      from: { path: "^server/src/" },
      to: { path: "^vscode$|node_modules/(@types/vscode|vscode-languageclient)" },
    },
    {
      name: "client-imports-protocol-and-render",
      severity: "error",
      from: { path: "^client/src/" },
      to: { path: "^server/src/", pathNot: "^server/src/(render/|lsp/protocol)" },
    },
    {
      name: "two-voices",
      comment:
        "evaluate and simulator share ir, semantics and hardware, and no other code: each is the other's test.",
      severity: "error",
      from: { path: "^server/src/(evaluate|simulator)/" },
      to: { path: "^server/src/(evaluate|simulator)/(?!profile\\.ts)", pathNot: "^server/src/$1/" },
    },
    {
      name: "linearise-is-first",
      comment: "The first pass of codegen knows no later one.",
      severity: "error",
      from: { path: "^server/src/codegen/linearise/" },
      to: { path: "^server/src/codegen/", pathNot: "^server/src/codegen/(linearise|addresses|walks)/" },
    },
    {
      name: "rules-are-pure",
      comment: "A rule sees access profiles, not syntax, IR statements or hosts.",
      severity: "error",
      from: { path: "^server/src/rules/" },
      to: { path: "^server/src/(syntax|lower|codegen|project|host|render|lint)/" },
    },
    {
      name: "picocolors-in-cli-only",
      severity: "error",
      from: { path: "^server/src/", pathNot: "^server/src/cli/" },
      to: { path: "node_modules/(picocolors|commander)" },
    },
    {
      name: "declared-dependencies-only",
      severity: "error",
      from: { path: "^(server|client)/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "unknown", "undetermined"], pathNot: "^(sarif|vscode)$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // TypeScript 7 has no JavaScript API that the cruiser could use; swc reads type imports as well.
    parser: "swc",
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".cjs", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
