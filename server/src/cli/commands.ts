// What the commands do: gather inputs, lint, fix, write, and say how it ended.

import { refusalOfFinding } from "../fixes/fix.ts";
import { overlayHost } from "../host/overlay.ts";
import type { FixedFiles } from "../lint/fix-files.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import { flatFinding } from "../render/flat-finding.ts";
import { diagnosticsJson, reportsJson } from "../render/json.ts";
import { jsonParts } from "../render/json-text.ts";
import { findingText } from "../render/report.ts";
import { sarifLog } from "../render/sarif.ts";
import { noteTexts, summaryText } from "../render/summary.ts";
import { plural } from "../render/words.ts";
import type { Finding } from "../rules/finding.ts";
import { together } from "../rules/together.ts";
import { directoryOf, resolvePath } from "../text/path.ts";
import { checkInParts } from "./check.ts";
import { diffText, type FoundFixes, madeText, makeFixes, searchFixesOf, writeFixed } from "./fix.ts";
import { formatted } from "./formatted.ts";
import type { KeepOptions } from "./kept-findings.ts";
import { type CommandOptions, type Linted, lint, report } from "./linted.ts";
import { withOutputFile } from "./output-file.ts";
import type { OutputFormat } from "./piece.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface CheckOptions extends CommandOptions, KeepOptions {
  readonly format: OutputFormat;
  /** Whether fixes are searched for where none are to be made. */
  readonly fixes: boolean;
  readonly fix?: true;
  readonly unsafeFixes?: true;
  readonly diff?: true;
  /** Whether what earlier runs said is taken again, and kept for later ones. */
  readonly cache: boolean;
  /** Counts and costs by rule and kernel in place of the findings. */
  readonly statistics?: true;
  /** Written in place of standard output. */
  readonly outputFile?: string;
  /** So many warnings are no failure, nor is information. */
  readonly maxWarnings?: number;
  /** A revision of git: only kernels whose figures changed since then are reported. */
  readonly since?: string;
  /** The text of this file comes over standard input. */
  readonly stdin?: true;
  readonly stdinFilename?: string;
  /** Lints again whenever something changes. */
  readonly watch?: true;
  /** Threads; as many as there are processors where they pay, if not given. */
  readonly jobs?: number;
}

export async function check(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const wanted = paths.length === 0 ? ["."] : paths;
  return withOutputFile(options.outputFile, terminal, async (output) => {
    if (options.fix || options.unsafeFixes || options.diff)
      return fix(await lint(wanted, options, output), options, output);
    if (options.stdin) return checkInput(paths, options, output);
    if (options.watch) return checkAgain(wanted, options, output);
    return checkInParts(wanted, options, output);
  });
}

/** `--stdin`: one file, whose text comes over standard input. */
async function checkInput(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { stdinFilename } = options;
  if (stdinFilename === undefined || paths.length > 0) {
    terminal.writeError("warplint: --stdin needs --stdin-filename FILE, and no paths\n");
    return 2;
  }
  const { currentDirectory } = terminal.host;
  const path = resolvePath(currentDirectory, stdinFilename);
  const text = await terminal.readInput();
  const host = overlayHost(terminal.host, (each) => (each === path ? text : null), currentDirectory);
  return checkInParts([stdinFilename], { ...options, cache: false, jobs: 1 }, { ...terminal, host });
}

/** `--watch`: once more after each change, until it is interrupted. */
async function checkAgain(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { host } = terminal;
  const stop = terminal.interrupts();
  let pipeline: Promise<Pipeline> | null = null;
  const kept: Terminal = {
    ...terminal,
    runName: null,
    interrupts: () => stop,
    createPipeline: () => {
      pipeline ??= terminal.createPipeline();
      return pipeline;
    },
  };
  const directories = new Set(
    paths
      .map((path) => resolvePath(host.currentDirectory, path))
      .map((path) => (host.kindOf(path) === "directory" ? path : directoryOf(path))),
  );
  const watcher = terminal.watch([...directories]);
  while (!stop.aborted) {
    await checkInParts(paths, options, kept);
    if (stop.aborted) break;
    terminal.writeError("warplint: waiting for changes (Ctrl-C ends)\n");
    await watcher.changed(stop);
  }
  watcher.close();
  return 130;
}

/** `--fix`, `--unsafe-fixes` and `--diff`: what stays after fixing is printed, or what fixing would change. */
function fix(linted: Linted, options: CheckOptions, terminal: Terminal): ExitCode {
  const fixed = makeFixes(linted, options.unsafeFixes ? "all" : "safe", terminal);
  const failed = fixed.failures.map((failure) => report(terminal, failure));
  if (options.diff) {
    terminal.write(diffText(fixed, terminal));
    for (const made of fixed.made) terminal.writeError(`would fix ${madeText(made, terminal)}\n`);
    return exitCodeOf(linted, [...linted.problems, ...failed]);
  }
  const { written, problems: unwritten } = writeFixed(fixed, terminal);
  for (const problem of unwritten) terminal.writeError(`warplint: ${problem}\n`);
  const after = fixed.made.length === 0 ? linted : linted.again(written.texts);
  const problems = [...linted.problems, ...failed, ...unwritten];
  if (options.format === "text")
    for (const made of written.made) terminal.write(`fixed ${madeText(made, terminal)}\n`);
  if (options.format === "text" && written.made.length > 0) terminal.write(`${countText(written)}\n\n`);
  print({ linted: after, fixes: written, problems }, options.format, terminal);
  return exitCodeOf(after, problems);
}

/** "2 fixes in 1 file, each tried on the simulator." */
function countText({ made, texts }: FixedFiles): string {
  return `${made.length === 1 ? "1 fix" : `${made.length} fixes`} in ${plural(texts.size, "file")}.`;
}

interface Printed {
  readonly linted: Linted;
  /** Null where nobody searched. */
  readonly fixes: Pick<FoundFixes, "found"> | null;
  readonly problems: readonly string[];
}

function print({ linted, fixes, problems }: Printed, format: OutputFormat, terminal: Terminal): void {
  const { result, places } = linted;
  const findings = result.reports.flatMap((each) => each.findings);
  switch (format) {
    case "text":
      for (const group of result.reports.flatMap((each) => together(each.findings))) {
        const found = fixes?.found.get(group.head.range.file);
        terminal.write(`${findingText(group, places, terminal.paint, found)}\n`);
        const refusal = refusalText(group.head, fixes);
        terminal.write(refusal === null ? "\n" : `${terminal.paint.faint(`    ${refusal}`)}\n\n`);
      }
      for (const note of noteTexts(result, places))
        terminal.write(`${terminal.paint.faint(`note: ${note}`)}\n`);
      if (result.reports.length > 0) terminal.write(`${summaryText(result)}\n`);
      break;
    case "json":
      terminal.write(
        `${JSON.stringify(diagnosticsJson(result.reports, places, { fixes: fixes?.found ?? new Map(), errors: problems }), null, 1)}\n`,
      );
      break;
    case "sarif":
      terminal.write(
        `${JSON.stringify(sarifLog(findings, places, { version: terminal.version, fixes: fixes?.found ?? new Map() }), null, 1)}\n`,
      );
      break;
    default: {
      const files = result.reports.map((each) => ({
        path: places.displayPath(each.path),
        findings: together(each.findings).map((group) => flatFinding(group, places)),
      }));
      terminal.write(formatted(format, files, summaryText(result)));
    }
  }
}

/** "no fix: tile is passed whole to load_tile"; null where there is one, or nobody searched. */
function refusalText(finding: Finding, fixes: Printed["fixes"]): string | null {
  const found = fixes?.found.get(finding.range.file);
  const reason = found === undefined ? null : refusalOfFinding(found, finding);
  return reason === null ? null : `no fix: ${reason}`;
}

function exitCodeOf({ result }: Linted, problems: readonly string[]): ExitCode {
  if (problems.length > 0) return 2;
  return result.reports.some(({ findings }) => findings.length > 0) ? 1 : 0;
}

export async function analyze(
  paths: readonly string[],
  options: CommandOptions & { readonly fixes: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const linted = await lint(paths, options, terminal);
  const { found, failures } = options.fixes
    ? searchFixesOf(linted, terminal)
    : { found: new Map(), failures: [] };
  const problems = [...linted.problems, ...failures.map((failure) => report(terminal, failure))];
  const json = reportsJson(linted.result.reports, linted.places, { fixes: found, errors: problems });
  for (const part of jsonParts(json)) terminal.write(part);
  terminal.write("\n");
  return problems.length > 0 ? 2 : 0;
}
