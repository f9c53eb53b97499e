// What the commands do: gather inputs, lint, write, and say how it ended.
import type { Architecture } from "../config/schema.ts";
import type { Host } from "../host/host.ts";
import { lintFiles } from "../lint/lint.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import type { LintFailure, LintResult } from "../lint/report.ts";
import { relativeTo, resolvePath } from "../project/path.ts";
import { createProject, type Project } from "../project/project.ts";
import { diagnosticsJson, reportsJson } from "../render/json.ts";
import { createPlaces, type Places } from "../render/places.ts";
import { findingText, type Paint } from "../render/report.ts";
import { sarifLog } from "../render/sarif.ts";
import { noteTexts, summaryText } from "../render/summary.ts";
import { findInputs, type Inputs } from "./inputs.ts";
import type { Block, Defines } from "./options.ts";

export type OutputFormat = "text" | "json" | "sarif";

export interface CommandOptions {
  readonly arch?: Architecture;
  readonly block?: Block;
  readonly define: Defines;
  readonly includePath: readonly string[];
  readonly config?: string;
}

/** What a command needs of the process around it. */
export interface Terminal {
  readonly host: Host;
  readonly version: string;
  readonly paint: Paint;
  /** Started when the first file is linted: it loads the parser. */
  createPipeline(): Promise<Pipeline>;
  /** Starts the language server on the streams of the process; it ends the process itself. */
  serve(): Promise<void>;
  write(text: string): void;
  writeError(text: string): void;
}

/** 0: clean; 1: findings; 2: usage, configuration or internal error. */
export type ExitCode = 0 | 1 | 2;

export async function check(
  paths: readonly string[],
  options: CommandOptions & { readonly format: OutputFormat },
  terminal: Terminal,
): Promise<ExitCode> {
  const linted = await lint(paths.length === 0 ? ["."] : paths, options, terminal);
  const { result, places, problems } = linted;
  const findings = result.reports.flatMap((report) => report.findings);
  switch (options.format) {
    case "text":
      for (const finding of findings) terminal.write(`${findingText(finding, places, terminal.paint)}\n\n`);
      for (const note of noteTexts(result, places))
        terminal.write(`${terminal.paint.faint(`note: ${note}`)}\n`);
      if (result.reports.length > 0) terminal.write(`${summaryText(result)}\n`);
      break;
    case "json":
      terminal.write(`${JSON.stringify(diagnosticsJson(result.reports, places, problems), null, 1)}\n`);
      break;
    case "sarif":
      terminal.write(`${JSON.stringify(sarifLog(findings, places, terminal.version), null, 1)}\n`);
      break;
  }
  if (problems.length > 0) return 2;
  return findings.length > 0 ? 1 : 0;
}

export async function analyze(
  paths: readonly string[],
  options: CommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { result, places, problems } = await lint(paths, options, terminal);
  terminal.write(`${JSON.stringify(reportsJson(result.reports, places, problems), null, 1)}\n`);
  return problems.length > 0 ? 2 : 0;
}

/** Prints what holds for files in `path`: the configuration after defaults and options. */
export function printConfig(path: string, options: CommandOptions, terminal: Terminal): ExitCode {
  const { host } = terminal;
  const project = projectOf(options, host);
  const absolute = resolvePath(host.currentDirectory, path);
  const directory = host.kindOf(absolute) === "file" ? resolvePath(absolute, "..") : absolute;
  const result = project.settingsOf(directory);
  if (result.kind === "errors") {
    for (const { file, position, message } of result.errors)
      report(terminal, { file: `${file}:${position.line}:${position.column}`, message, detail: null });
    return 2;
  }
  const { config, configFile, workspace } = result.settings;
  terminal.write(`${JSON.stringify({ configFile, workspace, ...config }, null, 2)}\n`);
  return 0;
}

interface Linted {
  readonly result: LintResult;
  readonly places: Places;
  /** Everything that went to standard error. */
  readonly problems: readonly string[];
}

async function lint(paths: readonly string[], options: CommandOptions, terminal: Terminal): Promise<Linted> {
  const { host } = terminal;
  const project = projectOf(options, host);
  const inputs = findInputs(paths, host, project);
  const problems = [...inputs.problems];
  for (const problem of inputs.problems) terminal.writeError(`warplint: ${problem}\n`);
  const result = await lintInputs(inputs, project, options, terminal);
  for (const failure of result.failures) problems.push(report(terminal, failure));
  const places = createPlaces(result.texts, (file) => relativeTo(host.currentDirectory, file));
  return { result, places, problems };
}

async function lintInputs(
  { files }: Inputs,
  project: Project,
  options: CommandOptions,
  terminal: Terminal,
): Promise<LintResult> {
  if (files.length === 0) return { reports: [], texts: new Map(), failures: [] };
  const pipeline = await terminal.createPipeline();
  return lintFiles(files, terminal.host, project, pipeline, { block: options.block ?? null });
}

function projectOf(options: CommandOptions, host: Host): Project {
  const absolute = (path: string) => resolvePath(host.currentDirectory, path);
  return createProject(host, {
    configPath: options.config === undefined ? null : absolute(options.config),
    overrides: {
      ...(options.arch === undefined ? {} : { architecture: options.arch }),
      ...(Object.keys(options.define).length === 0 ? {} : { defines: options.define }),
    },
    includePaths: options.includePath.map(absolute),
  });
}

/** Writes a failure to standard error; its detail (a stack) only where WARPLINT_DEBUG asks for it. */
function report(terminal: Terminal, { file, message, detail }: LintFailure): string {
  const text = `${relativeTo(terminal.host.currentDirectory, file)}: ${message}`;
  terminal.writeError(`warplint: ${text}\n`);
  if (detail !== null && process.env.WARPLINT_DEBUG) terminal.writeError(`${detail}\n`);
  return text;
}
