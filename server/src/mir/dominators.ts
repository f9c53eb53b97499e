// Which blocks control must pass on its way to a block. As Cooper, Harvey and Kennedy have it ("A Simple, Fast Dominance Algorithm").
import type { Block, MirFunction } from "./mir.ts";

/** Of each block that control reaches, the nearest that dominates it; the entry itself of the entry. */
export type Dominators = ReadonlyMap<Block, Block>;

/** The dominators of the function's blocks. */
export function dominatorsOf({ entry, blocks }: MirFunction): Dominators {
  const place = new Map(blocks.map((block, at) => [block, at]));
  const found = new Map<Block, Block>([[entry, entry]]);
  const meet = (a: Block, b: Block): Block => {
    let [left, right] = [a, b];
    while (left !== right) {
      const isLeftLater = (place.get(left) ?? 0) > (place.get(right) ?? 0);
      if (isLeftLater) left = found.get(left) ?? entry;
      else right = found.get(right) ?? entry;
    }
    return left;
  };
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const block of blocks) {
      if (block === entry) continue;
      const [first, ...others] = block.predecessors.filter((one) => found.has(one));
      if (!first) continue;
      const dominator = others.reduce(meet, first);
      if (found.get(block) === dominator) continue;
      found.set(block, dominator);
      hasChanged = true;
    }
  }
  return found;
}

/** Whether control comes to `b` only by `a`; a block dominates itself. */
export function dominates(a: Block, b: Block, dominators: Dominators): boolean {
  let block: Block | undefined = b;
  while (block && block !== a) {
    const above = dominators.get(block);
    block = above === block ? undefined : above;
  }
  return block === a;
}
