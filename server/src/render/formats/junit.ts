// Findings as JUnit's XML: a suite a file, and a failed test case a finding; a file without findings has one that passes.
import type { FlatFinding } from "../flat-finding.ts";
import { xmlText } from "./escaped.ts";

export function junitXml(files: readonly { path: string; findings: readonly FlatFinding[] }[]): string {
  const all = files.reduce((sum, { findings }) => sum + findings.length, 0);
  const tests = files.reduce((sum, { findings }) => sum + Math.max(1, findings.length), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="warplint" tests="${tests}" failures="${all}" errors="0">`,
    ...files.flatMap(({ path, findings }) => suiteLines(path, findings)),
    "</testsuites>\n",
  ].join("\n");
}

function suiteLines(path: string, findings: readonly FlatFinding[]): string[] {
  const name = xmlText(path);
  const counts = `tests="${Math.max(1, findings.length)}" failures="${findings.length}" errors="0" skipped="0"`;
  return [
    `  <testsuite name="${name}" ${counts}>`,
    ...(findings.length === 0
      ? [`    <testcase name="no findings" classname="${name}"/>`]
      : findings.flatMap((finding) => caseLines(finding, name))),
    "  </testsuite>",
  ];
}

function caseLines(finding: FlatFinding, name: string): string[] {
  const { rule, line, column, headline, reason, severity } = finding;
  return [
    `    <testcase name="${xmlText(`${rule} at ${line}:${column}`)}" classname="${name}">`,
    `      <failure message="${xmlText(headline)}" type="${severity}">${xmlText(`${finding.path}:${line}:${column}: ${headline}. ${reason}`)}</failure>`,
    "    </testcase>",
  ];
}
