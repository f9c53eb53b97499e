// What a target compiles with: its own properties, and what those that it links to hand on.
import { rejoined } from "./expression-text.ts";
import { type ExpressionContext, evaluateExpression } from "./genex.ts";
import type { Interpreter } from "./interpreter.ts";
import { type Entry, entriesOf, propertyText, type Target } from "./state.ts";
import { hasUnknown } from "./unknown.ts";

/** A target that another is linked to, or why nobody knows what it is. */
export interface LinkItem {
  readonly name: string;
  readonly target: Target | null;
  readonly unknown: string | null;
  readonly entry: Entry;
}

/** Properties of usage, of the target and of those that it links to. */
export type UsageProperty =
  | "COMPILE_DEFINITIONS"
  | "COMPILE_OPTIONS"
  | "INCLUDE_DIRECTORIES"
  | "COMPILE_FEATURES"
  | "SOURCES"
  | "PRECOMPILE_HEADERS";

export interface UsedEntry extends Entry {
  /** Whose property it stands in. */
  readonly of: Target;
}

const mostEntries = 50_000;

export class Usage {
  private readonly cmake: Interpreter;
  private readonly configuration: (target: Target) => string;
  private readonly links = new Map<string, readonly LinkItem[]>();

  constructor(cmake: Interpreter, configuration: (target: Target) => string) {
    this.cmake = cmake;
    this.configuration = configuration;
  }

  /** Entries of a property in CMake's order, expressions evaluated: the target's own, then what is handed on to it. */
  entries(target: Target, property: UsageProperty, language: string): readonly UsedEntry[] {
    const seen = new Set<string>();
    const result = [...this.evaluated(target, target, property, language, null)];
    for (const item of this.linked(target, "LINK_LIBRARIES")) {
      this.handedOn(target, item, `INTERFACE_${property}`, language, seen, null, result);
    }
    return result;
  }

  /** Every target that the target is linked to, through others as well, in the order in which they hand on. */
  closure(target: Target): readonly LinkItem[] {
    const seen = new Set<string>();
    const items: LinkItem[] = [];
    const walk = (item: LinkItem, depth: number): void => {
      if (seen.has(item.name) || depth > 100) return;
      seen.add(item.name);
      items.push(item);
      if (item.target === null) return;
      for (const next of this.linked(item.target, "INTERFACE_LINK_LIBRARIES")) {
        walk({ ...next, entry: { ...next.entry, doubt: next.entry.doubt ?? item.entry.doubt } }, depth + 1);
      }
    };
    for (const item of this.linked(target, "LINK_LIBRARIES")) walk(item, 0);
    return items;
  }

  /** What a property of linking names, one by one. */
  linked(target: Target, property: "LINK_LIBRARIES" | "INTERFACE_LINK_LIBRARIES"): readonly LinkItem[] {
    const key = `${target.name}\n${property}`;
    const before = this.links.get(key);
    if (before !== undefined) return before;
    this.links.set(key, []);
    const items: LinkItem[] = [];
    for (const entry of this.evaluated(target, target, property, "", null)) {
      const found = this.cmake.findTarget(entry.text);
      if (found !== null && "target" in found) {
        const doubt = entry.doubt ?? this.cmake.doubtOfAlias(entry.text);
        items.push({
          name: found.target.name,
          target: found.target,
          unknown: null,
          entry: { ...entry, doubt },
        });
      } else if (found !== null || entry.text.includes("::")) {
        const unknown = found?.unknown ?? `what ${this.cmake.shown(entry.text)} is is not known`;
        items.push({ name: this.cmake.shown(entry.text), target: null, unknown, entry });
      }
    }
    this.links.set(key, items);
    return items;
  }

  /** One property as text, for `$<TARGET_PROPERTY>`. */
  text(head: Target, target: Target, name: string, language: string, depth: number): string {
    const { cmake } = this;
    if (depth > 20) return "";
    const usage =
      /^(INTERFACE_)?(COMPILE_DEFINITIONS|COMPILE_OPTIONS|INCLUDE_DIRECTORIES|COMPILE_FEATURES|SOURCES)$/.exec(
        name,
      );
    if (usage !== null) {
      const property = usage[2] as UsageProperty;
      const entries: UsedEntry[] = [];
      if (usage[1] === undefined) entries.push(...this.entries(target, property, language));
      else {
        const entry = { text: target.name, origin: target.origin, doubt: null };
        const item = { name: target.name, target, unknown: null, entry };
        this.handedOn(head, item, name, language, new Set(), null, entries);
      }
      return cmake.unknowns.join(entries);
    }
    if (name === "NAME") return target.name;
    if (name === "SOURCE_DIR") return target.directory.source;
    if (name === "BINARY_DIR") return target.directory.binary;
    const own = propertyText(target.properties.get(name), cmake.unknowns);
    if (name === "TYPE") return own ?? "";
    return evaluateExpression(own ?? "", this.context(head, target, language, depth + 1));
  }

  context(head: Target, current: Target, language: string, depth = 0): ExpressionContext {
    return {
      cmake: this.cmake,
      head,
      current,
      language,
      configuration: this.configuration(head),
      property: (target, name) => this.text(head, target, name, language, depth + 1),
      depth,
    };
  }

  private evaluated(
    head: Target,
    of: Target,
    property: string,
    language: string,
    doubt: string | null,
  ): readonly UsedEntry[] {
    const context = this.context(head, of, language);
    const result: UsedEntry[] = [];
    for (const entry of rejoined(entriesOf(of.properties.get(property)))) {
      const isPlain = !entry.text.includes("$<") && !hasUnknown(entry.text);
      const elements = isPlain
        ? [{ text: entry.text, doubt: null }]
        : this.cmake.unknowns.elements(evaluateExpression(entry.text, context));
      for (const element of elements) {
        if (element.text === "" || result.length > mostEntries) continue;
        result.push({
          text: element.text,
          origin: entry.origin,
          doubt: entry.doubt ?? element.doubt ?? doubt,
          of,
        });
      }
    }
    return result;
  }

  private handedOn(
    head: Target,
    item: LinkItem,
    property: string,
    language: string,
    seen: Set<string>,
    doubt: string | null,
    into: UsedEntry[],
  ): void {
    if (item.target === null || seen.has(item.name)) return;
    seen.add(item.name);
    const inner = doubt ?? item.entry.doubt;
    into.push(...this.evaluated(head, item.target, property, language, inner));
    for (const next of this.linked(item.target, "INTERFACE_LINK_LIBRARIES")) {
      this.handedOn(head, next, property, language, seen, inner, into);
    }
  }
}
