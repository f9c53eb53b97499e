// Hand-made access profiles: what evaluation would say of a warp whose addresses are given.
import type { AccessProfile, Verdict } from "../../server/src/evaluate/profile.ts";
import type { FunctionId } from "../../server/src/ir/function.ts";
import { arrayOf, float32, pointerTo, type Type } from "../../server/src/ir/type.ts";
import type { HostValue, Launch } from "../../server/src/launches/launch.ts";
import type { KernelName } from "../../server/src/rules/finding.ts";
import type { KernelProfile } from "../../server/src/rules/group.ts";

export const file = "/work/a.cu";

/** 40 lines of ten characters: offset 10·(n-1) is the start of line n. */
export const text = Array.from({ length: 200 }, (_, line) => `line ${String(line + 1).padStart(3)} \n`).join(
  "",
);

export const at = (line: number, length = 8) => ({
  file,
  start: (line - 1) * 10,
  end: (line - 1) * 10 + length,
});

export const lanes = (addressOf: (lane: number) => number | null) =>
  Array.from({ length: 32 }, (_, lane) => addressOf(lane));

export interface AccessInput {
  readonly space?: "shared" | "global";
  readonly operation?: AccessProfile["operation"];
  readonly variant?: string;
  readonly line?: number;
  readonly expression?: string;
  readonly bytes?: number;
  readonly name?: string;
  readonly type?: Type;
  readonly laneAddresses: readonly (number | null)[];
  readonly cost: number;
  readonly ideal: number;
  readonly isUniform?: boolean;
  readonly requests?: number | null;
  readonly hasTotals?: boolean;
  readonly verdict?: Verdict;
  readonly laneStride?: NonNullable<AccessProfile["worst"]>["laneStride"];
  readonly misaligned?: AccessProfile["misaligned"];
  readonly columns?: AccessProfile["columns"];
  readonly leavesArray?: boolean;
  readonly neighbours?: AccessProfile["neighbours"];
}

export function access(input: AccessInput): AccessProfile {
  const { cost, ideal, requests = 100, bytes = 4, line = 5, name = "tile" } = input;
  const space = input.space ?? "shared";
  const figure = { cost, ideal };
  const verdict = input.verdict ?? { kind: "exact" };
  const isKnown = verdict.kind !== "unknown";
  const type = input.type ?? (space === "shared" ? arrayOf(arrayOf(float32, 32), 32) : pointerTo(float32));
  return {
    range: at(line),
    expression: input.expression ?? "tile[col][row]",
    stack: [at(line)],
    mergedRanges: [],
    space,
    operation: input.operation ?? "load",
    variant: input.variant ?? input.operation ?? "load",
    bytes,
    target: { name, range: at(1), type, startBytes: 0 },
    verdict,
    requests,
    laneCount: requests === null ? null : requests * 32,
    totals:
      isKnown && requests !== null && input.hasTotals !== false
        ? { cost: cost * requests, ideal: ideal * requests }
        : null,
    uncounted: null,
    perRequest: isKnown ? { least: figure, most: figure } : null,
    worst: isKnown
      ? {
          laneAddresses: input.laneAddresses,
          movedBytes: 0,
          figure,
          partnerAddresses: null,
          isUniform: input.isUniform ?? true,
          warp: 0,
          block: [0, 0, 0],
          laneStride: input.laneStride ?? null,
        }
      : null,
    misaligned: input.misaligned ?? null,
    columns: input.columns ?? null,
    leavesArray: input.leavesArray ?? false,
    neighbours: input.neighbours ?? null,
  };
}

export interface LaunchInput {
  readonly kernel?: Partial<KernelName>;
  readonly block?: Launch["block"];
  readonly grid?: Launch["grid"];
  readonly kind?: Launch["origin"]["kind"];
  /** From the `<<<>>>` outwards. */
  readonly lines?: readonly number[];
  readonly arguments?: readonly HostValue[];
  readonly count?: number;
}

export function profile(input: LaunchInput, accesses: readonly AccessProfile[]): KernelProfile {
  const { block = [32, 32, 1], grid = [4, 4, 1], kind = "launch", lines = [100] } = input;
  const kernel: KernelName = {
    name: "kernel",
    templateArguments: [],
    templateParameterNames: [],
    parameterNames: ["y", "x", "m", "n"],
    ...input.kernel,
  };
  return {
    kernel,
    profile: {
      launch: {
        kernel: kernel.name as FunctionId,
        grid: kind === "assumed" ? [null, null, null] : grid,
        block,
        sharedBytes: 0,
        arguments: input.arguments ?? [],
        count: input.count ?? 1,
        origin: { kind, path: kind === "launch" ? lines.map((line) => at(line)) : [] },
        assumptions: kind === "assumed" ? [{ kind: "block", block }] : [],
      },
      accesses,
      gaps: [],
      steps: 0,
      seen: "all",
      isCut: false,
    },
  };
}
