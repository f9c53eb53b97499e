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

/** Whether a file may hold accesses: besides CUDA by its name or words a header with code, to which the sources that include it may give another meaning. */
export function mayHoldCuda(path: string, text: string): boolean {
  return holdsCuda(path, text) || (headerName.test(path) && holdsCode(text));
}

/** Whether a function may access memory here: there is a brace, and on some line of code a subscript or a dereference. */
function holdsCode(text: string): boolean {
  if (!text.includes("{")) return false;
  return text
    .split("\n")
    .some((line) => /[\w)\]]\s*\[|\*\s*\w/.test(line) && !/^\s*(?:#|\/[/*]|\*\s|\*\/)/.test(line));
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
  return runToEnd(walkingCuda(host, directory, ignored));
}

/** The same, a directory or a file that is read a step: whoever takes the steps may do something else between two. */
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
      } else if (entry.kind === "file" && !ignored.isIgnored(path, "file")) {
        if (isCudaName(path)) found.push(path);
        else if (mayHoldKernels(path)) {
          if (definesKernel(host, path)) found.push(path);
          yield;
        }
      }
    }
    yield;
  }
  return found.sort();
}

function definesKernel(host: Host, path: string): boolean {
  const read = readText(host, path);
  return read.kind === "text" && read.text.includes("__global__") && kernelDefinition.test(read.text);
}

/** A budget, as every loop over what a user has on disk needs one. */
const maximumDirectories = 200_000;
