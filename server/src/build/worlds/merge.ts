// What a build passes under every answer to what is not known: what all agree on is certain, what differs is doubtful.
import type {
  BuildTarget,
  CompiledSource,
  CompileFlags,
  IncludePath,
  MacroFlag,
  Unresolved,
} from "../flags.ts";
import type { Decision } from "./world.ts";

/** What one world gives. */
export interface Built {
  readonly sources: readonly CompiledSource[];
  readonly targets: readonly BuildTarget[];
}

/** `usual`, with doubt wherever one of the others differs. */
export function merged(
  usual: Built,
  others: readonly { readonly built: Built; readonly decision: Decision }[],
): Built {
  const sources = keyed(usual.sources);
  const targets = new Map(usual.targets.map((target) => [target.name, target]));
  for (const { built, decision } of others) {
    for (const [key, source] of keyed(built.sources)) {
      const before = sources.get(key);
      sources.set(
        key,
        before === undefined
          ? source
          : { ...before, flags: mergedFlags(before.flags, source.flags, decision) },
      );
    }
    for (const target of built.targets) if (!targets.has(target.name)) targets.set(target.name, target);
  }
  return { sources: [...sources.values()], targets: [...targets.values()] };
}

/** Compilations by what is compiled for what; the same for the second time is another. */
function keyed(sources: readonly CompiledSource[]): Map<string, CompiledSource> {
  const found = new Map<string, CompiledSource>();
  const counts = new Map<string, number>();
  for (const source of sources) {
    const key = `${source.path}\n${source.target ?? ""}\n${source.language}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    found.set(`${key}\n${count}`, source);
  }
  return found;
}

function mergedFlags(usual: CompileFlags, other: CompileFlags, decision: Decision): CompileFlags {
  const doubt = `${decision.what} is not known`;
  const unresolved: Unresolved[] = [...usual.unresolved];
  const note = (what: string) => {
    if (!unresolved.some((one) => one.what === what && one.reason === doubt))
      unresolved.push({ what, reason: doubt, origin: decision.origin });
  };
  for (const one of other.unresolved)
    if (!unresolved.some((known) => known.what === one.what && known.reason === one.reason))
      unresolved.push(one);
  const isSameStandard = usual.standard?.value === other.standard?.value;
  if (!isSameStandard) note("the language standard");
  const numbers = (flags: CompileFlags) => new Set(flags.architectures.map((one) => one.number));
  const shared = usual.architectures.filter((one) => numbers(other).has(one.number));
  if (shared.length < usual.architectures.length || numbers(usual).size < numbers(other).size)
    note("the architectures");
  if (usual.hasRelocatableDeviceCode !== other.hasRelocatableDeviceCode) note("relocatable device code");
  const forced = (flags: CompileFlags) => flags.forcedIncludes.map((one) => one.path);
  const sharedIncludes = usual.forcedIncludes.filter((one) => forced(other).includes(one.path));
  for (const path of new Set([...forced(usual), ...forced(other)]))
    if (!forced(usual).includes(path) || !forced(other).includes(path)) note(`-include ${path}`);
  return {
    macros: mergedMacros(usual.macros, other.macros, doubt),
    includePaths: mergedPaths(usual.includePaths, other.includePaths, doubt),
    forcedIncludes: sharedIncludes,
    architectures: shared,
    standard: isSameStandard ? usual.standard : null,
    hasRelocatableDeviceCode: usual.hasRelocatableDeviceCode,
    unresolved,
  };
}

function mergedMacros(
  usual: readonly MacroFlag[],
  other: readonly MacroFlag[],
  doubt: string,
): readonly MacroFlag[] {
  // The last of a name counts.
  const lastUsual = new Map(usual.map((macro) => [macro.name, macro]));
  const lastOther = new Map(other.map((macro) => [macro.name, macro]));
  const kept = usual.map((macro): MacroFlag => {
    const counterpart = lastOther.get(macro.name);
    if (macro !== lastUsual.get(macro.name)) return macro;
    if (counterpart === undefined) return { ...macro, doubt: macro.doubt ?? doubt };
    if (counterpart.kind === macro.kind && counterpart.value === macro.value)
      return macro.doubt === null && counterpart.doubt !== null
        ? { ...macro, doubt: counterpart.doubt }
        : macro;
    return { ...macro, kind: "define", value: null, doubt: macro.doubt ?? doubt };
  });
  const added = [...lastOther.values()].filter((macro) => !lastUsual.has(macro.name));
  return [...kept, ...added.map((macro) => ({ ...macro, doubt: macro.doubt ?? doubt }))];
}

function mergedPaths(
  usual: readonly IncludePath[],
  other: readonly IncludePath[],
  doubt: string,
): readonly IncludePath[] {
  const key = (path: IncludePath) => `${path.kind} ${path.path}`;
  const inUsual = new Set(usual.map(key));
  const inOther = new Set(other.map(key));
  return [
    ...usual.map((path) => (inOther.has(key(path)) ? path : { ...path, doubt: path.doubt ?? doubt })),
    ...other
      .filter((path) => !inUsual.has(key(path)))
      .map((path) => ({ ...path, doubt: path.doubt ?? doubt })),
  ];
}
