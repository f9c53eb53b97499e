// The plain executor's figures of a launch, to hold the folded evaluator's against: every warp of every block, counted one by one.
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import type { Program } from "../../server/src/ir/function.ts";
import { isScalar } from "../../server/src/ir/type.ts";
import {
  type Allocation,
  type HostContents,
  type HostValue,
  type Launch,
  typeAt,
} from "../../server/src/launches/launch.ts";
import { writeScalar } from "../../server/src/semantics/bytes.ts";
import { figureOf } from "../../server/src/simulator/figure.ts";
import type { AccessRequest } from "../../server/src/simulator/request.ts";
import { type SimulationOptions, simulate } from "../../server/src/simulator/simulate.ts";
import type { SourceRange } from "../../server/src/text/source.ts";

export interface Totals {
  requests: number;
  lanes: number;
  cost: number;
  ideal: number;
}

export interface SimulatedTotals {
  /** By access: place and calls, operation, width, space. */
  readonly totals: Map<string, Totals>;
  readonly unknown: Set<string>;
  /** Places that keys begin with: accesses through a pointer out of memory, which holds none here. */
  readonly nowhere: Set<string>;
  readonly status: string;
  readonly gaps: readonly string[];
}

export function simulatedTotals(
  program: Program,
  launch: Launch,
  options: SimulationOptions = {},
): SimulatedTotals {
  const totals = new Map<string, Totals>();
  const unknown = new Set<string>();
  const result = simulate(program, launch, {
    contents: (allocation) => filledByHost(launch.arguments, allocation),
    ...options,
    onRequest: (request) => count(totals, request),
    onUnknown: (access) => unknown.add(stackKey(access.stack)),
  });
  const nowhere = result.faults.flatMap(({ object, range }) => (object === null ? [stackKey([range])] : []));
  return {
    totals,
    unknown,
    nowhere: new Set(nowhere),
    status: result.status,
    gaps: result.gaps.map((gap) => JSON.stringify(gap)),
  };
}

/** What the host put into an allocation, as bytes; null where that is not known. */
function filledByHost(values: Iterable<HostValue>, allocation: Allocation): Uint8Array | null {
  for (const value of values) {
    const inside = value.kind === "aggregate" ? filledByHost(value.parts.values(), allocation) : null;
    if (inside !== null) return inside;
    if (value.kind !== "pointer" || value.allocation.id !== allocation.id || !value.contents) continue;
    return bytesOf(value.contents, allocation.sizeBytes ?? 0);
  }
  return null;
}

function bytesOf(contents: HostContents, sizeBytes: number): Uint8Array {
  const { unitBytes, values } = contents;
  const view = new DataView(new ArrayBuffer(Math.max(sizeBytes, values.length * unitBytes)));
  for (let unit = 0; unit < values.length; unit++) {
    const type = typeAt(contents, unit);
    const value = values[unit];
    if (type !== undefined && isScalar(type) && value !== null && value !== undefined)
      writeScalar(view, unit * unitBytes, type, value);
  }
  return new Uint8Array(view.buffer);
}

/** The same keys for what the evaluator found. */
export function evaluatedTotals(accesses: readonly AccessProfile[]): Map<string, Totals | null> {
  const totals = new Map<string, Totals | null>();
  for (const access of accesses) {
    if (access.space !== "shared" && access.space !== "global") continue;
    const key = keyOf(access.stack, access.operation, access.bytes, access.space);
    const before = totals.get(key);
    if (!access.totals || access.requests === null || access.laneCount === null || before === null)
      totals.set(key, null);
    else
      totals.set(key, {
        requests: access.requests + (before?.requests ?? 0),
        lanes: access.laneCount + (before?.lanes ?? 0),
        cost: access.totals.cost + (before?.cost ?? 0),
        ideal: access.totals.ideal + (before?.ideal ?? 0),
      });
  }
  return totals;
}

function count(totals: Map<string, Totals>, request: AccessRequest): void {
  if (request.space !== "shared" && request.space !== "global") return;
  const laneAddresses = request.laneAddresses.map((address, lane) =>
    (request.mask >>> lane) & 1 ? address : null,
  );
  const figure = figureOf(request);
  if (!figure) return;
  const key = keyOf(request.stack, request.operation, request.bytes, request.space);
  const sum = totals.get(key) ?? { requests: 0, lanes: 0, cost: 0, ideal: 0 };
  totals.set(key, sum);
  sum.requests++;
  sum.lanes += laneAddresses.filter((address) => address !== null).length;
  sum.cost += figure.cost;
  sum.ideal += figure.ideal;
}

function keyOf(stack: readonly SourceRange[], operation: string, bytes: number, space: string): string {
  return `${stackKey(stack)} ${operation} ${bytes} ${space}`;
}

function stackKey(stack: readonly SourceRange[]): string {
  return stack.map((range) => `${range.start}-${range.end}`).join("<");
}
