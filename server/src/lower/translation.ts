// The state of one translation unit while it is lowered: its scopes, the index from names to the units that may declare
// them, and every function and variable made so far.
import type { Expression } from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../ir/function.ts";
import type { Variable } from "../ir/variable.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import { lowerFunction } from "./functions/function.ts";
import type { FunctionInstance } from "./functions/instance.ts";
import type { Linkage } from "./linking/linkage.ts";
import { declareUnit } from "./names/declare.ts";
import type { FunctionEntity, QualifiedVariable, TemplateArgument } from "./names/entity.ts";
import { Scope } from "./names/scope.ts";
import { indexOfLibrary, indexOfUnits, namespacePath, type UnitIndex } from "./names/unit-index.ts";
import { argumentsKey } from "./templates/argument-names.ts";
import type { ParameterPattern } from "./templates/deduce.ts";
import type { ClassInfo } from "./types/class.ts";
import type { CxxType } from "./types/cxx-type.ts";
import { orElse } from "./unsupported.ts";

export class Translation {
  readonly source: TranslationUnit;
  /** What the other units of the program have to say. */
  readonly linkage: Linkage;
  /** Declarations of libraries, behind the program's own. */
  private readonly libraries: readonly TranslationUnit[];
  /** Definitions that stand outside of their class, by `Class::member`. */
  readonly outOfLine = new Map<string, FunctionEntity[]>();
  /** Variables that are defined outside of their class or namespace, by their names alone. */
  readonly qualifiedVariables = new Map<string, QualifiedVariable[]>();
  /** Kernels with a body, met while units were declared. */
  readonly kernels: FunctionEntity[] = [];
  /** Results of functions declared with `auto`, set when their bodies are lowered. */
  readonly deducedResults = new Map<FunctionId, CxxType>();
  /** How many instances each function has, by the entity's key. */
  readonly instanceCounts = new Map<number, number>();
  readonly instances = new Map<string, FunctionInstance>();
  /** Lambdas that the host alone calls, as far as what they stand in was lowered. */
  readonly hostLambdas: FunctionEntity[] = [];
  /** Results of functions declared with `auto`, as their return statements say; "busy" while they are being lowered. */
  readonly deducing = new Map<FunctionInstance, CxxType | "busy">();
  /** By declaration without a body: where the body is. */
  readonly bodies = new Map<FunctionEntity, FunctionEntity>();
  /** Types of parameters with the template's own parameters standing open. */
  readonly patterns = new Map<FunctionEntity, readonly ParameterPattern[]>();
  /** The virtual functions of a class, as tables, by the places of the parts that point to them. */
  readonly virtualTables = new Map<ClassInfo, Map<number, Variable>>();
  private readonly functions = new Map<FunctionId, FunctionInstance>();
  /** Functions that this unit declares, by the ids of their definitions in others. */
  private readonly linked = new Map<FunctionId, FunctionInstance>();
  private readonly definitions = new Map<FunctionId, FunctionDefinition>();
  /** Functions whose bodies are being lowered: asking for one of them is recursion. */
  private readonly busy = new Set<FunctionId>();
  private readonly initializers = new Map<number, () => Expression | null>();
  /** By qualified name; null until somebody asks for a name. */
  private namespaces: Map<string, Scope> | null = null;
  /** The unit's own, then those of the libraries; null until somebody asks for a name. */
  private known: readonly UnitIndex[] | null = null;
  private readonly functionsByUnit = new Map<SyntaxUnit, FunctionEntity[]>();
  private readonly declared = new Set<SyntaxUnit>();
  private own: ReadonlySet<SyntaxUnit> | null = null;
  private lastId: number;

  constructor(source: TranslationUnit, libraries: readonly TranslationUnit[], linkage: Linkage) {
    this.source = source;
    this.libraries = libraries;
    this.linkage = linkage;
    this.lastId = linkage.firstId;
  }

  get global(): Scope {
    return this.namespaceScope([]);
  }

  private get indexes(): readonly UnitIndex[] {
    this.known ??= [indexOfUnits(this.source.units), ...this.libraries.map(indexOfLibrary)];
    return this.known;
  }

  /** Those that declarations stand in, made when the first of them is asked for. */
  private get scopes(): Map<string, Scope> {
    if (this.namespaces !== null) return this.namespaces;
    const scopes = new Map<string, Scope>();
    this.namespaces = scopes;
    for (const { namespaces, directives } of this.indexes) {
      for (const path of namespaces) this.namespaceScope(path);
      for (const { inside, target } of directives)
        this.namespaceScope(inside).using.push(this.namespaceScope(target));
    }
    return scopes;
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
    const holder = this.source.texts.has(range.file)
      ? this.source
      : this.libraries.find(({ texts }) => texts.has(range.file));
    const text = holder?.texts.get(range.file) ?? "";
    return text.slice(range.start, range.end).replace(/\s+/g, " ").trim();
  }

  /** The scope of the namespaces around a unit; anonymous ones add none. */
  scopeOf(unit: SyntaxUnit): Scope {
    return this.namespaceScope(namespacePath(unit));
  }

  namespaceScope(path: readonly string[]): Scope {
    const key = path.join("::");
    const { scopes } = this;
    const known = scopes.get(key);
    if (known) return known;
    const last = path.at(-1);
    const parent = last === undefined ? null : this.namespaceScope(path.slice(0, -1));
    const scope = new Scope("namespace", parent, key, this.declarerOf(key));
    scopes.set(key, scope);
    if (parent && last !== undefined) parent.declare(last, { kind: "namespace", scope });
    return scope;
  }

  /** The scope of a namespace that something stands in; null where there is none of that name. */
  knownNamespace(path: readonly string[]): Scope | null {
    return this.scopes.get(path.join("::")) ?? null;
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

  noteQualified(name: string, variable: QualifiedVariable): void {
    const list = this.qualifiedVariables.get(name);
    if (list) list.push(variable);
    else this.qualifiedVariables.set(name, [variable]);
  }

  noteFunction(entity: FunctionEntity): void {
    const list = this.functionsByUnit.get(entity.unit);
    if (list) list.push(entity);
    else this.functionsByUnit.set(entity.unit, [entity]);
  }

  /** Declares the units that may declare a name in a namespace, when it is first looked up there. */
  private declarerOf(namespace: string): (name: string) => void {
    const asked = new Set<string>();
    // Most libraries have nothing in most namespaces.
    const indexes = this.indexes.flatMap(({ names }) => names.get(namespace) ?? []);
    return (name) => {
      if (asked.has(name)) return;
      asked.add(name);
      for (const names of indexes) for (const unit of names.get(name) ?? []) this.declare(unit);
    };
  }

  register(instance: FunctionInstance): void {
    this.functions.set(instance.id, instance);
    this.linkage.register(instance);
  }

  isRegistered(id: FunctionId): boolean {
    return this.functions.has(id);
  }

  instanceOf(id: FunctionId): FunctionInstance | null {
    return this.functions.get(id) ?? this.linked.get(id) ?? null;
  }

  /** The id by which a function is called; null where no unit of the program defines it. */
  calleeOf(instance: FunctionInstance): FunctionId | null {
    if (instance.entity.body !== null) return instance.id;
    const id = this.linkage.definitionOf(instance)?.id ?? null;
    if (id !== null) this.linked.set(id, instance);
    return id;
  }

  /** Whether a unit of the program may declare `name`, in whatever namespace or class. */
  mayDeclare(name: string): boolean {
    const [own] = this.indexes;
    for (const names of own?.names.values() ?? []) if (names.has(name)) return true;
    return false;
  }

  /** Whether a declaration is the program's own, and no library's. */
  isOwn(unit: SyntaxUnit): boolean {
    this.own ??= new Set(this.source.units);
    return this.own.has(unit);
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
