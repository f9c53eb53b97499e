// The launches that the host interpreter meets, as contracts have them, equal ones merged.
import type { Assumption } from "../../ir/assumption.ts";
import type { FunctionId } from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import { alignmentOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import { agreedContents } from "../contents/found-contents.ts";
import type { Allocation, HostValue } from "../launch.ts";
import { contentsOfData } from "./data.ts";
import { leavesOf } from "./leaves.ts";
import { type HostObject, readContents } from "./object.ts";
import type { Value } from "./value.ts";
import { isScalarValue } from "./value.ts";

/** A launch as met: the block may be unknown in part. */
export interface MetLaunch {
  readonly kernel: FunctionId;
  readonly grid: readonly (number | null)[];
  readonly block: readonly (number | null)[];
  /** The name declared nowhere that its block hangs on; null where there is none. */
  readonly undeclaredBlock: string | null;
  readonly sharedBytes: number | null;
  readonly arguments: readonly HostValue[];
  readonly constants: ReadonlyMap<string, HostValue>;
  readonly isFromMain: boolean;
  readonly path: readonly SourceRange[];
  readonly assumptions: readonly Assumption[];
  /** How many conditions nobody knows chose the way that led to it. */
  readonly choices: number;
}

export interface CountedLaunch extends MetLaunch {
  count: number;
}

/** More launches than this are not remembered one by one. */
const maxLog = 1 << 20;

export class Recorder {
  /** How many launches were met so far, equal ones included. */
  met = 0;
  /** Whether launches that are met again are made again: where nobody knows how often a loop runs, they may be the same. */
  isCounting = true;
  /** The launches met, in order, for those who fold what repeats. */
  private readonly log: string[] = [];
  private readonly byKey = new Map<string, CountedLaunch>();
  private allocations = 0;
  /** The objects of which the argument at hand is given what lies in them. */
  private given: ReadonlySet<HostObject> = noObjects;

  record(launch: MetLaunch): void {
    this.met++;
    const key = keyOf(launch);
    const known = this.byKey.get(key);
    const isCounted = known === undefined || this.isCounting;
    if (isCounted && this.log.length < maxLog) this.log.push(key);
    const count = (known?.count ?? 0) + (isCounted ? 1 : 0);
    const isSurer = known === undefined || launch.assumptions.length < known.assumptions.length;
    const kept = isSurer ? launch : known;
    const values =
      known === undefined
        ? launch.arguments
        : widest(
            agreedContents(kept.arguments, known.arguments, launch.arguments),
            known.arguments,
            launch.arguments,
          );
    this.byKey.set(key, { ...kept, arguments: values, count });
  }

  /** Where the log stands, for `repeat`; null where it is full. */
  mark(): number | null {
    return this.log.length < maxLog ? this.log.length : null;
  }

  /** All launches met since `mark` are made `times` more often. */
  repeat(mark: number, times: number): void {
    for (const key of this.log.slice(mark)) {
      const launch = this.byKey.get(key);
      if (launch !== undefined) launch.count += times;
      this.met += times;
    }
  }

  launches(): CountedLaunch[] {
    return [...this.byKey.values()];
  }

  /** What the launch passes for `parameter`, or what it finds in a variable; it is given what lies in those of the objects in `given`. */
  hostValue(value: Value, parameter: Variable, given: ReadonlySet<HostObject> = noObjects): HostValue {
    this.given = given;
    return this.convert(value, parameter.type, parameter.name);
  }

  private convert(value: Value, type: Type, name: string): HostValue {
    if (type.kind === "record" || type.kind === "array") return this.aggregate(value, type, name);
    if (isScalarValue(value)) {
      return type.kind === "pointer" && value === 0 ? { kind: "null" } : { kind: "scalar", value };
    }
    if (value.kind === "pointer" && value.offsetBytes !== null) {
      const allocation = this.allocationOf(value.object, name);
      const { data } = value.object;
      const contents = data !== null && this.given.has(value.object) ? contentsOfData(data) : null;
      const pointer = { kind: "pointer", allocation, offsetBytes: value.offsetBytes } as const;
      return contents === null ? pointer : { ...pointer, contents };
    }
    if (type.kind === "pointer") return this.strayPointer(value, type, name);
    if (value.kind === "unknown") return value;
    return { kind: "unknown", reason: value.kind === "function" ? "a function pointer" : "a record" };
  }

  /** A pointer to who knows where: into an allocation at an unknown offset, it is aligned as its type only. */
  private strayPointer(value: Value, type: Type & { kind: "pointer" }, name: string): HostValue {
    const isInside = !isScalarValue(value) && value.kind === "pointer";
    const allocation: Allocation = {
      id: ++this.allocations,
      name: isInside && value.object.name !== "" ? value.object.name : name,
      sizeBytes: null,
      alignmentBytes: isInside ? (alignmentOf(type.target) ?? 1) : 256,
      isAlignmentAssumed: !isInside,
    };
    return { kind: "pointer", allocation, offsetBytes: 0 };
  }

  private aggregate(value: Value, type: Type, name: string): HostValue {
    if (isScalarValue(value)) return { kind: "unknown", reason: "a record that is not known" };
    const leaves = leavesOf(type);
    if (leaves === null) return { kind: "unknown", reason: "a record too large to follow" };
    if (value.kind !== "record" && value.kind !== "unknown")
      return { kind: "unknown", reason: "a record that is not known" };
    const parts = new Map<number, HostValue>();
    for (const leaf of leaves) {
      const part =
        value.kind === "record"
          ? readContents(value, leaf.offsetBytes, leaf.type, "a member that nobody set")
          : value;
      parts.set(leaf.offsetBytes, this.convert(part, leaf.type, name));
    }
    return { kind: "aggregate", parts };
  }

  private allocationOf(object: HostObject, name: string): Allocation {
    object.allocation ??= {
      id: ++this.allocations,
      name: object.name || name,
      sizeBytes: object.sizeBytes,
      alignmentBytes: object.alignmentBytes,
      isAlignmentAssumed: object.isOpaque,
    };
    return object.allocation;
  }
}

const noObjects: ReadonlySet<HostObject> = new Set();

/** `values`, with no number smaller than in either of two lists of arguments. */
function widest(
  values: readonly HostValue[],
  a: readonly HostValue[],
  b: readonly HostValue[],
): readonly HostValue[] {
  return values.map((value, index) => widestOf(value, a[index], b[index]));
}

function widestOf(value: HostValue, a: HostValue | undefined, b: HostValue | undefined): HostValue {
  if (value.kind === "aggregate") {
    const partAt = (of: HostValue | undefined, at: number) =>
      of?.kind === "aggregate" ? of.parts.get(at) : of;
    const parts = [...value.parts].map(
      ([at, part]) => [at, widestOf(part, partAt(a, at), partAt(b, at))] as const,
    );
    return { kind: "aggregate", parts: new Map(parts) };
  }
  if (value.kind !== "unknown" || value.most === undefined) return value;
  if (a?.kind !== "unknown" || b?.kind !== "unknown" || a.most === undefined || b.most === undefined)
    return { kind: "unknown", reason: value.reason };
  return { ...value, most: Math.max(a.most, b.most) };
}

/** Equal for launches that differ only in which of several like allocations they pass, or in how the host came there. */
export function keyOf(launch: MetLaunch): string {
  const allocations = new Map<number, number>();
  const write = (value: HostValue): string => {
    switch (value.kind) {
      case "scalar":
        return Object.is(value.value, -0) ? "-0" : `${value.value}`;
      case "null":
        return "null";
      case "unknown":
        return "?";
      case "pointer": {
        const { id, sizeBytes, alignmentBytes } = value.allocation;
        const order = allocations.get(id) ?? allocations.size;
        allocations.set(id, order);
        return `@${order}:${sizeBytes}:${alignmentBytes}+${value.offsetBytes}`;
      }
      case "aggregate":
        return `{${[...value.parts].map(([offset, part]) => `${offset}=${write(part)}`).join(",")}}`;
    }
  };
  const parts = [
    launch.kernel,
    launch.grid,
    launch.block,
    launch.sharedBytes,
    launch.isFromMain,
    ...launch.arguments.map(write),
    ...[...launch.constants].map(([name, value]) => `${name}=${write(value)}`),
  ];
  return parts.join("|");
}
