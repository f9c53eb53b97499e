// Kernels of one side of a comparison, with what each launch costs.
import type { AccessDocument, LaunchDocument, ReportDocument } from "./document.ts";

export type Unit = "wavefronts" | "sectors";
export const units: readonly Unit[] = ["wavefronts", "sectors"];

export interface Figure {
  readonly cost: number;
  readonly ideal: number;
}

export interface AccessFigures {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly expression: string;
  readonly operation: string;
  readonly bytes: number | null;
  readonly unit: Unit;
  /** Over one launch; null where it is not known. */
  readonly total: Figure | null;
  /** Of an average request, the least that is certain; null where it is not known. */
  readonly perRequest: Figure | null;
  /** Why nothing is known; null where something is, or no reason is given. */
  readonly reason: string | null;
}

export interface LaunchFigures {
  readonly templateArguments: readonly string[];
  readonly block: readonly number[];
  readonly grid: readonly (number | null)[];
  readonly sharedBytes: number | null;
  /** How often the host makes it. */
  readonly count: number;
  /** Nothing in sight launches the kernel: the block is one of several that were tried. */
  readonly isAssumed: boolean;
  readonly accesses: readonly AccessFigures[];
}

export interface KernelFigures {
  /** The file that it was analysed in. */
  readonly path: string;
  readonly name: string;
  readonly launches: readonly LaunchFigures[];
}

/** In the order of the report. Instantiations of a template are launches of one kernel. */
export function kernelsOf({ files }: ReportDocument): KernelFigures[] {
  const kernels = new Map<string, { path: string; name: string; launches: LaunchFigures[] }>();
  for (const { path, launches } of files)
    for (const launch of launches) {
      const key = `${path}\n${launch.kernel}`;
      const kernel = kernels.get(key) ?? { path, name: launch.kernel, launches: [] };
      kernels.set(key, kernel);
      kernel.launches.push(launchOf(launch));
    }
  return [...kernels.values()];
}

function launchOf(launch: LaunchDocument): LaunchFigures {
  const { templateArguments, block, grid, sharedBytes, count, origin, accesses } = launch;
  return {
    templateArguments,
    block,
    grid,
    sharedBytes,
    count,
    isAssumed: origin.kind === "assumed",
    accesses: accesses.flatMap((access) => accessOf(access) ?? []),
  };
}

/** Null for what has no figures, and for what is never executed. */
function accessOf(access: AccessDocument): AccessFigures | null {
  const { file, line, column, endLine, endColumn, expression, space, operation, bytes, reason } = access;
  if ((space !== "shared" && space !== "global") || access.requests === 0) return null;
  return {
    file,
    line,
    column,
    endLine,
    endColumn,
    expression,
    operation,
    bytes,
    unit: space === "shared" ? "wavefronts" : "sectors",
    total: figureOf(access.totals),
    perRequest: figureOf(access.perRequest),
    reason,
  };
}

function figureOf(written: AccessDocument["totals"]): Figure | null {
  if (written === null) return null;
  const { wavefronts, idealWavefronts, sectors, idealSectors } = written;
  if (wavefronts !== undefined && idealWavefronts !== undefined)
    return { cost: wavefronts, ideal: idealWavefronts };
  if (sectors !== undefined && idealSectors !== undefined) return { cost: sectors, ideal: idealSectors };
  return null;
}

/** What accesses cost beyond their ideal. */
export function excessOf({ cost, ideal }: Figure): number {
  return cost - ideal;
}
