// The CUDA files below a directory.
import type { Host } from "../host/host.ts";
import { runToEnd } from "../steps.ts";
import { resolvePath } from "../text/path.ts";
import type { IgnoredFiles } from "./ignored.ts";

/** What a file's name says of it. Headers (.h, .hpp, .inl) are CUDA where a CUDA file includes them. */
export type CudaKind = "source" | "header" | "other";

export function cudaKindOf(path: string): CudaKind {
  if (path.endsWith(".cu")) return "source";
  return path.endsWith(".cuh") ? "header" : "other";
}

/** Whether a file is CUDA source by its name, or by the words in it: other names may hold kernels too. */
export function holdsCuda(path: string, text: string): boolean {
  return cudaKindOf(path) !== "other" || cudaWords.test(text);
}

const cudaWords = /\b__(?:global|device|shared|constant)__\b/;

/** All .cu and .cuh files below `directory`, sorted; ignored folders are not entered, linked folders neither. */
export function walkCuda(host: Host, directory: string, ignored: IgnoredFiles): string[] {
  return runToEnd(walkingCuda(host, directory, ignored));
}

/** The same, a directory a step: whoever takes the steps may do something else between two. */
export function* walkingCuda(
  host: Host,
  directory: string,
  ignored: IgnoredFiles,
): Generator<void, string[]> {
  const found: string[] = [];
  const pending = [directory];
  for (let visited = 0; visited < maximumDirectories; visited++) {
    const at = pending.pop();
    if (at === undefined) break;
    for (const entry of host.list(at) ?? []) {
      const path = resolvePath(at, entry.name);
      if (entry.kind === "directory" && !entry.isLink && entry.name !== "node_modules") {
        if (!ignored.isIgnored(path, "directory")) pending.push(path);
      } else if (entry.kind === "file" && cudaKindOf(path) !== "other" && !ignored.isIgnored(path, "file")) {
        found.push(path);
      }
    }
    yield;
  }
  return found.sort();
}

/** A budget, as every loop over what a user has on disk needs one. */
const maximumDirectories = 200_000;
