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

/** The part of the analysis (DESIGN §11) that is compared. */
export interface AnalysisLaunch {
  readonly kernel: string;
  readonly templateArguments: readonly string[];
  readonly block: readonly (number | null)[];
  readonly grid: readonly (number | null)[];
  readonly accesses: readonly AnalysisAccess[];
}

export interface AnalysisAccess {
  readonly line: number;
  readonly endLine: number;
  readonly space: string;
  readonly operation: string;
  readonly verdict: string;
  readonly reason: string | null;
  readonly expression: string;
  readonly totals: Readonly<Record<string, number>> | null;
  readonly perRequest: Readonly<Record<string, number>> | null;
}

export interface Unit {
  readonly launch: string;
  readonly line: number;
  readonly space: "shared" | "global";
  readonly operation: string;
  readonly cost: number;
  readonly ideal: number;
}

export type Outcome =
  | { readonly kind: "exact" | "factor" | "wrong"; readonly unit: Unit; readonly predicted: Unit }
  | { readonly kind: "unknown"; readonly unit: Unit; readonly reason: string }
  | { readonly kind: "missing"; readonly unit: Unit }
  | { readonly kind: "extra"; readonly predicted: Unit };

/** Largest difference of excess factors that counts as agreement where totals are not compared. */
const tolerance = 0.02;

/** Every unit of the truth with what was predicted for it, and what was predicted but never executed. */
export function compareTruth(rows: readonly TruthRow[], launches: readonly AnalysisLaunch[]): Outcome[] {
  const outcomes: Outcome[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const name = launchName(row);
    const launch = launches.find((each) => analysisName(each) === name) ?? null;
    if (seen.has(name)) continue;
    seen.add(name);
    const predicted = launch ? predictedUnits(launch, name) : new Map<string, Prediction>();
    for (const unit of truthUnits(row, name)) {
      const key = keyOf(unit);
      const found = predicted.get(key);
      predicted.delete(key);
      outcomes.push(outcomeOf(unit, found));
    }
    for (const left of predicted.values())
      if (left.unit && left.reason === null) outcomes.push({ kind: "extra", predicted: left.unit });
  }
  return outcomes;
}

interface Prediction {
  unit: Unit | null;
  hasTotals: boolean;
  reason: string | null;
}

function outcomeOf(unit: Unit, found: Prediction | undefined): Outcome {
  if (!found) return { kind: "missing", unit };
  if (found.reason !== null || !found.unit) return { kind: "unknown", unit, reason: found.reason ?? "" };
  const predicted = found.unit;
  if (found.hasTotals && predicted.cost === unit.cost && predicted.ideal === unit.ideal)
    return { kind: "exact", unit, predicted };
  const difference = Math.abs(predicted.cost / predicted.ideal / (unit.cost / unit.ideal) - 1);
  return { kind: difference <= tolerance ? "factor" : "wrong", unit, predicted };
}

/** What the GPU counted, summed over the instructions of each line, space and operation. */
function truthUnits(row: TruthRow, launch: string): Unit[] {
  const units = new Map<string, { -readonly [Key in keyof Unit]: Unit[Key] }>();
  const add = (site: TruthSite, space: Unit["space"], cost: number, ideal: number) => {
    if (cost === 0) return;
    const unit = { launch, line: site.line, space, operation: operationOf(site.sass), cost, ideal };
    const sum = units.get(keyOf(unit));
    if (sum) {
      sum.cost += cost;
      sum.ideal += ideal;
    } else units.set(keyOf(unit), unit);
  };
  for (const site of row.sites) {
    if (site.wavefronts !== undefined) add(site, "shared", site.wavefronts, site.ideal_wavefronts ?? 0);
    if (site.sectors !== undefined) add(site, "global", site.sectors, site.ideal_sectors ?? 0);
  }
  return [...units.values()];
}

function predictedUnits(launch: AnalysisLaunch, name: string): Map<string, Prediction> {
  const predictions = new Map<string, Prediction>();
  for (const access of launch.accesses) {
    if (access.space !== "shared" && access.space !== "global") continue;
    const figures = access.totals ?? access.perRequest;
    const [cost, ideal] =
      access.space === "shared"
        ? [figures?.wavefronts, figures?.idealWavefronts]
        : [figures?.sectors, figures?.idealSectors];
    const unit = {
      launch: name,
      line: access.line,
      space: access.space,
      operation: access.operation,
      cost: cost ?? 0,
      ideal: ideal ?? 0,
    } as const;
    const reason = access.verdict === "unknown" || cost === undefined ? (access.reason ?? "no figure") : null;
    const sum = predictions.get(keyOf(unit));
    if (!sum) predictions.set(keyOf(unit), { unit, hasTotals: access.totals !== null, reason });
    else if (sum.unit) {
      sum.unit = { ...sum.unit, cost: sum.unit.cost + unit.cost, ideal: sum.unit.ideal + unit.ideal };
      sum.hasTotals &&= access.totals !== null;
      sum.reason ??= reason;
    }
  }
  return predictions;
}

function keyOf(unit: Pick<Unit, "line" | "space" | "operation">): string {
  return `${unit.line} ${unit.space} ${unit.operation}`;
}

/** The kind of access that a SASS opcode is. */
export function operationOf(sass: string): string {
  const opcode = sass.split(".")[0] ?? "";
  if (opcode.startsWith("ATOM") || opcode === "RED") return "atomic";
  if (opcode === "LDSM") return "matrix-load";
  if (opcode === "STSM") return "matrix-store";
  if (opcode === "LDGSTS") return "async-copy";
  return opcode.startsWith("ST") ? "store" : "load";
}

/** Kernel, template arguments, grid and block in one text, from a demangled name such as `void k<(int)32, float>(float *)`. */
export function launchName(row: Pick<TruthRow, "kernel" | "grid" | "block">): string {
  const signature = row.kernel
    .replace(/^void /, "")
    .replace(/\((int|unsigned int|bool|long|unsigned long)\)/g, "");
  const match = /^([\w:]+)(?:<(.*)>)?\(/.exec(signature);
  const name = (match?.[1] ?? signature).split("::").at(-1) ?? signature;
  const templateArguments = match?.[2] ? match[2].split(",").map((each) => each.trim()) : [];
  return nameOf(name, templateArguments, row.block, row.grid);
}

export function analysisName(launch: AnalysisLaunch): string {
  return nameOf(launch.kernel, launch.templateArguments, launch.block, launch.grid);
}

function nameOf(
  kernel: string,
  templateArguments: readonly string[],
  block: readonly (number | null)[],
  grid: readonly (number | null)[],
): string {
  const list = templateArguments.length > 0 ? `<${templateArguments.join(",")}>` : "";
  return `${kernel}${list} block (${block.join(",")}) grid (${grid.join(",")})`;
}
