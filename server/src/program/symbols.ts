// What a translation unit, once read, gives to a linker: the functions and variables that it defines for others, and those that its reachable code
// names and lacks. Templates and inline functions are defined wherever they are used.
import { headWords } from "../syntax/declared-names.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";

export interface LinkSymbol {
  /** With namespaces and class: `ns::Class::f`. */
  readonly name: string;
  /** The types of the parameters as written; null of variables. */
  readonly signature: string | null;
  /** It is code or data of the GPU alone. */
  readonly isOfDevice: boolean;
}

/** The class or namespace that a qualified name is of, by its own last part; null where there is none. */
export function ownerOf(name: string): string | null {
  const end = name.lastIndexOf("::");
  return end === -1 ? null : lastOf(name.slice(0, end));
}

/** The last part of a qualified name. */
export function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

export interface UnitSymbols {
  /** What others may link to, by last name. */
  readonly defined: ReadonlyMap<string, readonly LinkSymbol[]>;
  /** What the file's own declarations lack, and what they reach. */
  lackedByAll(): readonly LinkSymbol[];
  /** What the definitions of `name` (its last part) lack, and what they reach. */
  lackedBy(name: string): readonly LinkSymbol[];
}

/** Whether `unit` is the root of a program; null is not. */
export function definesMain(unit: TranslationUnit | null): boolean {
  return unit !== null && (symbolsOf(unit).defined.get("main") ?? []).some(({ name }) => name === "main");
}

/** Kept as long as the unit is the same. */
export function symbolsOf(unit: TranslationUnit): UnitSymbols {
  const found = ofUnits.get(unit) ?? new SymbolsOfUnit(unit);
  ofUnits.set(unit, found);
  return found;
}

const ofUnits = new WeakMap<TranslationUnit, UnitSymbols>();

class SymbolsOfUnit implements UnitSymbols {
  readonly defined: ReadonlyMap<string, readonly LinkSymbol[]>;
  private readonly unit: TranslationUnit;
  private readonly lacked = new Map<string | null, readonly LinkSymbol[]>();
  private declaring: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(unit: TranslationUnit) {
    this.unit = unit;
    const defined = new Map<string, LinkSymbol[]>();
    for (const each of unit.units) {
      const { external } = declarationsIn(each);
      for (const symbol of external) add(defined, lastOf(symbol.name), symbol);
    }
    this.defined = defined;
  }

  lackedByAll(): readonly LinkSymbol[] {
    return this.lackedFrom(null, () => {
      const { file, units } = this.unit;
      return units.flatMap((each, index) => (each.extent()?.file === file ? [index] : []));
    });
  }

  lackedBy(name: string): readonly LinkSymbol[] {
    return this.lackedFrom(name, () => {
      const { units } = this.unit;
      const declaring = isOperator(name) ? units.keys() : (this.declarers().get(name) ?? []);
      return [...declaring].filter((index) => {
        const each = units[index];
        return (
          each !== undefined && declarationsIn(each).defined.some((symbol) => lastOf(symbol.name) === name)
        );
      });
    });
  }

  private lackedFrom(key: string | null, start: () => readonly number[]): readonly LinkSymbol[] {
    const known = this.lacked.get(key);
    if (known !== undefined) return known;
    const found = this.lackedBehind(start());
    this.lacked.set(key, found);
    return found;
  }

  /** What is declared, named by something that is reached, and not defined. */
  private lackedBehind(start: readonly number[]): readonly LinkSymbol[] {
    const { units } = this.unit;
    const reached = new Set(start);
    const named = new Set<string>();
    const declared: LinkSymbol[] = [];
    const definedNames = new Set<string>();
    const ofTemplates: LinkSymbol[] = [];
    // A set goes on with what is added to it meanwhile.
    for (const index of reached) {
      const each = units[index];
      if (each === undefined) continue;
      const found = declarationsIn(each);
      declared.push(...found.declared);
      ofTemplates.push(...found.declaredOfTemplate);
      for (const symbol of found.defined) definedNames.add(keyOf(symbol)).add(symbol.name);
      const isPrototype = found.declared.length > 0 && !each.text.includes("{");
      for (const name of each.identifiers()) {
        if (isPrototype || named.has(name)) continue;
        named.add(name);
        for (const other of this.declarers().get(name) ?? []) reached.add(other);
      }
    }
    const seen = new Set<string>();
    // What takes types of a template is spelled in one way in its class and in another outside.
    declared.push(...ofTemplates.filter(({ name }) => !definedNames.has(name)));
    return declared.filter((symbol) => {
      const key = keyOf(symbol);
      if (seen.has(key) || definedNames.has(key) || !isNamed(symbol, named)) return false;
      seen.add(key);
      return true;
    });
  }

  private declarers(): ReadonlyMap<string, readonly number[]> {
    if (this.declaring !== null) return this.declaring;
    const declaring = new Map<string, number[]>();
    for (const [index, each] of this.unit.units.entries())
      for (const name of each.names()) if (!headWords.has(name)) add(declaring, name, index);
    this.declaring = declaring;
    return declaring;
  }
}

/** Nobody who uses an operator of a class names it: what names the class may use it. */
function isNamed({ name }: LinkSymbol, named: ReadonlySet<string>): boolean {
  const last = lastOf(name);
  return named.has(isOperator(last) ? (ownerOf(name) ?? "") : last);
}

function isOperator(name: string): boolean {
  return /^operator\W/.test(name);
}

/** Overloads are told apart by what they take. */
function keyOf({ name, signature }: LinkSymbol): string {
  return `${name}(${signature ?? ""}`;
}

/** What one declaration declares without defining it, what it defines, and of that what other files may link to. */
interface Declarations {
  readonly declared: readonly LinkSymbol[];
  /** Members that a class template only declares: another unit may define them, and instantiates them then. */
  readonly declaredOfTemplate: readonly LinkSymbol[];
  readonly defined: readonly LinkSymbol[];
  readonly external: readonly LinkSymbol[];
}

const nothing: Declarations = { declared: [], declaredOfTemplate: [], defined: [], external: [] };

/** By the names of a declaration, which stay the same set as long as it is the same. */
const known = new WeakMap<ReadonlySet<string>, Declarations>();

function declarationsIn(unit: SyntaxUnit): Declarations {
  const names = unit.names();
  const found = known.get(names) ?? readDeclarations(unit);
  known.set(names, found);
  return found;
}

function readDeclarations(unit: SyntaxUnit): Declarations {
  const { text } = unit;
  const head = headOf(text);
  if (/^\s*(?:using|typedef|enum|namespace|static_assert)\b/.test(head)) return nothing;
  const path = unit.namespaces.filter((name) => name !== "").join("::");
  const isInternal = unit.namespaces.includes("") || /\bstatic\b/.test(head);
  const isOfDevice = /\b__(?:device|constant|managed|shared)__\b/.test(head) && !/\b__host__\b/.test(head);
  if (/^\s*(?:class|struct|union)\b/.test(head) && !/\)\s*[^;]*$/.test(head)) return membersOf(text, path);
  const isTemplate = /^\s*(?:extern\s+)?template\b/.test(head);
  const isInstantiation = /^\s*template\b(?!\s*<)/.test(head);
  if (isTemplate && !isInstantiation) {
    const plain = withoutTemplateList(text);
    if (/^\s*(?:class|struct|union)\b/.test(plain) && !/\)\s*[^;]*$/.test(headOf(plain)))
      return { ...nothing, declaredOfTemplate: membersOf(plain, path).declared };
  }
  const named = functionOf(isInstantiation ? head.replace(/^\s*template\b/, "") : withoutTemplateList(head));
  if (named !== null) {
    const symbol = { name: joined(path, named.name), signature: named.signature, isOfDevice };
    if (isInstantiation) return { ...nothing, external: isInternal ? [] : [symbol] };
    if (!text.includes("{")) return isInternal ? nothing : { ...nothing, declared: [symbol] };
    const isElsewhereToo =
      (isTemplate && !isMemberOfTemplate(named.written)) ||
      /\b(?:inline|constexpr|__forceinline__)\b/.test(head);
    return { ...nothing, defined: [symbol], external: isInternal || isElsewhereToo ? [] : [symbol] };
  }
  return isTemplate ? nothing : variableOf(text, path, isInternal, isOfDevice);
}

/** Member functions and static data that a class only declares. */
function membersOf(text: string, path: string): Declarations {
  const [, className] =
    /^\s*(?:class|struct|union)\s+(?:\w+\s+)*?(\w+)\s*(?:final\s*)?(?::[^{;]*)?\{/.exec(text) ?? [];
  if (className === undefined) return nothing;
  const own = joined(path, className);
  const declared: LinkSymbol[] = [];
  const body = withoutInnerBraces(text);
  for (const [whole, member = "", list = ""] of body.matchAll(memberFunction))
    if (whole !== "")
      declared.push({
        name: `${own}::${member.replace(/\s+/g, "")}`,
        signature: signatureOf(list),
        isOfDevice: false,
      });
  for (const [, member = ""] of body.matchAll(/\bstatic\b[^(){};=]*?([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*;/g))
    declared.push({ name: `${own}::${member}`, signature: null, isOfDevice: false });
  return { ...nothing, declared };
}

/** The name of an operator; those that convert have the name of a type. */
const operatorName = String.raw`operator\s*(?:\(\s*\)|\[\s*\]|[-+*/%^&|~!=<>,]+)`;

/** A parameter may have parentheses and braces: `Options options = Options()`, `std::function<void(int)> each`, `Options options = {}`. */
const memberFunction = new RegExp(
  String.raw`(${operatorName}|[A-Za-z_]\w*)\s*\(((?:[^(){};]|\((?:[^(){};]|\([^(){};]*\))*\)|\{[^(){};]*\})*)\)\s*(?:const\s*)?(?:noexcept\s*)?(?:override\s*)?(?:final\s*)?;`,
  "g",
);

/** A class without the bodies of its members, whose calls look like declarations. */
function withoutInnerBraces(text: string): string {
  const kept: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 && ++depth === 2) {
      kept.push(text.slice(start, at + 1));
      start = text.length;
    } else if (code === 125 && --depth === 1) start = at;
  }
  kept.push(text.slice(start));
  return kept.join("");
}

/** `Matrix<T>::fill`: the units that instantiate it define it for those that see the class alone. */
function isMemberOfTemplate(written: string): boolean {
  return /<[^()]*>\s*::\s*~?[A-Za-z_]\w*$/.test(written.replace(operatorSign, ""));
}

interface NamedFunction {
  readonly name: string;
  /** With template arguments. */
  readonly written: string;
  readonly signature: string;
}

/** Template arguments: as far as they nest in people's code, so that `Host<T> load<T>(` is no `Host<…>(`. */
const angles = "<(?:[^()<>]|<(?:[^()<>]|<[^()<>]*>)*>)*>";
const functionHead = new RegExp(
  String.raw`^[^()]*?((?:[A-Za-z_]\w*\s*(?:${angles})?\s*::\s*)*(?:${operatorName}|~?[A-Za-z_]\w*))\s*(?:${angles}\s*)?\(`,
);

/** What stands behind the word in an operator's name. */
const operatorSign = /(?<=\boperator)\s*\W+$/;

/** Of what stands before a function's body; null where that is no function's head. */
function functionOf(head: string): NamedFunction | null {
  const plain = head.replace(
    /\b(?:__launch_bounds__|__attribute__|alignas|__align__|__declspec)\s*\((?:[^()]|\([^()]*\))*\)/g,
    " ",
  );
  if (/^[^(]*=/.test(plain)) return null;
  const match = functionHead.exec(plain);
  const written = match?.[1];
  if (match === null || written === undefined) return null;
  const [sign = ""] = operatorSign.exec(written) ?? [];
  const name = (
    written
      .slice(0, written.length - sign.length)
      .replace(/<[^()]*>/g, "")
      .replace("~", "") + sign
  ).replace(/\s+/g, "");
  if (/(?:^|::)operator$/.test(name)) return null;
  const list = balanced(plain.slice(match[0].length));
  return list === null ? null : { name, written, signature: signatureOf(list) };
}

/** Up to the parenthesis that closes what was opened before. */
function balanced(text: string): string | null {
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40) depth++;
    else if (code === 41 && --depth === 0) return text.slice(0, at);
  }
  return null;
}

/** The types of a parameter list, so that a declaration and its definition agree whatever they call their parameters. */
function signatureOf(list: string): string {
  const plain = list.replace(/\s+/g, " ").trim();
  if (plain === "" || plain === "void") return "";
  return parametersOf(plain).map(typeOf).join(",");
}

function parametersOf(list: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at);
    if ("(<[{".includes(character)) depth++;
    else if (")>]}".includes(character)) depth--;
    else if (character === "," && depth === 0) {
      found.push(list.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, list.slice(start)];
}

const typeWords = /^(?:int|char|short|long|unsigned|signed|float|double|bool|void|size_t|auto|const)$/;

function typeOf(parameter: string): string {
  const plain = parameter
    .replace(/=.*$/, "")
    .replace(
      /\b(?:const|volatile|__restrict__|__restrict|restrict|struct|class|std\s*::|typename)(?=\W|$)/g,
      " ",
    )
    .replace(/\[[^\]]*\]/g, "*")
    .trim();
  const [, before = "", last = "", stars = ""] = /^(.*?)([A-Za-z_]\w*)\s*(\**)$/.exec(plain) ?? [];
  const isNamed = before.trim() !== "" && !before.trimEnd().endsWith("::") && !typeWords.test(last);
  return (isNamed ? `${before}${stars}` : plain).replace(/\s+/g, "");
}

function variableOf(text: string, path: string, isInternal: boolean, isOfDevice: boolean): Declarations {
  const head = text.replace(/[={[;(].*$/s, "");
  const name = /((?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*)\s*$/.exec(head)?.[1]?.replace(/\s+/g, "");
  if (name === undefined || head.trim() === name) return nothing;
  const symbol = { name: joined(path, name), signature: null, isOfDevice };
  if (/^\s*extern\b/.test(head) && !text.includes("=") && !text.includes("{"))
    return { ...nothing, declared: [symbol] };
  // Constants of a namespace are its file's own, unless they were declared to others.
  return { ...nothing, defined: [symbol], external: isInternal ? [] : [symbol] };
}

/** Up to the body, or the whole declaration. */
function headOf(text: string): string {
  const brace = text.indexOf("{");
  return brace === -1 ? text : text.slice(0, brace);
}

function withoutTemplateList(head: string): string {
  if (!/^\s*template\b/.test(head)) return head;
  let depth = 0;
  for (let at = head.indexOf("<"); at < head.length && at !== -1; at++) {
    if (head[at] === "<") depth++;
    else if (head[at] === ">" && --depth === 0) return withoutTemplateList(head.slice(at + 1));
  }
  return head;
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}::${name}`;
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
