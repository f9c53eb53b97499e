// Commands that lead to other files, name the project and its languages, and end the reading of a file.
import { isInside, relativeTo, resolvePath } from "../../../text/path.ts";
import type { Call, Flow, Interpreter } from "../interpreter.ts";
import type { Running } from "../run.ts";
import type { Policies } from "../state.ts";
import { assumedCMake, enableLanguage, giveVersion } from "../toolchain.ts";
import { hasUnknown, splitListWhole } from "../unknown.ts";
import { compareVersions } from "../version.ts";
import { type CommandTable, textsOf } from "./command.ts";
import { includeModule } from "./modules.ts";

export const projectCommands: CommandTable = [
  ["cmake_minimum_required", minimumRequired],
  ["cmake_policy", policy],
  ["project", project],
  ["enable_language", enableLanguages],
  ["add_subdirectory", addSubdirectory],
  ["subdirs", subdirs],
  ["include", include],
  ["include_guard", includeGuard],
  ["message", message],
  ["cmake_language", cmakeLanguage],
];

function policiesOf(cmake: Interpreter, versions: string): Policies {
  const [oldest = "", newest] = versions.split("...");
  const wanted = newest ?? oldest;
  const version = compareVersions(wanted, assumedCMake) > 0 && newest !== undefined ? assumedCMake : wanted;
  const [major = 3, minor = 0] = version.split(".").map(Number);
  return { version: major * 100 + minor, own: cmake.directory.policies.own };
}

function minimumRequired(cmake: Interpreter, call: Call): undefined {
  const versions = textsOf(call)[1];
  if (versions === undefined || hasUnknown(versions)) return undefined;
  cmake.directory.policies = policiesOf(cmake, versions);
  const oldest = versions.split("...")[0] ?? "";
  // A project that asks for a newer CMake than the one that is assumed is built by at least that one.
  if (compareVersions(oldest, cmake.text("CMAKE_VERSION")) > 0) giveVersion(cmake, oldest, call.origin);
  cmake.set("CMAKE_MINIMUM_REQUIRED_VERSION", oldest, call.origin);
  return undefined;
}

function policy(cmake: Interpreter, call: Call): undefined {
  const [kind, name = "", value = ""] = textsOf(call);
  if (kind === "VERSION" && !hasUnknown(name)) cmake.directory.policies = policiesOf(cmake, name);
  if (kind === "SET" && (value === "NEW" || value === "OLD")) {
    const { version, own } = cmake.directory.policies;
    cmake.directory.policies = { version, own: new Map([...own, [name, value]]) };
  }
  if (kind === "GET") {
    const own = cmake.directory.policies.own.get(name);
    cmake.set(value, own ?? "NEW", call.origin);
  }
  return undefined;
}

const projectKeywords = new Set(["VERSION", "DESCRIPTION", "HOMEPAGE_URL", "LANGUAGES"]);

function project(cmake: Interpreter, call: Call, running: Running): undefined {
  const args = textsOf(call);
  const name = args[0] ?? "";
  const { source, binary } = cmake.directory;
  const isTop = cmake.directory.parent === null;
  const after = (keyword: string): string | undefined => {
    const at = args.indexOf(keyword);
    return at < 0 ? undefined : args[at + 1];
  };
  const put = (variable: string, text: string): void => cmake.set(variable, text, call.origin);
  const version = after("VERSION") ?? "";
  const parts = hasUnknown(version) ? [] : version.split(".");
  const values: Record<string, string> = {
    SOURCE_DIR: source,
    BINARY_DIR: binary,
    IS_TOP_LEVEL: isTop ? "ON" : "OFF",
    DESCRIPTION: after("DESCRIPTION") ?? "",
    HOMEPAGE_URL: after("HOMEPAGE_URL") ?? "",
    VERSION: version,
  };
  for (const [index, part] of ["MAJOR", "MINOR", "PATCH", "TWEAK"].entries()) {
    values[`VERSION_${part}`] = hasUnknown(version)
      ? cmake.unknown(cmake.unknowns.reasonOf(version) ?? "")
      : (parts[index] ?? "");
  }
  put("PROJECT_NAME", name);
  for (const [key, text] of Object.entries(values)) {
    put(`PROJECT_${key}`, text);
    put(`${name}_${key}`, text);
    if (isTop) put(`CMAKE_PROJECT_${key}`, text);
  }
  if (isTop) put("CMAKE_PROJECT_NAME", name);
  const at = args.indexOf("LANGUAGES");
  const named =
    at >= 0
      ? args.slice(at + 1).filter((word) => !projectKeywords.has(word))
      : args.some((word, index) => index > 0 && projectKeywords.has(word))
        ? args.slice(
            1,
            args.findIndex((word, index) => index > 0 && projectKeywords.has(word)),
          )
        : args.slice(1);
  readToolchainFile(cmake, call, running);
  const isNone = named.includes("NONE") || (at >= 0 && named.length === 0);
  for (const language of isNone ? [] : named.length > 0 ? named : ["C", "CXX"]) {
    enableLanguage(cmake, language, call.origin);
  }
  if (isNone) enableLanguage(cmake, "NONE", call.origin);
  for (const variable of ["CMAKE_PROJECT_INCLUDE", `CMAKE_PROJECT_${name}_INCLUDE`]) {
    const path = cmake.get(variable);
    if (path !== null && path !== "" && !hasUnknown(path)) running.file(cmake, resolvePath(source, path));
  }
  return undefined;
}

/** The first `project` reads the toolchain file, before any compiler is found. */
function readToolchainFile(cmake: Interpreter, call: Call, running: Running): void {
  const name = cmake.text("CMAKE_TOOLCHAIN_FILE");
  if (name === "" || cmake.languages.size > 0) return;
  const reason = cmake.unknowns.reasonOf(name);
  const paths = [cmake.directory.binary, cmake.directory.source].map((base) => resolvePath(base, name));
  const path = hasUnknown(name) ? undefined : paths.find((one) => cmake.kindOf(one) === "file");
  if (path === undefined || running.file(cmake, path) === null)
    cmake.note(`the toolchain file ${cmake.shown(name)}`, reason ?? "the file can't be read", call.origin);
}

function enableLanguages(cmake: Interpreter, call: Call): undefined {
  for (const language of textsOf(call))
    if (language !== "OPTIONAL") enableLanguage(cmake, language, call.origin);
  return undefined;
}

function addSubdirectory(cmake: Interpreter, call: Call, running: Running): Flow | undefined {
  const [path = "", binary] = textsOf(call).filter(
    (text) => text !== "EXCLUDE_FROM_ALL" && text !== "SYSTEM",
  );
  if (hasUnknown(path)) {
    cmake.note(`add_subdirectory(${path})`, cmake.unknowns.reasonOf(path) ?? "", call.origin);
    return undefined;
  }
  const source = resolvePath(cmake.directory.source, path);
  const below = isInside(source, cmake.directory.source)
    ? relativeTo(cmake.directory.source, source)
    : source.slice(source.lastIndexOf("/") + 1);
  const target = resolvePath(
    cmake.directory.binary,
    binary === undefined || hasUnknown(binary) ? below : binary,
  );
  const flow = running.subdirectory(cmake, source, target);
  if (flow !== null) return flow;
  const isEmpty = cmake.kindOf(source) === "directory" && cmake.host.list(source).length === 0;
  const reason = isEmpty
    ? "the directory is empty: is it a submodule?"
    : "there is no CMakeLists.txt that can be read";
  cmake.note(`add_subdirectory(${path})`, reason, call.origin);
  return undefined;
}

function subdirs(cmake: Interpreter, call: Call, running: Running): undefined {
  for (const path of textsOf(call)) {
    running.subdirectory(
      cmake,
      resolvePath(cmake.directory.source, path),
      resolvePath(cmake.directory.binary, path),
    );
  }
  return undefined;
}

function include(cmake: Interpreter, call: Call, running: Running): Flow | undefined {
  const [name = "", ...options] = textsOf(call);
  const put = (text: string): void => {
    const at = options.indexOf("RESULT_VARIABLE");
    const variable = at < 0 ? undefined : options[at + 1];
    if (variable !== undefined) cmake.set(variable, text, call.origin);
  };
  if (hasUnknown(name)) {
    cmake.note(`include(${name})`, cmake.unknowns.reasonOf(name) ?? "", call.origin);
    return undefined;
  }
  const isFile = name.includes("/") || /\.\w+$/.test(name);
  const paths = isFile
    ? [resolvePath(cmake.directory.source, name), ...modulePaths(cmake, name)]
    : modulePaths(cmake, `${name}.cmake`);
  for (const path of paths) {
    if (cmake.kindOf(path) !== "file") continue;
    const flow = running.file(cmake, path);
    if (flow === null) continue;
    put(path);
    return flow;
  }
  // FindThreads looks for Threads; FindPackageHandleStandardArgs is a help of such modules.
  const found = /^Find(?!Package)(\w+)$/.exec(name)?.[1];
  if (found !== undefined) {
    const args = call.args.slice(0, 1).map((arg) => ({ ...arg, text: found }));
    return running.call(cmake, { ...call, name: "find_package", args });
  }
  if (includeModule(cmake, name, call)) {
    put(`/usr/share/cmake/Modules/${name}.cmake`);
    return undefined;
  }
  put("NOTFOUND");
  if (!options.includes("OPTIONAL")) cmake.note(`include(${name})`, "the file can't be read", call.origin);
  return undefined;
}

/** Where a file named so may lie in the directories of `CMAKE_MODULE_PATH`. */
export function modulePaths(cmake: Interpreter, name: string): readonly string[] {
  return splitListWhole(cmake.text("CMAKE_MODULE_PATH"))
    .filter((path) => path !== "" && !hasUnknown(path))
    .map((path) => resolvePath(resolvePath(cmake.directory.source, path), name));
}

function includeGuard(cmake: Interpreter, call: Call): Flow | undefined {
  const [kind = ""] = textsOf(call);
  const where = kind === "GLOBAL" ? cmake.globalProperties : cmake.directory.properties;
  const name = `(guard ${cmake.file}${kind === "" ? cmake.depth : ""})`;
  if (where.has(name)) return { kind: "return", doubt: null };
  cmake.put(where, name, []);
  return undefined;
}

function message(cmake: Interpreter, call: Call): Flow | undefined {
  const [kind = "", ...texts] = textsOf(call);
  if (kind !== "FATAL_ERROR") return undefined;
  // One of two ways that ends so is not gone. Where no other is left, the reading goes on: something is taken wrongly.
  if (cmake.journal.depth > 0) return { kind: "fatal", doubt: null };
  cmake.note(`message(FATAL_ERROR ${texts.join("")})`, "the configuration would end here", call.origin);
  return undefined;
}

function cmakeLanguage(cmake: Interpreter, call: Call, running: Running): Flow | undefined {
  const [kind, name = ""] = textsOf(call);
  if (kind === "CALL") {
    return running.call(cmake, { ...call, name: name.toLowerCase(), args: call.args.slice(2) });
  }
  if (kind === "EVAL" && name === "CODE") {
    const text = textsOf(call).slice(2).join(" ");
    return hasUnknown(text) ? undefined : running.text(cmake, text, cmake.file);
  }
  return undefined;
}
