// The CUDA files below a directory.
import { type Host, readText } from "../host/host.ts";
import { runToEnd } from "../steps.ts";
import { resolvePath } from "../text/path.ts";
import type { IgnoredFiles } from "./ignored.ts";

/** What a file's name says of it: a header is seen through the sources that include it, and by itself where none does. */
export type CudaKind = "source" | "header" | "other";

export function cudaKindOf(path: string): CudaKind {
  if (path.endsWith(".cu")) return "source";
  return headerName.test(path) ? "header" : "other";
}

const headerName = /\.(?:cuh|h|H|hh|hpp|hxx|inl|inc|ipp|tpp|tcc)$/;

/** Whether a file is CUDA source by its name, or by the words in it: other names may hold kernels too. */
export function holdsCuda(path: string, text: string): boolean {
  return isCudaName(path) || cudaWords.test(text);
}

function isCudaName(path: string): boolean {
  return /\.cuh?$/.test(path);
}

const cudaWords = /\b__(?:global|device|shared|constant)__\b/;

/** Files of C++ that may hold kernels, such as a library's headers, or sources that the build gives to nvcc as CUDA. */
function mayHoldKernels(path: string): boolean {
  return headerName.test(path) || /\.(?:cpp|cc|cxx|c\+\+|C|hip)$/.test(path);
}

/** A definition of a kernel: no mere mention, as in a macro for compilers that know none. */
const kernelDefinition = /^(?!\s*#\s*define\b)[^"\n]*\b__global__\b[^;{}]*\([^;{}]*\)[^;{}()]*\{/m;

/**
 * All .cu and .cuh files below `directory`, and files of C++ that define kernels, sorted; ignored folders are not entered, linked folders
 * neither.
 */
export function walkCuda(host: Host, directory: string, ignored: IgnoredFiles): string[] {
  const definesKernel = (path: string): boolean => {
    const read = mayHoldKernels(path) ? readText(host, path) : null;
    return read?.kind === "text" && read.text.includes("__global__") && kernelDefinition.test(read.text);
  };
  return runToEnd(walkingCuda(host, directory, ignored, definesKernel));
}

/**
 * The files that are CUDA by their names, and those of others of which `isWanted` holds; a directory a step: whoever takes the steps may do
 * something else between two.
 */
export function* walkingCuda(
  host: Host,
  directory: string,
  ignored: IgnoredFiles,
  isWanted: (path: string) => boolean = () => false,
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
      } else if (entry.kind === "file" && !ignored.isIgnored(path, "file")) {
        if (isCudaName(path) || isWanted(path)) found.push(path);
      }
    }
    yield;
  }
  return found.sort();
}

/** A budget, as every loop over what a user has on disk needs one. */
const maximumDirectories = 200_000;
