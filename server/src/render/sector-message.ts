// Why lanes open more sectors than they need, in words.
import { sizeOf, type Type } from "../ir/type.ts";
import type { AccessFinding, JudgedContext, SectorEvidence } from "../rules/finding.ts";
import { rowBytesOf, runsOf } from "../rules/runs.ts";
import { mostLanes, steadyStrideOf } from "../rules/stride.ts";
import { boundsOf, usedBytesOf } from "./access-words.ts";
import { blockText, distinctLaunches } from "./labels.ts";
import type { Reason } from "./reason.ts";
import {
  capitalised,
  countText,
  elementOf,
  extentText,
  operationText,
  plural,
  pluralName,
  typeName,
  verbOf,
} from "./words.ts";

/** "Neighbouring lanes write m floats apart, so each lane opens a 32-byte sector of its own.", "Stage the tile through shared memory." */
export function sectorReason(finding: AccessFinding, evidence: SectorEvidence): Reason {
  const { worst } = finding;
  const repeated = repeatedSectors(worst);
  if (repeated !== null) return { cause: `${repeated}.`, advice: "" };
  const contrast = contrastText(finding, evidence);
  const stride = strideText(worst);
  const verb = verbOf(worst.access.operation);
  if (contrast !== null && stride !== null)
    return { cause: `Neighbouring lanes ${verb} ${stride} apart. ${contrast}`, advice: "" };
  const effect = evidence.isOneLaneASector ? "each lane opens a 32-byte sector of its own" : null;
  const cause = stride === null ? null : `Neighbouring lanes ${verb} ${stride} apart`;
  const sentence =
    cause === null
      ? effect === null
        ? rowsText(worst)
        : capitalised(effect)
      : effect === null
        ? `${cause}: ${usedBytesText(worst)}`
        : `${cause}, so ${effect}`;
  return { cause: `${sentence}.`, advice: adviceText(finding, evidence) };
}

function adviceText({ worst, worst: { access } }: AccessFinding, { advice }: SectorEvidence): string {
  switch (advice) {
    case "stage-tile":
      return "Stage the tile through shared memory.";
    case "split-records": {
      const name = typeName(elementOf(worst.access.target?.type));
      return `Keep each member of ${name ?? "the record"} in an array of its own.`;
    }
    case "narrow-elements":
      return `Only ${access.bytes} bytes of each are used: keep them as ${access.bytes}-byte numbers.`;
    case "widen": {
      const bytes = access.worst?.laneStride?.bytes ?? 0;
      const extent = extentText(bytes, countedElement(access));
      const verb = { read: "Read", write: "Write", update: "Update", copy: "Copy" }[verbOf(access.operation)];
      return `${verb} the ${extent} of a lane by one aligned ${bytes}-byte access, or let neighbouring lanes take neighbouring elements.`;
    }
    case "reorder-lanes":
      return worst.figure.cost - worst.figure.ideal > 1
        ? "Let neighbouring lanes take neighbouring elements."
        : "";
    case null:
      return "";
  }
}

/** docs/hardware.md: copies of 16 bytes past L1 move a sector once for each place that parts of it go to. */
function repeatedSectors({ access: { operation, worst } }: JudgedContext): string | null {
  if (operation !== "async-copy" || worst === null) return null;
  const addresses = worst.laneAddresses.filter((address) => address !== null);
  const sectors = new Set(addresses.map((address) => Math.floor(address / sectorBytes))).size;
  const moves = worst.figure.cost;
  if (moves <= sectors) return null;
  return `The ${plural(sectors, "sector")} of a request move ${moves} times: a copy past L1 moves sectors as they lie, and both halves of one must go to the same 32 aligned bytes of shared memory`;
}

/** "a request uses at most 128 of the 256 bytes that it moves"; of requests that differ, what the dearest does. */
function usedBytesText(context: JudgedContext): string {
  const request = isOfDearest(context) ? "the most expensive request" : "a request";
  return `${request} uses ${usedShareText(context)} that it moves`;
}

/** "at most 128 of the 256 bytes", "96 of the 192 bytes" of the most expensive request. */
function usedShareText(context: JudgedContext): string {
  const { access, figure } = context;
  const used = countText(mostUsedBytes(access));
  if (boundsOf(access) !== null)
    return `at most ${used} of the ${countText(figure.cost * sectorBytes)} bytes or more`;
  const moved = countText((access.worst?.figure.cost ?? figure.cost) * sectorBytes);
  return `${isOfDearest(context) ? "" : "at most "}${used} of the ${moved} bytes`;
}

/** Bytes that a request uses at most: where some lanes of the sample may or may not take part, what its ideal has room for. */
function mostUsedBytes({ worst, totals, bytes }: JudgedContext["access"]): number {
  if (worst === null) return 0;
  const used = usedBytesOf(worst.laneAddresses, bytes);
  const isWhole = !worst.laneAddresses.includes(null);
  return isWhole || totals !== null ? used : Math.max(used, worst.figure.ideal * sectorBytes);
}

/** Whether requests differ, and the sample is the dearest of them. */
function isOfDearest({ access }: JudgedContext): boolean {
  return access.worst?.isUniform === false && boundsOf(access) === null;
}

/**
 * "The 128 bytes of a request start off a 32-byte boundary, …" where all lie side by side, "Only 2 floats at a time lie side by
 * side: a request uses …" where rows of lanes do.
 */
function rowsText(context: JudgedContext): string {
  const { access } = context;
  const runs = access.worst === null ? [] : runsOf(access.worst, access.bytes);
  const rowBytes = rowBytesOf(runs);
  const [first] = runs;
  if (first === undefined || rowBytes === null || rowBytes === access.bytes)
    return capitalised(usedBytesText(context));
  const isOff = runs.some(({ startBytes }) => startBytes % sectorBytes !== 0);
  // How far off is not said: requests that cost the same may each be off by another length.
  if (runs.length === 1 && isOff)
    return `The ${countText(rowBytes)} bytes of a request start off a 32-byte boundary, so they reach into one sector more`;
  const extent = extentText(rowBytes, countedElement(access));
  const start = isOff && rowBytes >= sectorBytes ? ", in rows that start off a 32-byte boundary" : "";
  const rows = `only ${extent} at a time are contiguous${start}`;
  return isOfDearest(context)
    ? `In the most expensive request ${rows}: it uses ${usedShareText(context)} that it moves`
    : `${capitalised(rows)}: ${usedBytesText(context)}`;
}

const sectorBytes = 32;

/** "m floats", "ny = 512 floats", "3 floats"; null where lanes have no one step. */
function strideText(context: JudgedContext): string | null {
  const { access } = context;
  const stride = access.worst === null ? null : steadyStrideOf(access.worst, mostLanes);
  if (stride === null) return null;
  const element = countedElement(access);
  if (stride.bytes === null) return symbolicStride(stride.text, element);
  const distance = Math.abs(stride.bytes);
  // Lanes side by side are no reason for excess.
  if (distance <= access.bytes) return null;
  const size = element === null ? null : sizeOf(element);
  const name = size === null || size === 0 ? null : nameOfValue(context, distance / size);
  return `${name === null ? "" : `${name} = `}${distanceText(distance, element)}`;
}

/** What distances are counted in: the elements of the array, but for chars that are accessed as something wider: those are bytes. */
function countedElement({ target, bytes }: JudgedContext["access"]): Type | null {
  const element = elementOf(target?.type);
  return element !== null && sizeOf(element) === 1 && bytes > 1 ? null : element;
}

/** "512 floats", "1 Particle (48 bytes)". */
function distanceText(distance: number, element: Type | null): string {
  const size = element === null ? null : sizeOf(element);
  const extent = extentText(distance, element);
  return element?.kind === "record" && distance === size && extent !== plural(distance, "byte")
    ? `${extent} (${plural(distance, "byte")})`
    : extent;
}

/** "4*m" bytes over floats is "m floats", "-4*m + -4" is "m + 1 floats". What has another form is given as it is, in bytes. */
function symbolicStride(text: string, element: Type | null): string {
  const size = element === null ? null : sizeOf(element);
  const name = typeName(element);
  const products = text.split(" + ").map((part) => /^(-?\d+)(?:\*(.+))?$/.exec(part));
  if (products.includes(null) || size === null || size === 0 || name === null)
    return /bytes|s$/.test(text) ? text : `${text} bytes`;
  const sign = Math.sign(Number(products[0]?.[1]));
  const terms = products.map((product) => ({
    times: (sign * Number(product?.[1])) / size,
    unknown: product?.[2] ?? null,
  }));
  if (!terms.every(({ times }) => Number.isInteger(times))) return `${text} bytes`;
  return `${sumText(terms)} ${pluralName(name)}`;
}

/** "m + 1", "2*m - n": the first term is positive. */
function sumText(terms: readonly { readonly times: number; readonly unknown: string | null }[]): string {
  return terms
    .map(({ times, unknown }, index) => {
      const size = Math.abs(times);
      const factor = unknown === null ? `${size}` : size === 1 ? unknown : `${size}*${unknown}`;
      return index === 0 ? factor : `${times < 0 ? "-" : "+"} ${factor}`;
    })
    .join(" ");
}

/** The kernel's parameter that holds `value`, or a small part of it, and stands in the access: "m", "4*m". */
function nameOfValue({ kernel, launch, access }: JudgedContext, value: number): string | null {
  const names = kernel.parameterNames.flatMap((name, index) => {
    const argument = launch.arguments[index];
    if (argument?.kind !== "scalar" || !new RegExp(`(?<![.\\w])${name}\\b`).test(access.expression))
      return [];
    const times = value / Number(argument.value);
    // One divides every distance, and says nothing of where it comes from.
    if (times === value) return [];
    if (!Number.isInteger(times) || times < 1 || times > mostTimes) return [];
    return [times === 1 ? name : `${times}*${name}`];
  });
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** A larger factor between a parameter and a stride is chance. */
const mostTimes = 32;

/** Of launches with differing blocks: what the milder one does better, and whether the rest of the kernel is ideal. */
function contrastText({ contexts, worst }: AccessFinding, { areOthersIdeal }: SectorEvidence): string | null {
  if (worst.launch.origin.kind === "assumed") return null;
  const excessive = contexts.filter((context) => context.isExcessive);
  const milder = excessive.at(-1);
  if (milder === undefined || milder.ratio === worst.ratio) return null;
  if (blockText(milder.launch.block) === blockText(worst.launch.block)) return null;
  const { access } = milder;
  const rowBytes = access.worst === null ? null : rowBytesOf(runsOf(access.worst, access.bytes));
  if (rowBytes === null || rowBytes === access.bytes) return null;
  const verb = { read: "reads", write: "writes", update: "updates", copy: "copies" }[
    verbOf(worst.access.operation)
  ];
  const column = milder.launch.block[1] > 1 && milder.launch.block[0] < 32 ? "a column" : "at a time";
  const other = otherOperation(milder);
  const launches = distinctLaunches(excessive).length;
  const rest =
    areOthersIdeal && other !== null ? `; the ${other} is ideal with ${launches === 2 ? "both" : "all"}` : "";
  const type = elementOf(access.target?.type);
  return `Block ${blockText(milder.launch.block)} ${verb} ${plainRun(rowBytes / access.bytes, type)} ${column}${rest}.`;
}

function plainRun(run: number, type: Type | null): string {
  return `${run} neighbouring ${pluralName(typeName(type) ?? "element")}`;
}

function otherOperation({ access, siblings }: JudgedContext): string | null {
  const others = siblings.filter((each) => each.space === "global" && each.operation !== access.operation);
  const operations = new Set(others.map(({ operation }) => operationText(operation)));
  return operations.size === 1 && others.length === 1 ? ([...operations][0] ?? null) : null;
}
