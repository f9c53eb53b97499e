// Modules that lie in the project, beside the files that import them.
import { directoryOf, resolvePath } from "../../text/path.ts";
import type { BuildHost } from "../flags.ts";
import type { PythonModule } from "./machine.ts";
import { parsePython } from "./parse.ts";

/** Finds the modules of a project by their names (`a.b`, `.a`, `..`) or paths. Each is read once. */
export function projectModules(
  host: BuildHost,
  main: string,
): (name: string, from: string) => PythonModule | null {
  const found = new Map<string, PythonModule | null>();
  const atPath = (path: string): PythonModule | null => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const text = host.kindOf(path) === "file" ? host.readText(path) : null;
    const read = text === null ? null : { file: path, statements: parsePython(text) };
    found.set(path, read);
    return read;
  };
  const lookUp = (name: string, from: string): PythonModule | null => {
    if (name.startsWith("/")) return atPath(name);
    const dots = /^\.*/.exec(name)?.[0].length ?? 0;
    const path = name.slice(dots).replaceAll(".", "/");
    const bases =
      dots > 0 ? [`${directoryOf(from)}${"/..".repeat(dots - 1)}`] : [directoryOf(main), directoryOf(from)];
    for (const base of bases) {
      const ends = path === "" ? ["__init__.py"] : [`${path}.py`, `${path}/__init__.py`];
      for (const end of ends) {
        const module = atPath(resolvePath(base, end));
        // A file does not import itself; it is a module of another place of that name.
        if (module !== null && module.file !== from && module.file !== main) return module;
      }
    }
    return null;
  };
  // Every dotted name of a file may be a module's.
  const answers = new Map<string, PythonModule | null>();
  return (name, from) => {
    const key = `${from}\n${name}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const module = lookUp(name, from);
    answers.set(key, module);
    return module;
  };
}
