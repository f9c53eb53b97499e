// Where the editor tests find and put things.
import { homedir } from "node:os";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../../..");
/** Outside of the repository, so that a fresh clone finds what an earlier one installed. */
export const cacheFolder = process.env.WARPLINT_EDITORS ?? join(homedir(), ".cache/warplint-editors");
export const codeServerEntry = join(cacheFolder, "vscode/node_modules/code-server/out/node/entry.js");
export const workFolder = join(root, "node_modules/.cache/warplint-editor-tests");
export const packagePath = join(workFolder, "warplint.vsix");
export const serverPath = join(root, "server/dist/cli.cjs");
export const seedsFolder = join(root, "fixtures/seeds");
/** Where pictures go: those of the docs are taken anew on request alone (`WARPLINT_PICTURES=docs`). */
export const imagesFolder =
  process.env.WARPLINT_PICTURES === "docs" ? join(root, "docs/images") : join(workFolder, "pictures");
