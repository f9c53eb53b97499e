// Elements beside the one that a loop has come to along its run, at distances that are numbers: `a[i - 1]` beside `a[i]`. A tile holds them too.
import type { ArrayMention } from "../text/mentions.ts";
import { runStart } from "../text/run-index.ts";
import type { TypedText } from "../text/typed-text.ts";
import type { RunLoop } from "./run-loop.ts";

export interface RunHalo {
  /** Where the run of the elements begins that are stored to. */
  readonly start: string;
  /** Elements that the tile holds before the first and behind the last of these. */
  readonly before: number;
  readonly behind: number;
  /** How far a mention is from them, by its token. */
  readonly distances: ReadonlyMap<number, number>;
}

export const noHalo: Omit<RunHalo, "start"> = { before: 0, behind: 0, distances: new Map() };

/** Null where some element's distance is no number, or elements at several distances are stored to. */
export function haloOf(
  typed: TypedText,
  mentions: readonly ArrayMention[],
  { variable, span }: RunLoop,
  isStored: (mention: ArrayMention) => boolean,
): RunHalo | null {
  const places = mentions.map((mention) => {
    const [index] = mention.subscripts;
    const start = index === undefined ? null : runStart(typed, index, variable, span);
    return start === null || mention.address !== "not-taken" ? null : { mention, start, ...partsOf(start) };
  });
  const known = places.flatMap((place) => place ?? []);
  if (known.length < mentions.length || new Set(known.map(({ base }) => base)).size !== 1) return null;
  const [stored, ...others] = known.filter(({ mention }) => isStored(mention));
  if (stored === undefined || others.some(({ number }) => number !== stored.number)) return null;
  const distances = known.map(({ mention, number }) => [mention.nameToken, number - stored.number] as const);
  const all = distances.map(([, distance]) => distance);
  const before = -Math.min(...all);
  const behind = Math.max(...all);
  return before + behind > mostElements
    ? null
    : { start: stored.start, before, behind, distances: new Map(distances) };
}

/** More would make a tile of little else. */
const mostElements = 8;

/** `r * n - 1` as `r * n` and -1. */
function partsOf(start: string): { readonly base: string; readonly number: number } {
  if (/^\d+$/.test(start)) return { base: "", number: Number(start) };
  const [, base, sign, digits] = /^(.*?)\s*([+-])\s*(\d+)$/s.exec(start) ?? [];
  if (base === undefined) return { base: start, number: 0 };
  return { base, number: sign === "-" ? -Number(digits) : Number(digits) };
}
