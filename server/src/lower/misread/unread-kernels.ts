// Kernels that stand in the text and that the grammar cannot read: they must not be missing without a word.
import type { UnreadKernel } from "../../ir/function.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { Translation } from "../translation.ts";

/** The kernels of the units that have syntax errors and declare no kernel, though they say that they define one. */
export function unreadKernels(translation: Translation): UnreadKernel[] {
  const read = new Set(translation.kernels.map(({ unit }) => unit));
  return translation.source.units
    .filter((unit) => unit.text.includes("__global__") && !read.has(unit) && unit.root().hasError)
    .flatMap((unit) => unreadKernel(unit) ?? []);
}

/** A friend's declaration and an explicit instantiation define nothing. */
const definition = /(?<!\bfriend\s[^;{}]*)\b__global__\b(?:[^;{}()]*?\b(\w+)\s*\()?/;
const instantiation = /^\s*(?:extern\s+)?template\s+(?!<)/;

function unreadKernel(unit: SyntaxUnit): UnreadKernel | null {
  const found = instantiation.test(unit.text) ? null : definition.exec(unit.text);
  if (found === null) return null;
  return {
    name: found[1] ?? null,
    range: unit.rangeOf(found.index, found.index + "__global__".length),
    reason: openBracket(unit.text) ?? "syntax error",
  };
}

function openBracket(text: string): string | null {
  const count = (bracket: string) => text.split(bracket).length - 1;
  if (count("(") > count(")")) return "a ( is not closed";
  if (count("{") > count("}")) return "a { is not closed";
  return null;
}
