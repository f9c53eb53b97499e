// Which machine instruction makes which of the accesses that codegen leaves in a kernel, counted one by one. Test support and `npm run sass`.
import { forEachExpressionOf, rootOf } from "../../server/src/codegen/walks/walk.ts";
import type { AccessSite, Expression } from "../../server/src/ir/expression.ts";
import type { FunctionDefinition } from "../../server/src/ir/function.ts";
import { intrinsicEffect } from "../../server/src/ir/intrinsic.ts";
import { sizeOf } from "../../server/src/ir/type.ts";
import { positionAt } from "../../server/src/text/source.ts";
import type { CompiledKernel } from "./accesses.ts";

export interface Difference {
  readonly who: "nvcc" | "codegen";
  /** How many accesses are alike. */
  readonly count: number;
  /** Operation, width in bits, lines, and what is written there. */
  readonly access: string;
}

/**
 * What each side has and the other has not. Accesses are paired by operation, width, memory space and line: its own first, then those of the calls that it
 * was inlined through and of what it was merged with. nvcc may have more of a kind on a line, for it copies what loops repeat. `starts` are the offsets of
 * the file's lines.
 */
export function differencesOf(
  kernel: CompiledKernel,
  definition: FunctionDefinition,
  starts: readonly number[],
): readonly Difference[] {
  const all = accessesLeft(definition, starts);
  const left = [...all];
  const alone: Access[] = [];
  for (const made of accessesMade(kernel)) {
    const fits = (other: Access) => areAlike(made, other);
    const own = left.findIndex((other) => fits(other) && other.lines[0] === made.lines[0]);
    const at = own >= 0 ? own : left.findIndex((other) => fits(other) && shareLine(made, other));
    if (at >= 0) left.splice(at, 1);
    else if (!all.some((other) => fits(other) && shareLine(made, other))) alone.push(made);
  }
  return [...counted("nvcc", alone), ...counted("codegen", left)];
}

interface Access {
  readonly operation: string;
  /** 0: that of the instruction's name. */
  readonly bits: number;
  /** null: only a run tells. */
  readonly space: "shared" | "global" | null;
  /** Of the access itself, then of its callers and of what was merged. */
  readonly lines: readonly number[];
  readonly text: string;
}

const operations: Readonly<Record<string, Pick<Access, "operation" | "space">>> = {
  LDS: { operation: "load", space: "shared" },
  STS: { operation: "store", space: "shared" },
  LDG: { operation: "load", space: "global" },
  STG: { operation: "store", space: "global" },
  LD: { operation: "load", space: null },
  ST: { operation: "store", space: null },
  ATOMS: { operation: "atomic", space: "shared" },
  ATOMG: { operation: "atomic", space: "global" },
  RED: { operation: "atomic", space: "global" },
  LDSM: { operation: "matrix-load", space: "shared" },
  STSM: { operation: "matrix-store", space: "shared" },
  LDGSTS: { operation: "async-copy", space: "shared" },
};

function accessesMade({ case: name, sites }: CompiledKernel): readonly Access[] {
  return sites.flatMap(({ line, file, sass, bits, callers = [] }) => {
    const operation = operations[sass];
    const frames = [[file, line] as const, ...callers].filter(([of]) => of === name);
    if (!operation || frames.length === 0) return [];
    const isWide = operation.operation === "load" || operation.operation === "store";
    return [{ ...operation, bits: isWide ? bits : 0, lines: frames.map(([, at]) => at), text: sass }];
  });
}

function accessesLeft(definition: FunctionDefinition, starts: readonly number[]): Access[] {
  const found: Access[] = [];
  forEachExpressionOf(definition.body, (node) => {
    const access = accessOf(node);
    if (access === null) return;
    const { range, stack = [], merged, expression, uncertain } = access.site;
    const lines = [range, ...stack, ...merged].map(({ start }) => positionAt(starts, start).line);
    found.push({ ...access, lines, text: uncertain ? `${expression} (in doubt)` : expression });
  });
  return found;
}

function accessOf(node: Expression): (Omit<Access, "lines" | "text"> & { readonly site: AccessSite }) | null {
  if (node.kind === "intrinsic" && node.site) {
    const { site, name } = node;
    const effect = intrinsicEffect(name);
    if (effect === null) return null;
    if (effect === "load" || effect === "store")
      return { operation: effect, bits: (sizeOf(node.type) ?? 0) * 8, space: null, site };
    return { operation: effect, bits: 0, space: null, site };
  }
  if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
    return null;
  const root = rootOf(node.place.pointer)?.place;
  const variable = root?.kind === "variable" ? root.variable : null;
  const isPointer = variable?.type.kind === "pointer";
  const space = spaces[variable?.storage ?? ""] ?? null;
  if (variable && !isPointer && space === null) return null;
  return {
    operation: node.kind === "load" ? "load" : "store",
    bits: (node.site.wideBytes ?? sizeOf(node.place.type) ?? 0) * 8,
    space: isPointer ? null : space,
    site: node.site,
  };
}

const spaces: Readonly<Record<string, "shared" | "global">> = {
  shared: "shared",
  "dynamic-shared": "shared",
  device: "global",
};

function areAlike(made: Access, other: Access): boolean {
  if (made.operation !== other.operation || made.bits !== other.bits) return false;
  return made.space === null || other.space === null || made.space === other.space;
}

function shareLine(made: Access, other: Access): boolean {
  return made.lines.some((line) => other.lines.includes(line));
}

function counted(who: Difference["who"], accesses: readonly Access[]): readonly Difference[] {
  const counts = new Map<string, number>();
  for (const { operation, bits, lines, text } of accesses) {
    const access = `line ${lines.join(" < ")}: ${operation}${bits > 0 ? ` ${bits}` : ""}, ${text.slice(0, 80)}`;
    counts.set(access, (counts.get(access) ?? 0) + 1);
  }
  return [...counts].map(([access, count]) => ({ who, count, access }));
}
