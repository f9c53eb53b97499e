// A change worth trying, before anybody tried it.

import type { AxisPair, FixKind, FixTitle, TextEdit } from "./fix.ts";
import type { Estimate } from "./kinds/layout.ts";

export interface Candidate {
  readonly kind: FixKind;
  readonly edits: readonly TextEdit[];
  readonly title: FixTitle;
  readonly safety: "safe" | "suggestion";
  /** Integer operations that an access takes more. */
  readonly operations: number;
  /** Elements that a row gets more (fewer: negative). */
  readonly addedElements?: number;
  /** By their samples: candidates are tried in this order. Null where that cannot be told. */
  readonly estimate: Estimate | null;
  /** Values that a template parameter takes on in a launch that is edited: what the launch is known by afterwards. */
  readonly parameter?: ParameterChange;
  /** Parameters of the kernel whose values the edit counts on: a check does not change them. */
  readonly keptArguments?: readonly string[];
  /** Axes of the grid that are in each other's place afterwards. */
  readonly swappedAxes?: AxisPair | null;
  /** The block that launches get. */
  readonly block?: readonly [number, number, number];
}
export interface ParameterChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Candidates of one kind, or why there are none, in words. */
export type Candidates =
  | { readonly kind: "candidates"; readonly candidates: readonly Candidate[] }
  | { readonly kind: "refused"; readonly reason: string };

export function candidatesFound(candidates: readonly Candidate[]): Candidates {
  return { kind: "candidates", candidates };
}

export function refusal(reason: string): Candidates {
  return { kind: "refused", reason };
}

/** Candidates of which one is wanted: those that change the same thing, each to another value. */
export function familyOf({ title, operations, edits }: Candidate): string {
  const [first] = edits;
  if (title.kind === "pad-parameter") return `${title.kind} ${title.value.before}`;
  // Longer rows, or more of them.
  if (title.kind === "pad") return `${title.kind} ${edits.map(({ file, start }) => `${file}:${start}`)}`;
  // The block of all launches that go by it, or of one alone.
  if (title.kind === "pad-pitch" && operations > 0) return `${title.kind} counted`;
  if (title.kind === "swap-axes") return `${title.kind} ${title.axes}`;
  return title.kind === "launch-shape" ? `${title.kind} ${first?.file}:${first?.start}` : title.kind;
}

/** Whether only the better of the two is offered: two longer rows, but not a row and a swizzle, nor the constants of two launches. */
export function isSameChoice(a: Candidate, b: Candidate): boolean {
  const areParameters = a.title.kind === "pad-parameter" && b.title.kind === "pad-parameter";
  return areParameters ? familyOf(a) === familyOf(b) : a.kind === b.kind;
}
