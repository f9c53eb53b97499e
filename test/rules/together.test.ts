// Findings of one cause are one: members of a record, and accesses to one array that cost the same for the same reason.
import { expect, it } from "vitest";
import { defaultConfig } from "../../server/src/config/schema.ts";
import { float32, type Type } from "../../server/src/ir/type.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";
import { groupAccesses } from "../../server/src/rules/group.ts";
import { accessRules } from "../../server/src/rules/registry.ts";
import { together } from "../../server/src/rules/together.ts";
import { type AccessInput, access, lanes, profile } from "./profiles.ts";

const particle: Type = {
  kind: "pointer",
  target: {
    kind: "record",
    name: "P",
    sizeBytes: 12,
    alignmentBytes: 4,
    fields: ["x", "y", "z"].map((name, index) => ({ name, type: float32, offsetBytes: index * 4 })),
  } as unknown as Type,
};

const member = (line: number, name: string, offset: number, cost: number) =>
  access({
    space: "global",
    line,
    expression: `p[i].${name}`,
    name: "p",
    type: particle,
    laneAddresses: lanes((lane) => lane * 12 + offset),
    laneStride: { bytes: 12, text: "1 P" },
    cost,
    ideal: 4,
  });

const column = (line: number, input: Partial<AccessInput> = {}) =>
  access({ line, laneAddresses: lanes((lane) => lane * 128), cost: 32, ideal: 1, ...input });

function linesOf(...accesses: readonly ReturnType<typeof access>[]): number[][] {
  const findings = groupAccesses([profile({}, accesses)]).flatMap((group) =>
    accessRules.flatMap((rule) => rule.check(group, defaultConfig.thresholds) ?? []),
  );
  const lineOf = ({ range }: Pick<AccessFinding, "range">) => range.start / 10 + 1;
  return together(findings).map(({ head, others }) => [lineOf(head), ...others.map(lineOf)]);
}

it("members of one record are one finding, whatever each costs", () => {
  expect(linesOf(member(5, "x", 0, 12), member(6, "y", 4, 13), member(7, "z", 8, 12))).toEqual([[5, 6, 7]]);
});

it("accesses to one array of the same cost and reason are one finding", () => {
  expect(linesOf(column(5), column(9), column(11))).toEqual([[5, 9, 11]]);
});

it.each<[string, Partial<AccessInput>]>([
  ["another array", { name: "other" }],
  ["another operation", { operation: "store" }],
  ["another width", { bytes: 8 }],
  ["another cost", { cost: 16 }],
])("not so with %s", (_, input) => {
  expect(linesOf(column(5), column(9, input))).toEqual([[5], [9]]);
});
