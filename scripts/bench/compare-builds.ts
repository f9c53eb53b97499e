// Compares what two build descriptions give to the compiler, source by source: a judge's, and a reader's that may doubt.
import type { BuildDescription, CompiledSource, CompileFlags } from "../../server/src/build/flags.ts";

/** How one compilation fared. "doubtful": the reader leaves open what the judge has, and contradicts nothing. */
export interface Comparison {
  readonly source: string;
  readonly result: "equal" | "doubtful" | "different" | "missing" | "extra";
  /** What differs, a line each: "-DN=4 is missing". */
  readonly reasons: readonly string[];
}

/** Every compilation of the judge's beside the reader's of the same source, and those that the reader has alone. */
export function compareBuilds(judge: BuildDescription, reader: BuildDescription): readonly Comparison[] {
  const left = new Map<string, CompiledSource[]>();
  for (const one of reader.sources) {
    const list = left.get(keyOf(one)) ?? [];
    list.push(one);
    left.set(keyOf(one), list);
  }
  const results: Comparison[] = [];
  for (const one of judge.sources) {
    const candidates = left.get(keyOf(one)) ?? [];
    let best: { comparison: Comparison; candidate: CompiledSource } | null = null;
    for (const candidate of candidates) {
      const comparison = compareFlags(one, candidate.flags);
      if (best === null || rank(comparison) < rank(best.comparison)) best = { comparison, candidate };
    }
    if (best === null) {
      results.push({ source: one.path, result: "missing", reasons: ["the source is missing"] });
      continue;
    }
    const { candidate, comparison } = best;
    left.set(
      keyOf(one),
      candidates.filter((other) => other !== candidate),
    );
    results.push(comparison);
  }
  for (const rest of left.values()) {
    for (const one of rest) {
      const doubt = one.flags.unresolved.find(({ reason }) => /^whether /.test(reason));
      if (doubt === undefined)
        results.push({ source: one.path, result: "extra", reasons: ["the source is not compiled"] });
    }
  }
  return results;
}

function keyOf(source: CompiledSource): string {
  return `${source.language} ${source.path}`;
}

function rank({ result, reasons }: Comparison): number {
  return result === "equal" ? 0 : result === "doubtful" ? reasons.length : 1000 + reasons.length;
}

function compareFlags(judge: CompiledSource, flags: CompileFlags): Comparison {
  const doubts: string[] = [];
  const differences: string[] = [];
  compareMacros(judge.flags, flags, doubts, differences);
  comparePaths(judge.flags, flags, doubts, differences);
  const numbers = (one: CompileFlags): string =>
    [...new Set(one.architectures.map(({ number }) => number))].sort().join(",");
  if (numbers(judge.flags) !== numbers(flags)) {
    const isOpen =
      flags.unresolved.length > 0 &&
      flags.architectures.every(({ number }) =>
        judge.flags.architectures.some((one) => one.number === number),
      );
    (isOpen ? doubts : differences).push(`architectures ${numbers(judge.flags)} are ${numbers(flags)}`);
  }
  const standard = judge.flags.standard?.value ?? "none";
  if (standard !== (flags.standard?.value ?? "none"))
    differences.push(`standard ${standard} is ${flags.standard?.value ?? "none"}`);
  if (judge.flags.hasRelocatableDeviceCode !== flags.hasRelocatableDeviceCode)
    differences.push("relocatable device code");
  const forced = (one: CompileFlags): string => one.forcedIncludes.map(({ path }) => path).join(" ");
  if (forced(judge.flags) !== forced(flags))
    differences.push(`forced includes [${forced(judge.flags)}] are [${forced(flags)}]`);
  const result = differences.length > 0 ? "different" : doubts.length > 0 ? "doubtful" : "equal";
  return { source: judge.path, result, reasons: differences.length > 0 ? differences : doubts };
}

function compareMacros(
  judge: CompileFlags,
  flags: CompileFlags,
  doubts: string[],
  differences: string[],
): void {
  const truth = new Map<string, string | null>();
  for (const { kind, name, value } of judge.macros) {
    if (kind === "define") truth.set(name, value);
    else truth.delete(name);
  }
  const sure = new Map<string, string>();
  const open = new Map<string, Set<string | null>>();
  for (const { kind, name, value, doubt } of flags.macros) {
    if (doubt !== null || value === null)
      open.set(name, (open.get(name) ?? new Set<string | null>()).add(value));
    else if (kind === "define") sure.set(name, value);
    else sure.delete(name);
  }
  for (const [name, value] of truth) {
    const own = sure.get(name);
    const maybe = open.get(name);
    if (own === value) continue;
    if (maybe?.has(null) || maybe?.has(value)) doubts.push(`-D${name}`);
    else if (own === undefined) differences.push(`-D${name}=${value} is missing`);
    else differences.push(`-D${name}=${value} is ${own}`);
  }
  for (const name of sure.keys()) if (!truth.has(name)) differences.push(`-D${name} is too much`);
  for (const name of open.keys()) if (!truth.has(name) && !sure.has(name)) doubts.push(`-D${name}`);
}

/** What every compiler searches by itself. */
const own = /^\/usr\/(?:local\/)?(?:include$|cuda)/;

function comparePaths(
  judge: CompileFlags,
  flags: CompileFlags,
  doubts: string[],
  differences: string[],
): void {
  for (const kind of ["quote", "user", "system", "after"] as const) {
    const truth = [
      ...new Set(
        judge.includePaths.filter((one) => one.kind === kind && !own.test(one.path)).map(({ path }) => path),
      ),
    ];
    const ours = flags.includePaths.filter((one) => one.kind === kind && !own.test(one.path));
    const paths = [...new Set(ours.map(({ path }) => path))];
    const sure = new Set(ours.filter(({ doubt }) => doubt === null).map(({ path }) => path));
    let isSame = true;
    for (const path of truth) {
      if (paths.includes(path)) continue;
      isSame = false;
      (flags.unresolved.length > 0 && isOutside(path, flags) ? doubts : differences).push(
        `${kind} path ${path} is missing`,
      );
    }
    for (const path of paths) {
      if (truth.includes(path)) {
        if (!sure.has(path)) doubts.push(`${kind} path ${path}`);
        continue;
      }
      isSame = false;
      (sure.has(path) ? differences : doubts).push(`${kind} path ${path} is too much`);
    }
    const common = (list: readonly string[], other: readonly string[]): string =>
      list.filter((path) => other.includes(path)).join(" ");
    if (isSame && truth.join(" ") !== paths.join(" ")) differences.push(`${kind} paths are in another order`);
    else if (common(truth, paths) !== common(paths, truth))
      differences.push(`${kind} paths are in another order`);
  }
}

/** A path of the machine that a package would give. */
function isOutside(path: string, _: CompileFlags): boolean {
  return /^\/(?:usr|opt)\//.test(path) || path.includes("/_deps/");
}
