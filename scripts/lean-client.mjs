// Leaves out of the extension what vscode-languageclient brings for other servers. The library registers a feature for every request of the
// protocol, and its modules are CommonJS, of which no bundler can tell what is never used.

/** The library's modules of features that our server does not offer (server/src/lsp/capabilities.ts). */
const absentFeatures = [
  "callHierarchy",
  "colorProvider",
  "completion",
  "declaration",
  "definition",
  "documentHighlight",
  "documentLink",
  "documentSymbol",
  "fileOperations",
  "foldingRange",
  "formatting",
  "implementation",
  "inlineCompletion",
  "inlineValue",
  "linkedEditingRange",
  "reference",
  "rename",
  "selectionRange",
  "semanticTokens",
  "signatureHelp",
  "textDocumentContent",
  "typeDefinition",
  "typeHierarchy",
  "workspaceSymbol",
];

const standIns = {
  /** Whatever class is asked for: a feature that announces nothing and does nothing. */
  "absent-feature": `class AbsentFeature {
  fillClientCapabilities() {}
  initialize() {}
  clear() {}
}
module.exports = new Proxy({}, { get: () => AbsentFeature });`,
  /** The client asks whether VS Code is new enough, which \`engines\` of package.json has seen to before anything is loaded. */
  yes: "module.exports = () => true;",
};

export const leanClient = {
  name: "lean-client",
  setup(build) {
    const features = new RegExp(`^\\./(${absentFeatures.join("|")})$`);
    build.onResolve({ filter: features }, ({ importer }) =>
      /vscode-languageclient[\\/]lib[\\/]common[\\/]client\.js$/.test(importer)
        ? { path: "absent-feature", namespace: "lean-client" }
        : undefined,
    );
    build.onResolve({ filter: /^semver\/functions\/(parse|satisfies)$/ }, () => ({
      path: "yes",
      namespace: "lean-client",
    }));
    build.onLoad({ filter: /.*/, namespace: "lean-client" }, ({ path }) => ({ contents: standIns[path] }));
  },
};
