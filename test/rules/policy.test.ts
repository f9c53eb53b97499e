// When a rule speaks, how loudly, and when it holds its tongue.
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../server/src/config/schema.ts";
import { float32, pointerTo } from "../../server/src/ir/type.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";
import { groupAccesses, type KernelProfile } from "../../server/src/rules/group.ts";
import { accessRules } from "../../server/src/rules/registry.ts";
import { type AccessInput, access, lanes, profile } from "./profiles.ts";

function findings(profiles: readonly KernelProfile[]): AccessFinding[] {
  return groupAccesses(profiles).flatMap((group) =>
    accessRules.flatMap((rule) => rule.check(group, defaultConfig.thresholds) ?? []),
  );
}

const said = (profiles: readonly KernelProfile[]) =>
  findings(profiles).map(({ rule, severity }) => `${rule}: ${severity}`);

const column = (input: Partial<AccessInput> = {}) =>
  access({ laneAddresses: lanes((lane) => lane * 128), cost: 32, ideal: 1, ...input });
const global = (cost: number, ideal: number, input: Partial<AccessInput> = {}) =>
  access({ space: "global", laneAddresses: lanes((lane) => lane * 32), cost, ideal, ...input });
const size = {
  kind: "conditional",
  condition: "m >= 8",
  assumptions: [],
  dependsOnSizeOnly: true,
  byPitch: null,
} as const;
const stride = { ...size, condition: "incx >= 8", dependsOnSizeOnly: false };

describe("severity", () => {
  const cases: readonly [string, KernelProfile[], string[]][] = [
    ["shared from 1.1×", [profile({}, [column({ cost: 11, ideal: 10 })])], ["shared-bank-conflict: warning"]],
    ["shared below 1.1×", [profile({}, [column({ cost: 109, ideal: 100 })])], []],
    ["shared without excess", [profile({}, [column({ cost: 1 })])], []],
    ["global from 2.0×", [profile({}, [global(8, 4)])], ["uncoalesced-access: warning"]],
    ["global from 1.25×", [profile({}, [global(5, 4)])], ["uncoalesced-access: information"]],
    ["global below 1.25×", [profile({}, [global(4.9, 4)])], []],
    [
      "one sector too many is what misalignment causes",
      [profile({}, [global(2, 1)])],
      ["uncoalesced-access: information"],
    ],
    [
      "conditional on a size",
      [profile({}, [global(32, 4, { verdict: size, requests: null })])],
      ["uncoalesced-access: warning"],
    ],
    ["conditional on a stride", [profile({}, [global(32, 4, { verdict: stride, requests: null })])], []],
    [
      "unknown",
      [
        profile({}, [
          column({ verdict: { kind: "unknown", reason: "data", dependsOnData: true, assumptions: [] } }),
        ]),
      ],
      [],
    ],
    ["never executed", [profile({}, [column({ requests: 0 })])], []],
  ];
  it.each(cases)("%s", (_name, profiles, expected) => {
    expect(said(profiles)).toEqual(expected);
  });

  it("is information below a hundredth of the kernel's excess", () => {
    const accesses = [column({ line: 5, requests: 1 }), column({ line: 7, requests: 1000 })];
    expect(said([profile({}, accesses)])).toEqual([
      "shared-bank-conflict: information",
      "shared-bank-conflict: warning",
    ]);
  });

  it("is what the worst launch deserves", () => {
    expect(said([profile({}, [global(5, 4)]), profile({}, [global(32, 4)])])).toEqual([
      "uncoalesced-access: warning",
    ]);
  });
});

describe("without a launch in sight", () => {
  const assumed = (block: readonly [number, number, number], cost: number) =>
    profile({ kind: "assumed", block }, [global(cost, 4, { verdict: size, requests: null })]);

  it("warns where every assumed shape exceeds", () => {
    expect(said([assumed([32, 8, 1], 32), assumed([8, 32, 1], 8)])).toEqual(["uncoalesced-access: warning"]);
  });
  it("takes the mildest severity of the shapes", () => {
    expect(said([assumed([32, 8, 1], 32), assumed([8, 32, 1], 6)])).toEqual([
      "uncoalesced-access: information",
    ]);
  });
  it("is silent where one shape does not", () => {
    expect(said([assumed([32, 8, 1], 32), assumed([8, 32, 1], 4)])).toEqual([]);
  });
  it("is silent where one shape is not known", () => {
    const unknown = profile({ kind: "assumed", block: [8, 32, 1] }, [
      global(4, 4, { verdict: { kind: "unknown", reason: "data", dependsOnData: true, assumptions: [] } }),
    ]);
    expect(said([assumed([32, 8, 1], 32), unknown])).toEqual([]);
  });
  it("does not speak of blocks in which a kernel would leave an array: it is made for others", () => {
    const leaving = (block: readonly [number, number, number], leavesArray: boolean) =>
      profile({ kind: "assumed", block }, [
        column({ leavesArray, requests: null }),
        ...(leavesArray ? [global(32, 4, { requests: null })] : []),
      ]);
    expect(said([leaving([32, 8, 1], true), leaving([8, 32, 1], false)])).toEqual([
      "shared-bank-conflict: warning",
    ]);
  });
  it("forgets what was assumed where a launch is found", () => {
    const found = profile({ block: [8, 32, 1] }, [global(4, 4)]);
    expect(said([assumed([32, 8, 1], 32), found])).toEqual([]);
  });
});

describe("one finding per access", () => {
  it("holds all launches and stacks, the worst first", () => {
    const [finding, ...others] = findings([profile({}, [global(8, 4)]), profile({}, [global(32, 4)])]);
    expect(others).toEqual([]);
    expect(finding?.contexts.map(({ ratio }) => ratio)).toEqual([8, 2]);
    expect(finding?.worst.ratio).toBe(8);
  });
  it("joins the load and the store of one expression", () => {
    expect(said([profile({}, [global(32, 4), global(32, 4, { operation: "store" })])])).toHaveLength(1);
  });
});

describe("atomics", () => {
  it("on one word are no bank conflict", () => {
    expect(said([profile({}, [column({ operation: "atomic", laneAddresses: lanes(() => 0) })])])).toEqual([]);
  });
  it("on words of one bank are", () => {
    expect(said([profile({}, [column({ operation: "atomic" })])])).toEqual(["shared-bank-conflict: warning"]);
  });
});

describe("misaligned vectors", () => {
  const misaligned = (isCertain: boolean) =>
    global(9, 16, {
      bytes: 16,
      type: pointerTo(float32),
      laneAddresses: lanes((lane) => lane * 4),
      misaligned: { lanes: 24, requests: 100, allRequests: 100, isCertain },
    });
  it("are an error where certain, and nothing else is said of them", () => {
    expect(said([profile({}, [misaligned(true)])])).toEqual(["misaligned-vector-access: error"]);
  });
  it("are nothing where an unknown decides", () => {
    expect(said([profile({}, [misaligned(false)])])).toEqual([]);
  });
});

describe("padding advice", () => {
  const advice = (accesses: Parameters<typeof profile>[1]) => {
    const [finding] = findings([profile({}, accesses)]);
    return finding?.evidence.kind === "banks" ? finding.evidence.padElements : undefined;
  };
  it("is the fewest elements that make the access ideal", () => {
    expect(advice([column()])).toBe(1);
  });
  it("spares the other accesses to the array", () => {
    const row = column({ line: 6, laneAddresses: lanes((lane) => lane * 4), cost: 1 });
    expect(advice([column(), row])).toBe(1);
    const vector = column({
      line: 6,
      bytes: 16,
      laneAddresses: lanes((lane) => lane * 16),
      cost: 4,
      ideal: 4,
    });
    // An odd row would take the alignment from the vector access, and every even one leaves conflicts in the column.
    expect(advice([column(), vector])).toBeNull();
  });
  it("is not given where an access to the array is unknown", () => {
    const unknown = column({
      line: 6,
      verdict: { kind: "unknown", reason: "data", dependsOnData: true, assumptions: [] },
    });
    expect(advice([column(), unknown])).toBeNull();
  });
});
