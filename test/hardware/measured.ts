// Reads the measured patterns and asks the model about them.
import { readFileSync } from "node:fs";
import type { AccessOperation } from "../../server/src/evaluate/profile.ts";
import { emulatedAtomic } from "../../server/src/hardware/atomic.ts";
import { globalFigure, sharedFigure, type WarpRequest } from "../../server/src/hardware/figure.ts";
import { readLanes } from "../../server/src/hardware/request.ts";

export interface MeasuredPattern {
  readonly op: string;
  readonly space: "shared" | "global";
  readonly bytes: number;
  readonly name: string;
  readonly sass: string;
  readonly lanes: readonly (number | null)[];
  readonly globalLanes?: readonly (number | null)[];
  readonly wavefronts?: number;
  readonly sectors?: number;
  readonly ideal: number;
  readonly idealSectors?: number;
  readonly executions?: number;
}

export function readPatterns(file: string): MeasuredPattern[] {
  const text = readFileSync(new URL(`../../fixtures/hardware/${file}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as MeasuredPattern);
}

/** One instruction of a loop is told by its SASS: the load, or the swap. */
export function kindOf(pattern: MeasuredPattern): string {
  const part = isEmulated(pattern) ? (pattern.sass.startsWith("LDS") ? " load" : " swap") : "";
  return `${pattern.space} ${pattern.op} ${pattern.bytes}${part}`;
}

function isEmulated(pattern: MeasuredPattern): boolean {
  return pattern.space === "shared" && /^(atom|red)/.test(pattern.op) && /^LDS|CAST\.SPIN/.test(pattern.sass);
}

/** Measured figures of a pattern, in a form that `predict` gives too. */
export function measuredFigures(pattern: MeasuredPattern): number[] {
  const { space, wavefronts, sectors, ideal, idealSectors } = pattern;
  if (isEmulated(pattern)) return [wavefronts ?? 0, ideal, pattern.executions ?? 1];
  if (pattern.op.startsWith("cpasync")) return [wavefronts ?? 0, ideal, sectors ?? 0, idealSectors ?? 0];
  return [(space === "shared" ? wavefronts : sectors) ?? 0, ideal];
}

export function predictedFigures(pattern: MeasuredPattern): number[] {
  if (isEmulated(pattern)) {
    const offsets = new Int32Array(32);
    const loop = emulatedAtomic(offsets, readLanes(pattern.lanes, offsets), pattern.bytes);
    return pattern.sass.startsWith("LDS")
      ? [loop.loadWavefronts, loop.loadIdeal, loop.executions]
      : [loop.swapWavefronts, loop.swapIdeal, loop.executions];
  }
  const request = requestOf(pattern);
  if (pattern.op.startsWith("cpasync")) return copyFigures(pattern, request);
  const figure = pattern.space === "shared" ? sharedFigure(request) : globalFigure(request);
  return [figure.cost, figure.ideal];
}

function copyFigures(pattern: MeasuredPattern, request: WarpRequest): number[] {
  // A lane that copies nothing reads nothing.
  const sources = (pattern.globalLanes ?? []).map((address, lane) =>
    pattern.lanes[lane] === null ? null : address,
  );
  const shared = sharedFigure({ ...request, partnerAddresses: sources });
  const global = globalFigure({ ...request, laneAddresses: sources, partnerAddresses: pattern.lanes });
  return [shared.cost, shared.ideal, global.cost, global.ideal];
}

const operations: Readonly<Record<string, readonly [AccessOperation, string]>> = {
  ld: ["load", "load"],
  st: ["store", "store"],
  atom: ["atomic", "atomicAdd"],
  red: ["atomic", "atomicAdd"],
  atommax: ["atomic", "atomicMax"],
  atomand: ["atomic", "atomicAnd"],
  atominc: ["atomic", "atomicInc"],
  atomexch: ["atomic", "atomicExch"],
  atomcas: ["atomic", "atomicCAS"],
  atomf: ["atomic", "atomicAdd.single"],
  cpasyncca: ["async-copy", "cp.async.ca"],
};

export function requestOf(pattern: MeasuredPattern): WarpRequest {
  const { lanes, bytes, op } = pattern;
  const matrix = /^(ld|st)matrixT?([124])$/.exec(op);
  if (matrix)
    return {
      laneAddresses: lanes,
      bytes,
      operation: matrix[1] === "ld" ? "matrix-load" : "matrix-store",
      variant: `${matrix[1]}matrix.x${matrix[2]}`,
    };
  if (op === "cpasync")
    return {
      laneAddresses: lanes,
      bytes,
      operation: "async-copy",
      variant: bytes === 16 ? "cp.async.cg" : "cp.async.ca",
    };
  const [operation, variant] = operations[op] ?? ["load", op];
  return { laneAddresses: lanes, bytes, operation, variant };
}
