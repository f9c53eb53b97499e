// The requests that the panel can show: those of the dearest block, one by one, or the one sample that is always known.
import type { AccessProfile, Figure, RequestSample } from "../evaluate/profile.ts";
import { globalFigure, sharedFigure } from "../hardware/figure.ts";
import { nounOf, ratioOf } from "../render/access-words.ts";
import type { Sample } from "../render/bank-map.ts";
import type { PanelChoice, PanelOption } from "../render/content.ts";
import { countText, plural } from "../render/words.ts";
import type { RatedContext } from "./contexts.ts";
import { type CodeForm, type ProgramOf, type TracedRequest, traceAccess } from "./trace.ts";

/** One request; `traced` where it comes from the simulator, null where it is the profile's sample. */
export interface PanelRequest extends Sample {
  readonly traced: TracedRequest | null;
}

/** The requests of the block of the most expensive request, in their order; empty where they cannot be had or do not bear out its figure. */
export function requestsOf(context: RatedContext, programOf: ProgramOf): PanelRequest[] {
  const { worst, operation, mergedRanges } = context.access;
  if (worst === null || operation === "async-copy") return [];
  const asWritten = requestsIn(context, worst, programOf, "written");
  // What the compiler made of several accesses is nowhere in the code as written.
  return asWritten.length > 0 || mergedRanges.length === 0
    ? asWritten
    : requestsIn(context, worst, programOf, "generated");
}

function requestsIn(
  context: RatedContext,
  worst: RequestSample,
  programOf: ProgramOf,
  form: CodeForm,
): PanelRequest[] {
  const traced = traceAccess(programOf, context, worst.block ?? [0, 0, 0], form);
  const requests = traced.map((request): PanelRequest => {
    const { laneAddresses } = request;
    const figure = figureOfRequest(laneAddresses, context.access);
    return { laneAddresses, partnerAddresses: null, figure, traced: request };
  });
  const dearest = dearestOf(requests);
  return dearest !== null && ratioOf(dearest.figure) === ratioOf(worst.figure) ? requests : [];
}

/** The dearest request of the profile. */
export function sampleOf({ worst }: AccessProfile): PanelRequest | null {
  if (worst === null) return null;
  const { laneAddresses, partnerAddresses, figure } = worst;
  return { laneAddresses, partnerAddresses, figure, traced: null };
}

/** What was picked; of what was not picked the dearest, then the first. */
export function pickRequest(
  requests: readonly PanelRequest[],
  { warp, trip }: Pick<PanelChoice, "warp" | "trip">,
): PanelRequest | null {
  const ofWarp = requests.filter(({ traced }) => String(traced?.warp) === warp);
  const within = ofWarp.length > 0 ? ofWarp : requests;
  return within.find(({ traced }) => ofWarp.length > 0 && String(traced?.trip) === trip) ?? dearestOf(within);
}

/** The warps that make a request, each with the figure of its dearest. */
export function warpOptions(requests: readonly PanelRequest[], access: AccessProfile): PanelOption[] {
  const warps = new Map<number, PanelRequest[]>();
  for (const request of requests) {
    const warp = request.traced?.warp ?? 0;
    warps.set(warp, [...(warps.get(warp) ?? []), request]);
  }
  return [...warps]
    .sort(([a], [b]) => a - b)
    .map(([warp, own]) => ({
      id: String(warp),
      label: `warp ${warp}: ${figureText(dearestOf(own)?.figure ?? { cost: 0, ideal: 0 }, access)}`,
    }));
}

/** The requests of the warp of `picked`, one after the other. */
export function tripOptions(
  requests: readonly PanelRequest[],
  picked: PanelRequest | null,
  access: AccessProfile,
): PanelOption[] {
  const warp = picked?.traced?.warp;
  const own = requests.filter(({ traced }) => traced !== null && traced.warp === warp);
  return own.slice(0, mostTrips).map(({ figure, traced }, index) => ({
    id: String(traced?.trip ?? index),
    label: `iteration ${index + 1} of ${own.length}: ${figureText(figure, access)}`,
  }));
}

/** A longer list is no help. */
const mostTrips = 256;

/** "8 wavefronts, 1 ideal". */
export function figureText({ cost, ideal }: Figure, access: AccessProfile): string {
  return `${plural(cost, nounOf(access))}, ${countText(ideal)} ideal`;
}

/** By the excess factor; of several that have the same, the one that moves most. */
function dearestOf(requests: readonly PanelRequest[]): PanelRequest | null {
  return requests.reduce<PanelRequest | null>(
    (best, request) => (best === null || isDearer(request.figure, best.figure) ? request : best),
    null,
  );
}

function isDearer(a: Figure, b: Figure): boolean {
  const [ratio, other] = [ratioOf(a), ratioOf(b)];
  return ratio > other || (ratio === other && a.cost > b.cost);
}

function figureOfRequest(
  laneAddresses: PanelRequest["laneAddresses"],
  { space, operation, variant, bytes }: AccessProfile,
): Figure {
  const request = { laneAddresses, operation, variant, bytes };
  return space === "shared" ? sharedFigure(request) : globalFigure(request);
}
