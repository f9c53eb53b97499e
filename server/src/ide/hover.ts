// What a hover says: of an access, of an array or pointer, of a kernel.
import type { FixSearchResult } from "../fixes/fix.ts";
import type { HoverContent } from "../render/content.ts";
import type { Places } from "../render/places.ts";
import type { AnalysedFile } from "./analysis.ts";
import { accessesAt } from "./contexts.ts";
import { accessHover } from "./hover-access.ts";
import { arrayHover } from "./hover-array.ts";
import { kernelHover } from "./hover-kernel.ts";

export interface HoverOptions {
  readonly places: Places;
  /** The client shows the diagnostic above the hover: what it says already is left out. */
  readonly hasDiagnosticAbove: boolean;
  /** The fixes that are ready. */
  readonly found?: FixSearchResult;
}

/** The hover at `offset`; null where there is nothing to say. */
export function hoverAt(analysis: AnalysedFile, offset: number, options: HoverOptions): HoverContent | null {
  const accesses = accessesAt(analysis, offset);
  if (accesses.length > 0) return accessHover(accesses, analysis, options);
  return arrayHover(analysis, offset, options.places) ?? kernelHover(analysis, offset, options.places);
}
