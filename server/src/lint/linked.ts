// What a linker would bring to a program: functions that a translation unit declares and calls, and that one other source beside it defines.
// The host's code is followed into them, for tables are built there, sizes worked out and options read.
import type { IncludedFile } from "../project/includes.ts";
import type { FileSettings } from "../project/project.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";
import type { Pipeline } from "./pipeline.ts";
import { readOptionsOf } from "./read-options.ts";

export interface LinkedUnit {
  /** What the text itself says and includes. */
  readonly own: TranslationUnit;
  /** All of it as one. */
  readonly unit: TranslationUnit;
  /** Whether something is lacking, so that any source beside it may have a say. */
  readonly asksBeside: boolean;
  /** The sources that were read, linked or not. */
  readonly read: readonly TranslationUnit[];
}

/** Reads a translation unit, with what a linker would bring to it. `earlier`: of the state before; null where there was none. */
export function readLinked(
  file: string,
  text: string,
  settings: FileSettings,
  pipeline: Pipeline,
  earlier: LinkedUnit | null,
): LinkedUnit {
  const read = (path: string, source: string, previous: TranslationUnit | null) =>
    pipeline.read(path, source, { ...readOptionsOf(settings), previous });
  return linkUnit(read(file, text, earlier?.own ?? null), {
    sources: () => settings.sourcesBeside(file),
    read: (source) =>
      read(source.path, source.text, earlier?.read.find((each) => each.file === source.path) ?? null),
  });
}

/** The outside, as far as it is asked. */
interface Linker {
  /** The sources beside the unit, itself not among them. */
  sources(): readonly IncludedFile[];
  read(source: IncludedFile): TranslationUnit;
}

/** More files than this make no program whose host anybody could follow. */
const mostLinked = 8;

/**
 * `own` with the definitions that it lacks. Only a program whose `main` is there is linked: nobody knows the arguments of any other. A source
 * is left out that is a program of its own, or says other things by the same names.
 */
function linkUnit(own: TranslationUnit, linker: Linker): LinkedUnit {
  const linked: TranslationUnit[] = [];
  const read = new Map<string, TranslationUnit>();
  const asked = new Set<string>();
  let unit = own;
  if (!isProgram(own)) return { own, unit, asksBeside: false, read: [] };
  const readOnce = (source: IncludedFile): TranslationUnit => {
    const found = read.get(source.path) ?? linker.read(source);
    read.set(source.path, found);
    return found;
  };
  for (let lacking = namesLacking(unit, asked); lacking.size > 0; lacking = namesLacking(unit, asked)) {
    for (const name of lacking) asked.add(name);
    for (const found of definersOf(lacking, { sources: linker.sources, read: readOnce })) {
      const whole = linked.length < mostLinked && !linked.includes(found) ? together(unit, found) : null;
      if (whole === null) continue;
      unit = whole;
      linked.push(found);
    }
  }
  return { own, unit, asksBeside: asked.size > 0, read: [...read.values()] };
}

function isProgram({ units }: TranslationUnit): boolean {
  return units.some(definesMain) && units.some(launches);
}

function definesMain({ text, namespaces }: SyntaxUnit): boolean {
  return namespaces.length === 0 && text.includes("main") && /\bmain\s*\([^;]*\{/.test(text);
}

function launches({ text }: SyntaxUnit): boolean {
  return text.includes("<<<") || /\bcudaLaunch(Cooperative)?Kernel/.test(text);
}

/** Functions that are declared and named by some definition, and not defined: `f`, or `Class::f`. None of `asked` is among them. */
function namesLacking({ units }: TranslationUnit, asked: ReadonlySet<string>): ReadonlySet<string> {
  const lacking = new Set<string>();
  for (const unit of units) for (const name of functionsOf(unit).declared) lacking.add(name);
  for (const name of asked) lacking.delete(name);
  if (lacking.size === 0) return lacking;
  const named = new Set<string>();
  for (const unit of units) {
    for (const name of functionsOf(unit).defined) lacking.delete(name);
    if (unit.text.includes("{")) for (const name of unit.identifiers()) named.add(name);
  }
  for (const name of lacking) if (!named.has(lastOf(name))) lacking.delete(name);
  return lacking;
}

/** Of each name the one source that defines it; of those that several define, none. */
function definersOf(names: ReadonlySet<string>, { sources, read }: Linker): readonly TranslationUnit[] {
  const words = new Set([...names].map(lastOf));
  const candidates = sources().filter((source) => calledWords(source).some((word) => words.has(word)));
  const found = new Map<string, TranslationUnit[]>();
  for (const candidate of candidates.map(read)) {
    const defined = candidate.units.filter((unit) => isOf(candidate, unit)).flatMap(definedForOthers);
    for (const name of new Set(defined)) {
      if (!names.has(name)) continue;
      const known = found.get(name);
      if (known) known.push(candidate);
      else found.set(name, [candidate]);
    }
  }
  return [...new Set([...found.values()].flatMap((definers) => (definers.length === 1 ? definers : [])))];
}

/** The words of a text with a parenthesis behind them: a source that defines a function has its name among them. */
function calledWords(source: IncludedFile): readonly string[] {
  const found = wordsOfSource.get(source) ?? source.text.match(/[A-Za-z_]\w*(?=\s*\()/g) ?? [];
  wordsOfSource.set(source, found);
  return found;
}

const wordsOfSource = new WeakMap<IncludedFile, readonly string[]>();

/** What other files may call. */
function definedForOthers(unit: SyntaxUnit): readonly string[] {
  const isInternal = unit.namespaces.includes("") || /\bstatic\b/.test(headOf(unit)) || isOfDevice(unit);
  return isInternal ? [] : functionsOf(unit).defined;
}

/**
 * `unit` with what `other` adds to it; null where the two are no program: both define something of a name, or a header says to one what it
 * does not say to the other. Kernels, what launches them, and other code of the GPU are left where they stand: what nvcc makes of a
 * function that it does not see the call of is something else.
 */
function together(unit: TranslationUnit, other: TranslationUnit): TranslationUnit | null {
  const known = new Map(unit.units.map((each) => [placeOf(each), each.hash()]));
  const added: SyntaxUnit[] = [];
  for (const each of other.units) {
    const hash = isOf(other, each) ? undefined : known.get(placeOf(each));
    if (hash !== undefined && hash !== each.hash()) return null;
    if (hash === undefined) added.push(each);
  }
  const shared = new Set(other.units.map(placeOf));
  const mine = new Set(unit.units.filter((each) => !shared.has(placeOf(each))).flatMap(definedNames));
  if (added.some((each) => definedNames(each).some((name) => mine.has(name)))) return null;
  if (added.some(definesMain)) return null;
  return {
    ...unit,
    units: [...unit.units, ...added.filter((each) => !isOfDevice(each) && !launches(each))],
    texts: new Map([...other.texts, ...unit.texts]),
    reading: null,
  };
}

function isOfDevice(unit: SyntaxUnit): boolean {
  return /\b__(global|device|constant|managed)__\b/.test(headOf(unit));
}

function isOf({ file }: TranslationUnit, unit: SyntaxUnit): boolean {
  return unit.extent()?.file === file;
}

function placeOf(unit: SyntaxUnit): string {
  const extent = unit.extent();
  return extent === null ? unit.hash() : `${extent.file}\n${extent.start}`;
}

/** The functions that a declaration declares without a body, and those that it defines. */
interface Functions {
  readonly declared: readonly string[];
  readonly defined: readonly string[];
}

const noFunctions: Functions = { declared: [], defined: [] };

/** By the names of a declaration, which stay the same set as long as it is the same. */
const known = new WeakMap<ReadonlySet<string>, Functions>();

function functionsOf(unit: SyntaxUnit): Functions {
  const names = unit.names();
  const found = known.get(names) ?? readFunctions(unit);
  known.set(names, found);
  return found;
}

function readFunctions(unit: SyntaxUnit): Functions {
  const { text } = unit;
  if (!text.includes("(")) return noFunctions;
  const name = functionName(headOf(unit));
  if (name !== null)
    return text.includes("{") ? { declared: [], defined: [name] } : { declared: [name], defined: [] };
  const [, className] =
    /^\s*(?:class|struct)\s+(?:\w+\s+)*?(\w+)\s*(?:final\s*)?(?::[^{;]*)?\{/.exec(text) ?? [];
  if (className === undefined) return noFunctions;
  const members = text.matchAll(/([A-Za-z_]\w*)\s*\([^(){};]*\)\s*(?:const\s*)?(?:noexcept\s*)?;/g);
  return { declared: [...members].map(([, member]) => `${className}::${member}`), defined: [] };
}

/** `f` or `Class::f` of what stands before a function's body; null where that is no function's head. Templates are defined where they are used. */
function functionName(head: string): string | null {
  if (/^\s*(template|typedef|using|class|struct|union|enum)\b|=/.test(head)) return null;
  const [, name] = /^[^()]*?((?:[A-Za-z_]\w*\s*::\s*)?[A-Za-z_]\w*)\s*\(/.exec(head) ?? [];
  return name === undefined ? null : name.replace(/\s+/g, "");
}

/** Up to the body, or the whole declaration. */
function headOf({ text }: SyntaxUnit): string {
  const brace = text.indexOf("{");
  return brace === -1 ? text : text.slice(0, brace);
}

/** What a declaration defines: functions with a body, and whatever is no function. */
function definedNames(unit: SyntaxUnit): readonly string[] {
  const { declared, defined } = functionsOf(unit);
  if (defined.length > 0) return defined;
  if (declared.length > 0 && !unit.text.includes("{")) return [];
  const head = headOf(unit).replace(/[=[;:(].*$/s, "");
  const name = /([A-Za-z_]\w*)\s*$/.exec(head)?.[1];
  return name === undefined || /^\s*(using|extern)\b/.test(head) ? [] : [name];
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}
