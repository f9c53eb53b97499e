// The hover of an access: figures, the map of its dearest request, the other launches, what Nsight Compute will show.

import { type FixSearchResult, noFixes, refusalOfFinding } from "../fixes/fix.ts";
import {
  accessKindText,
  boundsOf,
  costText,
  nounOf,
  pitchText,
  profilerText,
  provisoText,
  sampleName,
  uncountedText,
  usedBytesText,
} from "../render/access-words.ts";
import { mapHeading, mapOf } from "../render/bank-map.ts";
import type { ContentLink, HoverBlock, HoverContent } from "../render/content.ts";
import { blockText, contextLabel, type LaunchLabel, labelOf, labelText } from "../render/labels.ts";
import { areWholeWarps } from "../render/launch-words.ts";
import { boundaryRows, faultText } from "../render/misalignment-map.ts";
import type { Places } from "../render/places.ts";
import { knownBoundsText, possibleCostText, randomDataText, unknownText } from "../render/unknown-words.ts";
import { averageText, capitalised, ratioText } from "../render/words.ts";
import type { SourceRange } from "../text/source.ts";
import type { AnalysedFile } from "./analysis.ts";
import { buildMacroLines } from "./build-macros.ts";
import { findingOn, type RatedAccess, type RatedContext } from "./contexts.ts";
import type { HoverOptions } from "./hover.ts";
import { lineTotals } from "./line-totals.ts";
import type { MeasuredOf } from "./measured.ts";
import { launchPath } from "./path.ts";

/** The hover of the accesses at one place, the dearest first: an access and, where it is several, the others in a line each. */
export function accessHover(
  accesses: readonly RatedAccess[],
  analysis: AnalysedFile,
  { places, hasDiagnosticAbove, found = noFixes, buildMacros = [], measured }: HoverOptions,
): HoverContent | null {
  const [main, ...others] = accesses;
  if (main === undefined) return null;
  const { start, end } = main.group.range;
  const isSaid = hasDiagnosticAbove && findingOn(analysis, main) !== null;
  const around = isSaid
    ? []
    : [
        ...others.map((other) => line(headText(other, analysis.file, places))),
        ...otherContexts(main, analysis.file, places),
        ...profilerLine(main.worst, places),
        ...uncountedLine(main.worst),
        ...provisoLine(main.worst),
        ...pathLine(main.worst, analysis, places),
      ];
  return {
    range: { start, end },
    blocks: [
      ...(isSaid ? [] : headLines(main, analysis.file, places)),
      ...pitchLine(main.worst),
      ...picture(main, isSaid ? "short" : "full"),
      ...around,
      ...measuredLine(main, measured),
      ...buildMacroLines(rangesBehind(main, analysis), analysis.texts, buildMacros, places),
      ...refusalLine(main, analysis, found),
      { kind: "links", links: linksOf(main, analysis) },
    ],
  };
}

/** "No fix: tile is passed whole to load_tile."; nothing where there is a fix, or nobody has looked for one yet. */
function refusalLine(access: RatedAccess, analysis: AnalysedFile, found: FixSearchResult): HoverBlock[] {
  const finding = findingOn(analysis, access);
  const reason = finding === null ? null : refusalOfFinding(found, finding);
  return reason === null ? [] : [line(`No fix: ${reason}.`)];
}

/** The access, its kernel, and the steps of its launch: what is defined for their sake has a say in the figures. */
function rangesBehind({ group, worst }: RatedAccess, { kernels }: AnalysedFile): SourceRange[] {
  const kernel = kernels.find(({ name }) => name === worst.kernel.name);
  return [group.range, ...(kernel === undefined ? [] : [kernel.range]), ...worst.launch.origin.path];
}

function measuredLine({ group, operation }: RatedAccess, measured: MeasuredOf | undefined): HoverBlock[] {
  const mark = measured?.({ range: group.range, space: group.space, operation }) ?? null;
  return mark === null ? [] : [line(mark.text)];
}

function line(text: string): HoverBlock {
  return { kind: "line", spans: [{ kind: "plain", text }] };
}

function headLines(access: RatedAccess, file: string, places: Places): HoverBlock[] {
  const { worst } = access;
  const { verdict } = worst.access;
  if (verdict.kind !== "unknown") return [line(headText(access, file, places))];
  const bounds = knownBoundsText(worst.access) ?? possibleCostText(worst.access);
  const simulated = randomDataText(worst.access, verdict.reason);
  const costs = [bounds, simulated].filter((text) => text !== null).join(" ");
  return [line(unknownText(worst.access, verdict.reason)), ...(costs === "" ? [] : [line(costs)])];
}

/** "32 wavefronts, 1 ideal (32.0×) · shared load, 4 B a lane · T=float, block (32,32)". */
function headText({ worst, contexts }: RatedAccess, file: string, places: Places): string {
  const { access } = worst;
  const cost = costPart(worst);
  const launch = launchPart(worst, contexts, file, places);
  return [cost, accessKindText(access), launch].join(" · ");
}

function costPart({ access, figure }: RatedContext): string {
  if (access.misaligned?.isCertain === true) return `${faultText(access)}, the kernel will fault`;
  if (access.verdict.kind === "unknown") return unknownText(access, access.verdict.reason).replace(/\.$/, "");
  return figure === null ? "not known" : costText(access, figure);
}

/** The launch of the figure, or what it holds for where none was found. */
function launchPart(
  worst: RatedContext,
  contexts: readonly RatedContext[],
  file: string,
  places: Places,
): string {
  const label = labelOf(worst, contexts, places, file);
  return worst.launch.origin.kind === "assumed"
    ? assumedPart(worst, contexts, label)
    : labelText({ ...label, line: null });
}

/** "T=float, block (32,8) assumed"; where the block makes no difference "K=32 assumed · no launch found". */
function assumedPart(
  worst: RatedContext,
  contexts: readonly RatedContext[],
  { template, block }: LaunchLabel,
): string {
  const own = isSameForAll(contexts) ? contexts : ofInstance(worst, contexts);
  const instance = own.length === contexts.length ? null : template;
  if (own.length === 1 || !isSameForAll(own)) return labelText({ template: instance, block, line: null });
  const { verdict } = worst.access;
  const assumptions = verdict.kind === "exact" ? [] : verdict.assumptions;
  const isSample = assumptions.some(({ kind }) => kind === "template-argument");
  const blocks = own.map(({ launch }) => launch.block);
  const parts = [
    ...(instance === null ? [] : [isSample ? `${instance} assumed` : instance]),
    ...(areWholeWarps(blocks) ? ["any block.x that is a multiple of 32"] : []),
    "no launch found",
  ];
  return parts.join(" · ");
}

/** Of contexts that were assumed, those with the template arguments of one of them. */
function ofInstance({ kernel }: RatedContext, contexts: readonly RatedContext[]): RatedContext[] {
  const key = kernel.templateArguments.join();
  return contexts.filter((other) => other.kernel.templateArguments.join() === key);
}

function isSameForAll(contexts: readonly RatedContext[]): boolean {
  const [first] = contexts;
  return contexts.every(
    ({ figure, access }) =>
      figure?.cost === first?.figure?.cost &&
      figure?.ideal === first?.figure?.ideal &&
      access.perRequest?.most.cost === first?.access.perRequest?.most.cost,
  );
}

function picture({ worst: { access } }: RatedAccess, length: "short" | "full"): HoverBlock[] {
  if (access.misaligned?.isCertain === true) {
    const lines = boundaryRows(access);
    const isByLane = new Set(offsetsOf(access)).size > 1;
    const note = isByLane ? [line("No fix offered: the intended index is not known")] : [];
    return lines.length === 0 ? note : [{ kind: "columns", lines }, ...note];
  }
  const map = access.verdict.kind === "unknown" ? null : mapOf(access);
  if (map === null) return [];
  const used = length === "full" && access.space === "global" ? usedBytesText(access) : null;
  return [...caption(access), { kind: "map", map }, ...(used === null ? [] : [line(used)])];
}

/** "The dearest request: 10 sectors, 4 ideal": where requests differ, the map is not of the figure that stands above it. */
function caption(access: RatedContext["access"]): HoverBlock[] {
  const name = sampleName(access);
  if (name === null) return [];
  return [line(`${capitalised(name)}: ${mapHeading(access)}`)];
}

/** How far each active lane lies off the boundary. */
function offsetsOf({ worst, bytes }: RatedContext["access"]): number[] {
  return (worst?.laneAddresses ?? []).flatMap((address) => (address === null ? [] : [address % bytes]));
}

/** "Other blocks: (16,16) at least 4.0×", "T=double: 32 wavefronts, 2 ideal (16.0×)", or a table, worst first. */
function otherContexts({ worst, contexts }: RatedAccess, file: string, places: Places): HoverBlock[] {
  const known = contexts.filter(({ figure }) => figure !== null);
  if (worst.launch.origin.kind === "assumed") return otherAssumptions(worst, known, file, places);
  const rows = distinctRows(known, file, places);
  const [first] = rows;
  // Where only the names differ there is nothing to compare.
  if (rows.every(({ figures }) => figures === first?.figures)) return [];
  const [, second] = rows;
  if (rows.length === 2 && second !== undefined && second.template !== null)
    return [line(`${second.template}: ${second.cost}`)];
  const shown = rows.slice(0, mostRows);
  const more = rows.length > shown.length ? [[`… ${rows.length - shown.length} more`, "", "", ""]] : [];
  const noun = nounOf(worst.access);
  return [
    {
      kind: "table",
      head: ["launch", `${noun}s`, "ideal", "×"],
      rows: [...shown.map(({ cells }) => cells), ...more],
    },
  ];
}

const mostRows = 4;

interface ContextRow {
  readonly template: string | null;
  readonly cost: string;
  readonly figures: string;
  readonly cells: readonly string[];
}

function distinctRows(contexts: readonly RatedContext[], file: string, places: Places): ContextRow[] {
  const rows = new Map<string, ContextRow>();
  for (const context of contexts) {
    const { figure, ratio, access } = context;
    if (figure === null || ratio === null) continue;
    const label = labelOf(context, contexts, places, file);
    const figures = `${figure.cost} ${figure.ideal}`;
    const name = contextLabel(context, contexts, places, file);
    const cells = [name, averageText(figure.cost), averageText(figure.ideal), ratioText(ratio)];
    const key = cells.join("\n");
    if (!rows.has(key))
      rows.set(key, { template: label.template, cost: costText(access, figure), figures, cells });
  }
  return [...rows.values()];
}

/** "Other blocks: (16,16) 2.0×", "Other arguments: K=16 8.0×, K=4 4.0×": what else was assumed, one of the two changed at a time. */
function otherAssumptions(
  worst: RatedContext,
  contexts: readonly RatedContext[],
  file: string,
  places: Places,
): HoverBlock[] {
  const own = ofInstance(worst, contexts);
  const shape = worst.launch.block.join();
  const instances = contexts.filter(({ launch }) => launch.block.join() === shape);
  const blockOf = ({ launch }: RatedContext) => blockText(launch.block);
  const templateOf = (context: RatedContext) => labelOf(context, contexts, places, file).template ?? "";
  return [
    ...otherRatios("Other blocks", worst, own, blockOf),
    ...otherRatios("Other arguments", worst, instances, templateOf),
  ];
}

function otherRatios(
  title: string,
  worst: RatedContext,
  contexts: readonly RatedContext[],
  nameOf: (context: RatedContext) => string,
): HoverBlock[] {
  const texts = new Map<string, string>();
  for (const context of contexts) {
    const { ratio, access } = context;
    if (ratio === null || ratio === worst.ratio) continue;
    const least = boundsOf(access) === null ? "" : "at least ";
    const name = nameOf(context);
    if (!texts.has(name)) texts.set(name, `${name} ${least}${ratioText(ratio)}`);
  }
  return texts.size === 0 ? [] : [line(`${title}: ${[...texts.values()].slice(0, mostRows).join(", ")}`)];
}

function profilerLine(worst: RatedContext, places: Places): HoverBlock[] {
  const totals = worst.access.misaligned?.isCertain === true ? null : lineTotals(worst, places);
  const [x, y, z] = worst.launch.grid;
  if (totals === null || x === null || y === null || z === null) return [];
  return [line(profilerText(worst.access.space, totals, blockText([x, y, z])))];
}

function uncountedLine({ access, launch }: RatedContext): HoverBlock[] {
  const text = uncountedText(access, launch);
  return text === null ? [] : [line(text)];
}

function pitchLine({ access }: RatedContext): HoverBlock[] {
  const text = pitchText(access);
  return text === null ? [] : [line(text)];
}

function provisoLine({ access }: RatedContext): HoverBlock[] {
  const text = provisoText(access);
  return text === null ? [] : [line(text)];
}

function pathLine({ launch }: RatedContext, analysis: AnalysedFile, places: Places): HoverBlock[] {
  const links = launchPath(launch, analysis, places);
  return links.length === 0 ? [] : [{ kind: "path", links }];
}

/** "Bank map · Change launch · Rule"; without a launch, to set one comes first. */
function linksOf(access: RatedAccess, analysis: AnalysedFile): ContentLink[] {
  const { worst, group } = access;
  const { file } = analysis;
  const isKnown = worst.launch.origin.kind !== "assumed";
  const kernel = analysis.kernels.find(({ name }) => name === worst.kernel.name);
  const launch: ContentLink[] =
    kernel === undefined
      ? []
      : [
          {
            title: isKnown ? "Change launch" : "Set launch",
            command: { kind: "choose-launch", file, kernel: kernel.name, offset: kernel.nameRange.start },
          },
        ];
  const map: ContentLink[] =
    worst.access.verdict.kind === "unknown"
      ? []
      : [{ title: "Bank map", command: { kind: "show-map", file, offset: group.range.start } }];
  const finding = findingOn(analysis, access);
  const rule: ContentLink[] =
    finding === null ? [] : [{ title: "Rule", command: { kind: "open-rule", rule: finding.rule } }];
  return isKnown ? [...map, ...launch, ...rule] : [...launch, ...map, ...rule];
}
