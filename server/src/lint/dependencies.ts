// Which declarations the launches of a program and each of its kernels hang on. Names alone tell: whatever a declaration means hangs on
// what declares the identifiers in it, so that too much may be named here, and never too little.
import { mayRunBeforeMain } from "../lower/functions/before-main.ts";
import { librariesNamedIn } from "../lower/headers/libraries.ts";
import { type SetParts, setIn } from "../lower/variables/set-in-sight.ts";
import { headWords } from "../syntax/declared-names.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";

export interface Dependencies {
  /** What holds for the translation unit as a whole: equal texts, equal world. */
  readonly world: string;
  /** What the launches hang on, in the order of the text. */
  readonly host: readonly Part[];
  /** What a kernel that stands in `unit` hangs on, itself among it, in the order of the text. `names`: those that launches name. */
  kernel(unit: SyntaxUnit, names: Iterable<string>): readonly Part[];
  /** For the next state of the text. */
  readonly names: NameIndex;
}

/** A declaration that something hangs on, or its head alone: a host sees no more of a kernel, and a kernel of what launches. */
export interface Part {
  readonly unit: SyntaxUnit;
  readonly extent: "whole" | "head";
}

/** `earlier`: of the state before, which knows most of the names; null where there was none. */
export function dependenciesOf(source: TranslationUnit, earlier: NameIndex | null): Dependencies {
  const { units } = source;
  const names = nameIndexOf(units, earlier);
  const graph = new Graph(units, names);
  const everywhere = units.filter(countsEverywhere);
  const launchers = units.filter((unit) => !isKernel(unit) && (isLauncher(unit) || mayRunBeforeMain(unit)));
  return {
    world: worldOf(source),
    host: graph.reachable([...everywhere, ...launchers, ...units.filter(isKernel)], [], isKernel),
    kernel: (unit, named) => graph.reachable([...everywhere, unit], named, isLaunchingFunction),
    names,
  };
}

/** Whether `unit` defines a kernel. */
export function isKernel({ text }: SyntaxUnit): boolean {
  return text.includes("__global__") && text.includes("{");
}

/** A kernel's text up to its body, with what was blanked in it: all that a host sees of it. */
export function headOf({ text, attributes }: SyntaxUnit): string {
  const end = headEnd(text);
  const inHead = attributes.filter(({ offset }) => offset <= end);
  return [text.slice(0, end), ...inHead.map(({ name, arguments: values }) => `${name} ${values}`)].join("\n");
}

function headEnd(text: string): number {
  const brace = text.indexOf("{");
  return brace === -1 ? text.length : brace;
}

/** Which declarations of a text, by their index, declare each name. */
export interface NameIndex {
  /** The names that each declaration may declare. */
  readonly declared: readonly ReadonlySet<string>[];
  readonly declaring: ReadonlyMap<string, readonly number[]>;
  /** By the identifiers of a declaration, the declarations that declare them: filled as it is asked for. */
  readonly needed: WeakMap<ReadonlySet<string>, readonly number[]>;
}

/** `earlier` itself where each declaration declares what the one at its index declared. */
function nameIndexOf(units: readonly SyntaxUnit[], earlier: NameIndex | null): NameIndex {
  const isSame =
    earlier?.declared.length === units.length &&
    units.every((unit, index) => areEqual(unit.names(), earlier.declared[index]));
  if (isSame) return earlier;
  const declaring = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    for (const name of unit.names()) {
      if (headWords.has(name)) continue;
      const known = declaring.get(name);
      if (known) known.push(index);
      else declaring.set(name, [index]);
    }
  }
  return { declared: units.map((unit) => unit.names()), declaring, needed: new WeakMap() };
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string> | undefined): boolean {
  if (a === b) return true;
  if (a.size !== b?.size) return false;
  for (const name of a) if (!b.has(name)) return false;
  return true;
}

/** Of texts that stay as they are: nobody asks what hangs on what. */
export const noDependencies: Dependencies = {
  world: "",
  host: [],
  kernel: () => [],
  names: { declared: [], declaring: new Map(), needed: new WeakMap() },
};

class Graph {
  private readonly units: readonly SyntaxUnit[];
  private readonly indexOf: ReadonlyMap<SyntaxUnit, number>;
  private readonly names: NameIndex;

  constructor(units: readonly SyntaxUnit[], names: NameIndex) {
    this.units = units;
    this.indexOf = new Map(units.map((unit, index) => [unit, index]));
    this.names = names;
  }

  reachable(
    from: readonly SyntaxUnit[],
    names: Iterable<string>,
    isSeenByHead: (unit: SyntaxUnit) => boolean,
  ): readonly Part[] {
    const seen = new Uint8Array(this.units.length);
    const work: number[] = [];
    const reach = (index: number) => {
      if (seen[index] === 1) return;
      seen[index] = 1;
      work.push(index);
    };
    for (const unit of from) reach(this.indexOf.get(unit) ?? 0);
    for (const name of names) for (const index of this.names.declaring.get(name) ?? []) reach(index);
    for (let index = work.pop(); index !== undefined; index = work.pop()) {
      const unit = this.units[index];
      if (unit === undefined) continue;
      const needed = isSeenByHead(unit) ? this.neededByHead(unit) : this.neededBy(unit);
      for (const each of needed) reach(each);
    }
    return this.units
      .filter((_, index) => seen[index] === 1)
      .map((unit) => ({ unit, extent: isSeenByHead(unit) ? "head" : "whole" }));
  }

  private neededBy(unit: SyntaxUnit): readonly number[] {
    const identifiers = unit.identifiers();
    const known = this.names.needed.get(identifiers);
    if (known !== undefined) return known;
    const needed = this.declarersOf(identifiers);
    this.names.needed.set(identifiers, needed);
    return needed;
  }

  private neededByHead({ text }: SyntaxUnit): readonly number[] {
    return this.declarersOf(text.slice(0, headEnd(text)).match(/[A-Za-z_]\w*/g) ?? []);
  }

  private declarersOf(names: Iterable<string>): readonly number[] {
    const found = new Set<number>();
    for (const name of names) for (const index of this.names.declaring.get(name) ?? []) found.add(index);
    return [...found];
  }
}

/** Operators are called, and using-declarations hold, without being named. */
function countsEverywhere(unit: SyntaxUnit): boolean {
  return unit.text.startsWith("using") || unit.names().has("operator");
}

/**
 * Whether `unit` is a function of the host that launches: nothing in its body means anything to a kernel, but for a class that it might give
 * to one as a template argument.
 */
function isLaunchingFunction(unit: SyntaxUnit): boolean {
  return (
    isLauncher(unit) &&
    isFunction(unit) &&
    !/__device__|__global__|\boperator\b/.test(headOf(unit)) &&
    !definesClass(unit.text)
  );
}

/** Whether `unit` is a function that defines a class, which it may give to a kernel as a template argument. */
export function definesLocalClass(unit: SyntaxUnit): boolean {
  return isFunction(unit) && definesClass(unit.text);
}

/** Whether a declaration may define a class: its own, or one within it. */
export function definesClass(text: string): boolean {
  return /\b(struct|class|union|enum)\b[^;{}]*\{/.test(text.replace(templateList, ""));
}

const templateList = /^\s*template\s*<[^{;]*?>/;

function isFunction({ text }: SyntaxUnit): boolean {
  return /\)\s*(const|noexcept)?\s*$/.test(text.slice(0, headEnd(text)));
}

function isLauncher({ text, namespaces }: SyntaxUnit): boolean {
  return launching.test(text) || (namespaces.length === 0 && /\bmain\s*\(/.test(text));
}

const launching = /<<<|cudaLaunch(Cooperative)?Kernel/;

/** What lowering asks of the unit as a whole: what was taken by convention and could not be found, libraries, namespaces. */
function worldOf(unit: TranslationUnit): string {
  const { units, conventions, assumed, includedFiles, missingIncludes } = unit;
  return JSON.stringify([
    conventions,
    assumed.map(({ names, ...macro }) => ({ ...macro, names: [...names] })),
    includedFiles,
    missingIncludes.map(({ name }) => name),
    units.some(({ text }) => launching.test(text)),
    librariesNamedIn(unit),
    [...new Set(units.map(({ namespaces }) => namespaces.join("::")))],
    variablesSet(units),
  ]);
}

/** The variables of the file that some function sets: what they hold when the host's code is entered hangs on that. */
function variablesSet(units: readonly SyntaxUnit[]): readonly string[] {
  const variables = new Set(units.flatMap((unit) => (unit.text.includes("(") ? [] : [...unit.names()])));
  const set = new Set(
    units.flatMap((unit) => [...setIn(unit)].map(([name, parts]) => nameOfParts(name, parts))),
  );
  return [...set].filter((name) => variables.has(name.split(".", 1)[0] ?? name)).sort();
}

function nameOfParts(name: string, parts: SetParts): string {
  return parts === "whole" ? name : `${name}.${[...parts].sort().join(",")}`;
}
