// Which findings of a run are reported: not those that a baseline knows, with `--quiet` no information, with `--since` none of kernels that
// cost what they did.
import type { Host } from "../host/host.ts";
import { readText, unreadText } from "../host/host.ts";
import type { FlatFinding } from "../render/flat-finding.ts";
import { plural } from "../render/words.ts";
import { directoryOf, relativeTo, resolvePath } from "../text/path.ts";
import { Baseline, baselineText, parseBaseline } from "./baseline.ts";
import { withFindings } from "./merge.ts";
import type { FilePiece, FindingPiece } from "./piece.ts";
import type { Terminal } from "./terminal.ts";

export interface KeepOptions {
  readonly quiet?: true;
  /** A file, as it was written. */
  readonly baseline?: string;
  readonly updateBaseline?: true;
  /** Kernels whose figures are as they were: findings of no others are not reported. */
  readonly unchanged?: ReadonlySet<string>;
}

export class KeptFindings {
  private readonly baseline: Baseline;
  private readonly options: KeepOptions;
  private readonly host: Host;
  /** What was asked before: each finding of a baseline answers once. */
  private readonly known = new Map<FilePiece, FilePiece>();
  private readonly all: FlatFinding[] = [];

  constructor(baseline: Baseline, options: KeepOptions, host: Host) {
    this.baseline = baseline;
    this.options = options;
    this.host = host;
  }

  /** A file with the findings that are reported. */
  of(file: FilePiece): FilePiece {
    let kept = this.known.get(file);
    if (kept === undefined) {
      const findings = file.findings.filter((finding) => this.isKept(finding));
      kept = findings.length === file.findings.length ? file : withFindings(file, findings);
      this.known.set(file, kept);
    }
    return kept;
  }

  private isKept({ flat, severity }: FindingPiece): boolean {
    const { unchanged } = this.options;
    if (unchanged !== undefined && flat.kernels.every((kernel) => unchanged.has(kernel))) return false;
    if (this.options.baseline !== undefined) {
      const placed = this.placed(flat);
      this.all.push(placed);
      if (this.options.updateBaseline || this.baseline.takes(placed)) return false;
    }
    return !(this.options.quiet && severity === "information");
  }

  /** With its path from the baseline's directory: where the run was started does not matter. */
  private placed(flat: FlatFinding): FlatFinding {
    const absolute = resolvePath(this.host.currentDirectory, flat.path);
    return { ...flat, path: relativeTo(this.directory(), absolute) };
  }

  private directory(): string {
    return directoryOf(resolvePath(this.host.currentDirectory, this.options.baseline ?? ""));
  }

  /** At the end of a run over `files`: says what is stale, or writes the baseline. Gives what went wrong. */
  end(files: readonly string[], terminal: Terminal): string | null {
    const { baseline: name, updateBaseline } = this.options;
    if (name === undefined) return null;
    const directory = this.directory();
    const linted = new Set(files.map((file) => relativeTo(directory, file)));
    for (const { path } of this.all) linted.add(path);
    const covers = (path: string) =>
      linted.has(path) || this.host.kindOf(resolvePath(directory, path)) === "missing";
    if (updateBaseline) {
      const text = baselineText(this.all, this.baseline.kept(covers));
      const at = resolvePath(this.host.currentDirectory, name);
      const problem = terminal.writeFile(at, new TextEncoder().encode(text));
      if (problem !== null) return `${name}: ${problem}`;
      terminal.writeError(`warplint: ${plural(this.all.length, "finding")} written to ${name}\n`);
      return null;
    }
    const stale = this.baseline.stale(covers);
    if (stale.length === 0) return null;
    const head = stale.length === 1 ? "1 entry is" : `${stale.length} entries are`;
    const shown = stale.slice(0, mostStale).map((each) => `  ${each}\n`);
    const more = stale.length > shown.length ? `  … ${stale.length - shown.length} more\n` : "";
    terminal.writeError(
      `warplint: ${name}: ${head} stale, --update-baseline removes them:\n${shown.join("")}${more}`,
    );
    return null;
  }
}

const mostStale = 10;

/** Those that `options` ask for, or what is wrong with the baseline. */
export function keptFindings(options: KeepOptions, host: Host): KeptFindings | string {
  const { baseline: name, updateBaseline } = options;
  const nothing = new Baseline([]);
  if (name === undefined)
    return updateBaseline
      ? "--update-baseline needs --baseline FILE"
      : new KeptFindings(nothing, options, host);
  const read = readText(host, resolvePath(host.currentDirectory, name));
  if (read.kind === "missing" && updateBaseline) return new KeptFindings(nothing, options, host);
  if (read.kind !== "text") return `${name}: ${unreadText(read.kind)}`;
  const parsed = parseBaseline(read.text);
  return parsed.kind === "error"
    ? `${name}: ${parsed.message}`
    : new KeptFindings(parsed.baseline, options, host);
}
