// At which of the addresses that differ by constants LLVM's loop strength reduction starts the register that counts with a loop: it weighs the lowest, the
// highest and the middle one by the bits of what is then added to reach each access.

/** The other accesses of a loop's trip that count with it in shared memory. */
export interface Beside {
  /** How many there are in the largest group that has a register of its own; 0: there is none. */
  readonly most: number;
  /** Whether nothing of another group is accessed before. */
  readonly isFirst: boolean;
  /** Whether another group steps as this one and lies as it does from what it is added to: LLVM counts both with one register. */
  readonly hasTwin: boolean;
  /** Whether one trip's addresses are next to those of the trip before. */
  readonly areSideBySide: boolean;
}

export interface Start {
  readonly constant: number;
  /** What it may be just as well. */
  readonly instead: number;
}

/** Of a loop that stays rolled; `constants` sorted, one an access. */
export function startOfRolled(constants: readonly number[]): number {
  const { lowest, middle, highest } = endsOf(constants);
  return lightest([middle, highest, lowest], constants);
}

/** Groups up to which LLVM has been seen to decide both ways where nothing else counts with the loop. */
const mostUnclear = 6;

/**
 * Of a loop of copies. A group that shares its register with the loop's test starts at the middle, whatever its weight: the only one of a trip, but for few
 * accesses, and perhaps one behind another (`test/codegen/register-starts.test.ts`).
 */
export function startOfCopies(constants: readonly number[], beside: Beside): Start {
  const { lowest, middle, highest } = endsOf(constants);
  const light = lightest([highest, middle, lowest], constants);
  const [lower = 0] = constants;
  if (new Set(constants).size === 2)
    return { constant: lower, instead: beside.most <= 2 || beside.hasTwin ? lower : light };
  if (beside.hasTwin) return { constant: middle, instead: middle };
  if (beside.most === 0)
    return { constant: middle, instead: constants.length > mostUnclear ? middle : light };
  const isSure = beside.isFirst || beside.areSideBySide;
  return { constant: light, instead: isSure ? lightest([middle, highest, lowest], constants) : middle };
}

/** What they are added to counts among them. */
function endsOf(constants: readonly number[]): {
  readonly lowest: number;
  readonly middle: number;
  readonly highest: number;
} {
  const lowest = Math.min(0, constants[0] ?? 0);
  const highest = Math.max(0, constants.at(-1) ?? 0);
  const mean = (lowest + highest) / 2;
  return { lowest, highest, middle: constants.find((constant) => constant >= mean) ?? lowest };
}

/** The first of those with which the fewest bits are added. */
function lightest(candidates: readonly number[], constants: readonly number[]): number {
  const weights = candidates.map((start) =>
    constants.reduce((sum, constant) => sum + signedBits(constant - start), 0),
  );
  return candidates[weights.indexOf(Math.min(...weights))] ?? 0;
}

function signedBits(value: number): number {
  return value === 0 ? 0 : 33 - Math.clz32(value < 0 ? -value - 1 : value);
}
