// Lists by cost: the most expensive first, what is only known in part says so.
import { expect, it } from "vitest";
import { costSummary, statisticsText } from "../../server/src/render/cost-table.ts";
import type { FlatFinding } from "../../server/src/render/flat-finding.ts";
import type { RunCost } from "../../server/src/rules/cost.ts";

const cost = (excess: number, input: Partial<RunCost> = {}): RunCost => ({
  unit: "sectors",
  cost: excess + 4,
  ideal: 4,
  excess,
  isWhole: true,
  ...input,
});

const finding = (line: number, input: Partial<FlatFinding>): FlatFinding => ({
  path: "a.cu",
  rule: "uncoalesced-access",
  severity: "warning",
  line,
  column: 1,
  endLine: line,
  endColumn: 2,
  byteColumn: 1,
  endByteColumn: 2,
  headline: "Uncoalesced load",
  reason: "Because.",
  kernel: "copy",
  expression: "in[i]",
  kernels: [],
  otherExpressions: [],
  cost: null,
  ...input,
});

it("lists what costs most first, and leaves out what has no known cost", () => {
  const findings = [
    finding(1, { cost: cost(12) }),
    finding(2, {}),
    finding(3, {
      kernel: "transpose",
      rule: "shared-bank-conflict",
      cost: cost(1_000_000, { unit: "wavefronts", isWhole: false }),
    }),
  ];
  expect(costSummary(findings)?.split("\n")).toEqual([
    "Most expensive of 3 findings in the launches found:",
    "  at least 1,000,000 excess wavefronts  a.cu:3  transpose  [shared-bank-conflict]",
    "  12 excess sectors                     a.cu:1  copy       [uncoalesced-access]",
  ]);
});

it("says nothing of one finding", () => {
  expect(costSummary([finding(1, { cost: cost(12) }), finding(2, {})])).toBeNull();
});

it("counts by rule and by kernel", () => {
  const findings = [
    finding(1, { cost: cost(12) }),
    finding(2, { cost: cost(1) }),
    finding(3, { kernel: "transpose", rule: "shared-bank-conflict", cost: cost(31, { unit: "wavefronts" }) }),
    finding(4, { kernel: null, rule: "unused-suppression" }),
  ];
  expect(statisticsText(findings).split("\n")).toEqual([
    "  shared-bank-conflict  1 finding   31 excess wavefronts",
    "  uncoalesced-access    2 findings  13 excess sectors",
    "  unused-suppression    1 finding   cost not known",
    "By kernel:",
    "  transpose (a.cu)  1 finding   31 excess wavefronts",
    "  copy (a.cu)       2 findings  13 excess sectors",
  ]);
});
