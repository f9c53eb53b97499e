// The flags that a configuration and what is laid over it give to every file, and how they lie over those of the build.
import type { CompileFlags, IncludePath, MacroFlag, Origin } from "../build/flags.ts";
import { noFlags } from "../build/flags.ts";
import { keyPosition } from "../config/parse.ts";
import type { Config } from "../config/schema.ts";
import { type Host, readText } from "../host/host.ts";
import { resolvePath } from "../text/path.ts";
import type { ProjectOptions } from "./project.ts";

/** `base`: what the configuration's paths are relative to. */
interface Configuration {
  readonly config: Config;
  readonly file: string | null;
  readonly base: string;
}

/** The macros and include paths of a configuration, and before them those of `options`. */
export function configuredFlags(
  host: Host,
  { config, file, base }: Configuration,
  options: ProjectOptions,
): CompileFlags {
  const outside: Origin = { file: options.overridesOrigin ?? "<command line>", line: 1 };
  const laid = options.overrides.defines ?? {};
  const own = Object.entries(config.defines).filter(([name]) => !Object.hasOwn(laid, name));
  const read = file === null ? null : readText(host, file);
  const text = read?.kind === "text" ? read.text : "";
  const at = (path: readonly (string | number)[]): Origin =>
    file === null ? outside : { file, line: keyPosition(text, path)?.line ?? 1 };
  const user = (path: string, origin: Origin): IncludePath => ({ path, kind: "user", doubt: null, origin });
  return {
    ...noFlags,
    macros: [
      ...own.map(([name, value]) => macroOf(name, value, at(["defines", name]))),
      ...Object.entries(laid).map(([name, value]) => macroOf(name, value, outside)),
    ],
    includePaths: [
      ...options.includePaths.map((path) => user(path, outside)),
      ...config.includePaths.map((path, index) => user(resolvePath(base, path), at(["includePaths", index]))),
    ],
  };
}

function macroOf(name: string, value: Config["defines"][string], origin: Origin): MacroFlag {
  if (value === false) return { kind: "undefine", name, value: "", doubt: null, origin };
  return { kind: "define", name, value: value === true ? "1" : String(value), doubt: null, origin };
}

/** The build's flags, where what is configured wins: its macros stand behind those of the build, its directories are searched before. */
export function overlaidFlags(build: CompileFlags, configured: CompileFlags): CompileFlags {
  const names = new Set(configured.macros.map(({ name }) => nameOfMacro(name)));
  return {
    ...build,
    macros: [...build.macros.filter(({ name }) => !names.has(nameOfMacro(name))), ...configured.macros],
    includePaths: withoutRepeats([...configured.includePaths, ...build.includePaths]),
  };
}

/** A directory that was named before in the same way is not searched again. */
function withoutRepeats(paths: readonly IncludePath[]): readonly IncludePath[] {
  const seen = new Set<string>();
  return paths.filter(({ kind, path }) => {
    const key = `${kind} ${path}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Without its parameters. */
export function nameOfMacro(name: string): string {
  return name.replace(/\(.*$/s, "");
}
