// Fixes at the launch: another block for the findings of a kernel's global accesses.
import type { AccessFinding, JudgedContext } from "../../rules/finding.ts";
import type { LaunchPair } from "../check/compare.ts";
import { refusedAll, searchTarget, type TargetResult } from "../check/trials.ts";
import type { LaunchedKernel } from "../fix.ts";
import { goesAlongRows } from "../row-lanes.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import type { SearchContext } from "../work.ts";
import { kernelSubject } from "./kernel-subject.ts";
import { launchShapeCandidates } from "./launch-shape.ts";

/** Findings of global accesses whose worst context is one launch. */
export interface LaunchSubject {
  readonly findings: readonly AccessFinding[];
  readonly worst: JudgedContext;
}

/** The findings of uncoalesced accesses, by the launch that makes their message. */
export function launchSubjects(findings: readonly AccessFinding[]): LaunchSubject[] {
  const subjects = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    if (finding.rule !== "uncoalesced-access") continue;
    const { kernel, launch } = finding.worst;
    const key = JSON.stringify([kernel.name, kernel.templateArguments, launch.block, launch.origin.path]);
    const known = subjects.get(key);
    if (known === undefined) subjects.set(key, [finding]);
    else known.push(finding);
  }
  return [...subjects.values()].flatMap((each) =>
    each[0] === undefined ? [] : [{ findings: each, worst: each[0].worst }],
  );
}

export function* searchLaunch(
  context: SearchContext,
  { findings, worst }: LaunchSubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const launched = context.original.launches.find((each) => isOf(each, worst));
  if (launched === undefined) return refusedAll(findings, "the launch is not known");
  const found = launchShapeCandidates(
    launched,
    texts,
    findings.every((finding) => goesAlongRows(finding.worst)) ? "along rows" : "otherwise",
  );
  if (found.kind === "refused") return refusedAll(findings, found.reason);
  return yield* searchTarget(context, {
    findings,
    candidates: found.candidates,
    subject: {
      ...kernelSubject(worst.access, texts),
      isTouched: hasOtherBlock,
      objection: whyCoverageDiffers,
    },
    otherwise: "no other block of as many threads lowers the sectors",
  });
}

function isOf({ kernel, launch }: LaunchedKernel, worst: JudgedContext): boolean {
  return (
    kernel.name === worst.kernel.name &&
    kernel.templateArguments.join() === worst.kernel.templateArguments.join() &&
    launch.block.join() === worst.launch.block.join() &&
    launch.grid.join() === worst.launch.grid.join()
  );
}

/** The threads of the grid along each axis must be as many as before, but for the rest of a block at the end. */
function whyCoverageDiffers({ before, after }: LaunchPair): string | null {
  for (const axis of [0, 1, 2] as const) {
    const from = before.launch.grid[axis];
    const to = after.launch.grid[axis];
    const extents = [before.launch.block[axis], after.launch.block[axis]] as const;
    // A check would make up grids of its own for the two blocks, and see other threads at work.
    if (from === null || to === null) {
      if (extents[0] !== extents[1]) return "cannot tell whether the grid size depends on the block size";
      continue;
    }
    if (Math.abs(from * extents[0] - to * extents[1]) >= Math.max(...extents))
      return "the grid does not follow the block: another block would need another grid";
  }
  return null;
}

function hasOtherBlock({ before, after }: LaunchPair): boolean {
  return before.launch.block.join() !== after.launch.block.join();
}
