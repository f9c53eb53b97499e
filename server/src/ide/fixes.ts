// Checked fixes as actions: those of the findings at a place, and all that are safe at once.
import { type Fix, type FixSearchResult, fixesOfFinding } from "../fixes/fix.ts";
import { fixTitle } from "../render/fix-title.ts";
import type { Places } from "../render/places.ts";
import type { Finding } from "../rules/finding.ts";
import type { Action, OffsetRange } from "./types.ts";

/** A menu is no catalogue: of each finding the best. */
const mostOfFinding = 4;

/** One action for each fix, best first, those that are safe before those that are suggested; of each finding the best safe one is preferred. */
export function fixActions(findings: readonly Finding[], found: FixSearchResult, places: Places): Action[] {
  const actions = new Map<string, Action>();
  for (const finding of findings) {
    const fixes = safeFirst(fixesOfFinding(found, finding)).slice(0, mostOfFinding);
    for (const [index, fix] of fixes.entries()) {
      const key = JSON.stringify(fix.edits);
      const answered = { rule: finding.rule, range: offsetsOf(finding.range) };
      const known = actions.get(key);
      // What cures two findings at once is one action.
      const action: Action = known ?? actionOf(fix, places);
      actions.set(key, {
        ...action,
        isPreferred: action.isPreferred || (index === 0 && fix.safety === "safe"),
        diagnostics: [...action.diagnostics, answered],
      });
    }
  }
  return [...actions.values()];
}

function safeFirst(fixes: readonly Fix[]): readonly Fix[] {
  return [
    ...fixes.filter(({ safety }) => safety === "safe"),
    ...fixes.filter(({ safety }) => safety === "suggestion"),
  ];
}

function actionOf(fix: Fix, places: Places): Action {
  return {
    title: fixTitle(fix, places),
    kind: "quickfix",
    origin: "fix",
    edits: fix.edits,
    command: null,
    isPreferred: false,
    diagnostics: [],
  };
}

/** "Fix all …": the best safe fix of each kernel; null where there is none. */
export function fixAllAction(fixes: readonly Fix[]): Action | null {
  if (fixes.length === 0) return null;
  return {
    title: `Make ${fixes.length === 1 ? "the safe fix" : `all ${fixes.length} safe fixes`} of warplint (output checked)`,
    kind: "fix-all",
    origin: "fix",
    edits: fixes.flatMap(({ edits }) => edits),
    command: null,
    isPreferred: false,
    diagnostics: fixes.map(({ rule, target }) => ({ rule, range: offsetsOf(target) })),
  };
}

function offsetsOf({ start, end }: OffsetRange): OffsetRange {
  return { start, end };
}
