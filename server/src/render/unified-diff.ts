// What changed in a text, as `diff -u` and `git apply` know it.

/** The hunks that make `after` of `before`, with three lines around; empty where they are equal. An absolute path counts from the root. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const name = path.replace(/^\/+/, "");
  const changes = lineChanges(linesOf(before), linesOf(after));
  const hunks = hunksOf(changes).map(hunkText);
  return `--- a/${name}\n+++ b/${name}\n${hunks.join("")}`;
}

interface LineChange {
  readonly kind: " " | "-" | "+";
  readonly line: string;
  /** Lines of either text that stand above it. */
  readonly before: number;
  readonly after: number;
}

const around = 3;

/** Each with its end; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Every line of both texts, in the order in which a diff shows them: as few changes as can be (Myers, "An O(ND) difference algorithm"). */
function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const trace = furthestReaches(before, after);
  const reversed: LineChange[] = [];
  let x = before.length;
  let y = after.length;
  const keep = () => {
    x--;
    y--;
    reversed.push({ kind: " ", line: before[x] ?? "", before: x, after: y });
  };
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const reach = trace[edits - 1] ?? new Map<number, number>();
    const diagonal = x - y;
    const isInsertion = comesFromAbove(reach, diagonal, edits);
    const fromX = reach.get(isInsertion ? diagonal + 1 : diagonal - 1) ?? 0;
    const startX = isInsertion ? fromX : fromX + 1;
    while (x > startX) keep();
    if (isInsertion) {
      y--;
      reversed.push({ kind: "+", line: after[y] ?? "", before: x, after: y });
    } else {
      x--;
      reversed.push({ kind: "-", line: before[x] ?? "", before: x, after: y });
    }
  }
  while (x > 0) keep();
  return reversed.reverse();
}

/** For each number of edits, from 0 on, how far along each diagonal (lines of `before` less those of `after`) they lead at most. */
function furthestReaches(before: readonly string[], after: readonly string[]): Map<number, number>[] {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>();
  for (let edits = 0; edits <= before.length + after.length; edits++) {
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = 0;
      if (edits > 0)
        x = comesFromAbove(reach, diagonal, edits)
          ? (reach.get(diagonal + 1) ?? 0)
          : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) {
        trace.push(next);
        return trace;
      }
    }
    trace.push(next);
    reach = next;
  }
  return trace;
}

/** Whether the last edit on the way to `diagonal` adds a line, rather than takes one away. */
function comesFromAbove(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  if (diagonal === edits) return false;
  return (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1);
}

/** Changes that are near each other, with the lines around them. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = [];
  let end = 0;
  changes.forEach(({ kind }, index) => {
    if (kind === " ") return;
    const start = Math.max(0, index - around);
    const isNew = hunks.length === 0 || start > end;
    if (isNew) hunks.push([]);
    const from = isNew ? start : end;
    end = Math.max(end, Math.min(changes.length, index + around + 1));
    hunks.at(-1)?.push(...changes.slice(from, end));
  });
  return hunks;
}

function hunkText(hunk: readonly LineChange[]): string {
  const [first] = hunk;
  if (first === undefined) return "";
  const countOf = (kind: "-" | "+") => hunk.filter((each) => each.kind === " " || each.kind === kind).length;
  const ranges = `-${rangeText(first.before, countOf("-"))} +${rangeText(first.after, countOf("+"))}`;
  const lines = hunk.map(({ kind, line }) =>
    line.endsWith("\n") ? `${kind}${line}` : `${kind}${line}\n\\ No newline at end of file\n`,
  );
  return `@@ ${ranges} @@\n${lines.join("")}`;
}

/** Lines are counted from 1; of none at all, the line before. */
function rangeText(above: number, count: number): string {
  const start = count === 0 ? above : above + 1;
  return count === 1 ? `${start}` : `${start},${count}`;
}
