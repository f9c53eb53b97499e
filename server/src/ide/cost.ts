// What the kernels and accesses of a file cost over all launches of a run: for the tree, the panel's table, end-of-line figures and the heat bar.
import type { AccessOperation, Figure } from "../evaluate/profile.ts";
import { isIdealRatio, nounOf } from "../render/access-words.ts";
import type { PanelCost } from "../render/content.ts";
import { isLaunchKnown, launchesText } from "../render/launch-words.ts";
import type { Places } from "../render/places.ts";
import { countText, operationText, plural, ratioText } from "../render/words.ts";
import { runCost } from "../rules/cost.ts";
import { type AccessCost, type KernelCost, kernelCost } from "../rules/kernel-cost.ts";
import type { SourceRange } from "../text/source.ts";
import type { AnalysedFile, AnalysedKernel } from "./analysis.ts";
import { ratedAccesses } from "./contexts.ts";
import { launchesWorstFirst, underNamedLaunches } from "./kernels.ts";
import type { MeasuredOf } from "./measured.ts";

/** "2 launches: block (32,8) line 107, …", and whether anybody launches the kernel. */
export interface LaunchSummary {
  readonly text: string;
  readonly isKnown: boolean;
}

export function launchSummary(kernel: AnalysedKernel, places: Places): LaunchSummary {
  const launches = launchesWorstFirst(kernel);
  return {
    text: launchesText(launches, places, kernel.nameRange.file),
    isKnown: isLaunchKnown(launches),
  };
}

/** The cost of a kernel over all its launches. */
export function costOfKernel(kernel: AnalysedKernel): KernelCost {
  return kernelCost(underNamedLaunches(kernel).launches);
}

/** Rows of the panel's table: all accesses of the kernel, that at `shown` marked. Null where the kernel has none. */
export function panelCost(
  kernel: AnalysedKernel,
  shown: SourceRange,
  places: Places,
  measured: MeasuredOf,
): PanelCost | null {
  const cost = costOfKernel(kernel);
  if (cost.accesses.length === 0) return null;
  return {
    kernel: kernel.name,
    totals: totalsText(cost),
    rows: cost.accesses.map((access) => ({
      place: access.range,
      label: placeText(access.range, shown.file, places),
      line: places.startOf(access.range).line,
      expression: access.expression,
      kind: `${access.space} ${operationText(access.operation)}`,
      unit: access.space === "shared" ? "wavefronts" : "sectors",
      requests: access.requests,
      cost: access.total?.cost ?? null,
      ideal: access.total?.ideal ?? null,
      excess: access.total?.excess ?? null,
      isExact: access.total?.isWhole ?? false,
      share: access.share,
      perRequest: access.perRequest === null ? null : figureText(access.perRequest, access.space),
      measured: measured(access),
      isShown: isSame(access.range, shown),
    })),
  };
}

/** "shared: 1,048,576 wavefronts, 32,768 ideal · global: …"; what is known of them where nobody launches the kernel. */
export function totalsText({ shared, global, excess, isWhole }: KernelCost): string {
  const texts = [
    shared === null ? null : `shared: ${figureText(shared, "shared")}`,
    global === null ? null : `global: ${figureText(global, "global")}`,
  ].filter((text) => text !== null);
  if (texts.length === 0) return "Totals unknown: the launch or its grid is not known";
  const all =
    excess === null ? "" : ` · excess ${isWhole ? "" : "at least "}${countText(Math.round(excess))}`;
  return `${texts.join(" · ")}${all}`;
}

/** "32 wavefronts, 1 ideal". */
export function figureText({ cost, ideal }: Figure, space: AccessCost["space"]): string {
  return `${plural(Math.round(cost), nounOf({ space }))}, ${countText(Math.round(ideal))} ideal`;
}

function placeText(range: SourceRange, file: string, places: Places): string {
  const { line } = places.startOf(range);
  return range.file === file ? String(line) : `${places.displayPath(range.file)}:${line}`;
}

function isSame(a: SourceRange, b: SourceRange): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}

/** One access that stands in a file, under all launches of all kernels that reach it. */
export interface FileAccessCost {
  readonly range: SourceRange;
  readonly space: AccessCost["space"];
  readonly operation: AccessOperation;
  /** Times the ideal, of the worst launch; null where it is not known. */
  readonly ratio: number | null;
  /** Wavefronts or sectors beyond the ideal over all launches; null where they are not known. */
  readonly excess: number | null;
  /** Part of the file's excess, 0 to 1; null without excess. */
  readonly share: number | null;
  /** "shared load: 32 wavefronts, 1 ideal (32.0×); 1,015,808 excess wavefronts". */
  readonly text: string;
  /** "32.0×", "ideal", "not known". */
  readonly factor: string;
  /** Whether `excess` is known in full; otherwise it is at least that. */
  readonly isWhole: boolean;
}

/** The accesses that stand in a file, in the order of the text. */
export function accessCostsIn({ groups }: AnalysedFile): FileAccessCost[] {
  const found = ratedAccesses(groups).map(({ group, operation, contexts, worst }) => ({
    group,
    operation,
    worst,
    total: runCost(contexts),
  }));
  const all = found.reduce((sum, { total }) => sum + (total?.excess ?? 0), 0);
  return found
    .map(({ group: { range, space }, operation, worst: { figure, ratio }, total }) => {
      const excess = total?.excess ?? null;
      const isWhole = total?.isWhole ?? false;
      const beyond = excessText({ space, excess, isWhole });
      const isIdeal = ratio !== null && isIdealRatio(ratio);
      const each = figure === null ? "not known" : `${figureText(figure, space)} a request`;
      return {
        range,
        space,
        operation,
        ratio,
        excess,
        share: excess === null || all === 0 ? null : excess / all,
        text: `${space} ${operationText(operation)}: ${each}${beyond === "" ? "" : `; ${beyond}`}`,
        factor: ratio === null ? "not known" : isIdeal ? "ideal" : ratioText(ratio),
        isWhole,
      };
    })
    .sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** "32.0×, 1,015,808 excess wavefronts"; of several accesses "3 loads 3.0×, 589,824 excess sectors · store ideal": what is alike is added up. */
export function lineCostText(accesses: readonly FileAccessCost[]): string {
  const alike = new Map<string, FileAccessCost[]>();
  for (const access of accesses) {
    const key = `${access.space} ${access.operation} ${access.factor}`;
    alike.set(key, [...(alike.get(key) ?? []), access]);
  }
  const isAlone = accesses.length === 1;
  return [...alike.values()]
    .map((own) => {
      const [{ space, operation, factor } = nothingKnown] = own;
      const excesses = own.map(({ excess }) => excess);
      const known = excesses.filter((excess) => excess !== null);
      const sum = known.length === 0 ? null : known.reduce((total, excess) => total + excess, 0);
      const beyond = excessText({ space, excess: sum, isWhole: own.every(({ isWhole }) => isWhole) });
      const count =
        own.length === 1 ? operationText(operation) : plural(own.length, operationText(operation));
      return `${isAlone ? "" : `${count} `}${factor}${beyond === "" ? "" : `, ${beyond}`}`;
    })
    .join(" · ");
}

const nothingKnown = { space: "global", operation: "load", factor: "not known" } as const;

/** "at least 1,015,808 excess wavefronts"; empty where there is none. */
function excessText({
  space,
  excess,
  isWhole,
}: Pick<FileAccessCost, "space" | "excess" | "isWhole">): string {
  if (excess === null || excess === 0) return "";
  const rounded = Math.round(excess);
  return `${isWhole ? "" : "at least "}${countText(rounded)} excess ${nounOf({ space })}${rounded === 1 ? "" : "s"}`;
}

/** Whether an access costs more than it must, as far as is known. */
export function hasExcess({ ratio, excess }: Pick<FileAccessCost, "ratio" | "excess">): boolean {
  return (ratio !== null && !isIdealRatio(ratio)) || (excess !== null && excess > 0);
}
