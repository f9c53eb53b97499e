// What a padding leaves, and what would do better, in words.
import type { AccessFinding, PaddingEvidence } from "../rules/finding.ts";
import { countText, elementOf, extentText, listText, operationText, plural, vectorName } from "./words.ts";

/** "Padding of sdata by 1 leaves 4 wavefronts for 2 accesses: padded by 2 it would be 3". */
export function paddingHead(finding: AccessFinding, evidence: PaddingEvidence): string {
  const { padElements, isMisaligned, now, better, operations, widestBytes } = evidence;
  const { target } = finding.worst.access;
  const what = `Padding of ${target?.name ?? "the array"} by ${countText(padElements)}`;
  if (isMisaligned) {
    const vector = vectorName(widestBytes, elementOf(target?.type));
    return `${what} takes the alignment from its ${vector} accesses: ${remedyText(evidence)} keeps it`;
  }
  const accesses = operations.length === 1 ? "1 access" : `${operations.length} accesses`;
  return `${what} leaves ${plural(now, "wavefront")} for ${accesses}: ${remedyText(evidence)} would leave ${countText(better.sum)}`;
}

/** "padding by 2", "no padding", "a swizzle (^)". */
function remedyText({ better }: PaddingEvidence): string {
  if (better.padElements === null) return "a swizzle (^)";
  return better.padElements === 0 ? "no padding" : `padding by ${countText(better.padElements)}`;
}

/** "A row of sdata is 17 floats, 16 of them used. With rows of 18 floats the store takes 2 wavefronts and the load 1." */
export function paddingReason(finding: AccessFinding, evidence: PaddingEvidence): string {
  const { row, usedBytes, better, isMisaligned, widestBytes } = evidence;
  const { target } = finding.worst.access;
  const element = elementOf(target?.type);
  const used = countText(usedBytes / row.elementBytes);
  const length = `A row of ${target?.name ?? "the array"} is ${extentText(row.bytes, element)}, ${used} of them used`;
  const odd = isMisaligned ? `: ${countText(row.bytes)} bytes, no multiple of ${widestBytes}` : "";
  const then =
    better.padElements === null
      ? "With the columns swizzled by the row"
      : `With rows of ${extentText(usedBytes + better.padElements * row.elementBytes, element)}`;
  return `${length}${odd}. ${then} ${costsText(evidence)}.`;
}

/** "the store takes 2 wavefronts and the load 1"; where there are many accesses, their sum. */
function costsText({ better, operations }: PaddingEvidence): string {
  if (operations.length > mostNamed || new Set(operations).size < operations.length)
    return `${operations.length === 1 ? "it takes" : "they take"} ${plural(better.sum, "wavefront")}`;
  const texts = operations.map((operation, index) => {
    const cost = better.costs[index] ?? 0;
    const figure = index === 0 ? ` takes ${plural(cost, "wavefront")}` : ` ${countText(cost)}`;
    return `the ${operationText(operation)}${figure}`;
  });
  return listText(texts);
}

const mostNamed = 3;
