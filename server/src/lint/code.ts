// The code of a kernel as evaluation sees it, told apart from where it stands: what does the same costs the same, however it is typed.
import type { FunctionId, Program } from "../ir/function.ts";
import type { Variable } from "../ir/variable.ts";
import type { SourceRange } from "../text/source.ts";

export interface KernelCode {
  /** Equal for code that does the same with the same names: of the kernel, of what it calls, and of the variables of the file. */
  readonly hash: string;
  /** The places of the code, in an order that is the same for equal code. */
  readonly places: readonly SourceRange[];
}

/** The code that evaluating `kernel` reads. */
export function codeOf(program: Program, kernel: FunctionId): KernelCode {
  const writer = new CodeWriter(program);
  writer.function(kernel);
  return writer.finish();
}

/** From the places of `earlier` to those of `later`; null where one became two, or the codes differ. */
export function placesBetween(
  earlier: KernelCode,
  later: KernelCode,
): ((range: SourceRange) => SourceRange | null) | null {
  if (earlier.hash !== later.hash || earlier.places.length !== later.places.length) return null;
  const to = new Map<string, SourceRange>();
  for (const [index, place] of earlier.places.entries()) {
    const now = later.places[index];
    const known = to.get(placeKey(place));
    if (now === undefined || (known !== undefined && placeKey(known) !== placeKey(now))) return null;
    to.set(placeKey(place), now);
  }
  return (range) => to.get(placeKey(range)) ?? null;
}

function placeKey({ file, start, end }: SourceRange): string {
  return `${start} ${end} ${file}`;
}

/** Writes plain data into a hash: places apart, variables by the order in which they come, shared parts once. */
class CodeWriter {
  private readonly program: Program;
  private readonly places: SourceRange[] = [];
  private readonly seen = new Map<object, number>();
  private readonly ids = new Map<number, number>();
  private readonly functions: string[] = [];
  private readonly known = new Set<string>();
  private low = 0x811c9dc5;
  private high = 0x9747b28c;

  constructor(program: Program) {
    this.program = program;
  }

  function(id: FunctionId): void {
    this.known.add(id);
    this.functions.push(id);
    for (let next = this.functions.shift(); next !== undefined; next = this.functions.shift()) {
      this.text(next);
      this.value(this.program.functionOf(next as FunctionId));
    }
  }

  finish(): KernelCode {
    return { hash: `${this.high >>> 0} ${this.low >>> 0}`, places: this.places };
  }

  private value(value: unknown): void {
    if (typeof value === "object" && value !== null) this.object(value);
    else if (typeof value === "number") this.text(Object.is(value, -0) ? "-0" : `${value}`);
    else this.text(`${typeof value} ${value}`);
  }

  private object(value: object): void {
    if (isRange(value)) {
      this.places.push(value);
      this.text("@");
      return;
    }
    const index = this.seen.get(value);
    if (index !== undefined) {
      this.text(`#${index}`);
      return;
    }
    this.seen.set(value, this.seen.size);
    if (Array.isArray(value)) this.list("[", value);
    else if (value instanceof Map) this.list("map", [...value].flat());
    else if (value instanceof Set) this.list("set", [...value]);
    else this.record(value);
  }

  private list(kind: string, values: readonly unknown[]): void {
    this.text(`${kind}${values.length}`);
    for (const each of values) this.value(each);
  }

  private record(value: object): void {
    this.text("{");
    for (const [key, each] of Object.entries(value)) {
      this.text(key);
      if (key === "id" && typeof each === "number") this.id(each);
      else this.value(each);
      if (key === "callee" && typeof each === "string") this.call(each);
    }
    if (isVariable(value)) this.value(this.program.globalInitializer(value));
  }

  private id(id: number): void {
    const order = this.ids.get(id) ?? this.ids.size;
    this.ids.set(id, order);
    this.text(`%${order}`);
  }

  private call(callee: string): void {
    if (this.known.has(callee)) return;
    this.known.add(callee);
    this.functions.push(callee);
  }

  private text(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      this.low = Math.imul(this.low ^ code, 0x01000193);
      this.high = Math.imul(this.high ^ code, 0x5bd1e995);
      this.high ^= this.high >>> 15;
    }
    this.low = Math.imul(this.low ^ 0x1f, 0x01000193);
    this.high = Math.imul(this.high ^ 0x1f, 0x5bd1e995);
  }
}

function isRange(value: object): value is SourceRange {
  return "file" in value && "start" in value && "end" in value;
}

function isVariable(value: object): value is Variable {
  return "storage" in value && "alignmentBytes" in value && "id" in value;
}
