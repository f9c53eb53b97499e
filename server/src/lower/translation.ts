// The state of one translation unit while it is lowered: its scopes, the index from names to the units that may declare
// them, and every function and variable made so far.
import type { Expression } from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../ir/function.ts";
import type { Variable } from "../ir/variable.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import type { CxxType } from "./cxx-type.ts";
import { declareUnit } from "./declare.ts";
import type { FunctionEntity, TemplateArgument } from "./entity.ts";
import { lowerFunction } from "./function.ts";
import type { FunctionInstance } from "./instance.ts";
import { Scope } from "./scope.ts";
import { argumentsKey } from "./template.ts";
import { namesDeclaredBy } from "./unit-index.ts";
import { orElse } from "./unsupported.ts";

export class Translation {
  readonly source: TranslationUnit;
  /** Declarations of libraries, behind the program's own. */
  private readonly prelude: TranslationUnit | null;
  readonly global: Scope;
  /** Definitions that stand outside of their class, by `Class::member`. */
  readonly outOfLine = new Map<string, FunctionEntity[]>();
  /** Kernels with a body, met while units were declared. */
  readonly kernels: FunctionEntity[] = [];
  /** Results of functions declared with `auto`, set when their bodies are lowered. */
  readonly deducedResults = new Map<FunctionId, CxxType>();
  /** How many instances each function has, by the entity's key. */
  readonly instanceCounts = new Map<number, number>();
  readonly instances = new Map<string, FunctionInstance>();
  private readonly functions = new Map<FunctionId, FunctionInstance>();
  private readonly definitions = new Map<FunctionId, FunctionDefinition>();
  /** Functions whose bodies are being lowered: asking for one of them is recursion. */
  private readonly busy = new Set<FunctionId>();
  private readonly initializers = new Map<number, () => Expression | null>();
  private readonly namespaces = new Map<string, Scope>();
  private readonly unitsByName = new Map<string, Map<string, SyntaxUnit[]>>();
  private readonly functionsByUnit = new Map<SyntaxUnit, FunctionEntity[]>();
  private readonly declared = new Set<SyntaxUnit>();
  private lastId = 0;

  constructor(source: TranslationUnit, prelude: TranslationUnit | null) {
    this.source = source;
    this.prelude = prelude;
    this.global = this.namespaceScope([]);
    for (const unit of source.units) this.index(unit);
    for (const unit of prelude?.units ?? []) this.index(unit);
  }

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  keyOf(list: readonly TemplateArgument[]): string {
    return argumentsKey(list);
  }

  /** The text at a range, white space folded. */
  excerpt(range: SourceRange): string {
    const text = this.source.texts.get(range.file) ?? this.prelude?.texts.get(range.file) ?? "";
    return text.slice(range.start, range.end).replace(/\s+/g, " ").trim();
  }

  /** The scope of the namespaces around a unit; anonymous ones add none. */
  scopeOf(unit: SyntaxUnit): Scope {
    return this.namespaceScope(unit.namespaces.filter((name) => name !== ""));
  }

  namespaceScope(path: readonly string[]): Scope {
    const key = path.join("::");
    const known = this.namespaces.get(key);
    if (known) return known;
    const last = path.at(-1);
    const parent = last === undefined ? null : this.namespaceScope(path.slice(0, -1));
    const scope = new Scope("namespace", parent, key, (name) => this.declareName(key, name));
    this.namespaces.set(key, scope);
    if (parent && last !== undefined) parent.declare(last, { kind: "namespace", scope });
    return scope;
  }

  /** Declares what a unit declares, once. */
  declare(unit: SyntaxUnit): void {
    if (this.declared.has(unit)) return;
    this.declared.add(unit);
    const scope = this.scopeOf(unit);
    declareUnit({ translation: this, unit, scope, body: null });
  }

  /** Every function that a unit declares, members of its classes among them. */
  functionsOf(unit: SyntaxUnit): readonly FunctionEntity[] {
    this.declare(unit);
    return this.functionsByUnit.get(unit) ?? [];
  }

  noteFunction(entity: FunctionEntity): void {
    const list = this.functionsByUnit.get(entity.unit);
    if (list) list.push(entity);
    else this.functionsByUnit.set(entity.unit, [entity]);
  }

  private index(unit: SyntaxUnit): void {
    const scope = this.scopeOf(unit);
    const directive = /^\s*using\s+namespace\s+([\w:]+)\s*;/.exec(unit.text);
    if (directive?.[1]) {
      scope.using.push(this.namespaceScope(directive[1].split("::").filter((part) => part !== "")));
      return;
    }
    const names = this.unitsByName.get(scope.name) ?? new Map<string, SyntaxUnit[]>();
    this.unitsByName.set(scope.name, names);
    for (const name of namesOf(unit)) {
      const units = names.get(name);
      if (units) units.push(unit);
      else names.set(name, [unit]);
    }
  }

  private declareName(namespace: string, name: string): void {
    const names = this.unitsByName.get(namespace);
    const units = names?.get(name);
    if (!units) return;
    names?.delete(name);
    for (const unit of units) this.declare(unit);
  }

  register(instance: FunctionInstance): void {
    this.functions.set(instance.id, instance);
  }

  isRegistered(id: FunctionId): boolean {
    return this.functions.has(id);
  }

  instanceOf(id: FunctionId): FunctionInstance | null {
    return this.functions.get(id) ?? null;
  }

  functionOf(id: FunctionId): FunctionDefinition | null {
    const known = this.definitions.get(id);
    if (known) return known;
    const instance = this.functions.get(id);
    if (!instance || this.busy.has(id)) return null;
    this.busy.add(id);
    try {
      const definition = lowerFunction(this, instance);
      this.definitions.set(id, definition);
      return definition;
    } finally {
      this.busy.delete(id);
    }
  }

  setInitializer(variable: Variable, initializer: () => Expression | null): void {
    let value: Expression | null | undefined;
    this.initializers.set(variable.id, () => {
      if (value === undefined) {
        value = null;
        value = initializer();
      }
      return value;
    });
  }

  globalInitializer(variable: Variable): Expression | null {
    return orElse(
      () => this.initializers.get(variable.id)?.() ?? null,
      () => null,
    );
  }
}

/** Units outlive a translation: most declarations stay as they are from one state of a file to the next. */
const namesByUnit = new WeakMap<SyntaxUnit, ReadonlySet<string>>();

function namesOf(unit: SyntaxUnit): ReadonlySet<string> {
  const known = namesByUnit.get(unit);
  if (known) return known;
  const names = namesDeclaredBy(unit.text);
  namesByUnit.set(unit, names);
  return names;
}
