// The language standard that a target's properties and features ask for.

import { entryOf } from "../../table.ts";
import type { Origin } from "../flags.ts";
import type { Interpreter } from "./interpreter.ts";
import { entriesOf, isFalseConstant, isNew, type Target } from "./state.ts";
import { hasUnknown } from "./unknown.ts";
import type { UsedEntry } from "./usage.ts";

const order: Readonly<Record<string, readonly string[]>> = {
  C: ["90", "99", "11", "17", "23"],
  CXX: ["98", "11", "14", "17", "20", "23", "26"],
  CUDA: ["03", "11", "14", "17", "20", "23", "26"],
};

/** What both compilers take where nothing is said. */
const defaultStandard = "17";

interface Wanted {
  readonly standard: string;
  readonly origin: Origin;
}

/** `-std=…` as CMake writes it, or null where it leaves the standard to the compiler. */
export function standardFlag(
  cmake: Interpreter,
  target: Target,
  language: "C" | "CXX" | "CUDA",
  features: readonly UsedEntry[],
): { readonly text: string; readonly origin: Origin } | null {
  let wanted = wantedStandard(target, language, features);
  // CUDA's standard is that of C++ where it has none, and then that of the C++ compiler.
  if (wanted === null && language === "CUDA" && cmake.languages.has("CXX")) {
    wanted = wantedStandard(target, "CXX", features) ?? {
      standard: defaultStandard,
      origin: target.origin,
    };
  }
  if (wanted !== null && language === "CUDA" && wanted.standard === "98")
    wanted = { ...wanted, standard: "03" };
  const { policies } = target.directory;
  const isNewest = isNew(policies, "CMP0128", 322);
  const extensions = textOf(target, `${language}_EXTENSIONS`);
  const hasExtensions = extensions === null || !isFalseConstant(extensions);
  const levels = entryOf(order, language) ?? [];
  if (wanted === null) {
    if (language === "CUDA" || !isNewest || hasExtensions) return null;
    return { text: flagOf(language, defaultStandard, "standard"), origin: target.origin };
  }
  const { standard, origin } = wanted;
  if (hasUnknown(standard)) return { text: `-std=${standard}`, origin };
  const required = textOf(target, `${language}_STANDARD_REQUIRED`);
  const isRequired = required !== null && !isFalseConstant(required);
  const isDefault = standard === defaultStandard && hasExtensions;
  if (!isRequired && isNewest && isDefault) return null;
  if (!isRequired && levels.indexOf(standard) < 0) return null;
  return { text: flagOf(language, standard, hasExtensions ? "extensions" : "standard"), origin };
}

function flagOf(language: string, standard: string, kind: "extensions" | "standard"): string {
  const name = language === "C" ? "c" : "c++";
  const prefix = kind === "extensions" && language !== "CUDA" ? "gnu" : "";
  const letters = prefix === "" ? name : language === "C" ? "gnu" : "gnu++";
  return `-std=${letters}${standard === "23" ? (language === "C" ? "2x" : "23") : standard}`;
}

function textOf(target: Target, property: string): string | null {
  const entries = entriesOf(target.properties.get(property));
  return entries.length === 0 ? null : entries.map(({ text }) => text).join(";");
}

/** The property, or a feature that asks for more. */
function wantedStandard(target: Target, language: string, features: readonly UsedEntry[]): Wanted | null {
  const entry = entriesOf(target.properties.get(`${language}_STANDARD`)).at(0);
  const own =
    entry === undefined || entry.text === "" ? null : { standard: entry.text, origin: entry.origin };
  const levels = entryOf(order, language) ?? [];
  let result: Wanted | null = own;
  for (const feature of features) {
    const standard = new RegExp(`^${language.toLowerCase()}_std_(\\d+)$`).exec(feature.text)?.[1];
    if (standard === undefined) continue;
    const before = levels.indexOf(result?.standard ?? defaultStandard);
    if (levels.indexOf(standard) > before) result = { standard, origin: feature.origin };
  }
  return result;
}
