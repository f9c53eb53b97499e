// The panel beside the code: one access under one launch in full, and what each lane does.
import type { AccessProfile } from "../evaluate/profile.ts";
import {
  accessKindText,
  costText,
  profilerText,
  provisoText,
  usedBytesText,
} from "../render/access-words.ts";
import { mapOf } from "../render/bank-map.ts";
import type { PanelChoice, PanelLane, PanelOption, PanelState } from "../render/content.ts";
import { blockText, labelOf, labelText } from "../render/labels.ts";
import { faultText } from "../render/misalignment-map.ts";
import type { Places } from "../render/places.ts";
import { possibleCostText, randomDataText, unknownText } from "../render/unknown-words.ts";
import { operationText } from "../render/words.ts";
import { bankBytes, bankCount } from "../rules/banks.ts";
import type { AnalysedFile } from "./analysis.ts";
import { accessesAt, type RatedAccess, type RatedContext } from "./contexts.ts";
import { lineTotals } from "./line-totals.ts";
import { launchPath } from "./path.ts";

/** Nothing picked: what costs most. */
export const noChoice: PanelChoice = { operation: null, launch: null, warp: null, trip: null };

/** The panel for the access at `offset`; null where none is. What is picked but not there any more is taken as not picked. */
export function panelAt(
  analysis: AnalysedFile,
  offset: number,
  choice: PanelChoice,
  places: Places,
): PanelState | null {
  const accesses = accessesAt(analysis, offset);
  const access = accesses.find((each) => operationId(each) === choice.operation) ?? accesses[0];
  if (access === undefined) return null;
  const launches = launchOptions(access, analysis.file, places);
  const picked = launches.find(({ id }) => id === choice.launch) ?? launches[0];
  if (picked === undefined) return null;
  const { context } = picked;
  const warp = warpOption(context);
  return {
    place: access.group.range,
    expression: context.access.expression,
    kind: accessKindText(context.access),
    kernel: kernelText(context),
    choice: {
      operation: operationId(access),
      launch: picked.id,
      warp: warp?.id ?? null,
      trip: null,
    },
    operations: accesses.map((each) => ({ id: operationId(each), label: operationLabel(each) })),
    launches: launches.map(({ id, label }) => ({ id, label })),
    warps: warp === null ? [] : [warp],
    trips: [],
    headline: headlineOf(context),
    notes: notesOf(context, warp, analysis, places),
    map: isDrawn(context.access) ? mapOf(context.access, mostRows) : null,
    lanes: lanesOf(context.access),
  };
}

/** 32 passes or sectors, the ruler and the mask; of 16-byte accesses to global memory, twice that. */
const mostRows = 66;

function operationId({ operation, group }: RatedAccess): string {
  return `${group.space} ${operation}`;
}

function operationLabel({ operation, group }: RatedAccess): string {
  return `${group.space} ${operationText(operation)}`;
}

function isDrawn({ misaligned, verdict }: AccessProfile): boolean {
  return misaligned?.isCertain !== true && verdict.kind !== "unknown";
}

interface LaunchOption extends PanelOption {
  readonly context: RatedContext;
}

/** Each context by its label: several that read alike (as those of different call stacks) are numbered. */
function launchOptions({ contexts }: RatedAccess, file: string, places: Places): LaunchOption[] {
  const seen = new Map<string, number>();
  return contexts.map((context) => {
    const own = `${context.kernel.name}, ${labelText(labelOf(context, contexts, places, file))}`;
    const count = (seen.get(own) ?? 0) + 1;
    seen.set(own, count);
    const label = count === 1 ? own : `${own} (${count})`;
    return { id: label, label, context };
  });
}

function kernelText({ kernel }: RatedContext): string {
  const { name, templateArguments } = kernel;
  return templateArguments.length === 0 ? name : `${name}<${templateArguments.join(", ")}>`;
}

function headlineOf({ access, figure }: RatedContext): string {
  if (access.misaligned?.isCertain === true) return `${faultText(access)}, the kernel will fault`;
  if (access.verdict.kind === "unknown") return unknownText(access, access.verdict.reason);
  return figure === null ? "Not known" : costText(access, figure);
}

/** The one request that is known lane by lane. */
function warpOption({ access: { worst } }: RatedContext): PanelOption | null {
  if (worst === null) return null;
  const { warp, block, isUniform } = worst;
  if (isUniform || warp === null) return null;
  const where = block === null ? "" : ` of block (${block.join(",")})`;
  return { id: "dearest", label: `warp ${warp}${where}, the dearest` };
}

function notesOf(
  context: RatedContext,
  warp: PanelOption | null,
  analysis: AnalysedFile,
  places: Places,
): string[] {
  const { access, launch } = context;
  const isUnknown = access.verdict.kind === "unknown";
  const [x, y, z] = launch.grid;
  const totals = access.misaligned?.isCertain === true ? null : lineTotals(context, places);
  const isGridKnown = x !== null && y !== null && z !== null;
  const path = launchPath(launch, analysis, places).map(({ title }) => title);
  return [
    warp === null ? null : `The map shows ${warp.label}.`,
    isUnknown ? possibleCostText(access) : null,
    access.verdict.kind === "unknown" ? randomDataText(access, access.verdict.reason) : null,
    access.space === "global" && !isUnknown ? usedBytesText(access) : null,
    totals === null || !isGridKnown ? null : profilerText(access.space, totals, blockText([x, y, z])),
    provisoText(access),
    path.length === 0 ? null : `from ${path.join(" → ")}`,
  ].filter((note) => note !== null);
}

/** What is known of each lane: its address from an aligned base, and the bank or sector that it falls in. */
function lanesOf(access: AccessProfile): PanelLane[] {
  const { worst, space, bytes } = access;
  if (worst === null) return [];
  return worst.laneAddresses.map((address, lane) => {
    if (address === null) return { lane, isActive: false, values: [] };
    const place = space === "shared" ? bankValues(address, bytes) : sectorValues(address);
    return { lane, isActive: true, values: [{ name: "offset", value: `${address} B` }, ...place] };
  });
}

function bankValues(address: number, bytes: number): PanelLane["values"] {
  const word = Math.floor(address / bankBytes);
  const first = modulo(word, bankCount);
  const count = Math.max(1, Math.ceil(bytes / bankBytes));
  const last = modulo(word + count - 1, bankCount);
  return [
    { name: count === 1 ? "bank" : "banks", value: count === 1 ? `${first}` : `${first}-${last}` },
    { name: "row of banks", value: `${Math.floor(word / bankCount)}` },
  ];
}

const sectorBytes = 32;

function sectorValues(address: number): PanelLane["values"] {
  return [
    { name: "sector", value: `${Math.floor(address / sectorBytes)}` },
    { name: "byte of the sector", value: `${modulo(address, sectorBytes)}` },
  ];
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
