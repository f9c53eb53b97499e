// The hover of a kernel's name: what it costs under each launch.
import { isIdealRatio, ratioOf } from "../render/access-words.ts";
import type { ContentLink, HoverBlock, HoverContent } from "../render/content.ts";
import { blockText, labelOf, labelText, type NamedLaunch } from "../render/labels.ts";
import { isLaunchKnown, launchesText } from "../render/launch-words.ts";
import type { Places } from "../render/places.ts";
import { countText, ratioText } from "../render/words.ts";
import type { AnalysedFile, AnalysedKernel } from "./analysis.ts";
import { buildMacroLines } from "./build-macros.ts";
import { holds } from "./contexts.ts";
import type { HoverOptions } from "./hover.ts";
import { wordAt } from "./hover-array.ts";
import { accessesOfKernel, launchesOfKernel, launchesWorstFirst, underNamedLaunches } from "./kernels.ts";
import { costTitle } from "./lenses.ts";
import type { OffsetRange } from "./types.ts";

/** The hover of the kernel whose name stands at `offset`, where it is defined or where it is launched. */
export function kernelHover(
  analysis: AnalysedFile,
  offset: number,
  options: HoverOptions,
): HoverContent | null {
  const defined = analysis.kernels.find(({ nameRange }) => holds(nameRange, offset));
  if (defined !== undefined) return hoverOf(defined, defined.nameRange, analysis, options);
  const word = wordAt(analysis.text, offset);
  if (word === null) return null;
  const name = analysis.text.slice(word.start, word.end);
  const launched = analysis.kernels.find(
    (kernel) => kernel.name === name && isLaunchedAt(kernel, analysis.file, word),
  );
  return launched === undefined ? null : hoverOf(launched, word, analysis, options);
}

function isLaunchedAt(kernel: AnalysedKernel, file: string, word: OffsetRange): boolean {
  return launchesOfKernel(kernel).some(({ launch }) => {
    const [step] = launch.origin.path;
    return step !== undefined && step.file === file && step.start <= word.start && word.end <= step.end;
  });
}

function hoverOf(
  kernel: AnalysedKernel,
  { start, end }: OffsetRange,
  { file, texts }: AnalysedFile,
  { places, buildMacros = [] }: HoverOptions,
): HoverContent {
  const accesses = accessesOfKernel(underNamedLaunches(kernel));
  const launches = launchesWorstFirst(kernel);
  const isKnown = isLaunchKnown(launches);
  const summary = accesses.length === 0 ? "no shared or global accesses" : costTitle(accesses, file, places);
  const title: HoverBlock = {
    kind: "line",
    spans: [
      { kind: "code", text: kernel.name },
      { kind: "plain", text: `: ${summary}` },
    ],
  };
  const table = isKnown ? tableOf(kernel, file, places) : [];
  const launchLine = isKnown ? [] : [plainLine(launchesText(launches, places, file))];
  const offset = kernel.nameRange.start;
  const links: ContentLink[] = [
    {
      title: isKnown ? "Change launch" : "Set launch",
      command: { kind: "choose-launch", file, kernel: kernel.name, offset },
    },
  ];
  const path = launchesOfKernel(kernel).flatMap(({ launch }) => launch.origin.path);
  const macros = buildMacroLines([kernel.range, ...path], texts, buildMacros, places);
  const gaps = kernel.gaps.slice(0, mostGaps).map((gap) => plainLine(`Not followed: ${gap}`));
  return {
    range: { start, end },
    blocks: [title, ...launchLine, ...table, ...macros, ...gaps, { kind: "links", links }],
  };
}

const mostGaps = 2;
const mostRows = 5;

function plainLine(text: string): HoverBlock {
  return { kind: "line", spans: [{ kind: "plain", text }] };
}

/** A row a launch: totals over the whole kernel, where all of them are known. */
function tableOf(kernel: AnalysedKernel, file: string, places: Places): HoverBlock[] {
  const all: NamedLaunch[] = kernel.launches.map((each) => ({
    kernel: each.kernel,
    launch: each.profile.launch,
  }));
  const rows = kernel.launches.map((each, index) => {
    const named = all[index] ?? { kernel: each.kernel, launch: each.profile.launch };
    const [x, y, z] = each.profile.launch.grid;
    const grid = x === null || y === null || z === null ? "not known" : blockText([x, y, z]);
    const times = each.count > 1 ? ` (${countText(each.count)} times)` : "";
    return [
      `${labelText(labelOf(named, all, places, file))}${times}`,
      grid,
      totalText(each, "shared"),
      totalText(each, "global"),
    ];
  });
  const shown = rows.slice(0, mostRows);
  const more =
    rows.length > shown.length ? [[`… ${countText(rows.length - shown.length)} more`, "", "", ""]] : [];
  return [{ kind: "table", head: ["launch", "grid", "wavefronts", "sectors"], rows: [...shown, ...more] }];
}

/** "1,048,576 (32.0×)": the sum over all accesses; "not known" where that of one is not, "none" where there are none. */
function totalText({ profile }: AnalysedKernel["launches"][number], space: "shared" | "global"): string {
  const accesses = profile.accesses.filter((access) => access.space === space && access.requests !== 0);
  if (accesses.length === 0) return "none";
  let cost = 0;
  let ideal = 0;
  for (const { totals } of accesses) {
    if (totals === null) return "not known";
    cost += totals.cost;
    ideal += totals.ideal;
  }
  const ratio = ratioOf({ cost, ideal });
  return `${countText(cost)}${isIdealRatio(ratio) ? "" : ` (${ratioText(ratio)})`}`;
}
