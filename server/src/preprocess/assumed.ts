// Macros of which the build does not let us know everything: how they are followed from where they are set to whatever hangs on them.
import type { CompileFlags, MacroFlag, Origin } from "../build/flags.ts";
import type { SourceRange } from "../text/source.ts";
import type { Macro } from "./macro.ts";

/** A macro as it was taken. */
export interface AssumedMacro {
  readonly name: string;
  /** Null where it is not known. */
  readonly value: string | null;
  /** The build sets it to what is not known, or sets it perhaps, or in one of its presets so; or a text defines it where nothing else does, and the build may. */
  readonly why: "unknown-value" | "may-be-set" | "default" | "of-preset";
  /** What leaves it open, in words; null for a default. */
  readonly doubt: string | null;
  /** Where it is set or defined. */
  readonly origin: Origin;
  /** The preset that sets it so. */
  readonly preset?: string;
}

/** What hangs on an assumed macro. */
export interface MacroAssumption extends AssumedMacro {
  /** The macro, and those whose definitions hang on it. */
  readonly names: ReadonlySet<string>;
  /** What stands between an `#if` that hangs on it and its `#endif`, or is included there. */
  readonly regions: readonly AssumedRegion[];
}

export interface AssumedRegion {
  readonly range: SourceRange;
  /** Whether there is more than one branch, so that another text may stand in the place of this one. */
  readonly hasOthers: boolean;
}

/** How a macro of the build is taken; null where nothing of it is open. */
export function assumedMacro({ kind, name, value, doubt, origin, preset }: MacroFlag): AssumedMacro | null {
  if (kind === "undefine" || (value !== null && doubt === null)) return null;
  const taken = { name: name.replace(/\(.*$/s, ""), value, doubt, origin };
  if (value === null) return { ...taken, why: "unknown-value" };
  return preset === undefined ? { ...taken, why: "may-be-set" } : { ...taken, why: "of-preset", preset };
}

/** Whether the build may define macros that were not seen: something that may hold definitions could not be evaluated. */
export function mayDefineMore({ unresolved }: CompileFlags): boolean {
  return unresolved.some(({ what, reason }) => !definesNothing.test(what) && !isOfExistence.test(reason));
}

/** Packages, and what is asked of them, define macros of their own, if any; architectures, paths and standards are no macros. */
const definesNothing =
  /^\s*(find_\w+|pkg_\w+|check_\w+)\b|^[\w.+-]+::|pkg-config|ARCH|^-+(I|L|l|O|W|std|arch|gencode|generate-code|gpu|isystem|x)/i;
const isOfExistence = /^whether\b/;

/** The group between an `#if` and its `#endif`, as far as it hangs on assumed macros. */
export interface AssumedGroup {
  readonly macros: Set<AssumedMacro>;
  branchCount: number;
}

/** Follows assumed macros through one translation unit. */
export class AssumedMacros {
  private readonly macros = new Map<
    AssumedMacro,
    { readonly names: Set<string>; readonly regions: Region[] }
  >();

  note(macro: AssumedMacro): void {
    this.entryOf(macro);
  }

  /** The macro `name` is defined where `groups` hold. */
  define(name: string, groups: readonly AssumedGroup[]): void {
    for (const group of groups) for (const macro of group.macros) this.entryOf(macro).names.add(name);
  }

  region(range: SourceRange, group: AssumedGroup): void {
    for (const macro of group.macros) this.entryOf(macro).regions.push({ range, group });
  }

  /** All of them, at the end. `defined`: every definition of the translation unit. */
  assumptions(defined: Iterable<Macro>): readonly MacroAssumption[] {
    if (this.macros.size === 0) return [];
    const bodies = [...defined].map(({ name, body }) => ({ name, words: body.map(({ text }) => text) }));
    return [...this.macros].map(([macro, { names, regions }]) => {
      for (let count = -1; count !== names.size; ) {
        count = names.size;
        for (const { name, words } of bodies) if (words.some((word) => names.has(word))) names.add(name);
      }
      return {
        ...macro,
        names,
        regions: regions.map(({ range, group }) => ({ range, hasOthers: group.branchCount > 1 })),
      };
    });
  }

  private entryOf(macro: AssumedMacro) {
    const found = this.macros.get(macro) ?? { names: new Set([macro.name]), regions: [] };
    this.macros.set(macro, found);
    return found;
  }
}

interface Region {
  readonly range: SourceRange;
  readonly group: AssumedGroup;
}
