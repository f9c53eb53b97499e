// The two lines above each kernel: what its accesses cost, and how it is launched.
import type { AccessProfile } from "../evaluate/profile.ts";
import { bestOf, type FixSearchResult, fixesOfFinding, noFixes } from "../fixes/fix.ts";
import { boundsOf, isIdealRatio, ratioOf, remainingText } from "../render/access-words.ts";
import { blockText } from "../render/labels.ts";
import { isLaunchKnown, launchesText } from "../render/launch-words.ts";
import type { Places } from "../render/places.ts";
import { dependsOnData } from "../render/unknown-words.ts";
import { countText, operationText, plural, ratioText } from "../render/words.ts";
import type { AnalysedFile, AnalysedKernel } from "./analysis.ts";
import {
  accessesOfKernel,
  headStart,
  type KernelAccess,
  launchesWorstFirst,
  tileOfBlock,
  underNamedLaunches,
} from "./kernels.ts";
import type { Lens } from "./types.ts";

/**
 * The lenses of each kernel of the file: "line 26: 32.0× · 3 other accesses ideal", "2 launches: block (32,32), line 52", and "Fix" where a
 * checked fix is ready.
 */
export function lensesOf(analysis: AnalysedFile, places: Places, found: FixSearchResult = noFixes): Lens[] {
  return analysis.kernels.flatMap((kernel) => {
    const range = headLine(kernel, analysis);
    return [...lensesOfKernel(kernel, analysis.file, places), ...fixLens(kernel, analysis, found)].map(
      (lens) => ({ ...lens, range }),
    );
  });
}

/** The name, or of a head of several lines, `template <…>` among them, its first: a lens stands above the line that its range begins in. */
function headLine({ range, nameRange }: AnalysedKernel, { file, text }: AnalysedFile): Lens["range"] {
  const { start, end } = nameRange;
  if (range.file !== file) return { start, end };
  const head = headStart(text, range.start);
  if (!text.slice(head, start).includes("\n")) return { start, end };
  const lineEnd = text.indexOf("\n", head);
  return { start: head, end: lineEnd === -1 ? head : lineEnd };
}

/** "Fix": leads to the fixes of the kernel's finding that has the best of them. */
function fixLens(kernel: AnalysedKernel, { file, report }: AnalysedFile, found: FixSearchResult): Lens[] {
  const own = report.findings.filter(
    (finding) => finding.kind === "access" && finding.worst.kernel.name === kernel.name,
  );
  const best = bestOf(
    own.flatMap((finding) => fixesOfFinding(found, finding)),
    "all",
  );
  if (best === null) return [];
  const { start, end } = kernel.nameRange;
  const command = { kind: "pick-fix", file, offset: best.target.start } as const;
  return [{ range: { start, end }, title: "Fix", command }];
}

function lensesOfKernel(kernel: AnalysedKernel, file: string, places: Places): Lens[] {
  const { start, end } = kernel.nameRange;
  const accesses = accessesOfKernel(underNamedLaunches(kernel));
  const worst = worstOf(accesses);
  const here = worst !== null && worst.range.file === file ? worst.range.start : null;
  const cost: Lens = {
    range: { start, end },
    title: `${costTitle(accesses, file, places)}${kernel.isStale ? " · outdated: syntax error" : ""}`,
    command: here === null ? null : { kind: "show-map", file, offset: here },
  };
  const launches = launchesWorstFirst(kernel);
  const invitation = isLaunchKnown(launches) ? "" : ", set…";
  return [
    ...(accesses.length === 0 ? [] : [cost]),
    {
      range: { start, end },
      title: `${launchesText(launches, places, file, tileOfBlock(kernel))}${invitation}`,
      command: { kind: "choose-launch", file, kernel: kernel.name, offset: start },
    },
  ];
}

/** "line 26: 32.0× · 3 other accesses ideal", "all 5 accesses ideal", "3 accesses ideal · 1 depends on data". */
export function costTitle(accesses: readonly KernelAccess[], file: string, places: Places): string {
  const faulty = accesses.filter(isFaulty);
  const known = accesses.filter(
    (access) => !isFaulty(access) && access.worst.figure !== null && !isOpen(access),
  );
  const excessive = known.filter(({ worst }) => !isIdealRatio(worst.ratio ?? 1)).sort(byRatio);
  const calm = known.filter((access) => !excessive.includes(access));
  const unknown = accesses.filter((access) => !faulty.includes(access) && !known.includes(access));
  const faults = faulty.map((each) => `${lineText(each, file, places)} faults, misaligned`);
  const excess = excessTexts(excessive, accesses, file, places);
  const shown = [...new Set([...faults, ...excess])];
  const parts = [
    ...shown.slice(0, mostShown),
    ...(shown.length > mostShown ? ["…"] : []),
    ...idealTexts(calm, accesses, shown.length > 0 ? "other " : ""),
    ...unknownTexts(unknown),
  ];
  return parts.join(" · ");
}

/** More than two figures are for the problems list, not for one line. */
const mostShown = 2;

function byRatio(a: KernelAccess, b: KernelAccess): number {
  return (b.worst.ratio ?? 0) - (a.worst.ratio ?? 0);
}

function worstOf(accesses: readonly KernelAccess[]): KernelAccess | null {
  return [...accesses].sort(byRatio)[0] ?? null;
}

function isFaulty({ contexts }: KernelAccess): boolean {
  return contexts.some(({ access }) => access.misaligned?.isCertain === true);
}

/** Bounds are known, but what data decide is not. */
function isOpen({ contexts }: KernelAccess): boolean {
  return contexts.some(({ access }) => access.verdict.kind === "unknown");
}

/** "line 26: 32.0×", "line 13 store: 8.0× for m >= 8", "lines 24-27: 8.0×", "store 8.0× / 2.0×": accesses alike are named together. */
function excessTexts(
  excessive: readonly KernelAccess[],
  all: readonly KernelAccess[],
  file: string,
  places: Places,
): string[] {
  const alike = new Map<string, KernelAccess[]>();
  for (const access of excessive) {
    const text = figureText(access);
    alike.set(text, [...(alike.get(text) ?? []), access]);
  }
  const byPlace = new Map<string, string[]>();
  for (const [text, accesses] of alike) {
    const place = placeText(text, accesses, all, (some) => linesText(some, file, places));
    byPlace.set(place, [...(byPlace.get(place) ?? []), text]);
  }
  return [...byPlace].map(([place, texts]) => `${place} ${texts.join(", ")}`);
}

/** "line 26:", "line 13 store:", "store": where the accesses of a figure stand, and what they do where that tells more. */
function placeText(
  text: string,
  accesses: readonly KernelAccess[],
  all: readonly KernelAccess[],
  linesOf: (accesses: readonly KernelAccess[]) => string,
): string {
  const [first] = accesses;
  const isAlone =
    first !== undefined && all.filter((other) => other.operation === first.operation).length === 1;
  const operation = isAlone ? operationText(first.operation) : null;
  if (text.includes(" / ")) return operation ?? linesOf(accesses);
  return `${linesOf(accesses)}${all.length === 2 && operation !== null ? ` ${operation}` : ""}:`;
}

/** "32.0×", "8.0× for m >= 8", "at least 4.0×", "8.0× / 2.0×". */
function figureText(access: KernelAccess): string {
  const differing = ratiosOfBlocks(access);
  if (differing !== null) return differing;
  const { verdict } = access.worst.access;
  const condition =
    verdict.kind === "conditional" && verdict.condition !== null ? ` for ${verdict.condition}` : "";
  return `${leastText(access)}${ratioText(access.worst.ratio ?? 1)}${condition}`;
}

/** "line 26", "lines 24-27", "lines 24, 30, …", "tile.cuh:12". */
function linesText(accesses: readonly KernelAccess[], file: string, places: Places): string {
  const here = accesses.filter(({ range }) => range.file === file);
  const [first] = accesses;
  if (here.length < accesses.length || first === undefined)
    return [...new Set(accesses.map((access) => lineText(access, file, places)))].slice(0, 2).join(", ");
  const lines = [...new Set(here.map(({ range }) => places.startOf(range).line))].sort((a, b) => a - b);
  const least = lines[0] ?? 0;
  const most = lines.at(-1) ?? 0;
  if (lines.length === 1) return `line ${least}`;
  if (most - least + 1 === lines.length) return `lines ${least}-${most}`;
  return `lines ${lines.slice(0, mostLines).join(", ")}${lines.length > mostLines ? ", …" : ""}`;
}

const mostLines = 3;

/** Bounds that data or sizes leave open: the figure is the least. */
function leastText({ worst }: KernelAccess): string {
  return boundsOf(worst.access) === null ? "" : "at least ";
}

/** "8.0× / 2.0×": of one instantiation whose launches differ in their block and their figures. */
function ratiosOfBlocks({ contexts, worst }: KernelAccess): string | null {
  if (worst.launch.origin.kind === "assumed") return null;
  const ofBlock = new Map<string, number>();
  for (const { kernel, launch, ratio } of contexts) {
    if (ratio === null || kernel.templateArguments.join() !== worst.kernel.templateArguments.join())
      return null;
    const block = blockText(launch.block);
    ofBlock.set(block, Math.max(ratio, ofBlock.get(block) ?? 0));
  }
  const texts = [...new Set([...ofBlock.values()].map(ratioText))];
  return texts.length < 2 || texts.length > 3 ? null : texts.join(" / ");
}

function lineText({ range }: KernelAccess, file: string, places: Places): string {
  const { line } = places.startOf(range);
  return range.file === file ? `line ${line}` : `${places.displayPath(range.file)}:${line}`;
}

function idealTexts(
  calm: readonly KernelAccess[],
  all: readonly KernelAccess[],
  other: "other " | "",
): string[] {
  const alike = new Map<string, KernelAccess[]>([["ideal", []]]);
  for (const access of calm) {
    const what = idealWords(access);
    alike.set(what, [...(alike.get(what) ?? []), access]);
  }
  return [...alike]
    .filter(([, accesses]) => accesses.length > 0)
    .flatMap(([what, accesses], index) => idealText(accesses, all, index === 0 ? other : "", what));
}

function idealText(
  accesses: readonly KernelAccess[],
  all: readonly KernelAccess[],
  other: string,
  what: string,
): string[] {
  const [first] = accesses;
  if (first === undefined) return [];
  const isNamed =
    all.length === 2 && accesses.length === 1 && new Set(all.map((each) => each.operation)).size === 2;
  if (isNamed) return [`${operationText(first.operation)} ${what}`];
  if (accesses.length === all.length && accesses.length > 1)
    return [`${accesses.length === 2 ? "both" : `all ${countText(accesses.length)}`} accesses ${what}`];
  const noun = accesses.length === 1 ? "access" : "accesses";
  return [`${countText(accesses.length)} ${other}${noun} ${what}`];
}

/** "ideal", or what must be so for it to be: "ideal if aligned", "ideal for odd d", "ideal at best". */
function idealWords({ contexts }: KernelAccess): string {
  const words = new Set(contexts.map(({ access }) => idealWordsOf(access)));
  words.delete("ideal");
  const [only] = words;
  if (only === undefined) return "ideal";
  return words.size === 1 ? only : "ideal at best";
}

function idealWordsOf(access: AccessProfile): string {
  const bounds = boundsOf(access);
  if (bounds === null || bounds.most.cost <= bounds.most.ideal) return "ideal";
  const byPitch = access.verdict.kind === "conditional" ? access.verdict.byPitch : null;
  const [first, beyond] = byPitch?.steps ?? [];
  if (byPitch !== null && beyond !== undefined && first?.wavefronts === bounds.least.cost)
    return `ideal for ${remainingText(byPitch.pitch, beyond.divisor)}`;
  // Rows of a size that is not known may start off a sector: each then takes one more, so that all take twice as many at the most.
  const isByAlignment = access.space === "global" && ratioOf(bounds.most) <= 2;
  return isByAlignment ? "ideal if aligned" : "ideal at best";
}

function unknownTexts(unknown: readonly KernelAccess[]): string[] {
  const byData = unknown.filter(({ contexts }) =>
    contexts.some(({ access: { verdict } }) => verdict.kind === "unknown" && dependsOnData(verdict.reason)),
  ).length;
  const rest = unknown.length - byData;
  return [
    ...(byData === 0 ? [] : [`${countText(byData)} depend${byData === 1 ? "s" : ""} on data`]),
    ...(rest === 0 ? [] : [`${plural(rest, "figure")} not known`]),
  ];
}
