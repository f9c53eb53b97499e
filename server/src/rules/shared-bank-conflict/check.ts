// Shared accesses that take more wavefronts than the bytes they move need.

import { sharedFigure } from "../../hardware/figure.ts";
import type { Assumption } from "../../ir/assumption.ts";
import {
  bankBytes,
  bankCount,
  groupSize,
  passesOfGroups,
  rowOf,
  wavefrontsOfDistinctWords,
  wayCountOf,
} from "../banks.ts";
import type { AccessContext, AccessGroup, BankEvidence } from "../finding.ts";
import { judge } from "../judge.ts";
import { padElementsOf } from "../layout.ts";
import type { AccessRule, Thresholds } from "../rule.ts";

export const sharedBankConflict: AccessRule = {
  metadata: {
    id: "shared-bank-conflict",
    summary: "Excess wavefronts of a shared load, store, atomic, matrix load or store, or async copy.",
    defaultSeverity: "warning",
  },
  check(group, thresholds) {
    if (group.space !== "shared") return null;
    const judgement = judge(
      withoutPerhapsVectors(withoutSerialAtomics(group, thresholds), thresholds),
      (ratio) => (ratio >= thresholds.sharedWarning ? "warning" : null),
      thresholds,
    );
    if (judgement === null) return null;
    return {
      kind: "access",
      rule: "shared-bank-conflict",
      range: group.range,
      ...judgement,
      evidence: evidenceOf(judgement.worst, judgement.contexts),
    };
  },
};

/** Atomics on one word wait for each other whatever the bank: no layout of the array helps, so that is no bank conflict. */
function withoutSerialAtomics(group: AccessGroup, thresholds: Thresholds): AccessGroup {
  const contexts = group.contexts.filter(({ access: { operation, worst, bytes } }) => {
    if (operation !== "atomic" || worst === null) return true;
    return wavefrontsOfDistinctWords(worst, bytes) >= worst.figure.ideal * thresholds.sharedWarning;
  });
  return { ...group, contexts };
}

/** What may be loaded as a vector with its neighbours in the trips to come, by which it would be well, is not sure to conflict. */
function withoutPerhapsVectors(group: AccessGroup, thresholds: Thresholds): AccessGroup {
  const contexts = group.contexts.filter(({ access }) => {
    const { verdict, worst, bytes } = access;
    if (verdict.kind !== "conditional" || worst === null || !verdict.assumptions.some(isPerhapsVector))
      return true;
    return vectorBytes.every((width) => {
      if (width <= bytes) return true;
      const laneAddresses = worst.laneAddresses.map((address) =>
        address === null ? null : Math.floor(address / width) * width,
      );
      const { cost, ideal } = sharedFigure({ laneAddresses, bytes: width, operation: "load" });
      return cost >= ideal * thresholds.sharedWarning;
    });
  });
  return { ...group, contexts };
}

const vectorBytes = [8, 16];

function isPerhapsVector(assumption: Assumption): boolean {
  return assumption.kind === "compiler" && assumption.doubt === "loads-vectors";
}

function evidenceOf(worst: AccessContext, contexts: readonly AccessContext[]): BankEvidence {
  const { access } = worst;
  const row = rowOf(access.target?.type ?? null);
  const addresses = (access.worst?.laneAddresses ?? []).slice(0, groupSize(access.bytes));
  const active = addresses.filter((address) => address !== null);
  const banks = new Map<number, number[]>();
  for (const address of active) {
    const bank = Math.floor(address / bankBytes) % bankCount;
    const sharers = banks.get(bank);
    if (sharers) sharers.push(address);
    else banks.set(bank, [address]);
  }
  return {
    kind: "banks",
    wayCount: access.worst === null ? null : wayCountOf(access.worst, access.bytes),
    bankCount: banks.size,
    groupLaneCount: active.length,
    mostInOneBank: access.worst === null ? 0 : Math.max(0, ...passesOfGroups(access.worst, access.bytes)),
    meetsByRow: row !== null && [...banks.values()].every((sharers) => areInDistinctRows(sharers, row.bytes)),
    row,
    padElements: agreedPad(contexts),
  };
}

/** Whether the row's length brings the lanes of one bank together: each is in another row, and whole rows part them. */
function areInDistinctRows(addresses: readonly number[], rowBytes: number): boolean {
  const isWholeTurns = rowBytes % (bankCount * bankBytes) === 0;
  // A pointer cast from the array may walk it at a pitch of its own, of which the row says nothing.
  if (!isWholeTurns && addresses.some((address) => (address - (addresses[0] ?? 0)) % rowBytes !== 0))
    return false;
  const words = new Set(addresses.map((address) => Math.floor(address / bankBytes)));
  return new Set(addresses.map((address) => Math.floor(address / rowBytes))).size === words.size;
}

/** The pad that serves every context; null where they want different ones. */
function agreedPad(contexts: readonly AccessContext[]): number | null {
  let agreed: number | null = null;
  for (const { access, siblings } of contexts.slice(0, mostContextsTried)) {
    if (access.worst === null || access.worst.figure.cost === access.worst.figure.ideal) continue;
    const pad = padElementsOf(access, siblings);
    if (pad === null || (agreed !== null && agreed !== pad)) return null;
    agreed = pad;
  }
  return agreed;
}

const mostContextsTried = 8;
