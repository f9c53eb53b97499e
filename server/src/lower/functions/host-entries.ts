// Where host code is entered: main, or, of a program without one, the functions from which launches are reached and that nobody calls, and those
// that are instantiated for callers elsewhere.
import type { FunctionId, HostTemplate, KernelDeclaration } from "../../ir/function.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody } from "../context.ts";
import type { FunctionEntity } from "../names/entity.ts";
import type { Translation } from "../translation.ts";
import { specifierWords } from "../types/type-specifier.ts";
import { orElse } from "../unsupported.ts";
import { explicitInstances, explicitMembers } from "./explicit-instances.ts";
import { classTemplates, completeClasses, functionTemplate } from "./host-templates.ts";
import { instantiate } from "./instance.ts";

const launch = /<<<|cudaLaunch(Cooperative)?Kernel/;

/** How far from a launch a function is looked for that leads to it. */
const maxRounds = 8;

/** The host functions of a program by what they have to do with launches, each list made when it is first asked for. */
export class HostFunctions {
  /** In the order in which the units are linked. */
  private readonly translations: readonly Translation[];
  private found: readonly FunctionId[] | null = null;
  private direct: readonly FunctionId[] | null = null;
  private all: readonly HostFunction[] | null = null;
  /** Each asked for in several rounds. */
  private readonly words = new Map<SyntaxUnit, ReadonlySet<string>>();

  constructor(translations: readonly Translation[]) {
    this.translations = translations;
  }

  /**
   * `main` alone if there is one, else the functions that lead to a launch and that none of these mentions; of templates those that are
   * instantiated explicitly. Of what the root links for its own sake none is entered.
   */
  entries(): readonly FunctionId[] {
    this.found ??= this.main() ?? this.roots();
    return this.found;
  }

  /** Every function of the root that is no template and launches in its own text, lambdas that were met among them. */
  launchers(): readonly FunctionId[] {
    const lambdas = this.translations
      .slice(0, 1)
      .flatMap((translation) => translation.hostLambdas.map((entity) => ({ translation, entity })))
      .filter(({ entity }) => launch.test(textOf(entity)));
    this.direct ??= instancesOf([
      ...this.directLaunchers().filter((each) => this.isOfRoot(each)),
      ...lambdas,
    ]);
    return this.direct;
  }

  /**
   * Templates that name one of `kernels`, or what does, and so on, and that no function of these calls: one whose address a function gives away is
   * called by whoever gets it.
   */
  templatesFor(kernels: readonly KernelDeclaration[]): readonly HostTemplate[] {
    if (kernels.length === 0) return [];
    const own = new Set(kernels.map(({ name }) => name));
    const leading = this.upFrom(new Map(), own);
    const called = namesIn(leading, calledIn);
    const names = new Set([...own, ...leading.map(({ entity }) => entity.name)]);
    const functions = leading
      .filter((each) => this.isOfRoot(each))
      .filter(({ entity }) => entity.parameters !== null && entity.specializes === null)
      .filter(({ entity }) => !called.has(entity.name))
      .map(({ translation, entity }) => functionTemplate(translation, entity));
    const classes = this.translations.slice(0, 1).flatMap((translation) =>
      translation.source.units
        .filter(
          ({ text }) => launch.test(text) && /^\s*template\b/.test(text) && /\b(class|struct)\b/.test(text),
        )
        .filter(({ text }) => mentions(text, names))
        .flatMap((unit) => classTemplates(translation, unit, (member) => launch.test(textOf(member)))),
    );
    return [...functions, ...classes];
  }

  private main(): readonly FunctionId[] | null {
    for (const translation of this.translations) {
      const unit = translation.source.units.find(
        ({ text, namespaces }) => /\bmain\s*\(/.test(text) && namespaces.length === 0,
      );
      if (unit === undefined) continue;
      translation.declare(unit);
      const found = translation.global.own("main").filter(isFunction);
      const [main] = instancesOf(found.map((entity) => ({ translation, entity })));
      if (main !== undefined) return [main];
    }
    return null;
  }

  private isOfRoot({ translation }: HostFunction): boolean {
    return translation === this.translations[0];
  }

  private directLaunchers(): readonly HostFunction[] {
    const launches = (text: string) => launch.test(text);
    return this.functionsWhere(({ text }) => launches(text), launches);
  }

  private mentioning(names: ReadonlySet<string>): readonly HostFunction[] {
    return this.functionsWhere(
      (unit) => meet(names, this.wordsIn(unit)),
      (text) => mentions(text, names),
    );
  }

  private wordsIn(unit: SyntaxUnit): ReadonlySet<string> {
    const known = this.words.get(unit);
    if (known !== undefined) return known;
    const words = new Set(wordsOf(unit.text));
    this.words.set(unit, words);
    return words;
  }

  /** The functions whose bodies are as asked for. Whole declarations are asked first, so that most need no parsing. */
  private functionsWhere(
    mayHold: (unit: SyntaxUnit) => boolean,
    isWanted: (text: string) => boolean,
  ): readonly HostFunction[] {
    const seen = new Set<string>();
    return this.translations.flatMap((translation) =>
      translation.source.units
        .filter(mayHold)
        .flatMap((unit) => hostFunctionsOf(translation, unit))
        .filter((each) => isWanted(textOf(each.entity)) && isNew(each, seen)),
    );
  }

  private roots(): readonly FunctionId[] {
    const leading = this.leading();
    const mentioned = namesIn(leading, wordsOf);
    return [
      ...instancesOf(leading.filter((each) => !mentioned.has(each.entity.name) && this.isOfRoot(each))),
      ...this.explicitRoots(leading),
    ];
  }

  /** What is compiled for callers elsewhere, whoever calls the templates here: with other arguments, as it may be. */
  private explicitRoots(leading: readonly HostFunction[]): readonly FunctionId[] {
    const templates = new Set(
      leading.flatMap(({ entity: { parameters, name } }) => (parameters === null ? [] : [name])),
    );
    const root = this.translations.slice(0, 1);
    const instances = templates.size === 0 ? [] : root.flatMap(explicitInstances);
    const names = new Set(leading.map(({ entity }) => entity.name));
    const members = root.flatMap((translation) =>
      explicitMembers(translation).map((entity) => ({ translation, entity })),
    );
    return distinct([
      ...instances.flatMap(({ id, kind, entity: { name } }) =>
        kind === "host" && templates.has(name) ? [id] : [],
      ),
      ...instancesOf(
        members.filter(({ entity }) => launch.test(textOf(entity)) || mentions(textOf(entity), names)),
      ),
    ]);
  }

  /** Functions whose text launches, or names one that does, and so on; templates among them. In the order of the text. */
  private leading(): readonly HostFunction[] {
    this.all ??= this.findLeading();
    return this.all;
  }

  private findLeading(): readonly HostFunction[] {
    const direct = new Map(this.directLaunchers().map((each) => [each.entity, each]));
    return this.upFrom(direct, new Set([...direct.keys()].map(({ name }) => name)));
  }

  /** `known`, and the functions that mention one of `names`, or one of these, and so on. */
  private upFrom(
    known: ReadonlyMap<FunctionEntity, HostFunction>,
    names: ReadonlySet<string>,
  ): readonly HostFunction[] {
    const leading = new Map(known);
    let last = names;
    for (let round = 0; round < maxRounds && last.size > 0; round++) {
      const next = new Set<string>();
      for (const found of this.mentioning(last)) {
        if (leading.has(found.entity)) continue;
        leading.set(found.entity, found);
        next.add(found.entity.name);
      }
      last = next;
    }
    return this.inOrder([...leading.values()]);
  }

  private inOrder(functions: readonly HostFunction[]): readonly HostFunction[] {
    const units = this.translations.flatMap(({ source }) => source.units);
    const order = new Map(units.map((unit, index) => [unit, index]));
    return [...functions].sort(
      ({ entity: a }, { entity: b }) =>
        (order.get(a.unit) ?? 0) - (order.get(b.unit) ?? 0) || a.node.start - b.node.start,
    );
  }
}

/** The names that `namesOf` finds in the bodies of functions, but for each one's own. */
function namesIn(
  functions: readonly HostFunction[],
  namesOf: (text: string) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { entity } of functions) {
    for (const name of namesOf(textOf(entity))) if (name !== entity.name) found.add(name);
  }
  return found;
}

interface HostFunction {
  readonly translation: Translation;
  readonly entity: FunctionEntity;
}

/** Functions with a body that are no kernels, members of the unit's classes among them. */
function hostFunctionsOf(translation: Translation, unit: SyntaxUnit): readonly HostFunction[] {
  completeClasses(translation, unit);
  return translation
    .functionsOf(unit)
    .filter(
      (entity) =>
        entity.body !== null &&
        !specifierWords(contextOf({ translation, entity }), entity.node).has("__global__"),
    )
    .map((entity) => ({ translation, entity }));
}

/** Whether no unit before had the function of a header: it is one for all of them. */
function isNew({ translation, entity: { unit, node } }: HostFunction, seen: Set<string>): boolean {
  const place = unit.extent();
  if (place === null || place.file === translation.source.file) return true;
  const key = `${place.file}\n${place.start}\n${node.start}\n${unit.hash()}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function instancesOf(functions: readonly HostFunction[]): FunctionId[] {
  const ids: FunctionId[] = [];
  for (const each of functions) {
    const { entity } = each;
    if (entity.body === null || entity.parameters !== null) continue;
    const id = orElse(
      () => instantiate(contextOf(each), entity, [])?.id ?? null,
      () => null,
    );
    if (id !== null) ids.push(id);
  }
  return distinct(ids);
}

function distinct(ids: readonly FunctionId[]): FunctionId[] {
  return [...new Set(ids)];
}

function contextOf({ translation, entity }: HostFunction): Context {
  return { translation, unit: entity.unit, scope: entity.scope, body: emptyBody() };
}

function isFunction(entity: { kind: string }): entity is FunctionEntity {
  return entity.kind === "function";
}

function textOf({ unit, body }: { readonly unit: SyntaxUnit; readonly body: SyntaxNode | null }): string {
  return body === null ? "" : unit.text.slice(body.start, body.end);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

/** The names that stand before the parenthesis of a call, their template arguments as far as people nest them. */
function calledIn(text: string): readonly string[] {
  return [...text.matchAll(call)].map(([, name = ""]) => name);
}

const call = /\b([A-Za-z_]\w*)\s*(?:<(?:[^<>;{}]|<(?:[^<>;{}]|<[^<>;{}]*>)*>)*>\s*)?\(/g;

function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  for (const word of fewer) if (more.has(word)) return true;
  return false;
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  return wordsOf(text).some((word) => names.has(word));
}
