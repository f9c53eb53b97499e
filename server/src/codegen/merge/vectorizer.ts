// Which loads of global memory LLVM's vectorizer brings together within a block: it fills gaps between those that it has sorted, and links neighbours.
import { bytesBetween } from "../addresses/alias.ts";
import type { Access } from "./chains.ts";

/** What LLVM sees of one array in one block, in the order of the text. */
export interface BlockLoads {
  /** All loads of the array, of whatever type. */
  readonly ofArray: Access[];
  /** Those that differ by constants alone, parted where a store or a barrier stands between. */
  readonly parts: readonly (readonly Access[])[];
}

/** LLVM sorts up to so many by insertion; what it makes of more is not imitated: they are taken for sorted. */
const mostInserted = 16;

/** The most elements of a gap of which LLVM loads the first, so that a vector of four holds the others. */
const mostOfGap = 2;

interface Item {
  /** What it loads; of what fills a gap, the load in front. */
  readonly access: Access;
  readonly constant: number;
  readonly part: number;
  readonly isFiller: boolean;
}

/**
 * The loads of the part in rows within which neighbours become vectors: most often the whole part. It is not where something fills a gap that a later load would
 * have filled: LLVM sorts loads of indices that it cannot compare by insertion, so that `a.z b.z a.x b.x a.y b.y` leaves `a.x a.z` side by side, and each y
 * by itself. Nor where a load in front of a store is linked to one behind it, which then is no neighbour of its others.
 */
export function rowsOfVectorizer(
  part: readonly Access[],
  { ofArray, parts }: BlockLoads,
): readonly (readonly Access[])[] {
  const widths = new Set(part.map(({ bytes }) => bytes));
  const alike = ofArray.filter(({ bytes, isWhole }) => isWhole || widths.has(bytes));
  const isSorted = parts.length === 1 && alike.length === part.length;
  if (isSorted || alike.length > mostInserted) return [part];
  const partIndex = parts.indexOf(part);
  const rows = rowsOfChains(itemsOf(part, alike, parts))
    .filter(([item]) => item?.part === partIndex)
    .map((row) => row.flatMap(({ access, isFiller }) => (isFiller ? [] : access)));
  const inRows = new Set(rows.flat());
  const whole = part.filter(({ isWhole }) => isWhole);
  const alone = part.filter((access) => !access.isWhole && !inRows.has(access)).map((access) => [access]);
  // Whole vectors prove to all how they are aligned.
  return [...rows, ...alone].map((row) => [...new Set([...row, ...whole])]);
}

function itemsOf(
  part: readonly Access[],
  alike: readonly Access[],
  parts: readonly (readonly Access[])[],
): readonly Item[] {
  const filled = filledBehind(alike);
  return alike.flatMap((access) => {
    const { constant, termsKey } = access.address;
    const index = parts.findIndex((one) => one.includes(access));
    if (termsKey !== part[0]?.address.termsKey || index < 0) return [];
    const item: Item = { access, constant, part: index, isFiller: false };
    return filled.has(access)
      ? [item, { ...item, constant: constant + access.bytes, isFiller: true }]
      : [item];
  });
}

/** The loads behind which LLVM loads what lies between them and the next in its order, if it has not come to a load of that. */
function filledBehind(accesses: readonly Access[]): ReadonlySet<Access> {
  const sorted = sortedByInsertion(accesses);
  return new Set(
    sorted.filter((access, at) => {
      const next = sorted[at + 1];
      const between = next ? bytesBetween(access.address, next.address) : null;
      if (between === null) return false;
      const gap = between / access.bytes - 1;
      return gap > 0 && gap <= mostOfGap && !sorted.slice(0, at).some((one) => isNext(one, access));
    }),
  );
}

function isNext(other: Access, { address, bytes }: Access): boolean {
  return bytesBetween(address, other.address) === bytes;
}

/** As the C++ library inserts: what is below the first goes in front of all, else in front of those at the end that it is below. */
function sortedByInsertion(accesses: readonly Access[]): readonly Access[] {
  const sorted: Access[] = [];
  for (const access of accesses) {
    const [first] = sorted;
    let at = first && isBelow(access, first) ? 0 : sorted.length;
    for (let last = sorted[at - 1]; last && isBelow(access, last); last = sorted[at - 1]) at--;
    sorted.splice(at, 0, access);
  }
  return sorted;
}

function isBelow({ address: a }: Access, { address: b }: Access): boolean {
  return (bytesBetween(a, b) ?? 0) > 0;
}

/** Follows each chain from its lowest address, and cuts it where a part ends. */
function rowsOfChains(items: readonly Item[]): readonly (readonly Item[])[] {
  const links = linksOf(items);
  const next = new Map(links);
  const processed = new Set<number>();
  const rows: Item[][] = [];
  for (const [head] of links) {
    if (processed.has(head) || links.some(([from, to]) => to === head && !processed.has(from))) continue;
    const byPart = new Map<number, Item[]>();
    for (let at: number | undefined = head; at !== undefined && !processed.has(at); at = next.get(at)) {
      processed.add(at);
      const item = items[at];
      if (!item) break;
      const row = byPart.get(item.part);
      const last = row?.at(-1);
      if (row && last && last.constant + item.access.bytes === item.constant) row.push(item);
      else {
        const begun = [item];
        rows.push(begun);
        byPart.set(item.part, begun);
      }
    }
  }
  return rows;
}

/** From each load to the one behind it in memory, in the order in which LLVM finds them: of several the last link holds. */
function linksOf(items: readonly Item[]): readonly (readonly [number, number])[] {
  return items.flatMap(({ access, constant }, from) => {
    const links: [number, number][] = [];
    let chosen = -1;
    for (let to = items.length - 1; to >= 0; to--) {
      const other = items[to];
      if (to === from || other?.constant !== constant + access.bytes || other.access.bytes !== access.bytes)
        continue;
      if (chosen >= 0 && (to < from || Math.abs(chosen - to) > Math.abs(chosen - from))) continue;
      links.push([from, to]);
      chosen = to;
    }
    return links;
  });
}
