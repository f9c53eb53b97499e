// What a build passes to the compiler for one file, for people and as JSON: every flag with where it is written.
import type { FileBuild } from "../build/build.ts";
import type { CompileFlags, MacroFlag, Origin, Unresolved } from "../build/flags.ts";

/** A file as it is compiled in one way. */
export interface ShownContext {
  readonly flags: CompileFlags;
  readonly targets: readonly string[];
}

/** A path as people at the current directory would type it. */
export type PathText = (path: string) => string;

export type FlagsJson = Readonly<Record<string, unknown>>;

/** The fields of `warplint config FILE` that are about the build; `contexts` are all ways in which the file is compiled, the first is spelled out. */
export function buildJson(build: FileBuild, contexts: readonly ShownContext[], path: PathText): FlagsJson {
  const [first, ...others] = contexts.map((each) => contextJson(each, path));
  const { assumed, unresolved } = unresolvedOf(build, contexts);
  const leftOpen = ({ what, reason, origin }: Unresolved) => ({
    what,
    reason,
    origin: originJson(origin, path),
  });
  return {
    ...first,
    source: build.source === null ? null : { kind: build.source.kind, file: path(build.source.file) },
    ...(build.borrowedFrom === null ? {} : { borrowedFrom: path(build.borrowedFrom) }),
    lookedAt: build.lookedAt.map(path),
    assumed: assumed.map(leftOpen),
    unresolved: unresolved.map(leftOpen),
    ...(others.length === 0 ? {} : { contexts: [first, ...others] }),
  };
}

function contextJson({ flags, targets }: ShownContext, path: PathText): FlagsJson {
  const macros = effectiveMacros(flags);
  const withOrigin = <T extends { readonly origin: Origin }>(each: T) => ({
    ...each,
    origin: originJson(each.origin, path),
  });
  const entry = ({ kind, value, doubt, origin }: MacroFlag) => ({
    ...(kind === "define" ? { value } : {}),
    ...(doubt === null ? {} : { doubt }),
    origin: originJson(origin, path),
  });
  const named = (kind: MacroFlag["kind"]) =>
    Object.fromEntries(
      macros.flatMap((each) =>
        each.kind === kind && each.impliedBy === undefined ? [[each.name, entry(each)]] : [],
      ),
    );
  return {
    defines: named("define"),
    undefines: named("undefine"),
    implied: Object.fromEntries(
      macros.flatMap(({ name, value, impliedBy }) =>
        impliedBy === undefined ? [] : [[name, { value, option: impliedBy }]],
      ),
    ),
    includePaths: flags.includePaths.map(({ path: directory, kind, doubt, origin }) => ({
      path: path(directory),
      kind,
      ...(doubt === null ? {} : { doubt }),
      origin: originJson(origin, path),
    })),
    forcedIncludes: flags.forcedIncludes.map((each) => ({ ...withOrigin(each), path: path(each.path) })),
    architectures: flags.architectures.map(withOrigin),
    standard: flags.standard === null ? null : withOrigin(flags.standard),
    hasRelocatableDeviceCode: flags.hasRelocatableDeviceCode,
    target: targets[0] ?? null,
    targets,
  };
}

/** What holds in the end: of each name the last. */
export function effectiveMacros({ macros }: CompileFlags): readonly MacroFlag[] {
  const last = new Map<string, MacroFlag>();
  for (const each of macros) {
    const name = each.name.replace(/\(.*$/s, "");
    last.delete(name);
    last.set(name, each);
  }
  return [...last.values()];
}

/** What the description leaves open: that of which something is assumed, and all else. */
function unresolvedOf(build: FileBuild, contexts: readonly ShownContext[]) {
  const all = [...contexts.flatMap(({ flags }) => flags.unresolved), ...build.unresolved];
  const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  return {
    assumed: distinct.filter(({ isAssumed }) => isAssumed === true),
    unresolved: distinct.filter(({ isAssumed }) => isAssumed !== true),
  };
}

function originJson({ file, line }: Origin, path: PathText): Origin {
  return { file: path(file), line };
}

/** "CMakeLists.txt:14". */
export function originText({ file, line }: Origin, path: PathText): string {
  // What stands on a command line has no lines.
  return file.startsWith("<") ? file.slice(1, -1) : `${path(file)}:${line}`;
}

/** The same for people, a flag a line. */
export function buildText(
  file: string,
  build: FileBuild,
  contexts: readonly ShownContext[],
  path: PathText,
): string {
  const head = `${path(file)}: ${sourceText(build, path)}`;
  const bodies = contexts.flatMap((context, index) => [
    ...(contexts.length === 1 ? [] : ["", `Compiled in ${contexts.length} ways; way ${index + 1}:`]),
    ...contextLines(context, path),
  ]);
  const { assumed, unresolved } = unresolvedOf(build, contexts);
  const listed = (title: string, all: readonly Unresolved[]) =>
    all.length === 0
      ? []
      : [
          "",
          title,
          ...all.map(({ what, reason, origin }) => `  ${what}: ${reason} (${originText(origin, path)})`),
        ];
  const open = [...listed("Assumed:", assumed), ...listed("Could not be evaluated:", unresolved)];
  const others = build.lookedAt.filter((each) => each !== build.source?.file);
  const looked = others.length === 0 ? [] : ["", `Read as well: ${others.map(path).join(", ")}`];
  return `${[head, ...bodies, ...open, ...looked].join("\n")}\n`;
}

function sourceText({ source, borrowedFrom, lookedAt }: FileBuild, path: PathText): string {
  if (source === null)
    return lookedAt.length === 0 ? "no build description was found" : "no build description knows it";
  if (borrowedFrom === null) return `as ${path(source.file)} has it`;
  return `no build description names it; as ${path(borrowedFrom)} in ${path(source.file)}`;
}

function contextLines({ flags, targets }: ShownContext, path: PathText): string[] {
  const lines: (readonly [flag: string, note: string])[] = [
    ...targets.map((target) => [`target ${target}`, ""] as const),
    ...effectiveMacros(flags)
      .filter(({ impliedBy }) => impliedBy === undefined)
      .map((macro) => [macroText(macro), noteText(macro.origin, macro.doubt, path)] as const),
    ...flags.includePaths.map(
      ({ path: directory, kind, doubt, origin }) =>
        [`${includeOptions[kind]} ${path(directory)}`, noteText(origin, doubt, path)] as const,
    ),
    ...flags.forcedIncludes.map(
      ({ path: forced, kind, origin }) => [`-${kind} ${path(forced)}`, originText(origin, path)] as const,
    ),
    ...flags.architectures.map(
      ({ written, origin }) => [`architecture ${written}`, originText(origin, path)] as const,
    ),
    ...(flags.standard === null
      ? []
      : [[`-std=${flags.standard.value}`, originText(flags.standard.origin, path)] as const]),
    ...(flags.hasRelocatableDeviceCode ? [["-rdc=true", ""] as const] : []),
  ];
  const width = Math.min(40, Math.max(0, ...lines.map(([flag]) => flag.length)));
  return lines.map(([flag, note]) => `  ${note === "" ? flag : `${flag.padEnd(width)}  ${note}`}`);
}

const includeOptions = { quote: "-iquote", user: "-I", system: "-isystem", after: "-idirafter" } as const;

function macroText({ kind, name, value }: MacroFlag): string {
  if (kind === "undefine") return `-U ${name}`;
  return value === "" ? `-D ${name}=` : `-D ${name}=${value ?? "?"}`;
}

function noteText(origin: Origin, doubt: string | null, path: PathText): string {
  const place = originText(origin, path);
  return doubt === null ? place : `${place}, not certain: ${doubt}`;
}
