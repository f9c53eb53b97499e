// `file(…)` and `configure_file`: what the project reads, finds and writes. Nothing is written but in the reading's own memory.
import { nameOf, resolvePath } from "../../../text/path.ts";
import type { Call, Interpreter } from "../interpreter.ts";
import { cmakeRegex } from "../regex.ts";
import { hasUnknown } from "../unknown.ts";
import { type CommandTable, textsOf } from "./command.ts";
import { configured } from "./configure.ts";
import { glob } from "./glob.ts";
import { relative } from "./paths.ts";

export const fileCommands: CommandTable = [
  ["file", file],
  ["configure_file", configureFile],
  ["write_file", writeFile],
  ["generate_export_header", exportHeader],
];

function file(cmake: Interpreter, call: Call): undefined {
  const [kind = "", ...rest] = textsOf(call);
  const put = (name: string | undefined, value: string): void => {
    if (name !== undefined) cmake.set(name, value, call.origin);
  };
  switch (kind) {
    case "GLOB":
    case "GLOB_RECURSE":
      globbed(cmake, call, kind, rest);
      return undefined;
    case "READ": {
      const [path = "", name] = rest;
      put(name, readFile(cmake, path));
      return undefined;
    }
    case "STRINGS":
      strings(cmake, call, rest);
      return undefined;
    case "WRITE":
    case "APPEND": {
      const path = resolvePath(cmake.directory.source, rest[0] ?? "");
      const before = kind === "APPEND" ? cmake.writtenFiles.get(path) : undefined;
      write(cmake, call, path, (before?.kind === "file" ? before.text : "") + rest.slice(1).join(""));
      return undefined;
    }
    case "CONFIGURE": {
      const output = rest[rest.indexOf("OUTPUT") + 1] ?? "";
      const content = rest[rest.indexOf("CONTENT") + 1] ?? "";
      const text = configured(cmake, content, { isAtOnly: rest.includes("@ONLY"), cLanguage: "header" });
      write(cmake, call, resolvePath(cmake.directory.binary, output), text);
      return undefined;
    }
    case "GENERATE": {
      const output = rest[rest.indexOf("OUTPUT") + 1] ?? "";
      const contentAt = rest.indexOf("CONTENT");
      const inputAt = rest.indexOf("INPUT");
      const text = contentAt >= 0 ? (rest[contentAt + 1] ?? "") : readFile(cmake, rest[inputAt + 1] ?? "");
      if (/\$</.test(text) || hasUnknown(output)) return undefined;
      write(cmake, call, resolvePath(cmake.directory.binary, output), text);
      return undefined;
    }
    case "COPY":
    case "INSTALL":
    case "COPY_FILE":
      copy(cmake, call, rest);
      return undefined;
    case "RELATIVE_PATH": {
      const [name, base = "", path = ""] = rest;
      put(
        name,
        hasUnknown(base + path)
          ? cmake.unknown(cmake.unknowns.reasonOf(base + path) ?? "")
          : relative(base, path),
      );
      return undefined;
    }
    case "REAL_PATH":
      put(rest[1], resolvePath(cmake.directory.source, rest[0] ?? ""));
      return undefined;
    case "TO_CMAKE_PATH":
      put(rest[1], (rest[0] ?? "").replace(/\\/g, "/").replace(/:/g, ";"));
      return undefined;
    case "TO_NATIVE_PATH":
      put(rest[1], rest[0] ?? "");
      return undefined;
    case "MAKE_DIRECTORY":
    case "REMOVE":
    case "REMOVE_RECURSE":
    case "TOUCH":
    case "TOUCH_NOCREATE":
    case "CHMOD":
    case "LOCK":
    case "CREATE_LINK":
    case "RENAME":
      return undefined;
    default: {
      // DOWNLOAD, SIZE, TIMESTAMP, hashes, GET_RUNTIME_DEPENDENCIES: nothing is known of what they give.
      const name = kind === "DOWNLOAD" ? rest[rest.indexOf("STATUS") + 1] : rest[1];
      if (kind === "DOWNLOAD")
        cmake.note(`file(DOWNLOAD ${rest[0] ?? ""})`, "nothing is downloaded", call.origin);
      if (name !== undefined && !(kind === "DOWNLOAD" && !rest.includes("STATUS"))) {
        put(name, cmake.unknown(`file(${kind}) is not evaluated`));
      }
      return undefined;
    }
  }
}

function globbed(cmake: Interpreter, call: Call, kind: string, rest: readonly string[]): void {
  const [name, ...args] = rest;
  if (name === undefined) return;
  let hasDirectories = kind === "GLOB";
  let base: string | null = null;
  const patterns: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "LIST_DIRECTORIES") hasDirectories = !/^(?:false|off|0|no)$/i.test(args[++at] ?? "");
    else if (arg === "RELATIVE") base = args[++at] ?? "";
    else if (arg !== "CONFIGURE_DEPENDS" && arg !== "FOLLOW_SYMLINKS") patterns.push(arg);
  }
  const found: string[] = [];
  for (const pattern of patterns) {
    const reason = cmake.unknowns.reasonOf(pattern);
    const readings = cmake.unknowns.readings(pattern);
    if (reason !== null && readings === null) {
      found.push(cmake.unknown(reason));
      continue;
    }
    for (const one of readings ?? []) {
      const paths = glob(cmake, one, { isRecursive: kind === "GLOB_RECURSE", hasDirectories });
      const shown = base === null ? paths : paths.map((path) => relative(base ?? "", path));
      if (reason === null) found.push(...shown);
      else found.push(cmake.unknowns.mark(reason, ["", shown.join(";")]));
    }
  }
  // The whole is sorted since CMake 3.6.
  cmake.set(name, [...new Set(found)].sort().join(";"), call.origin);
}

function readFile(cmake: Interpreter, path: string): string {
  const absolute = resolvePath(cmake.directory.source, path);
  if (hasUnknown(path)) return cmake.unknown(cmake.unknowns.reasonOf(path) ?? "");
  return cmake.readText(absolute) ?? cmake.unknown(`${path} can't be read`);
}

function strings(cmake: Interpreter, call: Call, rest: readonly string[]): void {
  const [path = "", name] = rest;
  if (name === undefined) return;
  const text = readFile(cmake, path);
  const reason = cmake.unknowns.reasonOf(text);
  if (reason !== null) {
    cmake.set(name, cmake.unknown(reason), call.origin);
    return;
  }
  const regexAt = rest.indexOf("REGEX");
  const pattern = regexAt < 0 ? null : cmakeRegex(rest[regexAt + 1] ?? "");
  const countAt = rest.indexOf("LIMIT_COUNT");
  const count = countAt < 0 ? Number.POSITIVE_INFINITY : Number(rest[countAt + 1]);
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line !== "" && (pattern === null || pattern.test(line)))
    .slice(0, count)
    .map((line) => line.replace(/;/g, "\\;"));
  cmake.set(name, lines.join(";"), call.origin);
}

function write(cmake: Interpreter, call: Call, path: string, text: string): void {
  if (hasUnknown(path)) return;
  cmake.journal.put(cmake.writtenFiles, path, { kind: "file", text, origin: call.origin });
}

function writeFile(cmake: Interpreter, call: Call): undefined {
  const [path = "", ...texts] = textsOf(call);
  write(
    cmake,
    call,
    resolvePath(cmake.directory.source, path),
    texts.filter((text) => text !== "APPEND").join(""),
  );
  return undefined;
}

function copy(cmake: Interpreter, call: Call, rest: readonly string[]): void {
  const at = rest.indexOf("DESTINATION");
  const target = resolvePath(cmake.directory.binary, rest[at + 1] ?? "");
  for (const path of at < 0 ? rest.slice(0, 1) : rest.slice(0, at)) {
    if (hasUnknown(path) || !/\.(?:h|hh|hpp|hxx|cuh|inl|cu|c|cc|cpp|cxx)$/.test(path)) continue;
    const text = cmake.readText(resolvePath(cmake.directory.source, path));
    if (text !== null)
      write(
        cmake,
        call,
        at < 0 ? resolvePath(cmake.directory.binary, rest[1] ?? "") : `${target}/${nameOf(path)}`,
        text,
      );
  }
}

function configureFile(cmake: Interpreter, call: Call): undefined {
  const [input = "", output = "", ...options] = textsOf(call);
  if (hasUnknown(input) || hasUnknown(output)) {
    const reason = cmake.unknowns.reasonOf(input + output) ?? "";
    cmake.note(`configure_file(${input})`, reason, call.origin);
    return undefined;
  }
  const from = resolvePath(cmake.directory.source, input);
  let to = resolvePath(cmake.directory.binary, output);
  if (cmake.kindOf(to) === "directory") to = `${to}/${nameOf(input)}`;
  const text = cmake.readText(from);
  if (text === null) {
    cmake.note(`configure_file(${input})`, "the file can't be read", call.origin);
    return undefined;
  }
  const isCopied = options.includes("COPYONLY");
  const isHeader = /\.(?:h|hh|hpp|hxx|cuh|inl|cu|c|cc|cpp|cxx|inc)(?:\.in)?$/i.test(to);
  write(
    cmake,
    call,
    to,
    isCopied
      ? text
      : configured(cmake, text, {
          isAtOnly: options.includes("@ONLY"),
          cLanguage: isHeader ? "header" : "plain",
        }),
  );
  return undefined;
}

/** `generate_export_header(target …)`: macros that stand in front of declarations. */
function exportHeader(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const name = args[0] ?? "";
  const after = (keyword: string): string | undefined => {
    const at = args.indexOf(keyword);
    return at < 0 ? undefined : args[at + 1];
  };
  const base = after("BASE_NAME") ?? name;
  const upper = base.replace(/[^A-Za-z0-9_]/g, "_").toUpperCase();
  const prefix = after("PREFIX_NAME") ?? "";
  const macro = (keyword: string, own: string): string => prefix + (after(keyword) ?? `${upper}_${own}`);
  const path = resolvePath(
    cmake.directory.binary,
    after("EXPORT_FILE_NAME") ?? `${base.toLowerCase()}_export.h`,
  );
  const names = [
    macro("EXPORT_MACRO_NAME", "EXPORT"),
    macro("NO_EXPORT_MACRO_NAME", "NO_EXPORT"),
    macro("DEPRECATED_MACRO_NAME", "DEPRECATED"),
    macro("DEPRECATED_MACRO_NAME", "DEPRECATED_EXPORT"),
  ];
  write(cmake, call, path, `#pragma once\n${names.map((one) => `#define ${one}\n`).join("")}`);
  return undefined;
}
