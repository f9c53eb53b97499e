// A search for fixes that pads the arrays of bank conflicts by one: for tests of what shows, makes and keeps fixes.
import type { Fix, FixContext, FixSearchResult } from "../../server/src/fixes/fix.ts";
import type { FixTools } from "../../server/src/lint/fixes.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";

/** Takes `steps` steps for each finding. Arrays named `other…` are refused. */
function padSearch(steps = 1) {
  return function* search(context: FixContext): Generator<void, FixSearchResult> {
    const fixes: Fix[] = [];
    const refusals: FixSearchResult["refusals"][number][] = [];
    for (const finding of context.findings) {
      for (let step = 0; step < steps; step++) yield;
      const fix = yield* padOf(finding, context);
      if (fix !== null) fixes.push(fix);
      else refusals.push({ rule: finding.rule, target: finding.range, reason: "nobody pads that" });
    }
    return { fixes, refusals };
  };
}

export function padTools(steps = 1): FixTools {
  return {
    search: padSearch(steps),
    check: checked,
    budget: { analysesPerTarget: 1, checksPerTarget: 1, steps: 1_000_000 },
  };
}

// biome-ignore lint/correctness/useYield: nothing is run.
function* checked() {
  return { kind: "checked", inputSets: 1, wavefronts: { before: 2, after: 1 }, steps: 1 } as const;
}

function* padOf(finding: AccessFinding, context: FixContext): Generator<void, Fix | null> {
  const { target } = finding.worst.access;
  if (finding.rule !== "shared-bank-conflict" || target?.range == null || target.name.startsWith("other"))
    return null;
  const { file } = target.range;
  const text = context.texts.get(file) ?? "";
  const at = text.indexOf("]", text.indexOf("][", target.range.start) + 1);
  const edits = [{ file, start: at, end: at, newText: " + 1" }];
  const before = costsOf(context.original.launches);
  const after = yield* context.analyse(edits);
  if (after === null) return null;
  const [rows = "", columns = ""] = text
    .slice(target.range.start, at)
    .split(/\[|\]\[/)
    .slice(1);
  return {
    kind: "pad",
    rule: finding.rule,
    target: finding.range,
    edits,
    safety: "safe",
    gain: {
      unit: "wavefronts",
      perRequest: { before: finding.worst.figure.cost, after: 1 },
      totals: { before, after: costsOf(after.launches) },
    },
    price: { sharedBytes: 128, blocksPerSm: null, operations: 0 },
    dearer: [],
    check: { kind: "checked", inputSets: 1, cost: "predicted" },
    title: { kind: "pad", array: target.name, dimensions: [rows, `${columns} + 1`] },
  };
}

/** Wavefronts of all shared accesses over all launches. */
function costsOf(launches: FixContext["original"]["launches"]): number {
  return launches
    .flatMap(({ profile }) => profile.accesses)
    .filter(({ space }) => space === "shared")
    .reduce((sum, { totals }) => sum + (totals?.cost ?? 0), 0);
}
