// Which files have diagnostics. People open headers of libraries and what git ignores to read them: there hovers and lenses say what an access
// costs, and nothing is underlined.
import { cudaKindOf } from "../project/walk.ts";
import { directoryOf } from "../text/path.ts";
import type { Folders } from "./folders.ts";

/**
 * False of what the folder's configuration or .gitignore names, unless the folder itself is ignored, and of headers outside of every folder where
 * there are folders.
 */
export function isReported(file: string, folders: Folders): boolean {
  const { path, project } = folders.of(file);
  if (path === null) return cudaKindOf(file) !== "header" || folders.all().length === 0;
  const result = project.settingsIn(directoryOf(file));
  if (result.kind === "errors") return true;
  const { ignored } = result.settings;
  return ignored.isIgnored(path, "directory") || !ignored.isIgnored(file, "file");
}
