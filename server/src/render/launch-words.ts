// How a kernel is launched, in one line: for lenses, the status item and hovers.
import { blockText, labelOf, type NamedLaunch } from "./labels.ts";
import type { Places } from "./places.ts";
import { countText } from "./words.ts";

/** Whether somebody said how the kernel is launched: the source, an annotation, the configuration. */
export function isLaunchKnown(launches: readonly NamedLaunch[]): boolean {
  return launches.some(({ launch }) => launch.origin.kind !== "assumed");
}

/**
 * "block (256), line 40", "2 launches: block (32,32), line 52", "2 launches: (32,8) line 108, (8,32) line 107", "no launch found: block
 * (32,8) assumed", "no launch found: T=float, block (32,8) assumed". `file` is where the text will stand; `tile` is what an assumed block was read off, "tile[32][33]".
 */
export function launchesText(
  launches: readonly NamedLaunch[],
  places: Places,
  file: string,
  tile: string | null = null,
): string {
  if (launches.length === 0) return "no launch found";
  const [first] = launches;
  if (first !== undefined && !isLaunchKnown(launches)) {
    const { template } = labelOf(first, launches, places, file);
    return `${wantText(launches)}: ${joined([template, assumedText(launches, tile)], ", ")}`;
  }
  const named = launches.map((each) => {
    const { block, line } = labelOf(each, launches, places, file);
    return { block, line, shape: blockText(each.launch.block) };
  });
  const texts = new Set(named.map(({ block, line }) => joined([block, line], ", ")));
  const count = launches.length === 1 ? "" : `${countText(launches.length)} launches: `;
  const [only] = texts;
  if (texts.size === 1 && only !== undefined) return `${count}${only}`;
  const blocks = new Set(named.map(({ block }) => block));
  const [block] = blocks;
  const short = [...new Set(named.map(({ shape, line }) => joined([shape, line], " ")))];
  if (short.length <= mostListed) return `${count}${short.join(", ")}`;
  if (blocks.size === 1 && block !== undefined) return `${count}${block}`;
  const shapes = [...new Set(named.map(({ shape }) => shape))];
  const more = shapes.length > mostListed ? ", …" : "";
  return `${count}${shapes.slice(0, mostListed).join(", ")}${more}`;
}

const mostListed = 3;

function joined(parts: readonly (string | null)[], separator: string): string {
  return parts.filter((part) => part !== null).join(separator);
}

/** Why something was assumed: the text has no launch, or one whose block it does not tell. */
function wantText(launches: readonly NamedLaunch[]): string {
  const isSeen = launches.some(({ launch }) => launch.origin.path.length > 0);
  return isSeen ? "the launch's block is not known" : "no launch found";
}

/** "assuming blockDim.x is a multiple of 32", "block (32,8) assumed", "block (32,32) read off tile[32][33]". */
function assumedText(launches: readonly NamedLaunch[], tile: string | null): string {
  const blocks = launches.map(({ launch }) => launch.block);
  if (areWholeWarps(blocks)) return "assuming blockDim.x is a multiple of 32";
  const [first] = blocks;
  if (first === undefined) return "nothing assumed";
  return `block ${blockText(first)} ${tile === null ? "assumed" : `read off ${tile}`}`;
}

/** Whether the blocks are several lengths in x, all multiples of 32: what holds for them holds for every such block. */
export function areWholeWarps(blocks: readonly NamedLaunch["launch"]["block"][]): boolean {
  const lengths = new Set(blocks.map(([x]) => x));
  return lengths.size > 1 && blocks.every(([x, y, z]) => x % 32 === 0 && y === 1 && z === 1);
}
