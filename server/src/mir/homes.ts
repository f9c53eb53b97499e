// Which variables live in SSA: those of a thread whose address nobody sees. Each is cut into homes, so that every access takes whole ones: a
// record's members are values of their own, as after SROA and mem2reg.
import type { Expression, VariablePlace } from "../ir/expression.ts";
import { listsOf } from "../ir/operands.ts";
import type { Statement } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { forEachNaming, type Naming } from "../ir/walk.ts";

/** Bytes of a variable that are always read and assigned together. */
export interface Home {
  readonly index: number;
  readonly variable: Variable;
  readonly offsetBytes: number;
  /** Infinite where the type's size is not known. */
  readonly bytes: number;
  /** Whether each read stands behind an assignment in the same block: no block needs it as an argument. */
  readonly isLocal: boolean;
  /** The list of it alone. */
  readonly alone: readonly Home[];
}

export interface Homes {
  /** In the order of their indices. */
  readonly all: Home[];
  /** By the id of a variable. */
  readonly byVariable: Map<number, readonly Home[]>;
  /** Ids of the variables of a thread that stay in memory. */
  readonly inMemory: ReadonlySet<number>;
}

/** The homes that a place covers; none of a variable that stays in memory. */
export function homesAt(
  { variable, offsetBytes, type }: VariablePlace,
  { byVariable }: Homes,
): readonly Home[] {
  const homes = byVariable.get(variable.id);
  if (homes === undefined) return none;
  if (homes.length === 1) return homes;
  const first = homes[firstAt(homes, offsetBytes)];
  const end = offsetBytes + widthOf(type);
  if (first && first.offsetBytes === offsetBytes && first.offsetBytes + first.bytes >= end)
    return first.alone;
  return homes.filter((home) => home.offsetBytes < end && offsetBytes < home.offsetBytes + home.bytes);
}

/** Where among the homes of a variable the one of a byte stands. */
function firstAt(homes: readonly Home[], offsetBytes: number): number {
  let [low, high] = [0, homes.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((homes[middle]?.offsetBytes ?? 0) <= offsetBytes) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** `escaped`: ids of variables whose address something may see. */
export function homesIn(body: readonly Statement[], escaped: ReadonlySet<number>): Homes {
  const collector = new HomeCollector(escaped);
  collector.list(body);
  return collector.homes();
}

const none: readonly Home[] = [];

/** What is known of a variable: the parts that it is accessed in, and the block in which it was assigned last. */
interface Parts {
  readonly variable: Variable;
  readonly start: number;
  readonly end: number;
  /** Where parts begin and end, once there are others than the first. */
  bounds: number[] | null;
  block: number;
  isLocal: boolean;
}

class HomeCollector {
  readonly #escaped: ReadonlySet<number>;
  readonly #parts = new Map<number, Parts>();
  /** Ids of variables whose address something sees, and of those that are assigned within an expression, and so perhaps. */
  readonly #inMemory = new Set<number>();
  #block = 0;

  constructor(escaped: ReadonlySet<number>) {
    this.#escaped = escaped;
  }

  list(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case "evaluate":
        this.#whole(statement.expression);
        return;
      case "declare":
        if (statement.initializer) {
          this.#inner(statement.initializer);
          this.#note(
            { kind: "variable", variable: statement.variable, offsetBytes: 0, type: statement.variable.type },
            "assigned",
          );
        }
        return;
      case "if":
        this.#inner(statement.condition);
        break;
      case "switch":
        this.#inner(statement.selector);
        break;
      case "return":
        if (statement.value) this.#inner(statement.value);
        return;
      case "launch":
        if (typeof statement.kernel !== "string") this.#inner(statement.kernel);
        for (const each of [statement.grid, statement.block, ...statement.arguments]) this.#inner(each);
        if (statement.sharedBytes) this.#inner(statement.sharedBytes);
        return;
      case "loop":
        this.#block++;
        if (statement.condition) this.#inner(statement.condition);
        break;
      default:
    }
    for (const inner of listsOf(statement)) {
      this.#block++;
      this.list(inner);
    }
    this.#block++;
    if (statement.kind === "loop") for (const step of statement.step) this.#whole(step);
    this.#block++;
  }

  /** An expression that is evaluated for what it does: an assignment there is made for sure. */
  #whole(expression: Expression): void {
    if (expression.kind !== "assign") {
      this.#inner(expression);
      return;
    }
    this.#inner(expression.value);
    if (expression.place.kind === "memory") this.#inner(expression.place.pointer);
    else this.#note(expression.place, "assigned");
  }

  #inner(expression: Expression): void {
    forEachNaming(expression, visitInner, this);
  }

  visit(node: Naming): void {
    this.#note(node.place, "read");
    if (node.kind === "assign") this.#inMemory.add(node.place.variable.id);
  }

  #note({ variable, offsetBytes, type }: VariablePlace, how: "read" | "assigned"): void {
    if (variable.storage !== "automatic") return;
    if (this.#escaped.has(variable.id)) {
      this.#inMemory.add(variable.id);
      return;
    }
    const end = offsetBytes + widthOf(type);
    const known = this.#parts.get(variable.id);
    if (known === undefined) {
      const isLocal = how === "assigned";
      const block = isLocal ? this.#block : -1;
      this.#parts.set(variable.id, { variable, start: offsetBytes, end, bounds: null, block, isLocal });
      return;
    }
    if (how === "assigned") known.block = this.#block;
    else if (known.block !== this.#block) known.isLocal = false;
    if (known.start === offsetBytes && known.end === end) return;
    known.bounds ??= [known.start, known.end];
    if (!known.bounds.includes(offsetBytes)) known.bounds.push(offsetBytes);
    if (!known.bounds.includes(end)) known.bounds.push(end);
  }

  homes(): Homes {
    const all: Home[] = [];
    const byVariable = new Map<number, readonly Home[]>();
    for (const [id, { variable, start, end, bounds, isLocal }] of this.#parts) {
      if (this.#inMemory.has(id)) continue;
      if (bounds === null) {
        const home = homeOf({ index: all.length, variable, offsetBytes: start, bytes: end - start, isLocal });
        all.push(home);
        byVariable.set(id, home.alone);
        continue;
      }
      bounds.sort((a, b) => a - b);
      const first = all.length;
      for (let at = 0; at + 1 < bounds.length; at++) {
        const offsetBytes = bounds[at] ?? 0;
        const bytes = (bounds[at + 1] ?? 0) - offsetBytes;
        // Of parts, one may be assigned here and another elsewhere.
        all.push(homeOf({ index: all.length, variable, offsetBytes, bytes, isLocal: false }));
      }
      byVariable.set(id, all.slice(first));
    }
    return { all, byVariable, inMemory: this.#inMemory };
  }
}

export function homeOf(home: Omit<Home, "alone">): Home {
  const alone: Home[] = [];
  const { index, variable, offsetBytes, bytes, isLocal } = home;
  const made = { index, variable, offsetBytes, bytes, isLocal, alone };
  alone.push(made);
  return made;
}

function visitInner(node: Naming, collector: HomeCollector): void {
  collector.visit(node);
}

function widthOf(type: VariablePlace["type"]): number {
  return sizeOf(type) ?? Number.POSITIVE_INFINITY;
}
