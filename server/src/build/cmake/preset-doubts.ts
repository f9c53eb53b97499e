// What of one build of a project another says otherwise, of another preset, say: nobody knows which of them is built.
import type { BuildDescription, CompiledSource, MacroFlag } from "../flags.ts";

/**
 * `description` with a doubt on each macro that another build sets to something else, or not at all; `name` says which: "the preset debug". `preset` is the one that
 * `description` is of, if it is of one.
 */
export function doubtedBy(
  description: BuildDescription,
  other: BuildDescription,
  name: string,
  preset: string | null,
): BuildDescription {
  const others = new Map(other.sources.map((source) => [keyOf(source), source]));
  const sources = description.sources.map((source) => {
    const same = others.get(keyOf(source));
    if (same === undefined) return source;
    const values = new Map(same.flags.macros.map((macro) => [macro.name, macro]));
    const macros = source.flags.macros.map((macro) => doubted(macro, values.get(macro.name), name, preset));
    return { ...source, flags: { ...source.flags, macros } };
  });
  return { ...description, sources };
}

function keyOf({ path, target }: CompiledSource): string {
  return `${path}\n${target ?? ""}`;
}

function doubted(
  macro: MacroFlag,
  other: MacroFlag | undefined,
  name: string,
  preset: string | null,
): MacroFlag {
  if (macro.doubt !== null || (other?.kind === macro.kind && other.value === macro.value)) return macro;
  // What a build type brings: nothing but `assert` and the like asks for it.
  if (macro.name === "NDEBUG" || macro.impliedBy !== undefined) return macro;
  const says =
    other?.value == null || other.kind !== macro.kind ? "does not set it so" : `has ${other.value}`;
  return { ...macro, doubt: `${name} ${says}`, ...(preset !== null && { preset }) };
}
