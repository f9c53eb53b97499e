// Edits as people make them, at random places: retyped numbers, comments, lines deleted and doubled, half of something.

/** A whole number from 0 to below `count`. */
export type Random = (count: number) => number;

export function randomOf(seed: number): Random {
  let state = Math.imul(seed, 7919) >>> 0;
  return (count) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

export function editedAtRandom(text: string, random: Random): string {
  const at = random(text.length);
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at) + 1;
  const insert = (place: number, added: string) => text.slice(0, place) + added + text.slice(place);
  switch (random(9)) {
    case 0:
      return insert(lineStart, "// note\n");
    case 1:
    case 2:
      return replaceOne(text, /\b\d+\b/g, `${[1, 4, 8, 16, 32, 33, 64, 128][random(8)]}`, random);
    case 3:
      return replaceOne(text, /threadIdx\.[xy]/g, `threadIdx.${"xy"[random(2)]}`, random);
    case 4:
      return insert(at, " ");
    case 5:
      return text.slice(0, lineStart) + text.slice(lineEnd);
    case 6:
      return insert(lineStart, text.slice(lineStart, lineEnd));
    case 7:
      return replaceOne(
        text,
        /^__global__/gm,
        `__device__ int helper${random(100)}(int a) { return a; }\n__global__`,
        random,
      );
    default:
      return insert(at, "(}{;x"[random(5)] ?? "");
  }
}

function replaceOne(text: string, pattern: RegExp, by: string, random: Random): string {
  return changedOne(text, pattern, random, () => by);
}

/** `text` with one of the matches of `pattern` changed; as it is where there is none. */
export function changedOne(
  text: string,
  pattern: RegExp,
  random: Random,
  change: (found: string) => string,
): string {
  const matches = [...text.matchAll(pattern)];
  const match = matches[random(matches.length)];
  if (match === undefined) return text;
  const [found] = match;
  return text.slice(0, match.index) + change(found) + text.slice(match.index + found.length);
}
