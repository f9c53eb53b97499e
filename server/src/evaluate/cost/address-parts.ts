// What the unknown part of an address means for its cost: folded dimensions that move the whole warp, pitches between lanes, rows that leave
// the bank alone, and the other side of an async copy.

import { nameOf } from "../values/derive.ts";
import { divisorOfLanes, greatestDivisor, laneOf, uniformOver } from "../values/lanes.ts";
import { type Linear, type Term, variesInTerm } from "../values/linear.ts";
import { type Indeterminate, SplitRequest } from "../values/symbol.ts";
import type { PitchCondition } from "./conditions.ts";
import {
  type Addresses,
  addressesOf,
  type CostRequest,
  lanesOffBoundary,
  wavefrontPeriod,
} from "./measurement.ts";

const mostPartnerPlaces = 1024;

/** A pitch that keeps rows in different lines, and adds nothing to their phase. */
const rowsApart = 2 ** 20;

/** A folded dimension of `count` values that moves the whole warp, and the other side of an async copy. */
export interface Move {
  readonly dimension: Indeterminate;
  readonly coefficient: number;
  readonly partnerCoefficient: number;
  readonly count: number;
}

/** What the address's unknown part means for its cost. */
export interface Parts {
  /** Folded dimensions that move the whole warp. */
  readonly moves: readonly Move[];
  /** The whole warp may lie at any multiple of this, modulo `period`; `period` where it is known. */
  readonly offsetStep: number;
  /** The data that decide where the whole warp lies; null where none do. */
  readonly offsetData: string | null;
  /** What is not known that moves the whole warp; null where nothing does. */
  readonly offsetReason: string | null;
  /** Unknowns whose multiple differs between lanes. */
  readonly pitches: readonly Term[];
  /** Unknowns that differ by lane but leave every lane in its bank. */
  readonly hasRows: boolean;
  /** Where the other side of an async copy may lie, if that is not known; else null. */
  readonly partnerPlaces: PartnerPlaces | null;
}

export interface PartnerPlaces {
  readonly places: readonly Addresses[];
  readonly conditions: readonly PitchCondition[];
  readonly reason: string;
}

export function classify(
  request: CostRequest,
  period: number,
): Parts | { reason: string; dependsOnData: boolean } {
  const mask = request.possibleMask;
  const moves: Move[] = [];
  const pitches: Term[] = [];
  let offsetStep = Math.min(request.alignmentBytes, period);
  let offsetData: string | null = null;
  const offsets: Term[] = [];
  let hasRows = false;
  for (const term of request.address.terms) {
    const step = divisorOfLanes(term.coefficient, mask);
    if (step === 0) continue;
    const coefficient = uniformOver(term.coefficient, mask);
    const leavesPhase = step % period === 0;
    if (variesInTerm(term)) {
      requestSplit(term);
      if (!leavesPhase || request.space === "global") return unknownTerm(term);
      hasRows = true;
    } else if (coefficient === null) {
      requestSplit(term);
      const dimension = term.factors.find((factor) => factor.role === "dimension");
      if (dimension) throw new SplitRequest({ dimension, at: { kind: "points" } });
      pitches.push(term);
    } else if (!leavesPhase) {
      const dimension = term.factors.length === 1 ? term.factors[0] : undefined;
      if (dimension?.role === "dimension")
        moves.push({
          dimension,
          coefficient: Number(coefficient),
          partnerCoefficient: 0,
          count: dimension.most + 1,
        });
      else {
        requestSplit(term);
        offsetStep = greatestDivisor(offsetStep, step);
        offsetData ??= dataOfOffset(term);
        offsets.push(term);
      }
    }
  }
  const offsetReason = reasonOfOffset(offsets);
  const partnered = request.partner ? withPartner(request.partner, mask, moves) : null;
  if (partnered && "reason" in partnered) {
    const partnerPlaces = request.partner && placesOfPartner(request.partner, request, partnered.reason);
    return partnerPlaces
      ? { moves, offsetStep, offsetData, offsetReason, pitches, hasRows, partnerPlaces }
      : partnered;
  }
  return {
    moves: partnered ?? moves,
    offsetStep,
    offsetData,
    offsetReason,
    pitches,
    hasRows,
    partnerPlaces: null,
  };
}

/**
 * The data that place the whole warp. A row that data choose lies wherever its pitch puts it: where the pitch is not known either, the range
 * is the one that any row index has.
 */
function dataOfOffset({ factors }: Term): string | null {
  if (factors.some(({ role }) => role === "size")) return null;
  return factors.find(({ role }) => role === "data")?.reason ?? null;
}

/** What moves the whole warp: a size that all terms are multiples of, such as the length of a row, before all else. */
function reasonOfOffset(terms: readonly Term[]): string | null {
  const [first, ...others] = terms;
  if (!first) return null;
  const inAll = first.factors.find(
    (factor) =>
      factor.role === "size" && others.every(({ factors }) => factors.some(({ id }) => id === factor.id)),
  );
  return inAll?.reason ?? unknownTerm(first).reason;
}

/** The moves with what they do to the other side of an async copy, which must be known but for them. */
function withPartner(
  partner: Linear,
  mask: number,
  moves: readonly Move[],
): Move[] | { reason: string; dependsOnData: boolean } {
  const all = new Map(moves.map((move) => [move.dimension.id, move]));
  for (const term of partner.terms) {
    const step = divisorOfLanes(term.coefficient, mask);
    if (step === 0) continue;
    const coefficient = uniformOver(term.coefficient, mask);
    requestSplit(term);
    if (coefficient !== null && step % wavefrontPeriod === 0 && !variesInTerm(term)) continue;
    const dimension = term.factors.find((factor) => factor.role === "dimension");
    if (coefficient === null && dimension) throw new SplitRequest({ dimension, at: { kind: "points" } });
    // Rows of the source that an unknown pitch keeps apart start at unknown places of their 128-byte lines.
    if (coefficient === null || !dimension || term.factors.length > 1) return unknownTerm(term);
    const known = all.get(dimension.id);
    const partnerCoefficient = Number(coefficient);
    all.set(dimension.id, {
      ...(known ?? { dimension, coefficient: 0, count: dimension.most + 1 }),
      partnerCoefficient,
    });
  }
  return [...all.values()];
}

/**
 * All places modulo 128 bytes that the other side of an async copy may have where unknowns move it as a whole, and one unknown pitch
 * keeps its rows apart; only those where every lane is aligned, as the copy demands. Null where more is unknown.
 */
function placesOfPartner(partner: Linear, request: CostRequest, reason: string): PartnerPlaces | null {
  const mask = request.possibleMask;
  let offsetStep = wavefrontPeriod;
  let pitch: Term | null = null;
  for (const term of partner.terms) {
    const step = divisorOfLanes(term.coefficient, mask);
    if (step === 0) continue;
    if (variesInTerm(term)) return null;
    if (uniformOver(term.coefficient, mask) !== null) offsetStep = greatestDivisor(offsetStep, step);
    else if (pitch) return null;
    else pitch = term;
  }
  const rows = pitch?.coefficient ?? 0;
  const residues = wavefrontPeriod / greatestDivisor(divisorOfLanes(rows, mask), wavefrontPeriod);
  if (residues * (wavefrontPeriod / offsetStep) > mostPartnerPlaces) return null;
  const base = addressesOf(partner, mask, wavefrontPeriod);
  const places: Addresses[] = [];
  for (let residue = 0; residue < (pitch ? residues : 1); residue++)
    for (let offset = 0; offset < wavefrontPeriod; offset += offsetStep) {
      const place = base.map((address, lane) =>
        address === null ? null : address + offset + Number(laneOf(rows, lane)) * (rowsApart + residue),
      );
      if (lanesOffBoundary(place, request.bytes) === 0) places.push(place);
    }
  if (places.length === 0) return null;
  return { places, conditions: pitch ? [{ pitch: nameOf(pitch.factors), least: null }] : [], reason };
}

/** Splits where that alone makes the term known. */
function requestSplit(term: Term): void {
  const isSettled = term.factors.every((factor) => factor.role === "dimension" || factor.split);
  if (!isSettled) return;
  for (const factor of term.factors) if (factor.split) throw new SplitRequest(factor.split);
  const dimension = term.factors[0];
  if (dimension && term.factors.length > 1) throw new SplitRequest({ dimension, at: { kind: "points" } });
}

export function unknownTerm(term: Term): { reason: string; dependsOnData: boolean } {
  const unknown =
    term.factors.find(({ varies }) => varies) ??
    term.factors.find(({ role }) => role !== "dimension") ??
    term.factors[0];
  return { reason: unknown ? unknown.reason : nameOf(term.factors), dependsOnData: unknown?.role === "data" };
}

/** The whole warp may lie at any multiple of this: by an unknown offset, or by a folded dimension. */
export function placeStep(parts: Parts): number {
  return parts.moves.reduce(
    (common, move) => greatestDivisor(common, Math.abs(move.coefficient)),
    parts.offsetStep,
  );
}
