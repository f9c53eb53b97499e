// Random choices that a seed repeats.

export interface Random {
  /** An integer from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  /** True once in `of` times. */
  readonly oneIn: (of: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

/** Mulberry32: small, and good enough to choose programs. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    oneIn: (of) => between(1, of) === 1,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
  };
}
