// Holds what `warplint analyze` prints against what a GPU counted. A unit is one line, memory space and operation of one launch: the finest
// thing that both sides name alike.

/** One distinct launch, as scripts/record-truth.py writes it. */
export interface TruthRow {
  readonly case: string;
  readonly kernel: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly sites: readonly TruthSite[];
  readonly launches: number;
  readonly error?: string;
}

export interface TruthSite {
  readonly line: number;
  readonly file: string;
  readonly sass: string;
  readonly inst: number;
  readonly threads: number;
  readonly wavefronts?: number;
  readonly ideal_wavefronts?: number;
  readonly sectors?: number;
  readonly ideal_sectors?: number;
}

/** The part of the analysis that is compared. */
export interface AnalysisLaunch {
  readonly kernel: string;
  readonly templateArguments: readonly string[];
  readonly block: readonly (number | null)[];
  readonly grid: readonly (number | null)[];
  /** How many launches are as this one is. */
  readonly count: number;
  readonly origin: { readonly kind: string };
  readonly assumptions: readonly string[];
  readonly accesses: readonly AnalysisAccess[];
}

export interface AnalysisAccess {
  readonly file?: string;
  readonly line: number;
  readonly endLine: number;
  readonly space: string;
  readonly operation: string;
  readonly verdict: string;
  readonly reason: string | null;
  readonly condition: string | null;
  readonly expression: string;
  readonly stack: readonly { readonly file?: string; readonly line: number }[];
  readonly mergedLines: readonly number[];
  readonly totals: Readonly<Record<string, number>> | null;
  readonly dependsOnData: boolean;
  readonly perRequest: Readonly<Record<string, number>> | null;
}

export interface Unit {
  readonly launch: string;
  readonly line: number;
  readonly space: "shared" | "global";
  readonly operation: string;
  readonly cost: number;
  readonly ideal: number;
  /** Each machine instruction on its own: a finding is about one. */
  readonly instructions: readonly Instruction[];
  /** Of what was predicted: whether all of it has totals and a verdict without condition. */
  readonly isExact?: boolean;
}

export interface Instruction {
  readonly cost: number;
  readonly ideal: number;
  /** How often a warp executed it. */
  readonly requests: number;
}

/**
 * Exact: every figure. Moved: the figures, charged to other lines. Ratio: no totals are claimed, and the excess factor is right. Factor: the
 * excess factor is right, the totals are not.
 */
export type Outcome =
  | { readonly kind: "factor" | "wrong"; readonly unit: Unit; readonly predicted: Unit }
  | {
      readonly kind: "ratio";
      readonly unit: Unit;
      readonly predicted: Unit;
      /** Whether data decide how often it is made. */
      readonly dependsOnData: boolean;
    }
  | {
      readonly kind: "exact";
      readonly unit: Unit;
      readonly predicted: Unit;
      /** Of the accesses whose figures they are, which may stand elsewhere: nvcc charges all that it moves in front of a loop to one line. */
      readonly lines: readonly number[];
    }
  | {
      readonly kind: "moved";
      readonly unit: Unit;
      readonly predicted: Unit;
      /** Of the accesses that its figures may belong to. */
      readonly lines: readonly number[];
    }
  | {
      readonly kind: "unknown";
      readonly unit: Unit;
      readonly reason: string;
      readonly dependsOnData: boolean;
    }
  | { readonly kind: "missing"; readonly unit: Unit }
  | { readonly kind: "extra"; readonly predicted: Unit };

/** Largest difference of excess factors that counts as agreement where totals are not compared. */
const tolerance = 0.02;

/**
 * Every unit of the truth with what was predicted for it, and what was predicted but never executed.
 *
 * nvcc charges an access to a line of its own choice where it spans several, was inlined, merged or comes from one of CUDA's headers: an
 * access stands for the unit of any line that it, its callers or what it was merged with lie on.
 */
export function compareTruth(rows: readonly TruthRow[], launches: readonly AnalysisLaunch[]): Outcome[] {
  const known = launches.filter((each) => !standsForOthers(each));
  const owned = ownRows(rows, known);
  return rows.flatMap((row) => {
    const ofKnown = unlessTaken(candidatesFor(row, known), row, owned);
    const own = bestOf(row, ofKnown);
    // What is assumed for want of a launch may be of another kernel of that name.
    const others = candidatesFor(row, launches.filter(standsForOthers)).filter(
      ({ origin }) => ofKnown.length === 0 || origin.kind !== "assumed",
    );
    // What a launch is known to do holds of one that the GPU executed; of the loop's others only what is said of them all.
    const isOwned = [...owned.values()].includes(row);
    return others.length === 0 || isOwned || missCount(own) === 0 ? own : bestOf(row, others);
  });
}

/** Whether it stands for launches of several iterations of a host loop, which differ in what is not known of it. */
function standsForOthers({ grid, assumptions }: AnalysisLaunch): boolean {
  return grid.includes(null) || assumptions.some((each) => each.startsWith("later iterations "));
}

/** Of each launch the row that it is nearest to: its claims are held against that one in any case. */
function ownRows(
  rows: readonly TruthRow[],
  launches: readonly AnalysisLaunch[],
): ReadonlyMap<AnalysisLaunch, TruthRow> {
  const owned = new Map<AnalysisLaunch, TruthRow>();
  for (const launch of launches) {
    const fitting = rows.filter((row) => candidatesFor(row, [launch]).length > 0);
    const misses = fitting.map((row) => missCount(compareLaunch(row, launch, launchName(row))));
    const nearest = fitting[misses.indexOf(Math.min(...misses))];
    if (nearest !== undefined) owned.set(launch, nearest);
  }
  return owned;
}

/** Without those that stand for no more launches than the row that is theirs, unless there are none else. */
function unlessTaken(
  candidates: readonly AnalysisLaunch[],
  row: TruthRow,
  owned: ReadonlyMap<AnalysisLaunch, TruthRow>,
): readonly AnalysisLaunch[] {
  const free = candidates.filter((launch) => {
    const own = owned.get(launch);
    return own === row || own === undefined || launch.count > own.launches;
  });
  return free.length > 0 ? free : candidates;
}

/** The launches of that kernel, block and grid; extents of a grid that are not known may be any. */
function candidatesFor(row: TruthRow, launches: readonly AnalysisLaunch[]): readonly AnalysisLaunch[] {
  const name = launchName(row);
  return launches.filter((each) => analysisName(withGrid(each, row.grid)) === name);
}

function bestOf(row: TruthRow, candidates: readonly AnalysisLaunch[]): Outcome[] {
  const name = launchName(row);
  const compared = candidates.map((launch) => compareLaunch(row, launch, name));
  const [best] = compared.sort((a, b) => missCount(a) - missCount(b));
  return best ?? compareLaunch(row, null, name);
}

/** The launch with the extents of its grid that are not known put in. */
function withGrid(launch: AnalysisLaunch, grid: readonly number[]): AnalysisLaunch {
  return { ...launch, grid: launch.grid.map((extent, axis) => extent ?? grid[axis] ?? null) };
}

function missCount(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ kind }) => kind !== "exact" && kind !== "moved").length;
}

interface Prediction {
  readonly access: AnalysisAccess;
  readonly cost: number;
  readonly ideal: number;
  readonly reason: string | null;
}

interface Charged {
  readonly unit: Unit;
  readonly file: string;
  readonly predictions: Prediction[];
}

function compareLaunch(row: TruthRow, launch: AnalysisLaunch | null, name: string): Outcome[] {
  const units = truthUnits(row, name);
  const left = charge(units, launch ? predictionsOf(launch) : []);
  const outcomes = new Map(units.map((unit) => [unit, outcomeOf(unit)]));
  const extra = pool(outcomes, adopt(outcomes, pair(outcomes, left))).filter(
    ({ reason, cost }) => reason === null && cost > 0,
  );
  return [
    ...outcomes.values(),
    ...extra.map((prediction): Outcome => ({ kind: "extra", predicted: unitOf(prediction, name) })),
  ];
}

/** Units of lines in CUDA's headers with the access of the same figures. What stands for none of them comes back. */
function pair(outcomes: Map<Charged, Outcome>, predictions: readonly Prediction[]): Prediction[] {
  const left = [...predictions];
  for (const [charged, { kind }] of outcomes) {
    if (charged.file === "" || kind !== "missing") continue;
    const { unit } = charged;
    const index = left.findIndex(
      (prediction) =>
        prediction.access.space === unit.space &&
        prediction.access.operation === unit.operation &&
        (prediction.reason !== null || hasFiguresOf(prediction, unit)),
    );
    const found = left[index];
    if (!found) continue;
    left.splice(index, 1);
    const outcome = outcomeOf({ ...charged, predictions: [found] });
    outcomes.set(charged, outcome.kind === "exact" ? movedTo([found.access.line], unit) : outcome);
  }
  return left;
}

/** Whether the figures are the unit's: its totals, or, where none are claimed, its excess. */
function hasFiguresOf({ access, cost, ideal }: Prediction, unit: Unit): boolean {
  return access.totals === null
    ? cost * unit.ideal === ideal * unit.cost
    : cost === unit.cost && ideal === unit.ideal;
}

/**
 * Units that are as predicted once what names their line among those that it may be charged to is counted to them. Where that is an access of
 * unknown figure, and more was counted than the others make, nothing is claimed of the sum. What stands for none comes back.
 */
function adopt(outcomes: Map<Charged, Outcome>, predictions: readonly Prediction[]): Prediction[] {
  let left = [...predictions];
  for (const [charged, outcome] of outcomes) {
    if (charged.file !== "" || (outcome.kind !== "wrong" && outcome.kind !== "factor")) continue;
    const { unit } = charged;
    const naming = left.filter(
      ({ access }) =>
        access.space === unit.space &&
        access.operation === unit.operation &&
        linesOf(access).includes(unit.line),
    );
    const known = naming.filter(({ reason }) => reason === null);
    const withThose = (set: readonly Prediction[]) =>
      outcomeOf({ ...charged, predictions: [...charged.predictions, ...set] });
    const adopted = [known, ...known.map((one) => [one])].find((set) => withThose(set).kind === "exact");
    const unknown = naming.filter(({ reason }) => reason !== null);
    if (adopted) {
      const lines = [...charged.predictions, ...adopted].map(({ access }) => access.line);
      outcomes.set(charged, movedTo(lines, unit));
    } else if (unknown.length > 0 && unit.cost > outcome.predicted.cost)
      outcomes.set(charged, withThose(unknown));
    else continue;
    left = left.filter((each) => !(adopted ?? unknown).includes(each));
  }
  return left;
}

function movedTo(lines: readonly number[], unit: Unit): Outcome {
  return { kind: "moved", unit, predicted: { ...unit, line: lines[0] ?? unit.line }, lines };
}

/**
 * What nvcc charged to lines of its own choice: the units of one space and operation that differ line by line are as predicted where their
 * sums are. What was predicted and stands for none of them comes back.
 */
function pool(outcomes: Map<Charged, Outcome>, predictions: readonly Prediction[]): Prediction[] {
  let left = [...predictions];
  const settled: readonly Outcome["kind"][] = ["exact", "ratio", "moved"];
  const differing = [...outcomes].filter(([, { kind }]) => !settled.includes(kind));
  const kinds = new Set(differing.map(([{ unit }]) => `${unit.space} ${unit.operation}`));
  for (const kind of kinds) {
    const units = differing
      .map(([unit]) => unit)
      .filter(({ unit }) => `${unit.space} ${unit.operation}` === kind);
    const strays = left.filter(({ access }) => `${access.space} ${access.operation}` === kind);
    const pooled = [...units.flatMap((unit) => unit.predictions), ...strays];
    const sum = (
      items: readonly { readonly cost: number; readonly ideal: number }[],
      key: "cost" | "ideal",
    ) => items.reduce((total, each) => total + each[key], 0);
    const measured = units.map(({ unit }) => unit);
    const isSame =
      sum(pooled, "cost") === sum(measured, "cost") && sum(pooled, "ideal") === sum(measured, "ideal");
    if (!isSame || pooled.some(({ reason, access }) => reason !== null || access.totals === null)) continue;
    left = left.filter((each) => !strays.includes(each));
    const lines = pooled.map(({ access }) => access.line);
    for (const unit of units) outcomes.set(unit, movedTo(lines, unit.unit));
  }
  return left;
}

/** Gives each prediction to the unit that it stands for; what stands for none comes back. */
function charge(units: readonly Charged[], predictions: readonly Prediction[]): Prediction[] {
  let left = predictions;
  const give = (finds: (prediction: Prediction, unit: Charged) => boolean) => {
    left = left.filter((prediction) => {
      const found = units.find(
        (unit) =>
          unit.unit.space === prediction.access.space &&
          unit.unit.operation === prediction.access.operation &&
          finds(prediction, unit),
      );
      found?.predictions.push(prediction);
      return !found;
    });
  };
  const isOwn = (unit: Charged) => unit.file === "";
  give(({ access }, unit) => isOwn(unit) && unit.unit.line === access.line);
  const isEmpty = new Set(units.filter((unit) => unit.predictions.length === 0));
  give(({ access }, unit) => isEmpty.has(unit) && isOwn(unit) && linesOf(access).includes(unit.unit.line));
  return [...left];
}

function linesOf(access: AnalysisAccess): number[] {
  const span = Array.from({ length: access.endLine - access.line + 1 }, (_, i) => access.line + i);
  return [...span, ...access.mergedLines, ...access.stack.map((frame) => frame.line)];
}

function outcomeOf({ unit, predictions }: Charged): Outcome {
  if (predictions.length === 0) return { kind: "missing", unit };
  const unknown = predictions.find(({ reason }) => reason !== null);
  const dependsOnData = predictions.some(({ access }) => access.dependsOnData);
  if (unknown) return { kind: "unknown", unit, reason: unknown.reason ?? "", dependsOnData };
  const cost = predictions.reduce((sum, each) => sum + each.cost, 0);
  const ideal = predictions.reduce((sum, each) => sum + each.ideal, 0);
  const isExact = predictions.every(isClaimedExactly);
  const predicted = { ...unit, line: predictions[0]?.access.line ?? unit.line, cost, ideal, isExact };
  const hasTotals = predictions.every(({ access }) => access.totals !== null);
  if (hasTotals && cost === unit.cost && ideal === unit.ideal)
    return { kind: "exact", unit, predicted, lines: predictions.map(({ access }) => access.line) };
  const difference = Math.abs(cost / ideal / (unit.cost / unit.ideal) - 1);
  if (difference > tolerance) return { kind: "wrong", unit, predicted };
  return hasTotals ? { kind: "factor", unit, predicted } : { kind: "ratio", unit, predicted, dependsOnData };
}

/** What the GPU counted, summed over the instructions of each line, space and operation; the file is empty where it is the program. */
function truthUnits(row: TruthRow, launch: string): Charged[] {
  const units = new Map<string, { unit: { -readonly [Key in keyof Unit]: Unit[Key] }; file: string }>();
  const add = (site: TruthSite, space: Unit["space"], cost: number, ideal: number) => {
    if (cost === 0) return;
    const file = site.file === row.case ? "" : site.file;
    // Executions whose lanes are all switched off by a predicate ask for nothing: each that asks has an ideal of one at least.
    const instruction = { cost, ideal, requests: Math.min(site.inst, ideal) };
    const unit = {
      launch,
      line: site.line,
      space,
      operation: operationOf(site.sass),
      cost,
      ideal,
      instructions: [instruction],
    };
    const key = `${file} ${site.line} ${space} ${unit.operation}`;
    const sum = units.get(key);
    if (sum) {
      sum.unit.cost += cost;
      sum.unit.ideal += ideal;
      sum.unit.instructions = [...sum.unit.instructions, instruction];
    } else units.set(key, { unit, file });
  };
  for (const site of row.sites) {
    if (site.wavefronts !== undefined) add(site, "shared", site.wavefronts, site.ideal_wavefronts ?? 0);
    if (site.sectors !== undefined) add(site, "global", site.sectors, site.ideal_sectors ?? 0);
  }
  return [...units.values()].map((each) => ({ ...each, predictions: [] }));
}

function predictionsOf(launch: AnalysisLaunch): Prediction[] {
  const accesses = launch.accesses.filter(({ space }) => space === "shared" || space === "global");
  return accesses.map((access) => {
    const figures = access.totals ?? access.perRequest;
    const [cost, ideal] =
      access.space === "shared"
        ? [figures?.wavefronts, figures?.idealWavefronts]
        : [figures?.sectors, figures?.idealSectors];
    const isUnknown = access.verdict === "unknown" || cost === undefined;
    const condition = standsForOthers(launch) ? access.condition : null;
    const reason = isUnknown ? (access.reason ?? "no figure") : condition;
    return { access, cost: cost ?? 0, ideal: ideal ?? 0, reason };
  });
}

function isClaimedExactly({ access }: Prediction): boolean {
  return access.verdict === "exact" && access.totals !== null;
}

function unitOf(prediction: Prediction, launch: string): Unit {
  const { access, cost, ideal } = prediction;
  const space = access.space === "shared" ? "shared" : "global";
  return {
    launch,
    line: access.line,
    space,
    operation: access.operation,
    cost,
    ideal,
    instructions: [],
    isExact: isClaimedExactly(prediction),
  };
}

/** The kind of access that a SASS opcode is. */
export function operationOf(sass: string): string {
  const opcode = sass.split(".")[0] ?? "";
  if (opcode.startsWith("ATOM") || opcode.startsWith("RED")) return "atomic";
  if (opcode === "LDSM") return "matrix-load";
  if (opcode === "STSM") return "matrix-store";
  if (opcode === "LDGSTS") return "async-copy";
  return opcode.startsWith("ST") ? "store" : "load";
}

/**
 * Kernel, template arguments, grid and block in one text, from a demangled name such as `void k<(int)32, float>(float *)`, or
 * `std::enable_if<T2>(int)0, void>::type k<…>(…)`, whose condition may hold `<` and `>`.
 */
function launchName(row: Pick<TruthRow, "kernel" | "grid" | "block">): string {
  const signature = row.kernel
    .replace(/^(void|std::enable_if<.*?>::type) /, "")
    .replace(/\((?!anonymous)[\w: ]+\)(?=-?\w)/g, "")
    .replace(/(\(anonymous namespace\)|<unnamed>)::/g, "");
  const match = /^([\w:]+)(?:<(.*)>)?\(/.exec(signature);
  const name = (match?.[1] ?? signature).split("::").at(-1) ?? signature;
  const templateArguments = match?.[2] ? match[2].split(",").map((each) => each.trim()) : [];
  return nameOf(name, templateArguments, row.block, row.grid);
}

/** What commas outside of all brackets part: a lambda is named by the function around it, with that one's parameters. */
function topLevelParts(list: string): readonly string[] {
  if (list === "") return [];
  const parts = [""];
  let depth = 0;
  for (const character of list) {
    if ("<([".includes(character)) depth++;
    if (">)]".includes(character)) depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function analysisName(launch: AnalysisLaunch): string {
  return nameOf(launch.kernel, launch.templateArguments, launch.block, launch.grid);
}

function nameOf(
  kernel: string,
  templateArguments: readonly string[],
  block: readonly (number | null)[],
  grid: readonly (number | null)[],
): string {
  // A demangler sets a space before `*`, `&` and, between lists that close, `>`; nvcc's has `const` in front of what it is of; each of both numbers
  // lambdas in its own way.
  const plain = topLevelParts(
    templateArguments
      .join(",")
      .replace(/\bconst ([\w:]+)/g, "$1 const")
      .replace(/ (?=[*&>])/g, "")
      .replace(/lambda#\d+|[\w:]*\[lambda\([^[\]]*\) ?\(instance \d+\)\]/g, "lambda"),
  ).map((each) => (each.endsWith("lambda") ? "lambda" : each));
  const list = plain.length === 0 ? "" : `<${plain.join(",")}>`;
  return `${kernel}${list} block (${block.join(",")}) grid (${grid.join(",")})`;
}
