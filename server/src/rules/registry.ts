// All rules.
import { ineffectivePadding } from "./ineffective-padding/check.ts";
import { misalignedVectorAccess } from "./misaligned-vector-access/check.ts";
import type { AccessRule, RuleMetadata } from "./rule.ts";
import { sharedBankConflict } from "./shared-bank-conflict/check.ts";
import { uncoalescedAccess } from "./uncoalesced-access/check.ts";
import { unusedSuppression } from "./unused-suppression/check.ts";
import { vectorizableAccess } from "./vectorizable-access/check.ts";

/** The rules on accesses. */
export const accessRules: readonly AccessRule[] = [
  sharedBankConflict,
  uncoalescedAccess,
  misalignedVectorAccess,
  ineffectivePadding,
  vectorizableAccess,
];

export const ruleMetadata: readonly RuleMetadata[] = [
  ...accessRules.map((rule) => rule.metadata),
  unusedSuppression,
];
