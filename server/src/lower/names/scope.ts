// Scopes: what names mean where. Lookups go outwards, through using-directives, to the file's own scope.
import type { SyntaxNode } from "../../syntax/node.ts";
import type { CxxType } from "../types/cxx-type.ts";
import type { Entity } from "./entity.ts";

const NOTHING: readonly Entity[] = [];

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
  // Most scopes are blocks that declare little: what they do not need is not made.
  private types: Map<SyntaxNode, CxxType> | null = null;
  private names: Map<string, Entity[]> | null = null;
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
    this.names ??= new Map();
    const entities = this.names.get(name);
    if (entities) entities.push(entity);
    else this.names.set(name, [entity]);
  }

  /** Replaces what the name meant in this scope. */
  redeclare(name: string, entity: Entity): void {
    this.names ??= new Map();
    this.names.set(name, [entity]);
  }

  /** The class or enumeration that a specifier defines in this scope. */
  typeAt(node: SyntaxNode): CxxType | null {
    return this.types?.get(node) ?? null;
  }

  defineType(node: SyntaxNode, type: CxxType): void {
    this.types ??= new Map();
    this.types.set(node, type);
  }

  /** What `name` means in this very scope, its bases and using-directives included. */
  own(name: string): readonly Entity[] {
    this.onMiss?.(name);
    const own = this.names?.get(name);
    if (own) return own;
    if (this.bases.length === 0 && this.using.length === 0) return NOTHING;
    return this.searchJoined(name, new Set([this]));
  }

  /** What an unqualified `name` means here. Functions of the first scope that has any hide those further out. */
  lookup(name: string): readonly Entity[] {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const found = scope.own(name);
      if (found.length > 0) return found;
    }
    return NOTHING;
  }

  /** The nearest namespace around. */
  namespace(): Scope {
    let scope: Scope = this;
    while (scope.kind !== "namespace" && scope.parent) scope = scope.parent;
    return scope;
  }

  private search(name: string, visited: Set<Scope>): readonly Entity[] {
    if (visited.has(this)) return NOTHING;
    visited.add(this);
    this.onMiss?.(name);
    return this.names?.get(name) ?? this.searchJoined(name, visited);
  }

  /** Bases first, then using-directives. */
  private searchJoined(name: string, visited: Set<Scope>): readonly Entity[] {
    for (const scope of [...this.bases, ...this.using]) {
      const found = scope.search(name, visited);
      if (found.length > 0) return found;
    }
    return NOTHING;
  }
}
