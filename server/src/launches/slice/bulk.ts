// Which classes of places hold data in bulk: those with memory of many elements that is written at more places than are named.
import type { Convert, Intrinsic } from "../../ir/expression.ts";
import { allocators } from "../host/library-effects.ts";
import { anyData, type DataKind, either, kindAllocatedBy, kindOf, mayBeSame } from "./data-kinds.ts";

/** By the root of each class that holds data in bulk, what that is made of. */
export type BulkKinds = ReadonlyMap<number, DataKind>;

interface DataAt {
  readonly location: number;
  readonly kind: DataKind;
}

/** Collects them. Places are nodes of pointer classes. */
export class BulkData {
  /** Allocations and large arrays. */
  private readonly heaps = new Map<number, DataKind>();
  private readonly indexed: DataAt[] = [];
  /** Where memory of one kind is seen as memory of another. */
  private readonly recast: DataAt[] = [];

  /** A variable whose elements nobody follows one by one. */
  large(location: number, kind: DataKind): void {
    this.heap(location, kind);
    this.written(location, kind);
  }

  allocated(location: number, call: Intrinsic): void {
    const [place] = call.arguments;
    const isAnswer = allocators.get(call.name)?.gives === "argument";
    this.heap(location, isAnswer && place ? kindAllocatedBy(place) : anyData);
  }

  /** At an index, or by a function that copies. */
  written(location: number, kind: DataKind): void {
    this.indexed.push({ location, kind });
  }

  /** Memory that is given without a type has that of the pointer to it. */
  seenAs({ operand, type }: Convert, points: number): void {
    if (points === -1 || type.kind !== "pointer" || type.target.kind === "void") return;
    const kind = kindOf(type.target);
    if (operand.kind === "intrinsic" && allocators.has(operand.name)) this.heaps.set(points, kind);
    else if (operand.type.kind === "pointer") {
      const earlier = kindOf(operand.type.target);
      if (!mayBeSame(earlier, kind)) this.recast.push({ location: points, kind: either(earlier, kind) });
    }
  }

  /** Whether what is allocated at `location`, in a class that holds data of `kind`, is none of these. */
  isApart(location: number, kind: DataKind): boolean {
    const own = this.heaps.get(location);
    return own !== undefined && !mayBeSame(own, kind);
  }

  classes(find: (node: number) => number): BulkKinds {
    const roots = new Set([...this.heaps.keys()].map(find));
    const bulk = new Map<number, DataKind>();
    const add = ({ location, kind }: DataAt) => {
      const known = bulk.get(find(location));
      bulk.set(find(location), known === undefined ? kind : either(known, kind));
    };
    for (const each of this.indexed) if (roots.has(find(each.location))) add(each);
    for (const each of this.recast) if (bulk.has(find(each.location))) add(each);
    return bulk;
  }

  /** Of `bulk` the classes that also hold `objects`, or memory that is not made of what is written at an index. */
  mixed(bulk: BulkKinds, objects: ReadonlySet<number>, find: (node: number) => number): ReadonlySet<number> {
    const found = new Set([...objects].map(find).filter((root) => bulk.has(root)));
    for (const location of this.heaps.keys()) {
      const kind = bulk.get(find(location));
      if (kind !== undefined && this.isApart(location, kind)) found.add(find(location));
    }
    return found;
  }

  private heap(location: number, kind: DataKind): void {
    const known = this.heaps.get(location);
    this.heaps.set(location, known === undefined ? kind : either(known, kind));
  }
}
