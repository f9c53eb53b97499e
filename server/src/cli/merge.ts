// What the parts of a run say of one file that several of them read, as one.
import type { FilePiece, FindingPiece } from "./piece.ts";

const severities = ["information", "warning", "error"];

/**
 * Of several pieces of one file: each finding once, by the source in which it costs most; a suppression is unused where it is unused in all.
 */
export function mergedFile(pieces: readonly FilePiece[]): FilePiece | null {
  const [first, ...others] = pieces;
  if (first === undefined || others.length === 0) return first ?? null;
  const found = new Map<string, FindingPiece>();
  for (const finding of pieces.flatMap(({ findings }) => findings)) {
    const known = found.get(keyOf(finding));
    if (known === undefined || isWorse(finding, known)) found.set(keyOf(finding), finding);
  }
  const findings = [...found.values()]
    .filter(
      (finding) => finding.rule !== "unused-suppression" || pieces.every((piece) => has(piece, finding)),
    )
    .sort((a, b) => a.start - b.start || a.end - b.end);
  return {
    path: first.path,
    findings,
    notes: [...new Set(pieces.flatMap(({ notes }) => notes))],
    counts: {
      path: first.path,
      severities: findings.map(({ severity }) => severity),
      kernels: [...new Set(pieces.flatMap(({ counts }) => counts.kernels))],
      accesses: pieces.flatMap(({ counts }) => counts.accesses),
    },
  };
}

/** The same file without some of its findings. */
export function withFindings(piece: FilePiece, findings: readonly FindingPiece[]): FilePiece {
  return {
    ...piece,
    findings,
    counts: { ...piece.counts, severities: findings.map((each) => each.severity) },
  };
}

export function keyOf({ rule, start, end }: FindingPiece): string {
  return `${rule} ${start} ${end}`;
}

function isWorse(a: FindingPiece, b: FindingPiece): boolean {
  const difference = severities.indexOf(a.severity) - severities.indexOf(b.severity);
  return difference === 0 ? a.ratio > b.ratio : difference > 0;
}

function has({ findings }: FilePiece, finding: FindingPiece): boolean {
  return findings.some((each) => keyOf(each) === keyOf(finding));
}
