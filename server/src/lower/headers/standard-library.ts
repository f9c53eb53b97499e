// The texts that stand for the standard library's headers as host code sees them: each is read once some program mentions one of its names.
import { algorithmFile, algorithmNames, algorithmText } from "./algorithm.ts";
import { containerFile, containerNames, containerText } from "./container.ts";
import { mapFile, mapNames, mapText } from "./map.ts";
import { stringFile, stringNames, stringText } from "./string.ts";

export const standardLibraries = [
  { file: containerFile, names: containerNames, text: containerText },
  { file: algorithmFile, names: algorithmNames, text: algorithmText },
  { file: mapFile, names: mapNames, text: mapText },
  { file: stringFile, names: stringNames, text: stringText },
];

const files: ReadonlySet<string> = new Set(standardLibraries.map(({ file }) => file));

/** Whether what stands in `file` is a library's: its names mean nothing to anyone. */
export function isStandardLibrary(file: string): boolean {
  return files.has(file);
}
