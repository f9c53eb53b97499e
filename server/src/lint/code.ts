// The code of a kernel, told apart from where it stands: what does the same costs the same, however it is typed.
import { withoutUnusedLocals } from "../codegen/dead/unused.ts";
import type { FunctionId, Program } from "../ir/function.ts";
import type { Variable } from "../ir/variable.ts";
import type { SourceRange } from "../text/source.ts";
import type { PlaceOf } from "./move-profile.ts";

export interface KernelCode {
  /** Equal for code that does the same with the same names: of the kernel, of what it calls, and of the variables of the file. */
  readonly hash: string;
  /** The places of the code, in an order that is the same for equal code. */
  readonly places: readonly SourceRange[];
  readonly body: BodyCode;
}

/** The code of a kernel alone, with its lambdas: what else it calls is named in it, and not read. */
export interface BodyCode {
  readonly hash: string;
  readonly places: readonly SourceRange[];
  /** All else that it calls has a name that means the same in every text: none of a lambda, and none that hangs on what was lowered before. */
  readonly namesItsCallees: boolean;
}

/** The code that evaluating `kernel` reads. */
export function codeOf(program: Program, kernel: FunctionId): KernelCode {
  const writer = new CodeWriter(program);
  const body = writer.kernel(kernel);
  writer.callees();
  return { ...writer.code(), body };
}

/** The code of `kernel` alone. Nothing that it calls is lowered for it. */
export function bodyCodeOf(program: Program, kernel: FunctionId): BodyCode {
  return new CodeWriter(program).kernel(kernel);
}

/** From the places of `earlier` to those of `later`; null where one became two, or the codes differ. */
export function placesBetween(
  earlier: Omit<KernelCode, "body">,
  later: Omit<KernelCode, "body">,
): PlaceOf | null {
  if (earlier.hash !== later.hash || earlier.places.length !== later.places.length) return null;
  const to = new Map<string, SourceRange>();
  for (const [index, place] of earlier.places.entries()) {
    const now = later.places[index];
    const key = placeKey(place);
    const known = to.get(key);
    if (now === undefined || (known !== undefined && placeKey(known) !== placeKey(now))) return null;
    to.set(key, now);
  }
  return (range) => to.get(placeKey(range)) ?? null;
}

function placeKey({ file, start, end }: SourceRange): string {
  return `${start} ${end} ${file}`;
}

/** What stands before a value, so that no two sequences of values are written alike. */
const marks = {
  number: 1,
  text: 2,
  sameText: 3,
  place: 4,
  shared: 5,
  list: 6,
  map: 7,
  set: 8,
  record: 9,
  id: 10,
  special: 11,
} as const;

/** Writes plain data into a hash: places apart, variables by the order in which they come, shared parts and equal texts once. */
class CodeWriter {
  private readonly program: Program;
  private readonly places: SourceRange[] = [];
  private readonly seen = new Map<object, number>();
  private readonly texts = new Map<string, number>();
  private readonly ids = new Map<number, number>();
  private readonly lambdas = new Map<number, number>();
  private readonly functions: string[] = [];
  private readonly known = new Set<string>();
  private low = 0x811c9dc5;
  private high = 0x9747b28c;

  constructor(program: Program) {
    this.program = program;
  }

  kernel(id: FunctionId): BodyCode {
    this.known.add(id);
    this.function(id);
    this.calleesWhere(isLambda);
    const namesItsCallees = [...this.known].every((name) => isLambda(name) || !name.includes("#"));
    return { ...this.code(), namesItsCallees };
  }

  callees(): void {
    this.calleesWhere(() => true);
  }

  private calleesWhere(isWanted: (id: string) => boolean): void {
    for (
      let index = this.functions.findIndex(isWanted);
      index !== -1;
      index = this.functions.findIndex(isWanted)
    )
      for (const id of this.functions.splice(index, 1)) this.function(id);
  }

  /** Of what is written so far. */
  code(): Pick<KernelCode, "hash" | "places"> {
    return { hash: `${this.high >>> 0} ${this.low >>> 0}`, places: [...this.places] };
  }

  private function(id: string): void {
    this.text(id);
    const definition = this.program.functionOf(id as FunctionId);
    this.value(definition && withoutUnusedLocals(definition));
  }

  private value(value: unknown): void {
    if (typeof value === "object" && value !== null) this.object(value);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "string") this.text(value);
    else this.special(`${value}`);
  }

  /** What is neither data nor a number nor a text: true, null, 12n. */
  private special(name: string): void {
    this.mix(marks.special);
    this.text(name);
  }

  private object(value: object): void {
    const index = this.seen.get(value);
    if (index !== undefined) {
      this.pair(marks.shared, index);
      return;
    }
    this.seen.set(value, this.seen.size);
    if (isRange(value)) {
      this.mix(marks.place);
      this.places.push(value);
    } else if (Array.isArray(value)) this.list(marks.list, value);
    else if (value instanceof Map) this.list(marks.map, [...value].flat());
    else if (value instanceof Set) this.list(marks.set, [...value]);
    else this.record(value);
  }

  private list(mark: number, values: readonly unknown[]): void {
    this.pair(mark, values.length);
    for (const each of values) this.value(each);
  }

  private record(value: object): void {
    this.mix(marks.record);
    for (const key in value) {
      const each: unknown = value[key as keyof typeof value];
      this.text(key);
      if (key === "id" && typeof each === "number") this.pair(marks.id, numberOf(this.ids, each));
      else this.value(each);
      if (key === "callee" && typeof each === "string") this.call(each);
    }
    if (isVariable(value)) this.value(this.program.globalInitializer(value));
  }

  private call(callee: string): void {
    if (this.known.has(callee)) return;
    this.known.add(callee);
    this.functions.push(callee);
  }

  private number(value: number): void {
    this.mix(marks.number);
    if ((value | 0) === value && !Object.is(value, -0)) this.mix(value);
    else this.text(Object.is(value, -0) ? "-0" : `${value}`);
  }

  private text(typed: string): void {
    const known = this.texts.get(typed);
    if (known !== undefined) {
      this.pair(marks.sameText, known);
      return;
    }
    this.texts.set(typed, this.texts.size);
    const text = typed.includes("lambda#") ? this.withLambdasInOrder(typed) : typed;
    this.pair(marks.text, text.length);
    for (let at = 0; at < text.length; at++) this.mix(text.charCodeAt(at));
  }

  /** A lambda's name holds a number that hangs on all that was lowered before it. */
  private withLambdasInOrder(text: string): string {
    return text.replace(/lambda#(\d+)/g, (_, id) => `lambda#${numberOf(this.lambdas, Number(id))}`);
  }

  private pair(mark: number, value: number): void {
    this.mix(mark);
    this.mix(value);
  }

  private mix(value: number): void {
    this.low = Math.imul(this.low ^ value, 0x01000193);
    this.low ^= this.low >>> 13;
    this.high = Math.imul(this.high ^ value, 0x5bd1e995);
    this.high ^= this.high >>> 15;
  }
}

function isLambda(id: string): boolean {
  return id.startsWith("lambda#");
}

/** The number of `key` in the order in which keys came. */
function numberOf(order: Map<number, number>, key: number): number {
  const known = order.get(key);
  if (known !== undefined) return known;
  order.set(key, order.size);
  return order.size - 1;
}

function isRange(value: object): value is SourceRange {
  return "file" in value && "start" in value && "end" in value;
}

function isVariable(value: object): value is Variable {
  return "storage" in value && "alignmentBytes" in value && "id" in value;
}
