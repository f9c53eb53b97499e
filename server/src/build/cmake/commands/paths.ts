// `get_filename_component` and `cmake_path`.

import { entryOf } from "../../../table.ts";
import { directoryOf, nameOf, resolvePath } from "../../../text/path.ts";
import type { Call, Interpreter } from "../interpreter.ts";
import { hasUnknown } from "../unknown.ts";
import { type CommandTable, textsOf } from "./command.ts";

export const pathCommands: CommandTable = [
  ["get_filename_component", getFilenameComponent],
  ["cmake_path", cmakePath],
];

function getFilenameComponent(cmake: Interpreter, call: Call): undefined {
  const [name, path = "", mode = "", ...rest] = textsOf(call);
  if (name === undefined) return undefined;
  const baseAt = rest.indexOf("BASE_DIR");
  const base = baseAt < 0 ? cmake.directory.source : (rest[baseAt + 1] ?? "");
  cmake.set(name, component(cmake, path, mode, base), call.origin);
  return undefined;
}

function component(cmake: Interpreter, path: string, mode: string, base: string): string {
  const isAbsolute = path.startsWith("/");
  if (hasUnknown(path)) {
    // The parts behind what is not known are known.
    const part =
      mode === "DIRECTORY" || mode === "PATH" ? directoryOf(path) : mode === "NAME" ? nameOf(path) : null;
    if (part !== null && path.includes("/")) return part;
    const readings = cmake.unknowns.readings(path);
    const reason = cmake.unknowns.reasonOf(path) ?? "";
    if (readings !== null)
      return cmake.unknowns.mark(
        reason,
        readings.map((one) => component(cmake, one, mode, base)),
      );
    return mode === "ABSOLUTE" || mode === "REALPATH" ? path : cmake.unknown(reason);
  }
  switch (mode) {
    case "DIRECTORY":
    case "PATH":
      return isAbsolute || path.includes("/") ? directoryOf(path) : "";
    case "NAME":
      return nameOf(path);
    case "EXT":
      return /\.[^/]*$/.exec(nameOf(path))?.[0] ?? "";
    case "LAST_EXT":
      return /\.[^./]*$/.exec(nameOf(path))?.[0] ?? "";
    case "NAME_WE":
      return nameOf(path).replace(/\..*$/, "");
    case "NAME_WLE":
      return nameOf(path).replace(/\.[^.]*$/, "");
    case "ABSOLUTE":
    case "REALPATH":
      return resolvePath(resolvePath(cmake.directory.source, base), path);
    case "PROGRAM":
      return cmake.unknown(`where ${path} lies is not known`);
    default:
      return path;
  }
}

function cmakePath(cmake: Interpreter, call: Call): undefined {
  const [kind = "", name = "", ...rest] = textsOf(call);
  const output = (() => {
    const at = rest.indexOf("OUTPUT_VARIABLE");
    return at < 0 ? name : (rest.splice(at, 2)[1] ?? name);
  })();
  const text = cmake.text(name);
  const put = (variable: string, value: string): void => cmake.set(variable, value, call.origin);
  switch (kind) {
    case "SET":
      put(name, rest.includes("NORMALIZE") ? resolvePath("/", rest.at(-1) ?? "") : (rest.at(-1) ?? ""));
      return undefined;
    case "APPEND":
      put(
        output,
        rest.reduce(
          (path, part) =>
            part.startsWith("/") ? part : path === "" ? part : `${path.replace(/\/$/, "")}/${part}`,
          text,
        ),
      );
      return undefined;
    case "APPEND_STRING":
      put(output, text + rest.join(""));
      return undefined;
    case "NORMAL_PATH":
      put(output, hasUnknown(text) ? text : resolvePath("/", text));
      return undefined;
    case "ABSOLUTE_PATH": {
      const at = rest.indexOf("BASE_DIRECTORY");
      const base = at < 0 ? cmake.directory.source : (rest[at + 1] ?? "");
      put(output, hasUnknown(text) ? text : resolvePath(base, text));
      return undefined;
    }
    case "RELATIVE_PATH": {
      const at = rest.indexOf("BASE_DIRECTORY");
      put(output, relative(at < 0 ? cmake.directory.source : (rest[at + 1] ?? ""), text));
      return undefined;
    }
    case "GET": {
      const part = rest[0] ?? "";
      const modes: Readonly<Record<string, string>> = {
        FILENAME: "NAME",
        EXTENSION: rest.includes("LAST_ONLY") ? "LAST_EXT" : "EXT",
        STEM: rest.includes("LAST_ONLY") ? "NAME_WLE" : "NAME_WE",
        PARENT_PATH: "DIRECTORY",
      };
      const mode = entryOf(modes, part);
      const variable = rest.at(-1) ?? "";
      put(
        variable,
        mode === undefined
          ? cmake.unknown(`cmake_path(GET ${part}) is not evaluated`)
          : component(cmake, text, mode, ""),
      );
      return undefined;
    }
    case "IS_ABSOLUTE":
    case "IS_RELATIVE":
      put(rest.at(-1) ?? "", String(text.startsWith("/") === (kind === "IS_ABSOLUTE")).toUpperCase());
      return undefined;
    case "REMOVE_FILENAME":
      put(output, `${directoryOf(text)}/`);
      return undefined;
    case "REMOVE_EXTENSION":
      put(output, text.replace(rest.includes("LAST_ONLY") ? /\.[^./]*$/ : /\.[^/]*$/, ""));
      return undefined;
    case "REPLACE_EXTENSION":
      put(output, text.replace(/\.[^/]*$/, "") + (rest.at(-1) ?? ""));
      return undefined;
    default: {
      const variable = rest.at(-1);
      if (variable !== undefined) put(variable, cmake.unknown(`cmake_path(${kind}) is not evaluated`));
      return undefined;
    }
  }
}

/** `path` as seen from `base`, with "..". Both absolute. */
export function relative(base: string, path: string): string {
  const from = resolvePath("/", base).split("/").filter(Boolean);
  const to = resolvePath("/", path).split("/").filter(Boolean);
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}
