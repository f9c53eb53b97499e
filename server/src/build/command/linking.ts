// What a compiler makes of its inputs: by its actions (`-c`, `-shared`), and by the names of the inputs.
import type { CompiledSource } from "../flags.ts";
import type { CompilerDialect, LinkKind } from "./command.ts";

/** What is linked under these actions; null where the compiler stops before. */
export function linkKind(actions: ReadonlySet<string>): LinkKind | null {
  const has = (...names: readonly string[]): boolean => names.some((one) => actions.has(one));
  if (has("-lib", "--lib")) return "static-library";
  if (has("-dlink", "--device-link")) return "device-link";
  if (has("-c", "--compile", "-dc", "--device-c", "-dw", "--device-w", "-S", "-fsyntax-only")) return null;
  if (
    has(
      "-ptx",
      "--ptx",
      "-cubin",
      "--cubin",
      "-fatbin",
      "--fatbin",
      "-cuda",
      "--cuda",
      "-optix-ir",
      "--optix-ir",
      "-ltoir",
      "--ltoir",
    )
  )
    return null;
  if (has("-h", "--help", "-V", "--version", "-dumpversion", "-dumpmachine")) return null;
  if (has("-shared", "--shared", "-dynamiclib")) return "shared-library";
  return has("-r", "--relocatable-link") ? "object" : "executable";
}

/** In which language an input is compiled; null where it is linked, or is nothing that warplint reads. */
export function languageOf(
  text: string,
  language: string | null,
  dialect: CompilerDialect,
): CompiledSource["language"] | null {
  if (language === "cu" || language === "cuda") return "cuda";
  if (language === "c++") return "c++";
  if (language === "c") return "c";
  if (language !== null) return null;
  const extension = /\.([^./\\]+)$/.exec(text)?.[1] ?? "";
  if (extension === "cu") return dialect === "msvc" ? null : "cuda";
  if (/^(?:cc|cpp|cxx|c\+\+|cp|C|CPP)$/.test(extension)) return "c++";
  return extension === "c" ? "c" : null;
}
