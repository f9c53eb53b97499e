// What is wrong with a warplint.json, shown in that file: nowhere else would anybody look for it.
import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import type { ConfigError } from "../config/parse.ts";
import type { TextResult } from "../host/host.ts";
import { diagnosticSource } from "./diagnostics.ts";

/** The errors of configurations, each once, by file. */
export function configDiagnostics(
  errors: readonly ConfigError[],
  read: (file: string) => TextResult,
): Map<string, Diagnostic[]> {
  const ofFile = new Map<string, Diagnostic[]>();
  for (const error of errors) {
    const diagnostics = ofFile.get(error.file) ?? [];
    const diagnostic = toDiagnostic(error, read(error.file));
    const isKnown = diagnostics.some((each) => JSON.stringify(each) === JSON.stringify(diagnostic));
    if (!isKnown) diagnostics.push(diagnostic);
    ofFile.set(error.file, diagnostics);
  }
  return ofFile;
}

function toDiagnostic({ position, message }: ConfigError, read: TextResult): Diagnostic {
  const line = position.line - 1;
  const character = position.column - 1;
  const text = read.kind === "text" ? (read.text.split(/\r\n|\r|\n/)[line] ?? "") : "";
  return {
    range: {
      start: { line, character: Math.min(character, text.length) },
      end: { line, character: Math.min(text.length, character + lengthOfToken(text.slice(character))) },
    },
    severity: DiagnosticSeverity.Error,
    code: "configuration",
    source: diagnosticSource,
    message,
  };
}

/** A string, a word or a number, else one character. */
function lengthOfToken(text: string): number {
  return /^(?:"(?:[^"\\]|\\.)*"?|[\w.+-]+)/.exec(text)?.[0].length ?? 1;
}
