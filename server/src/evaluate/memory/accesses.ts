// One access of memory by a warp: finds the object, measures the pieces, records them, and says what is loaded.

import { isOfAtomic, stepsOfAtomic } from "../../hardware/atomic.ts";
import type { Assumption } from "../../ir/assumption.ts";
import type { AccessSite } from "../../ir/expression.ts";
import { alignmentOf, sizeOf, type Type } from "../../ir/type.ts";
import { isTyped } from "../../text/source.ts";
import { columnsOf, rowBytesOf } from "../cost/columns.ts";
import { measure } from "../cost/cost.ts";
import { type CostRequest, type Measurement, movedBytesOf, periodOf } from "../cost/measurement.ts";
import { leavesArray } from "../cost/reach.ts";
import type { AccessIdentity, LogEntry } from "../cost/recorder.ts";
import { meetsInRegion, metAtWord } from "../cost/swaps.ts";
import { type Frame, type Machine, spend, unknownOfType } from "../machine.ts";
import type { AccessOperation, RequestSample } from "../profile.ts";
import type { BoundRegion } from "../regions/region.ts";
import { conditionOf, factorsOf } from "../values/derive.ts";
import { allLanes, isUniform, type Lanes, laneCount, laneOf, uniformOver } from "../values/lanes.ts";
import { add, isUniformOver, known, type Linear, variesInTerm } from "../values/linear.ts";
import { dataFirst, type Mask, type WhyUnknown } from "../values/mask.ts";
import type { MemoryObject, PointerValue, Value } from "../values/value.ts";
import { loadedFromHost } from "./host-contents.ts";
import { isWorthRemembering, movedSince, remember } from "./remembered.ts";

export interface Access {
  readonly site: AccessSite;
  readonly operation: AccessOperation;
  /** The hardware's finer name of the operation: "atomicAdd f32", "ldmatrix.x4". */
  readonly variant: string;
  readonly type: Type;
  /** Of an atomic: all threads of a block that make it meet at one word. */
  readonly meetsAtWord?: boolean;
  /** For the other address of an async copy. */
  readonly partner?: PointerValue;
  /** Its lanes that access the other side: all that are active where it is left out. */
  readonly partnerMask?: number;
  /** cp.async past L1; and its lanes that write shared memory, zeros or not. */
  readonly isBypass?: boolean;
  readonly writing?: number;
}

/** One of the machine accesses that an access is made in. */
interface Part {
  /** Within the object. */
  readonly offset: Linear;
  readonly bytes: number;
  readonly piece: number;
}

const widestBytes = 16;
/** What measuring one access takes beside evaluating one node. */
const stepsOfMeasurement = 8;

/** Records what `access` costs at `pointer`. Registers and constants cost nothing here; a null pointer is an access that nobody can make. */
export function recordAccess(
  machine: Machine,
  frame: Frame,
  access: Access,
  pointer: PointerValue,
  mask: Mask,
): void {
  const { object } = pointer;
  noteRowPitches(machine, pointer.offset);
  if (mask.active === 0 || machine.rehearsals > 0) return;
  if (object.space === "register" || object.space === "constant") return;
  const { unitBytes, count } = piecesOf(access.type);
  for (let piece = 0; piece < count; piece++) {
    spend(machine, stepsOfMeasurement);
    const offset = piece === 0 ? pointer.offset : add(pointer.offset, known(piece * unitBytes));
    const part = { offset, bytes: unitBytes, piece };
    for (const step of stepsOf(access, object, unitBytes))
      machine.log.push(entryOf(machine, frame, step, object, part, mask));
  }
}

function reasonOfSize(type: Type): string {
  return type.kind === "unknown" ? type.reason : "the size of what is accessed is not known";
}

/** The machine instructions that an access is. */
function stepsOf(access: Access, object: MemoryObject, bytes: number): readonly Access[] {
  if (access.operation !== "atomic") return [access];
  return stepsOfAtomic(object.space, access.variant, bytes).map((operation) => ({ ...access, operation }));
}

/** Recorded: where warps meet at a word, a swap that another warp's swap overtook is one more trip of the loop. */
const swapsAlone: Assumption = { kind: "swap-undisturbed" };

/** Whether a loop of load and swap does the access, which other warps may disturb. */
function isSwapAmongWarps(machine: Machine, access: Access, object: MemoryObject, bytes: number): boolean {
  const [x, y, z] = machine.launch.block;
  if (x * y * z <= laneCount || !isOfAtomic(access)) return false;
  return stepsOfAtomic(object.space, access.variant, bytes).length > 1;
}

/** What people call the value that an access gives: its own text, `s[…]` where that is a library's, whose names mean nothing to them. */
export function loadedText(site: AccessSite, { name }: MemoryObject): string {
  return isTyped(site.range) ? site.expression : `${name}[…]`;
}

/** What a load of `type` at `pointer` gives: known contents of constants and registers are read elsewhere. */
export function loadedValue(
  machine: Machine,
  pointer: PointerValue,
  type: Type,
  mask: Mask,
  text: string,
): Value {
  const known = loadedFromHost(machine, pointer, type, mask);
  if (known !== null) return known;
  return unknownOfType(machine, type, text, {
    varies: !isUniformOver(pointer.offset, mask.active),
    dependsOnData: true,
    isMemoryPointer: true,
    condition: conditionOf(factorsOf([pointer.offset])),
    alike: placesAsNumbers(pointer.offset, mask.active),
  });
}

/** Numbers that are equal in lanes of one place; null where unknowns move lanes of their own. */
function placesAsNumbers({ constant, terms }: Linear, mask: number): Lanes | null {
  const isShared = terms.every((term) => !variesInTerm(term) && uniformOver(term.coefficient, mask) !== null);
  return isShared ? constant : null;
}

/** The machine accesses that a type takes when nothing better is known: pieces no wider than its alignment. One of 0 bytes where its size is not known. */
function piecesOf(type: Type): { unitBytes: number; count: number } {
  const size = sizeOf(type);
  if (size === null) return { unitBytes: 0, count: 1 };
  const unitBytes = Math.min(alignmentOf(type) ?? 1, widestBytes, size);
  return { unitBytes, count: Math.max(1, Math.floor(size / unitBytes)) };
}

/** What is recorded of a piece. */
function entryOf(
  machine: Machine,
  frame: Frame,
  access: Access,
  object: MemoryObject,
  part: Part,
  mask: Mask,
): LogEntry {
  const again = rememberedEntry(machine, frame, access, object, part, mask);
  if (again !== null) return again;
  const space = object.space === "shared" || object.space === "global" ? object.space : "unknown";
  const identity: AccessIdentity = {
    site: access.site,
    path: frame.path,
    operation: access.operation,
    variant: access.variant,
    bytes: access.site.wideBytes ?? part.bytes,
    piece: part.piece,
    space,
  };
  const effort = { figures: 0 };
  const isMeasured = space !== "unknown" && sizeOf(access.type) !== null;
  const address = addressOf(object, part);
  const measurement = isMeasured
    ? measured(machine, access, object, { ...part, address, space, effort }, mask)
    : null;
  const { active } = mask;
  const entry = newEntry(machine, access, object, part, mask, {
    identity,
    measurement,
    condition: conditionOf(factorsOf([part.offset])),
    laneStride: measurement && laneStrideOf(part.offset, active),
    columns: measurement && columnsIn(object, part, active),
    leavesArray: measurement !== null && isOutside(object, part, active),
    movedBytes:
      measurement && space !== "unknown"
        ? movedBytesOf(address, active, periodOf(space)) - object.baseBytes
        : 0,
  });
  if (measurement !== null && access.partner === undefined && isWorthRemembering(part.offset, mask, entry))
    remember(machine.remembered, {
      entry,
      active,
      offset: part.offset.constant,
      figures: effort.figures,
    });
  return entry;
}

/** The same as for an earlier execution whose lanes lay as they do now, but for what tells where in the launch it is; null where there was none. */
function rememberedEntry(
  machine: Machine,
  frame: Frame,
  access: Access,
  object: MemoryObject,
  part: Part,
  mask: Mask,
): LogEntry | null {
  const { offset, piece, bytes } = part;
  if (offset.terms.length > 0 || mask.uncertain !== 0 || access.partner !== undefined) return null;
  const all = machine.remembered.get(access.site);
  if (all === undefined) return null;
  for (const remembered of all) {
    const { entry } = remembered;
    const { access: identity } = entry;
    const isSame =
      remembered.active === mask.active &&
      entry.object === object &&
      identity.path === frame.path &&
      identity.piece === piece &&
      identity.operation === access.operation &&
      identity.variant === access.variant &&
      identity.bytes === (access.site.wideBytes ?? bytes);
    const moved = isSame ? movedSince(remembered, offset.constant) : null;
    if (moved === null) continue;
    spend(machine, remembered.figures);
    return newEntry(machine, access, object, part, mask, {
      identity,
      measurement: entry.measurement,
      condition: entry.condition,
      laneStride: entry.laneStride,
      columns: moved === 0 ? entry.columns : columnsIn(object, part, mask.active),
      leavesArray: moved === 0 ? entry.leavesArray : isOutside(object, part, mask.active),
      movedBytes: entry.movedBytes + moved,
    });
  }
  return null;
}

/** What is worked out of where the lanes lie. */
interface Worked
  extends Pick<LogEntry, "condition" | "laneStride" | "columns" | "leavesArray" | "movedBytes"> {
  readonly identity: AccessIdentity;
  /** Null where there is nothing to measure. */
  readonly measurement: Measurement | null;
}

/**
 * Written out property by property, in the order of `LogEntry`, for spreads would give entries layouts of their own, at which making and reading
 * them takes a third of an evaluation.
 */
function newEntry(
  machine: Machine,
  access: Access,
  object: MemoryObject,
  part: Part,
  mask: Mask,
  worked: Worked,
): LogEntry {
  const { measurement } = worked;
  const isSwap = isSwapAmongWarps(machine, access, object, part.bytes);
  const isTimed = isSwap && (access.meetsAtWord === true || meetsInRegion(machine.bound, part.offset));
  return {
    access: worked.identity,
    object,
    region: machine.region,
    measurement: measurement ?? unmeasured(access, object),
    times: timesOf(machine, measurement),
    uncounted: uncountedBy(mask, machine.bound) ?? (isTimed ? metAtWord : null),
    decision: mask.decision,
    isSwap,
    assumptions: isSwap ? [...machine.assumptions, swapsAlone] : machine.assumptions,
    lanesAtOne: costsOneAnywhere(access, object) && isUniformOver(part.offset, allLanes) ? mask.active : 0,
    condition: worked.condition,
    laneStride: worked.laneStride,
    columns: worked.columns,
    leavesArray: worked.leavesArray,
    movedBytes: worked.movedBytes,
    warp: firstOf(machine.bound.warpIndex),
    block: firstBlockOf(machine),
  };
}

/** From a multiple of the object's alignment on. */
function addressOf({ baseBytes }: MemoryObject, { offset }: Part): Linear {
  return baseBytes === 0 ? offset : add(offset, known(baseBytes));
}

/** Why nobody knows how often a warp of the launch comes by, and with which lanes; null where it is known. */
function uncountedBy({ mayPassBy, uncertain, cause }: Mask, { isGridKnown }: BoundRegion): WhyUnknown | null {
  const why = uncertain === 0 ? mayPassBy : dataFirst<WhyUnknown>(mayPassBy, cause ?? unknownLanes);
  return why ?? (isGridKnown ? null : unknownGrid);
}

const unknownGrid: WhyUnknown = { reason: "the grid", dependsOnData: false };
const unknownLanes: WhyUnknown = { reason: "which lanes take part", dependsOnData: false };

function unmeasured({ type }: Access, { space, name, reason }: MemoryObject): Measurement {
  return { kind: "immeasurable", reason: reasonOf(), dependsOnData: false };

  function reasonOf(): string {
    if (space === "shared" || space === "global") return reasonOfSize(type);
    if (space === "null") return nullReason;
    return reason ?? `where ${name} points to is not known`;
  }
}

const nullReason = "its pointer is null in this launch";

function measured(
  machine: Machine,
  access: Access,
  object: MemoryObject,
  part: Part & Pick<CostRequest, "space" | "address" | "effort">,
  mask: Mask,
): Measurement {
  const bytes = access.site.wideBytes ?? part.bytes;
  const request: CostRequest = {
    space: part.space,
    operation: access.operation,
    variant: access.variant,
    bytes,
    address: bytes === part.bytes ? part.address : startOf(part.address, bytes),
    partner: access.partner ? add(access.partner.offset, known(part.piece * part.bytes)) : null,
    partnerMask: access.partnerMask ?? mask.active,
    isPredicatedBypass:
      access.isBypass === true && (access.writing ?? mask.active) !== machine.bound.region.warps.activeMask,
    alignmentBytes: object.alignmentBytes,
    extentBytes: object.sizeBytes,
    sureMask: mask.active & ~mask.uncertain,
    possibleMask: mask.active,
    cause: mask.cause,
    effort: part.effort,
    knownPitches: machine.knownPitches,
  };
  const measurement = measure(request);
  spend(machine, part.effort.figures);
  return measurement;
}

/** Where `bytes` start that a scalar is accessed with: they are aligned wherever the compiler lays it, which need not be where its text does. */
function startOf({ constant }: Linear, bytes: number): Linear {
  const at = Number(laneOf(constant, 0));
  return known(at - (at % bytes));
}

/** Whether an access at one place costs the same whichever lanes take part: of shared memory an atomic does not. */
function costsOneAnywhere({ operation }: Access, { space }: MemoryObject): boolean {
  const isPlain = operation === "load" || operation === "store";
  return space === "shared" ? isPlain : space === "global" && (isPlain || operation === "atomic");
}

function columnsIn(object: MemoryObject, { offset, bytes }: Part, active: number): LogEntry["columns"] {
  const rowBytes = object.space === "shared" ? rowBytesOf(object.type) : null;
  if (rowBytes === null || rowBytes === 0) return null;
  return columnsOf(offset, active, bytes, rowBytes);
}

function isOutside(object: MemoryObject, { offset, bytes }: Part, active: number): boolean {
  const sizeBytes = object.space === "shared" && object.type !== null ? sizeOf(object.type) : null;
  if (sizeBytes === null || sizeBytes === 0) return false;
  return leavesArray(offset, active, bytes, sizeBytes);
}

/** Executions that the measurement does not count itself: of all the dimensions that make no difference to it. */
function timesOf({ warpCount, multiplicity }: Machine, measurement: Measurement | null): number {
  const counted = measurement?.kind === "measured" ? measurement.weight : 1;
  return (warpCount * multiplicity) / counted;
}

/** A size that multiplies one index while another is added to it is a row pitch, not a mere stride. */
function noteRowPitches(machine: Machine, offset: Linear): void {
  if (offset.terms.length === 0) return;
  const hasOwnIndex =
    !isUniform(offset.constant) ||
    offset.terms.some((term) => term.factors.every((factor) => factor.role !== "size"));
  if (!hasOwnIndex) return;
  for (const term of offset.terms)
    for (const factor of term.factors) if (factor.role === "size") machine.sizes.bounding.add(factor.id);
}

/** What the addresses of the first two active lanes differ by. */
function laneStrideOf(address: Linear, active: number): RequestSample["laneStride"] {
  const first = 31 - Math.clz32(active & -active);
  const rest = active & ~(1 << first);
  if (rest === 0) return null;
  const second = 31 - Math.clz32(rest & -rest);
  const between = (lanes: Linear["constant"]) => Number(laneOf(lanes, second)) - Number(laneOf(lanes, first));
  const bytes = between(address.constant);
  if (address.terms.length === 0) return { bytes, text: `${bytes}` };
  const terms = address.terms
    .map((term) => ({
      step: between(term.coefficient),
      name: term.factors.map((factor) => factor.name).join("*"),
    }))
    .filter((term) => term.step !== 0);
  if (address.terms.some(variesInTerm)) return null;
  if (terms.length === 0) return { bytes, text: `${bytes}` };
  const products = terms.map(({ step, name }) => `${step}*${name}`);
  return { bytes: null, text: [...products, ...(bytes === 0 ? [] : [`${bytes}`])].join(" + ") };
}

function firstOf(form: Linear): number | null {
  return isUniform(form.constant) ? Number(form.constant) : null;
}

function firstBlockOf(machine: Machine): readonly [number, number, number] | null {
  const [x, y, z] = machine.bound.region.block;
  return x && y && z ? [x.start, y.start, z.start] : null;
}
