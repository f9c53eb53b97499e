// From the paths of the command line to the files to lint, or to what is wrong with a path.
import { type Host, readText, unreadText } from "../host/host.ts";
import type { Project } from "../project/project.ts";
import { holdsCuda, walkCuda } from "../project/walk.ts";
import { onOneLine } from "../render/visible.ts";
import { directoryOf, relativeTo, resolvePath } from "../text/path.ts";

export interface Inputs {
  /** Absolute, each once, in the order of the paths. */
  readonly files: readonly string[];
  /** One sentence a path that cannot be linted, beginning with the path as it was given. */
  readonly problems: readonly string[];
  /** One sentence a file that a directory holds and that is no text, whatever its name says. */
  readonly skipped: readonly string[];
}

/** Directories stand for the CUDA files below them; files are taken as they are, so long as they hold CUDA. */
export function findInputs(paths: readonly string[], host: Host, project: Project): Inputs {
  const files = new Set<string>();
  const problems: string[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const absolute = resolvePath(host.currentDirectory, path.replace(/(?<=.)\/+$/, ""));
    if (host.kindOf(absolute) === "directory") {
      const found = filesBelow(absolute, host, project);
      if (found.length === 0) problems.push(`${path}: there is no file with CUDA in this directory`);
      for (const file of found) {
        const read = readText(host, file);
        if (read.kind === "binary" || read.kind === "utf-16" || read.kind === "too-large")
          skipped.push(`${onOneLine(relativeTo(host.currentDirectory, file))}: ${unreadText(read.kind)}`);
        else files.add(file);
      }
    } else {
      const problem = problemOf(absolute, host);
      if (problem === null) files.add(absolute);
      else problems.push(`${path}: ${problem}`);
    }
  }
  return { files: [...files], problems, skipped };
}

function filesBelow(directory: string, host: Host, project: Project): string[] {
  const result = project.settingsIn(directory);
  const files =
    result.kind === "settings"
      ? walkCuda(host, directory, result.settings.ignored)
      : walkCuda(host, directory, { isIgnored: () => false });
  // A nearer configuration may ignore more than that of the directory walked.
  return files.filter((file) => {
    const own = project.settingsIn(directoryOf(file));
    return own === result || own.kind === "errors" || !own.settings.ignored.isIgnored(file, "file");
  });
}

function problemOf(path: string, host: Host): string | null {
  const read = readText(host, path);
  if (read.kind !== "text") return unreadText(read.kind);
  if (read.text.trim() === "") return "the file is empty, there is nothing to lint";
  if (!holdsCuda(path, read.text))
    return "not CUDA: no .cu or .cuh file, and no kernel or device function in it";
  return null;
}
