// The public face of this folder: the translation units of a program to a Program, everything lowered when it is asked for.
import type { Expression } from "../ir/expression.ts";
import type {
  FunctionDefinition,
  FunctionId,
  HostTemplate,
  KernelDeclaration,
  Program,
  UnreadKernel,
} from "../ir/function.ts";
import type { Variable } from "../ir/variable.ts";
import { childOf } from "../syntax/node.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import { type Context, emptyBody } from "./context.ts";
import { unknownValue } from "./expressions/build.ts";
import { launchSiteOf } from "./expressions/launch-site.ts";
import { type BeforeMain, beforeMain } from "./functions/before-main.ts";
import { functionParts } from "./functions/declared-function.ts";
import { explicitInstances } from "./functions/explicit-instances.ts";
import { HostFunctions } from "./functions/host-entries.ts";
import { type FunctionInstance, instantiate } from "./functions/instance.ts";
import { Linker } from "./linking/linker.ts";
import { unreadKernels } from "./misread/unread-kernels.ts";
import type { FunctionEntity } from "./names/entity.ts";
import { argumentsFrom } from "./templates/argument-text.ts";
import { describedParameter } from "./templates/described-parameter.ts";
import { templateArgumentsOf } from "./templates/written-arguments.ts";
import type { Translation } from "./translation.ts";
import { orElse } from "./unsupported.ts";

export interface LowerOptions {
  /** `preludeText` (prelude.ts) read as a translation unit: what cooperative groups and small library classes mean. */
  readonly prelude?: TranslationUnit | null;
  /** The texts of further libraries that a program names (libraries.ts), read in the same way. */
  readonly librariesOf?: (unit: TranslationUnit) => readonly TranslationUnit[];
}

/** Lowers a translation unit that is a program by itself. Cheap: functions are lowered when `functionOf` asks for them. */
export function lowerProgram(unit: TranslationUnit, options: LowerOptions = {}): Program {
  return lowerUnits([unit], options);
}

/** The program that translation units make, linked in their order. What nobody asks for of a unit is not lowered. */
export function lowerUnits(units: readonly TranslationUnit[], options: LowerOptions = {}): Program {
  return new LoweredProgram(new Linker(units, (unit) => librariesFor(unit, options)));
}

/** A kernel as a unit declares it. */
interface DeclaredKernel {
  readonly translation: Translation;
  readonly entity: FunctionEntity;
}

const initializersId = "(initializers)" as FunctionId;

/** A class for its getter's sake: V8 makes a hidden class for each object literal with a getter, and keeps all that the getter sees. */
class LoweredProgram implements Program {
  readonly kernels: readonly KernelDeclaration[];
  readonly unreadKernels: readonly UnreadKernel[];
  readonly hasRelocatableDeviceCode: boolean;
  private readonly linker: Linker;
  private readonly declarations: ReadonlyMap<KernelDeclaration, readonly DeclaredKernel[]>;
  private readonly host: HostFunctions;
  private readonly explicit = new Map<Translation, readonly FunctionInstance[]>();
  private readonly translations: readonly Translation[];
  private start: BeforeMain | null = null;
  private startedMain: FunctionDefinition | null = null;

  constructor(linker: Linker) {
    this.linker = linker;
    const translations = linker.units.map(({ translation }) => translation);
    this.translations = translations;
    this.declarations = kernelsOf(translations);
    this.hasRelocatableDeviceCode = linker.units.some(({ source }) => source.hasRelocatableDeviceCode);
    this.unreadKernels = distinctPlaces(translations.flatMap(unreadKernels));
    this.host = new HostFunctions(translations);
    this.kernels = [...this.declarations.keys()];
  }

  get hostEntries(): readonly FunctionId[] {
    const entries = this.host.entries();
    const isAlone = this.main() === null && this.beforeMain().initializers.length > 0;
    return isAlone ? [initializersId, ...entries] : entries;
  }

  get hostLaunchers(): readonly FunctionId[] {
    return this.host.launchers();
  }

  hostTemplatesFor(kernels: readonly KernelDeclaration[]): readonly HostTemplate[] {
    return this.host.templatesFor(kernels);
  }

  functionOf(id: FunctionId): FunctionDefinition | null {
    if (id === initializersId) return this.initializers();
    const definition = this.ownerOf(id)?.functionOf(id) ?? null;
    if (definition?.name !== "main" || id !== this.main()) return definition;
    this.startedMain ??= { ...definition, body: [...this.beforeMain().statements, ...definition.body] };
    return this.startedMain;
  }

  kindOf(id: FunctionId): FunctionDefinition["kind"] | null {
    if (id === initializersId) return "host";
    return this.ownerOf(id)?.instanceOf(id)?.kind ?? null;
  }

  instantiateKernel(kernel: KernelDeclaration, given: readonly string[]): FunctionId | null {
    for (const declared of this.declarations.get(kernel) ?? []) {
      const id = instantiateKernel(declared, given);
      if (id !== null) return id;
    }
    return null;
  }

  explicitInstances(kernel: KernelDeclaration): readonly FunctionId[] {
    const declared = this.declarations.get(kernel) ?? [];
    const ids = declared.flatMap(({ translation, entity }) => {
      const asked = this.explicitIn(translation).flatMap((each) => (each.entity === entity ? [each.id] : []));
      return entity.body === null ? [...asked, ...specializedInstances(translation, entity)] : asked;
    });
    return [...new Set(ids)];
  }

  launchSiteOf({ name }: KernelDeclaration): SourceRange | null {
    for (const { source } of this.linker.units) {
      const site = launchSiteOf(source.units, name);
      if (site !== null) return site;
    }
    return null;
  }

  globalInitializer(variable: Variable): Expression | null {
    if (variable.storage === "static" && this.main() !== null && this.beforeMain().variables.has(variable.id))
      return unknownValue(variable.type, `${variable.name} is set before main`);
    return this.linker.makerOf(variable)?.globalInitializer(variable) ?? null;
  }

  private main(): FunctionId | null {
    const [first] = this.host.entries();
    const entity = first === undefined ? null : (this.ownerOf(first)?.instanceOf(first)?.entity ?? null);
    const isMain = entity?.name === "main" && entity.scope.kind === "namespace" && entity.scope.name === "";
    return isMain ? (first ?? null) : null;
  }

  private beforeMain(): BeforeMain {
    this.start ??= beforeMain(this.translations);
    return this.start;
  }

  /** Of a program without main, a function that initializes its variables: its text runs wherever it is linked. */
  private initializers(): FunctionDefinition | null {
    const { initializers } = this.beforeMain();
    const [first] = initializers;
    if (first === undefined) return null;
    const { range } = first;
    return {
      id: initializersId,
      name: "the initializers of variables",
      templateArguments: [],
      templateParameterNames: [],
      kind: "host",
      result: { kind: "void" },
      parameters: [],
      body: initializers,
      maxThreadsPerBlock: null,
      range,
      nameRange: range,
      gaps: [],
      assumptions: [],
    };
  }

  private ownerOf(id: FunctionId): Translation | null {
    const [only, ...others] = this.linker.units;
    return others.length === 0 ? (only?.translation ?? null) : this.linker.ownerOf(id);
  }

  private explicitIn(translation: Translation): readonly FunctionInstance[] {
    const found = this.explicit.get(translation) ?? explicitInstances(translation);
    this.explicit.set(translation, found);
    return found;
  }
}

function librariesFor(unit: TranslationUnit, { prelude, librariesOf }: LowerOptions): TranslationUnit[] {
  return [...(prelude ? [prelude] : []), ...(librariesOf?.(unit) ?? [])];
}

/** What several units read of one header is one. */
function distinctPlaces(kernels: readonly UnreadKernel[]): readonly UnreadKernel[] {
  const byPlace = new Map<string, UnreadKernel>();
  for (const kernel of kernels) {
    const key = `${kernel.range.file}:${kernel.range.start}`;
    if (!byPlace.has(key)) byPlace.set(key, kernel);
  }
  return [...byPlace.values()];
}

// --- kernels

/** One for each kernel of the text, however many units have it. */
function kernelsOf(
  translations: readonly Translation[],
): ReadonlyMap<KernelDeclaration, readonly DeclaredKernel[]> {
  const byPlace = new Map<string, KernelDeclaration>();
  const declared = new Map<KernelDeclaration, DeclaredKernel[]>();
  for (const translation of translations) {
    const seen = new Set<string>();
    for (const [kernel, entity] of kernelsOfUnit(translation)) {
      const place = `${kernel.nameRange.file}:${kernel.nameRange.start} ${kernel.qualifiedName}`;
      const known = seen.has(place) ? undefined : byPlace.get(place);
      seen.add(place);
      declared.set(known ?? kernel, [...(known ? (declared.get(known) ?? []) : []), { translation, entity }]);
      if (!byPlace.has(place)) byPlace.set(place, kernel);
    }
  }
  return declared;
}

function kernelsOfUnit(translation: Translation): Map<KernelDeclaration, FunctionEntity> {
  for (const unit of translation.source.units)
    if (unit.text.includes("__global__")) translation.declare(unit);
  const kernels = new Map<KernelDeclaration, FunctionEntity>();
  const order = new Map(translation.source.units.map((unit, index) => [unit, index]));
  const inOrder = [...translation.kernels].sort(
    (a, b) => (order.get(a.unit) ?? 0) - (order.get(b.unit) ?? 0) || a.node.start - b.node.start,
  );
  const declared = new Set<FunctionEntity>();
  for (const entity of inOrder) {
    const template = entity.specializes === null ? entity : bodilessTemplateOf(entity);
    if (template === null || declared.has(template)) continue;
    declared.add(template);
    kernels.set(kernelDeclaration(translation, template, entity), template);
  }
  return kernels;
}

/** The template that is only declared and that `entity` specialises: a kernel that its specialisations alone define. */
function bodilessTemplateOf({ name, scope }: FunctionEntity): FunctionEntity | null {
  const templates = scope
    .own(name)
    .filter(
      (each): each is FunctionEntity =>
        each.kind === "function" && each.specializes === null && each.parameters !== null,
    );
  return templates.some(({ body }) => body !== null) ? null : (templates[0] ?? null);
}

function specializedInstances(translation: Translation, template: FunctionEntity): FunctionId[] {
  return template.scope.own(template.name).flatMap((each) => {
    const written = each.kind === "function" ? each.specializes : null;
    if (each.kind !== "function" || written === null || written === "deduced") return [];
    const context = contextOf(translation, each);
    const id = orElse(
      () =>
        instantiate(context, template, templateArgumentsOf(context, written, template.parameters ?? []))
          ?.id ?? null,
      () => null,
    );
    return id === null ? [] : [id];
  });
}

/** `defined` is the text that the kernel is shown at: its own, or its first specialisation's. */
function kernelDeclaration(
  translation: Translation,
  entity: FunctionEntity,
  defined: FunctionEntity,
): KernelDeclaration {
  const { unit, node } = defined;
  const nameNode = functionParts(childOf(node, "declarator")).nameNode ?? node;
  const context = contextOf(translation, entity);
  const prefix = entity.scope.namespace().name;
  return {
    name: entity.name,
    qualifiedName: prefix ? `${prefix}::${entity.name}` : entity.name,
    templateParameters: (entity.parameters ?? []).map((parameter) =>
      describedParameter(context, entity.node, parameter),
    ),
    range: unit.rangeOf(node.start, node.end),
    nameRange: unit.rangeOf(nameNode.start, nameNode.end),
    annotations: unit.annotations,
  };
}

function contextOf(translation: Translation, entity: FunctionEntity): Context {
  return { translation, unit: entity.unit, scope: entity.scope, body: emptyBody() };
}

function instantiateKernel(
  { translation, entity }: DeclaredKernel,
  given: readonly string[],
): FunctionId | null {
  const context = contextOf(translation, entity);
  const list = argumentsFrom(context, given, entity.parameters ?? []);
  if (list === null) return null;
  return orElse(
    () => instantiate(context, entity, list)?.id ?? null,
    () => null,
  );
}
