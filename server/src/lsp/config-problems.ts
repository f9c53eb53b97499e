// What is wrong with a warplint.json, shown in that file: nowhere else would anybody look for it.
import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import type { ConfigError } from "../config/parse.ts";
import type { TextResult } from "../host/host.ts";
import { diagnosticSource } from "./diagnostics.ts";
import type { ConfigProblemData } from "./protocol.ts";

/** What is wrong with configurations. */
export interface ConfigProblems {
  readonly errors: readonly ConfigError[];
  /** What means nothing where it stands; the configuration holds. */
  readonly warnings: readonly ConfigError[];
}

/** The problems of configurations, each once, by file. */
export function configDiagnostics(
  { errors, warnings }: ConfigProblems,
  read: (file: string) => TextResult,
): Map<string, Diagnostic[]> {
  const ofFile = new Map<string, Diagnostic[]>();
  const problems = [
    ...errors.map((problem) => ({ problem, severity: DiagnosticSeverity.Error })),
    ...warnings.map((problem) => ({ problem, severity: DiagnosticSeverity.Warning })),
  ];
  for (const { problem, severity } of problems) {
    const diagnostics = ofFile.get(problem.file) ?? [];
    const diagnostic = toDiagnostic(problem, severity, read(problem.file));
    const isKnown = diagnostics.some((each) => JSON.stringify(each) === JSON.stringify(diagnostic));
    if (!isKnown) diagnostics.push(diagnostic);
    ofFile.set(problem.file, diagnostics);
  }
  return ofFile;
}

function toDiagnostic(
  { position, message, isOfSchema }: ConfigError,
  severity: DiagnosticSeverity,
  read: TextResult,
): Diagnostic {
  const line = position.line - 1;
  const character = position.column - 1;
  const text = read.kind === "text" ? (read.text.split(/\r\n|\r|\n/)[line] ?? "") : "";
  return {
    range: {
      start: { line, character: Math.min(character, text.length) },
      end: { line, character: Math.min(text.length, character + lengthOfToken(text.slice(character))) },
    },
    severity,
    code: "configuration",
    source: diagnosticSource,
    message,
    ...(isOfSchema === true ? { data: { isOfSchema } satisfies ConfigProblemData } : {}),
  };
}

/** A string, a word or a number, else one character. */
function lengthOfToken(text: string): number {
  return /^(?:"(?:[^"\\]|\\.)*"?|[\w.+-]+)/.exec(text)?.[0].length ?? 1;
}
