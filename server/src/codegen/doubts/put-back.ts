// Values that an array of the thread's own carries from memory through loops and back, as a small matrix that is factorised in place: where nvcc writes all
// of the loops out, it sees which elements are stored as they were loaded, and leaves those stores out (test/codegen/nests.test.ts).
import type { AccessSite, Expression, Place } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { forEachExpressionOf, rootOf, rootVariableOf } from "../walks/walk.ts";

/** The stores of what such an array holds to where it was filled from. */
export function putBackFromOwn(body: readonly Statement[]): readonly AccessSite[] {
  const origins = new Map<number, Set<number>>();
  const sources = new Map<number, Source>();
  const sites: AccessSite[] = [];
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "assign") return;
    const { place, value, site } = node;
    const source = sourceOf(value, sources);
    const own = ownArrayOf(place);
    if (own !== null) {
      if (source && source.kind !== "own") origins.set(own, (origins.get(own) ?? new Set()).add(source.id));
    } else if (place.kind === "variable") {
      if (source) sources.set(place.variable.id, source);
      else sources.delete(place.variable.id);
    } else if (source?.kind === "own" && site) {
      const target = rootVariableOf(place.pointer)?.id;
      if (target !== undefined && origins.get(source.id)?.has(target)) sites.push(site);
    }
  });
  return sites;
}

/** Where a value comes from: an array of the thread's own, or memory that starts at a variable. */
interface Source {
  readonly kind: "own" | "memory";
  readonly id: number;
}

function sourceOf(value: Expression, sources: ReadonlyMap<number, Source>): Source | null {
  if (value.kind !== "load") return null;
  const own = ownArrayOf(value.place);
  if (own !== null) return { kind: "own", id: own };
  if (value.place.kind === "variable") return sources.get(value.place.variable.id) ?? null;
  const root = rootVariableOf(value.place.pointer);
  return root && { kind: "memory", id: root.id };
}

/** The array of the thread's own that a place lies in. */
function ownArrayOf(place: Place): number | null {
  const inner = place.kind === "memory" ? rootOf(place.pointer)?.place : place;
  if (inner?.kind !== "variable") return null;
  const { type, storage, id } = inner.variable;
  return type.kind === "array" && storage === "automatic" ? id : null;
}
