// What the two sides of `compare` name: a saved report, a folder, a revision of git, or the working tree.
import { parseReport, readReport } from "../compare/document.ts";
import { type KernelFigures, kernelsOf } from "../compare/figures.ts";
import { type Host, readText, unreadText } from "../host/host.ts";
import { reportsJson } from "../render/json.ts";
import { resolvePath } from "../text/path.ts";
import { commitOf, gitLine } from "./git.ts";
import { commitHost, workingTreeHost } from "./git-host.ts";
import { findInputs } from "./inputs.ts";
import { type CommandOptions, lint, projectOf } from "./linted.ts";
import type { Terminal } from "./terminal.ts";

export type Side =
  | { readonly kind: "kernels"; readonly name: string; readonly kernels: readonly KernelFigures[] }
  | { readonly kind: "error"; readonly message: string };

export interface SideOptions extends CommandOptions {
  /** Files and folders of each side; all of it where there are none. */
  readonly path?: readonly string[];
}

/** What `written` names, analysed; null: the working tree, as the other side's kind has it. */
export async function sideOf(
  written: string | null,
  other: string,
  options: SideOptions,
  terminal: Terminal,
): Promise<Side> {
  const { host } = terminal;
  if (written === null) return workingTree(other, options, terminal);
  const path = resolvePath(host.currentDirectory, written);
  const kind = host.kindOf(path);
  if (kind === "file") return savedReport(written, path, host);
  if (kind === "directory")
    return analysed(written, { ...host, currentDirectory: path }, options, terminal, "must hold CUDA");
  const commit = commitOf(host.currentDirectory, written);
  if (commit === null)
    return { kind: "error", message: `${written}: neither a report, a folder nor a revision of git` };
  const place = repositoryOf(host);
  if (place === null) return { kind: "error", message: `${written}: the repository has no working tree` };
  const past = commitHost(host, place.root, commit, place.currentDirectory);
  return analysed(written, past, options, terminal, "may be empty");
}

function workingTree(other: string, options: SideOptions, terminal: Terminal): Promise<Side> {
  const { host } = terminal;
  const isRevision = host.kindOf(resolvePath(host.currentDirectory, other)) === "missing";
  const place = isRevision ? repositoryOf(host) : null;
  const now = place === null ? host : workingTreeHost(host, place.root, place.currentDirectory);
  return analysed("working tree", now, options, terminal, "may be empty");
}

function repositoryOf({ currentDirectory }: Host): { root: string; currentDirectory: string } | null {
  const root = gitLine(currentDirectory, ["rev-parse", "--show-toplevel"]);
  const prefix = gitLine(currentDirectory, ["rev-parse", "--show-prefix"]);
  if (!root || prefix === null) return null;
  return { root, currentDirectory: `${root}/${prefix}`.replace(/\/$/, "") };
}

function savedReport(name: string, path: string, host: Host): Side {
  const read = readText(host, path);
  // A report is no source: only its text is asked for.
  const text =
    read.kind === "too-large" ? decoded(host.readBytes(path)) : read.kind === "text" ? read.text : null;
  if (text === null) {
    const reason = read.kind === "text" ? "cannot be read" : unreadText(read.kind);
    return { kind: "error", message: `${name}: ${reason}` };
  }
  const report = parseReport(text);
  return report.kind === "error"
    ? { kind: "error", message: `${name}: ${report.message}` }
    : { kind: "kernels", name, kernels: kernelsOf(report.report) };
}

function decoded(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

async function analysed(
  name: string,
  host: Host,
  options: SideOptions,
  terminal: Terminal,
  contents: "must hold CUDA" | "may be empty",
): Promise<Side> {
  const paths = options.path ?? ["."];
  const there = terminal.host === host ? terminal : { ...terminal, host };
  if (contents === "may be empty") {
    const { files } = findInputs(paths, host, projectOf(options, host));
    if (files.length === 0) return { kind: "kernels", name, kernels: [] };
  }
  const { result, places, problems } = await lint(paths, options, there);
  if (problems.length > 0) return { kind: "error", message: `${name}: not all of it could be analysed` };
  const read = readReport(reportsJson(result.reports, places));
  return read.kind === "error"
    ? { kind: "error", message: `${name}: ${read.message}` }
    : { kind: "kernels", name, kernels: kernelsOf(read.report) };
}
