// How a cost in shared memory hangs on the pitch that lanes lie apart: by the powers of two that divide it.
import type { FiguresByPitch } from "../profile.ts";

/** Wavefronts at one pitch: null where no place is on its boundary, `differs` where the places do not agree. */
export type WavefrontsAtPitch = number | null | "differs";

/**
 * The steps by which a cost changes with the powers of two that divide the pitch, and the pitch from which on they hold; null where more than
 * these powers decide, or nothing does. `residues` is the power of two modulo which pitches leave all lanes in their banks, `farApart` a
 * multiple of it at which no two lanes share a word by chance; up to `reach` every pitch is tried.
 */
export function stepsByPitch(
  wavefrontsAt: (pitch: number) => WavefrontsAtPitch,
  { residues, farApart, reach }: { residues: number; farApart: number; reach: number },
): Pick<FiguresByPitch, "from" | "steps"> | null {
  const byDivisor = new Map<number, number>();
  for (let residue = 0; residue < residues; residue++) {
    const wavefronts = wavefrontsAt(farApart + residue);
    const divisor = powerOfTwoIn(residue, residues);
    if (wavefronts === null || wavefronts === "differs") return null;
    if ((byDivisor.get(divisor) ?? wavefronts) !== wavefronts) return null;
    byDivisor.set(divisor, wavefronts);
  }
  const steps = [...byDivisor]
    .sort(([a], [b]) => a - b)
    .map(([divisor, wavefronts]) => ({ divisor, wavefronts }))
    .filter(({ wavefronts }, index, all) => wavefronts !== all[index - 1]?.wavefronts);
  if (steps.length < 2) return null;
  let from = reach + 1;
  while (from > 1 && wavefrontsAt(from - 1) === byDivisor.get(powerOfTwoIn(from - 1, residues))) from--;
  return from > reach ? null : { from, steps };
}

/** The greatest power of two that divides a number, at most `most`. */
function powerOfTwoIn(value: number, most: number): number {
  return value % most === 0 ? most : value & -value;
}
