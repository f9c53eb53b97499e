// What pointers may point to, by unification, as Steensgaard did: places that one pointer may point to are one class.
import type { BinaryOperator, Expression } from "../../ir/expression.ts";
import type { Type } from "../../ir/type.ts";

/** Classes of places, each named by any of its nodes. */
export class PointerClasses {
  private readonly parents: number[] = [];
  private readonly pointees: number[] = [];

  fresh(): number {
    this.parents.push(this.parents.length);
    this.pointees.push(-1);
    return this.parents.length - 1;
  }

  find(node: number): number {
    let root = node;
    while (this.parents[root] !== root) root = this.parents[root] ?? root;
    while (this.parents[node] !== root) {
      const next = this.parents[node] ?? root;
      this.parents[node] = root;
      node = next;
    }
    return root;
  }

  pointee(node: number): number {
    const root = this.find(node);
    const known = this.pointees[root] ?? -1;
    if (known !== -1) return known;
    const made = this.fresh();
    this.pointees[root] = made;
    return made;
  }

  unify(a: number, b: number): void {
    for (;;) {
      const left = this.find(a);
      const right = this.find(b);
      if (left === right) return;
      const leftPointee = this.pointees[left] ?? -1;
      const rightPointee = this.pointees[right] ?? -1;
      this.parents[right] = left;
      if (leftPointee === -1) this.pointees[left] = rightPointee;
      if (leftPointee === -1 || rightPointee === -1) return;
      a = leftPointee;
      b = rightPointee;
    }
  }
}

/** Whether a value of this type may hold a pointer. */
export function holdsPointers(type: Type): boolean {
  switch (type.kind) {
    case "pointer":
    case "function":
    case "unknown":
      return true;
    case "integer":
      return type.bits === 64;
    case "array":
      return holdsPointers(type.element);
    case "record":
      return type.fields.some((field) => holdsPointers(field.type));
    default:
      return false;
  }
}

/** Operators that make an address of an address, as those do who align pointers by hand. */
export const keepsAddresses: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["+", "-", "&", "|"]);

/** Whether a pointer steps over data, so that nobody follows which of them is written. */
export function isOneOfMany(pointer: Expression): boolean {
  return isIndexed(pointer) && !(pointer.type.kind === "pointer" && describesData(pointer.type.target));
}

/** Whether a pointer is stepped by an index that no constant gives: a write through it is one of many. */
function isIndexed(pointer: Expression): boolean {
  switch (pointer.kind) {
    case "offset":
      return pointer.index.kind !== "constant" || isIndexed(pointer.pointer);
    case "convert":
      return isIndexed(pointer.operand);
    default:
      return false;
  }
}

/** Whether what lies in an array points elsewhere: descriptions of data (`layers[i].weights`, `names[i]`) are few, and no data in bulk. */
export function describesData(element: Type): boolean {
  switch (element.kind) {
    case "pointer":
    case "function":
      return true;
    case "array":
      return describesData(element.element);
    case "record":
      return element.fields.some((field) => describesData(field.type));
    default:
      return false;
  }
}
