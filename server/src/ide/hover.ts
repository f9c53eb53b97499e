// What a hover says: of an access, of an array or pointer, of a kernel.
import type { MacroFlag } from "../build/flags.ts";
import type { FixSearchResult } from "../fixes/fix.ts";
import type { HoverBlock, HoverContent } from "../render/content.ts";
import type { Places } from "../render/places.ts";
import type { AnalysedFile } from "./analysis.ts";
import { accessesAt, type RatedAccess } from "./contexts.ts";
import { accessHover } from "./hover-access.ts";
import { arrayHover } from "./hover-array.ts";
import { kernelHover } from "./hover-kernel.ts";
import type { MeasuredOf } from "./measured.ts";

export interface HoverOptions {
  readonly places: Places;
  /** The client shows the diagnostic above the hover: what it says already is left out. */
  readonly hasDiagnosticAbove: boolean;
  /** What a profiler's report has. */
  readonly measured?: MeasuredOf;
  /** The fixes that are ready. */
  readonly found?: FixSearchResult;
  /** What the build defines for the compilation that the file is seen through. */
  readonly buildMacros?: readonly MacroFlag[];
}

/** The hover at `offset`; null where there is nothing to say. */
export function hoverAt(analysis: AnalysedFile, offset: number, options: HoverOptions): HoverContent | null {
  const accesses = accessesAt(analysis, offset);
  const content =
    accesses.length > 0
      ? accessHover(accesses, analysis, options)
      : (arrayHover(analysis, offset, options.places) ?? kernelHover(analysis, offset, options));
  if (content === null || !isStale(content, accesses, analysis)) return content;
  return { ...content, blocks: [staleLine, ...content.blocks] };
}

const staleLine: HoverBlock = {
  kind: "line",
  spans: [{ kind: "plain", text: "Outdated: syntax error. Figures follow once the file parses again." }],
};

/** Whether what is said is of a kernel that waits until it parses again. */
function isStale(
  { range }: HoverContent,
  accesses: readonly RatedAccess[],
  { file, text, kernels }: AnalysedFile,
): boolean {
  const names = new Set(accesses.flatMap(({ contexts }) => contexts.map(({ kernel }) => kernel.name)));
  names.add(text.slice(range.start, range.end));
  return kernels.some(
    (kernel) =>
      kernel.isStale &&
      (names.has(kernel.name) ||
        (kernel.range.file === file && kernel.range.start <= range.start && range.end <= kernel.range.end)),
  );
}
