// Scopes: what names mean where. Lookups go outwards, through using-directives, to the file's own scope.
import type { SyntaxNode } from "../syntax/node.ts";
import type { CxxType } from "./cxx-type.ts";
import type { Entity } from "./entity.ts";

export type ScopeKind = "namespace" | "class" | "template" | "block";

export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  /** Qualified name of a namespace or class, "" for the file and for blocks. */
  readonly name: string;
  /** Namespaces whose names are visible here by `using namespace`. */
  readonly using: Scope[] = [];
  /** Scopes of base classes. */
  readonly bases: Scope[] = [];
  /** Classes and enumerations that specifiers define in this scope. */
  readonly types = new Map<SyntaxNode, CxxType>();
  private readonly names = new Map<string, Entity[]>();
  private readonly onMiss: ((name: string) => void) | null;

  /** `declare`, if given, is asked once for every name before it is looked up: it may declare it. */
  constructor(
    kind: ScopeKind,
    parent: Scope | null,
    name = "",
    declare: ((name: string) => void) | null = null,
  ) {
    this.kind = kind;
    this.parent = parent;
    this.name = name;
    this.onMiss = declare;
  }

  declare(name: string, entity: Entity): void {
    const entities = this.names.get(name);
    if (entities) entities.push(entity);
    else this.names.set(name, [entity]);
  }

  /** Replaces what the name meant in this scope. */
  redeclare(name: string, entity: Entity): void {
    this.names.set(name, [entity]);
  }

  /** What `name` means in this very scope, its bases and using-directives included. */
  own(name: string): readonly Entity[] {
    return this.search(name, new Set());
  }

  /** What an unqualified `name` means here. Functions of the first scope that has any hide those further out. */
  lookup(name: string): readonly Entity[] {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const found = scope.own(name);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The nearest namespace around. */
  namespace(): Scope {
    let scope: Scope = this;
    while (scope.kind !== "namespace" && scope.parent) scope = scope.parent;
    return scope;
  }

  private search(name: string, visited: Set<Scope>): readonly Entity[] {
    if (visited.has(this)) return [];
    visited.add(this);
    this.onMiss?.(name);
    const own = this.names.get(name);
    if (own) return own;
    for (const scope of [...this.bases, ...this.using]) {
      const found = scope.search(name, visited);
      if (found.length > 0) return found;
    }
    return [];
  }
}
