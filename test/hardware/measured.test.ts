// Every measured pattern comes out as measured, and so do the properties that the rules promise.
import { describe, expect, test } from "vitest";
import { kindOf, type MeasuredPattern, measuredFigures, predictedFigures, readPatterns } from "./measured.ts";

interface Share {
  exact: number;
  all: number;
  readonly misses: string[];
}

function sharesOf(patterns: readonly MeasuredPattern[]): Map<string, Share> {
  const shares = new Map<string, Share>();
  for (const pattern of patterns) {
    const kind = kindOf(pattern);
    const share = shares.get(kind) ?? { exact: 0, all: 0, misses: [] };
    shares.set(kind, share);
    share.all++;
    const predicted = predictedFigures(pattern).join();
    if (predicted === measuredFigures(pattern).join()) share.exact++;
    else share.misses.push(`${pattern.name}: ${predicted} for ${measuredFigures(pattern).join()}`);
  }
  return shares;
}

describe.each([
  { file: "patterns.jsonl", least: 7788 },
  { file: "probes.jsonl", least: 1900 },
  { file: "holes.jsonl", least: 433 },
])("$file", ({ file, least }) => {
  const patterns = readPatterns(file);
  const shares = sharesOf(patterns);

  test("holds what it says", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(least);
    const table = [...shares].sort().map(([kind, { exact, all }]) => `${kind}: ${exact} of ${all}`);
    process.stdout.write(`${file}\n  ${table.join("\n  ")}\n`);
  });

  test.each([...shares.keys()].sort())("%s", (kind) => {
    expect(shares.get(kind)?.misses).toEqual([]);
  });
});
