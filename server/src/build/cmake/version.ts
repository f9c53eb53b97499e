// Versions as CMake compares them.

/** Below 0, 0 or above 0, as `a` is older, the same, or newer: number by number, missing ones are 0. */
export function compareVersions(a: string, b: string): number {
  const first = numbersOf(a);
  const second = numbersOf(b);
  for (let at = 0; at < Math.max(first.length, second.length); at++) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(text: string): number[] {
  return (/^\s*\d+(?:\.\d+)*/.exec(text)?.[0] ?? "").split(".").map(Number);
}
