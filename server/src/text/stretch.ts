// In which one stretch two texts differ, however many edits lie between them.

/** Offsets `start` to `oldEnd` of the earlier text are `start` to `newEnd` of the later one. */
export interface ChangedStretch {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** The shortest stretch outside of which `before` and `after` are equal. */
export function changedStretch(before: string, after: string): ChangedStretch {
  const shorter = Math.min(before.length, after.length);
  const start = equalAhead(before, after, shorter);
  const tail = equalBehind(before, after, shorter - start);
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

/** Texts are compared in pieces first, which is one comparison of memory each, and one by one where a piece differs. */
const pieceLength = 512;

/** How many units both begin with, `most` at most. */
function equalAhead(before: string, after: string, most: number): number {
  let count = 0;
  while (count + pieceLength <= most && isSamePiece(before, count, after, count)) count += pieceLength;
  while (count < most && before.charCodeAt(count) === after.charCodeAt(count)) count++;
  return count;
}

/** How many units both end with, `most` at most. */
function equalBehind(before: string, after: string, most: number): number {
  const pieceBefore = before.length - pieceLength;
  const pieceAfter = after.length - pieceLength;
  let count = 0;
  while (count + pieceLength <= most && isSamePiece(before, pieceBefore - count, after, pieceAfter - count))
    count += pieceLength;
  const lastBefore = before.length - 1;
  const lastAfter = after.length - 1;
  while (count < most && before.charCodeAt(lastBefore - count) === after.charCodeAt(lastAfter - count))
    count++;
  return count;
}

function isSamePiece(before: string, fromBefore: number, after: string, fromAfter: number): boolean {
  return (
    before.slice(fromBefore, fromBefore + pieceLength) === after.slice(fromAfter, fromAfter + pieceLength)
  );
}
