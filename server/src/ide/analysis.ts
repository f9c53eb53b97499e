// What `ide` reads of a file's analysis.
import type { FileAnalysis, KernelSummary } from "../lint/analysis.ts";

export type AnalysedFile = Pick<FileAnalysis, "file" | "text" | "report" | "kernels" | "groups" | "texts">;

export type AnalysedKernel = KernelSummary;
