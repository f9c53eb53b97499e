// The report that the user imported, and what it says of open documents.
import {
  type MeasuredByName,
  type MeasuredOf,
  type Measurement,
  measuredByName,
  measuredOf,
} from "../ide/measured.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import type { Places } from "../render/places.ts";

export interface Measurements {
  /** Null: none any more. */
  use(measurement: Measurement | null): void;
  /** What the report says of a file's accesses. The text of a file when it is first asked about is taken to be the one that was measured. */
  of(analysis: FileAnalysis, places: Places): MeasuredOf;
}

interface MeasuredFile {
  readonly analysis: FileAnalysis;
  readonly byName: MeasuredByName;
}

export function createMeasurements(): Measurements {
  let measurement: Measurement | null = null;
  const files = new Map<string, MeasuredFile>();

  const fileOf = (analysis: FileAnalysis, places: Places, from: Measurement): MeasuredFile => {
    const known = files.get(analysis.file);
    // Other sources have a say in what is predicted: the same text is looked at again.
    if (known !== undefined && (known.analysis === analysis || known.analysis.text !== analysis.text))
      return known;
    const made = { analysis, byName: measuredByName(from, analysis, places) };
    files.set(analysis.file, made);
    return made;
  };

  return {
    use: (next) => {
      measurement = next;
      files.clear();
    },
    of: (analysis, places) => {
      if (measurement === null) return nothingMeasured;
      const { analysis: measured, byName } = fileOf(analysis, places, measurement);
      return measuredOf(byName, measured.text !== analysis.text, analysis);
    },
  };
}

export const nothingMeasured: MeasuredOf = () => null;
