// Where host code is entered: main, or, of a file without one, the functions from which launches are reached and that nobody calls, and those
// that are instantiated for callers elsewhere.
import type { FunctionId } from "../../ir/function.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody } from "../context.ts";
import type { FunctionEntity } from "../names/entity.ts";
import type { Translation } from "../translation.ts";
import { specifierWords } from "../types/type-specifier.ts";
import { orElse } from "../unsupported.ts";
import { explicitInstances } from "./explicit-instances.ts";
import { instantiate } from "./instance.ts";

const launch = /<<<|cudaLaunch(Cooperative)?Kernel/;

/** How far from a launch a function is looked for that leads to it. */
const maxRounds = 8;

/** The host functions of a translation by what they have to do with launches, each list made when it is first asked for. */
export class HostFunctions {
  private readonly translation: Translation;
  private found: readonly FunctionId[] | null = null;
  private direct: readonly FunctionId[] | null = null;

  constructor(translation: Translation) {
    this.translation = translation;
  }

  /**
   * `main` alone if there is one, else the functions that lead to a launch and that none of these mentions; of templates those that are
   * instantiated explicitly.
   */
  entries(): readonly FunctionId[] {
    this.found ??= this.main() ?? this.roots();
    return this.found;
  }

  /** Every function that is no template and launches in its own text. */
  launchers(): readonly FunctionId[] {
    this.direct ??= this.instances(this.directLaunchers());
    return this.direct;
  }

  private main(): readonly FunctionId[] | null {
    const unit = this.translation.source.units.find(
      ({ text, namespaces }) => /\bmain\s*\(/.test(text) && namespaces.length === 0,
    );
    if (unit === undefined) return null;
    this.translation.declare(unit);
    const found = this.translation.global.own("main").filter(isFunction);
    const [main] = this.instances(found);
    return main === undefined ? null : [main];
  }

  private directLaunchers(): FunctionEntity[] {
    const { units } = this.translation.source;
    return units
      .filter((unit) => launch.test(unit.text))
      .flatMap((unit) => this.hostFunctionsOf(unit))
      .filter((entity) => launch.test(textOf(entity)));
  }

  private roots(): readonly FunctionId[] {
    const leading = this.leading();
    const mentioned = new Set<string>();
    for (const entity of leading) {
      for (const name of wordsOf(textOf(entity))) if (name !== entity.name) mentioned.add(name);
    }
    return [
      ...this.instances(leading.filter((entity) => !mentioned.has(entity.name))),
      ...this.explicitRoots(leading),
    ];
  }

  /** What is compiled for callers elsewhere, whoever calls the templates here: with other arguments, as it may be. */
  private explicitRoots(leading: readonly FunctionEntity[]): readonly FunctionId[] {
    const templates = new Set(
      leading.filter(({ parameters }) => parameters !== null).map(({ name }) => name),
    );
    if (templates.size === 0) return [];
    return explicitInstances(this.translation).flatMap(({ id, kind, entity: { name } }) =>
      kind === "host" && templates.has(name) ? [id] : [],
    );
  }

  /** Functions whose text launches, or names one that does, and so on; templates among them. In the order of the text. */
  private leading(): readonly FunctionEntity[] {
    const { units } = this.translation.source;
    const leading = new Set(this.directLaunchers());
    let names = new Set([...leading].map(({ name }) => name));
    for (let round = 0; round < maxRounds && names.size > 0; round++) {
      const next = new Set<string>();
      for (const unit of units) {
        if (!mentions(unit.text, names)) continue;
        for (const entity of this.hostFunctionsOf(unit)) {
          if (leading.has(entity) || !mentions(textOf(entity), names)) continue;
          leading.add(entity);
          next.add(entity.name);
        }
      }
      names = next;
    }
    const order = new Map(units.map((unit, index) => [unit, index]));
    return [...leading].sort(
      (a, b) => (order.get(a.unit) ?? 0) - (order.get(b.unit) ?? 0) || a.node.start - b.node.start,
    );
  }

  /** Functions with a body that are no kernels, members of the unit's classes among them. */
  private hostFunctionsOf(unit: SyntaxUnit): FunctionEntity[] {
    return this.translation
      .functionsOf(unit)
      .filter(
        (entity) =>
          entity.body !== null && !specifierWords(this.contextOf(entity), entity.node).has("__global__"),
      );
  }

  private instances(entities: readonly FunctionEntity[]): FunctionId[] {
    const ids: FunctionId[] = [];
    for (const entity of entities) {
      if (entity.body === null || entity.parameters !== null) continue;
      const id = orElse(
        () => instantiate(this.contextOf(entity), entity, [])?.id ?? null,
        () => null,
      );
      if (id !== null) ids.push(id);
    }
    return ids;
  }

  private contextOf(entity: FunctionEntity): Context {
    return {
      translation: this.translation,
      unit: entity.unit,
      scope: entity.scope,
      body: emptyBody(),
    };
  }
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

function mentions(text: string, names: ReadonlySet<string>): boolean {
  return wordsOf(text).some((word) => names.has(word));
}
