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
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  const most = shorter - start;
  while (
    tail < most &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}
