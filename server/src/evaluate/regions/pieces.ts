// What regions that had to be split have found out before: what the statements did that came before the one which asked for it holds for all
// parts, which then run these statements for what they leave in variables alone.
import type { AccessSite } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import type { LogEntry } from "../cost/recorder.ts";
import { type Region, warpsOf } from "./region.ts";
import { ownSitesIn } from "./unreached.ts";

/** A region that is to be evaluated. */
export interface Waiting {
  readonly region: Region;
  /** The statement of the kernel from which on it is recorded what it does. */
  readonly firstRecorded: number;
  /** Where the statements before that are recorded. */
  readonly head: Piece | null;
}

/** What is recorded of some statements of the kernel in all warps of a region. */
export interface Piece {
  readonly entries: readonly LogEntry[];
  readonly warps: number;
  /** Warps of which the other statements are recorded as well. */
  done: number;
  readonly outer: Piece | null;
}

/** A region of which nothing is known yet. */
export function wholly(region: Region): Waiting {
  return { region, firstRecorded: 0, head: null };
}

/** The parts of a region that was split at `statement`; `log` has what it did before, which `pieces` gets. */
export function partsOf(
  { region, firstRecorded, head }: Waiting,
  { regions, statement }: { readonly regions: readonly Region[]; readonly statement: number },
  log: readonly LogEntry[],
  pieces: Piece[],
): Waiting[] {
  // Whether warps meet at a word is seen where they are evaluated one by one.
  const isKept = statement > firstRecorded && !log.some(({ isSwap }) => isSwap);
  if (!isKept) return regions.map((part) => ({ region: part, firstRecorded, head }));
  const piece: Piece = { entries: log, warps: warpsOf(region), done: 0, outer: head };
  pieces.push(piece);
  return regions.map((part) => ({ region: part, firstRecorded: statement, head: piece }));
}

/** Notes that a region came to its end; its warps. */
export function finish({ region, head }: Waiting): number {
  const warps = warpsOf(region);
  for (let piece = head; piece !== null; piece = piece.outer) piece.done += warps;
  return warps;
}

/** The statement of the kernel up to which all warps are recorded where these regions are left. */
export function firstOpen(waiting: readonly Waiting[]): number {
  return waiting.reduce((least, { firstRecorded }) => Math.min(least, firstRecorded), Infinity);
}

/** What is recorded: of accesses that nothing which is left can come to, and of the others in the warps that came to their end. */
export interface Log {
  readonly whole: readonly LogEntry[];
  readonly partial: readonly LogEntry[];
}

/** `openFrom`: the statement of `definition` up to which all warps are recorded. */
export function logOf(pieces: readonly Piece[], definition: FunctionDefinition, openFrom: number): Log {
  const open = openSites(definition, openFrom);
  const whole: LogEntry[] = [];
  const partial: LogEntry[] = [];
  for (const { entries, warps, done } of pieces)
    for (const entry of entries) {
      if (open !== null && !open.has(entry.access.site)) whole.push(entry);
      else if (done === warps) partial.push(entry);
      else if (done > 0) partial.push({ ...entry, times: (entry.times * done) / warps });
    }
  return { whole, partial };
}

/** The accesses of the statements from `openFrom` on; null where every access may be one of them. */
function openSites(definition: FunctionDefinition, openFrom: number): ReadonlySet<AccessSite> | null {
  // With calls the accesses of functions would be among them.
  if (openFrom === 0 || definition.sitesAroundCalls !== undefined) return null;
  return ownSitesIn(definition.body.slice(openFrom));
}
