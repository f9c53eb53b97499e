// The configuration of a file with all that it extends.
import { laidOver, withDefaults } from "../config/extended.ts";
import { type ConfigError, type ConfigResult, keyPosition, parseConfig } from "../config/parse.ts";
import type { Host } from "../host/host.ts";
import { readText } from "../host/host.ts";
import { directoryOf, resolvePath } from "../text/path.ts";

/** Configurations that extend each other this often are a mistake. */
const deepest = 8;

/** What `path` says, over what it extends. Never throws. */
export function readConfig(host: Host, path: string, extending: readonly string[] = []): ConfigResult {
  const own = readOne(host, path);
  if (own.kind === "errors") return own;
  const extended = [own.config.extends ?? []].flat();
  if (extended.length === 0) return own;
  const errorAt = (message: string): ConfigResult => {
    const read = readText(host, path);
    const position = (read.kind === "text" ? keyPosition(read.text, ["extends"]) : null) ?? start;
    return { kind: "errors", errors: [{ file: path, position, message }] };
  };
  const chain = [...extending, path];
  let written: Readonly<Record<string, unknown>> = {};
  for (const name of extended) {
    const at = resolvePath(directoryOf(path), name);
    if (chain.includes(at)) return errorAt(`extends itself: ${name}`);
    if (chain.length >= deepest) return errorAt(`more than ${deepest} configurations extend each other`);
    if (host.kindOf(at) !== "file") return errorAt(`no such file: ${name}`);
    const base = readConfig(host, at, chain);
    if (base.kind === "errors") return base;
    written = laidOver(written, withAbsolutePaths(base.written, directoryOf(at)));
  }
  written = laidOver(written, own.written);
  const config = withDefaults(written);
  return config === null
    ? errorAt("with what it extends it is no configuration")
    : { kind: "config", config, written };
}

const start = { line: 1, column: 1 };

/** Include directories are relative to the file that names them. */
function withAbsolutePaths(
  written: Readonly<Record<string, unknown>>,
  directory: string,
): Readonly<Record<string, unknown>> {
  const { includePaths } = written;
  if (!Array.isArray(includePaths)) return written;
  return { ...written, includePaths: includePaths.map((path) => resolvePath(directory, String(path))) };
}

function readOne(host: Host, path: string): ConfigResult {
  const read = readText(host, path);
  if (read.kind === "text") return parseConfig(path, read.text);
  const reasons = {
    missing: "there is no such file",
    directory: "this is a directory",
    unreadable: "the file cannot be read (permission?)",
    binary: "this is a binary file",
    "utf-16": "the file is UTF-16; save it as UTF-8",
    "too-large": "the file is too large",
    "not-a-file": "this is no file",
  };
  const error: ConfigError = { file: path, position: start, message: reasons[read.kind] };
  return { kind: "errors", errors: [error] };
}
