// From main to the launch: the steps by which the host came to start a kernel.
import type { Launch } from "../launches/launch.ts";
import type { ContentLink } from "../render/content.ts";
import type { Places } from "../render/places.ts";
import type { SourceRange } from "../text/source.ts";
import type { AnalysedFile } from "./analysis.ts";
import { enclosingFunction } from "./enclosing.ts";

/** "main, line 108", "v1_time, line 42", "call_v1, line 18", the outermost first; empty where the launch itself is all there is. */
export function launchPath({ origin }: Launch, analysis: AnalysedFile, places: Places): ContentLink[] {
  if (origin.kind !== "launch" || origin.path.length < 2) return [];
  const steps = [...origin.path].reverse();
  const shown = steps.length <= mostSteps ? steps : [...steps.slice(0, 1), ...steps.slice(1 - mostSteps)];
  return shown.map((step) => ({
    title: stepText(step, analysis, places),
    command: { kind: "open-place", place: { file: step.file, start: step.start, end: step.end } },
  }));
}

const mostSteps = 4;

function stepText(step: SourceRange, { file, texts }: AnalysedFile, places: Places): string {
  const { line } = places.startOf(step);
  const place = step.file === file ? `line ${line}` : `${places.displayPath(step.file)}:${line}`;
  const name = enclosingFunction(texts.get(step.file) ?? "", step.start);
  return name === null ? place : `${name}, ${place}`;
}
