// CMakePresets.json and CMakeUserPresets.json: the configure preset that is taken, with all that it inherits.
import { type Node, parse, parseTree } from "jsonc-parser";
import { directoryOf, resolvePath } from "../../text/path.ts";
import type { BuildHost, Origin } from "../flags.ts";
import { withoutMarks } from "./unknown.ts";

export interface Preset {
  readonly name: string;
  readonly binaryDirectory: string | null;
  readonly variables: ReadonlyMap<string, { readonly text: string; readonly origin: Origin }>;
  readonly environment: ReadonlyMap<string, string>;
  readonly origin: Origin;
}

interface RawPreset {
  readonly data: Readonly<Record<string, unknown>>;
  readonly file: string;
  readonly lineOf: (key: string | null) => number;
}

/** The configure presets that nobody hides, the one that is taken first, and what was read. */
export interface FoundPresets {
  readonly presets: readonly Preset[];
  readonly readFiles: readonly string[];
}

/**
 * Where nobody names a preset, "default" is taken, else the one that the only build preset is of, else a Release build, else the first. "default" and the only one have no others beside them.
 */
export function findPresets(host: BuildHost, source: string): FoundPresets {
  const builds = new Set<string>();
  const presets = new Map<string, RawPreset>();
  const readFiles: string[] = [];
  const read = (file: string, depth: number): void => {
    readFiles.push(file);
    const text = depth > 10 ? null : host.readText(file);
    if (text === null) return;
    const data: unknown = parse(text);
    if (!isRecord(data)) return;
    for (const included of arrayOf(data.include)) {
      if (typeof included === "string") read(resolvePath(directoryOf(file), included), depth + 1);
    }
    for (const one of arrayOf(data.buildPresets))
      if (isRecord(one) && typeof one.configurePreset === "string") builds.add(one.configurePreset);
    const tree = parseTree(text);
    for (const [index, one] of arrayOf(data.configurePresets).entries()) {
      if (!isRecord(one) || typeof one.name !== "string") continue;
      const node = childOf(childOf(tree, "configurePresets"), index);
      const lineOf = (key: string | null): number =>
        lineAt(text, key === null ? node : (childOf(childOf(node, "cacheVariables"), key) ?? node));
      presets.set(one.name, { data: one, file, lineOf });
    }
  };
  read(`${source}/CMakePresets.json`, 0);
  read(`${source}/CMakeUserPresets.json`, 0);
  const visible = [...presets.values()].filter(
    ({ data }) => data.hidden !== true && isForLinux(data.condition),
  );
  const named = visible.find(({ data }) => data.name === "default");
  if (named !== undefined) return { presets: [resolved(named, presets, source)], readFiles };
  const rank = ({ name, variables }: Preset): number => {
    if (builds.size === 1 && builds.has(name)) return 0;
    return /^Rel/i.test(variables.get("CMAKE_BUILD_TYPE")?.text ?? name) ? 1 : 2;
  };
  const all = visible.slice(0, mostPresets).map((one) => resolved(one, presets, source));
  return { presets: all.sort((a, b) => rank(a) - rank(b)), readFiles };
}

/** Each is evaluated by itself. */
const mostPresets = 4;

/** Conditions on the host's system are met as on Linux. */
function isForLinux(condition: unknown): boolean {
  if (!isRecord(condition)) return condition !== false;
  const isLinux = (value: unknown): boolean => value === "Linux";
  if (!/^\$\{hostSystemName\}$/.test(String(condition.lhs))) return true;
  if (condition.type === "equals") return isLinux(condition.rhs);
  if (condition.type === "notEquals") return !isLinux(condition.rhs);
  return true;
}

function resolved(preset: RawPreset, presets: ReadonlyMap<string, RawPreset>, source: string): Preset {
  const variables = new Map<string, { text: string; origin: Origin }>();
  const environment = new Map<string, string>();
  let binaryDirectory: string | null = null;
  const name = String(preset.data.name);
  const macroOf = (key: string, of: RawPreset): string | undefined =>
    new Map([
      ["sourceDir", source],
      ["sourceParentDir", directoryOf(source)],
      ["sourceDirName", source.slice(source.lastIndexOf("/") + 1)],
      ["presetName", name],
      ["generator", "Unix Makefiles"],
      ["hostSystemName", "Linux"],
      ["fileDir", directoryOf(of.file)],
      ["dollar", "$"],
    ]).get(key);
  const expand = (text: string, of: RawPreset): string =>
    withoutMarks(text)
      .replace(/\$\{(\w+)\}/g, (whole, key: string) => macroOf(key, of) ?? whole)
      .replace(/\$env\{(\w+)\}/g, (whole, key: string) => environment.get(key) ?? whole);
  const visit = (one: RawPreset, depth: number): void => {
    if (depth > 20) return;
    if (isRecord(one.data.environment)) {
      for (const [key, value] of Object.entries(one.data.environment)) {
        if (typeof value === "string" && !environment.has(key)) environment.set(key, expand(value, one));
      }
    }
    if (isRecord(one.data.cacheVariables)) {
      for (const [key, value] of Object.entries(one.data.cacheVariables)) {
        const own = isRecord(value) ? value.value : value;
        if (own === null || variables.has(key)) continue;
        const text = typeof own === "boolean" ? (own ? "TRUE" : "FALSE") : String(own);
        variables.set(key, { text: expand(text, one), origin: { file: one.file, line: one.lineOf(key) } });
      }
    }
    for (const [key, option] of [
      ["CMAKE_TOOLCHAIN_FILE", "toolchainFile"],
      ["CMAKE_INSTALL_PREFIX", "installDir"],
    ] as const) {
      const value = one.data[option];
      if (typeof value === "string" && !variables.has(key)) {
        variables.set(key, { text: expand(value, one), origin: { file: one.file, line: one.lineOf(null) } });
      }
    }
    const binary = one.data.binaryDir;
    if (typeof binary === "string") binaryDirectory ??= resolvePath(source, expand(binary, one));
    const inherits = one.data.inherits;
    for (const parent of typeof inherits === "string" ? [inherits] : arrayOf(inherits)) {
      const next = presets.get(String(parent));
      if (next !== undefined) visit(next, depth + 1);
    }
  };
  visit(preset, 0);
  return {
    name,
    binaryDirectory,
    variables,
    environment,
    origin: { file: preset.file, line: preset.lineOf(null) },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function childOf(node: Node | undefined, key: string | number): Node | undefined {
  if (node === undefined) return undefined;
  if (typeof key === "number") return node.children?.[key];
  return node.children?.find((child) => child.children?.[0]?.value === key)?.children?.[1];
}

function lineAt(text: string, node: Node | undefined): number {
  return text.slice(0, node?.offset ?? 0).split("\n").length;
}
