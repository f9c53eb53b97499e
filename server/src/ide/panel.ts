// The panel beside the code: one access under one launch in full, and what each lane does.
import type { AccessProfile } from "../evaluate/profile.ts";
import { bestOf, type Fix, type FixSearchResult, fixesOfFinding } from "../fixes/fix.ts";
import {
  accessKindText,
  costText,
  pitchText,
  profilerText,
  provisoText,
  uncountedText,
  usedBytesText,
} from "../render/access-words.ts";
import { mapOfRequest } from "../render/bank-map.ts";
import type { PanelAfter, PanelChoice, PanelLane, PanelOption, PanelState } from "../render/content.ts";
import { fixTitle } from "../render/fix-title.ts";
import { blockText, contextLabel } from "../render/labels.ts";
import { faultText } from "../render/misalignment-map.ts";
import type { Places } from "../render/places.ts";
import { knownBoundsText, possibleCostText, randomDataText, unknownText } from "../render/unknown-words.ts";
import { countText, operationText } from "../render/words.ts";
import { bankBytes, bankCount } from "../rules/banks.ts";
import type { AccessContext } from "../rules/finding.ts";
import type { AnalysedFile } from "./analysis.ts";
import { accessesAt, findingOn, type RatedAccess, type RatedContext, rated } from "./contexts.ts";
import { panelCost } from "./cost.ts";
import { indexParts } from "./explain.ts";
import { lineTotals } from "./line-totals.ts";
import type { MeasuredOf } from "./measured.ts";
import {
  figureText,
  type PanelRequest,
  pickRequest,
  requestsOf,
  sampleOf,
  tripOptions,
  warpOptions,
} from "./panel-requests.ts";
import { launchPath } from "./path.ts";
import type { ProgramOf } from "./trace.ts";

/** Nothing picked: what costs most. */
export const noChoice: PanelChoice = { operation: null, launch: null, warp: null, trip: null };

/**
 * The panel for the access at `offset`; null where none is. What is picked but not there any more is taken as not picked. With the launch's
 * program every warp and trip of a block can be picked, and the parts of the index have values.
 */
export function panelAt(
  analysis: AnalysedFile,
  offset: number,
  choice: PanelChoice,
  places: Places,
  programOf: ProgramOf = () => null,
  fixed: FixedAccess | null = null,
  measured: MeasuredOf = () => null,
): PanelState | null {
  const accesses = accessesAt(analysis, offset);
  const access = accesses.find((each) => operationId(each) === choice.operation) ?? accesses[0];
  if (access === undefined) return null;
  const launches = launchOptions(access, analysis.file, places);
  const picked = launches.find(({ id }) => id === choice.launch) ?? launches[0];
  if (picked === undefined) return null;
  const { context } = picked;
  const { access: profile } = context;
  const requests = requestsOf(context, programOf);
  const request = pickRequest(requests, choice) ?? sampleOf(profile);
  return {
    place: access.group.range,
    expression: profile.expression,
    kind: accessKindText(profile),
    kernel: kernelText(context),
    choice: {
      operation: operationId(access),
      launch: picked.id,
      warp: request?.traced ? String(request.traced.warp) : null,
      trip: request?.traced ? String(request.traced.trip) : null,
    },
    operations: accesses.map((each) => ({ id: operationId(each), label: operationLabel(each) })),
    launches: launches.map(({ id, label }) => ({ id, label })),
    warps: warpOptions(requests, profile),
    trips: tripOptions(requests, request, profile),
    headline: headlineOf(context),
    cost: costAt(analysis, context, access.group.range, places, measured),
    notes: notesOf(context, request, analysis, places),
    map: request === null || !isDrawn(profile) ? null : mapOfRequest(request, profile, mostRows),
    after: fixed === null ? null : afterOf(fixed, context, places),
    lanes: request === null ? [] : lanesOf(profile, request),
  };
}

/** Of the kernel that makes the access under the launch shown, wherever it stands; null where it is of another file. */
function costAt(
  { kernels }: AnalysedFile,
  { kernel, launch }: RatedContext,
  range: AccessContext["access"]["range"],
  places: Places,
  measured: MeasuredOf,
): PanelState["cost"] {
  const found =
    kernels.find((each) => each.launches.some(({ profile }) => profile.launch === launch)) ??
    kernels.find(({ name }) => name === kernel.name);
  return found === undefined ? null : panelCost(found, range, places, measured);
}

/** A fix of the access, and what the access is once it is made. */
export interface FixedAccess {
  readonly fix: Fix;
  readonly contexts: readonly AccessContext[];
}

/** The fix that the panel of the access at `offset` shows: the best of its finding; null where none is ready. */
export function fixShownAt(analysis: AnalysedFile, offset: number, found: FixSearchResult): Fix | null {
  const [access] = accessesAt(analysis, offset);
  const finding = access === undefined ? null : findingOn(analysis, access);
  return finding === null ? null : bestOf(fixesOfFinding(found, finding), "all");
}

/** Under the same launch, or the only one that there is. */
function afterOf({ fix, contexts }: FixedAccess, shown: RatedContext, places: Places): PanelAfter | null {
  const alike = contexts.filter(({ access }) => access.operation === shown.access.operation);
  const same = alike.find(
    ({ kernel, launch }) =>
      kernel.name === shown.kernel.name &&
      kernel.templateArguments.join() === shown.kernel.templateArguments.join() &&
      launch.block.join() === shown.launch.block.join(),
  );
  const after = same ?? (alike.length === 1 ? alike[0] : undefined);
  if (after === undefined) return null;
  const { access } = after;
  const request = sampleOf(access);
  return {
    title: fixTitle(fix, places),
    headline: headlineOf(rated(after)),
    map: request === null || !isDrawn(access) ? null : mapOfRequest(request, access, mostRows),
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
    const own = `${context.kernel.name}, ${contextLabel(context, contexts, places, file)}`;
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

function notesOf(
  context: RatedContext,
  request: PanelRequest | null,
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
    request === null || isUnknown ? null : requestNote(context, request),
    isUnknown ? (knownBoundsText(access) ?? possibleCostText(access)) : null,
    access.verdict.kind === "unknown" ? randomDataText(access, access.verdict.reason) : null,
    access.space === "global" && !isUnknown ? usedBytesText(access) : null,
    totals === null || !isGridKnown ? null : profilerText(access.space, totals, blockText([x, y, z])),
    uncountedText(access, launch),
    pitchText(access),
    provisoText(access),
    path.length === 0 ? null : `from ${path.join(" → ")}`,
  ].filter((note) => note !== null);
}

/** "The map shows warp 3 of block (0,0,0): 8 wavefronts, 1 ideal (8.0×)."; null where every request is the same. */
function requestNote({ access }: RatedContext, { figure, traced }: PanelRequest): string | null {
  const { worst } = access;
  if (worst === null || worst.isUniform) return null;
  const warp = traced?.warp ?? worst.warp;
  const block = traced?.block ?? worst.block;
  if (warp === null) return null;
  const where = block === null ? "" : ` of block (${block.join(",")})`;
  return `The map shows warp ${warp}${where}: ${figureText(figure, access)}.`;
}

/** What is known of each lane: its address, the bank or sector that it falls in, and what the parts of the index come to. */
function lanesOf(access: AccessProfile, { laneAddresses, traced }: PanelRequest): PanelLane[] {
  const parts = traced === null ? [] : indexParts(access, traced);
  return laneAddresses.map((address, lane) => {
    if (address === null) return { lane, isActive: false, values: [] };
    const place = access.space === "shared" ? bankValues(address, access.bytes) : sectorValues(address);
    const indices = parts.flatMap(({ name, values }) => {
      const value = values[lane];
      return value == null ? [] : [{ name, value: String(value) }];
    });
    const offset = { name: "byte offset", value: countText(address) };
    return { lane, isActive: true, values: [offset, ...place, ...indices] };
  });
}

function bankValues(address: number, bytes: number): PanelLane["values"] {
  const word = Math.floor(address / bankBytes);
  const first = modulo(word, bankCount);
  const count = Math.max(1, Math.ceil(bytes / bankBytes));
  const last = modulo(word + count - 1, bankCount);
  return [
    { name: count === 1 ? "bank" : "banks", value: count === 1 ? `${first}` : `${first}-${last}` },
    { name: "row of 128 bytes", value: `${Math.floor(word / bankCount)}` },
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
