// The pages that Nsight Compute prints as CSV: `--page source` (lines) and `--page raw` (whole launches).
import Papa from "papaparse";
import {
  chargedLines,
  kernelOf,
  type MeasuredFigures,
  type MeasuredLaunch,
  type MeasuredLine,
  type MeasuredPlace,
  type ReadMeasurement,
  sumOf,
} from "./report.ts";

/** Columns by what they hold: as the page labels them, and as the metric is called. */
const columnNames: Readonly<Record<keyof MeasuredFigures, readonly string[]>> = {
  wavefronts: ["L1 Wavefronts Shared", "memory_l1_wavefronts_shared"],
  idealWavefronts: ["L1 Wavefronts Shared Ideal", "memory_l1_wavefronts_shared_ideal"],
  sectors: ["L2 Theoretical Sectors Global", "memory_l2_theoretical_sectors_global"],
  idealSectors: ["L2 Theoretical Sectors Global Ideal", "memory_l2_theoretical_sectors_global_ideal"],
};

export const collectAdvice =
  "Collect with `ncu --section SourceCounters --section LaunchStats`, and compile with -lineinfo.";

/** Reads either page; what ncu and the program printed around it is passed over. */
export function readCsv(text: string): ReadMeasurement {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true });
  const heads = data.filter(isHeader);
  const [head] = heads;
  if (head === undefined)
    return {
      kind: "error",
      message:
        "neither a report of Nsight Compute (.ncu-rep) nor its CSV: there is no header of `--page source --csv` or `--page raw --csv`",
    };
  if (heads.every((each) => columnsOf(each) === null))
    return { kind: "error", message: `the report has no figures of memory accesses. ${collectAdvice}` };
  return head.includes("Kernel Name") ? readRaw(data, head) : readSource(data);
}

function isHeader(row: readonly string[]): boolean {
  return row[0] === "Line No" || row[0] === "Address" || (row[0] === "ID" && row.includes("Kernel Name"));
}

type Columns = Readonly<Record<keyof MeasuredFigures, number>>;

/**
 * Where the figures stand; -1 of those that are left out: a kernel without shared memory has no columns for it (Nsight Compute 2025.3). Null
 * where all are.
 */
function columnsOf(head: readonly string[]): Columns | null {
  const at = (figure: keyof MeasuredFigures): number =>
    head.findIndex((name) => columnNames[figure].includes(name));
  const columns = {
    wavefronts: at("wavefronts"),
    idealWavefronts: at("idealWavefronts"),
    sectors: at("sectors"),
    idealSectors: at("idealSectors"),
  };
  return Object.values(columns).every((column) => column === -1) ? null : columns;
}

function figuresOf(row: readonly string[], columns: Columns): MeasuredFigures {
  return {
    wavefronts: numberOf(row[columns.wavefronts]),
    idealWavefronts: numberOf(row[columns.idealWavefronts]),
    sectors: numberOf(row[columns.sectors]),
    idealSectors: numberOf(row[columns.idealSectors]),
  };
}

/** "1,048,576", "-" of what does not apply. */
function numberOf(text: string | undefined): number {
  const value = Number((text ?? "").replaceAll(",", ""));
  return Number.isFinite(value) ? value : 0;
}

function isZero({ wavefronts, sectors }: MeasuredFigures): boolean {
  return wavefronts === 0 && sectors === 0;
}

interface OpenLaunch {
  readonly signature: string;
  /** Files that had their turn: one that comes again begins the next launch. */
  readonly files: Set<string>;
  readonly lines: MeasuredLine[];
  /** By address. The page counts an instruction on each line that the line table puts it on. */
  readonly instructions: Map<string, Instruction>;
  hasLines: boolean;
  block: readonly number[] | null;
  grid: readonly number[] | null;
}

interface Instruction {
  readonly places: MeasuredPlace[];
  readonly figures: MeasuredFigures;
}

/** `--page source`, with `--print-source cuda`, `cuda,sass` or (without lines) `sass`. */
function readSource(rows: readonly (readonly string[])[]): ReadMeasurement {
  const launches: OpenLaunch[] = [];
  let file = "";
  let line = 0;
  let columns: Columns | null = null;
  let perLine = false;
  let addressColumn = 0;
  const begin = (signature: string): OpenLaunch => {
    const launch = {
      signature,
      files: new Set<string>(),
      lines: [],
      instructions: new Map<string, Instruction>(),
      hasLines: false,
      block: null,
      grid: null,
    };
    launches.push(launch);
    return launch;
  };
  for (const row of rows) {
    const [first = "", second = ""] = row;
    const last = launches.at(-1);
    if (first === "File Path") file = second;
    else if (first === "Function Name") {
      const isOther = last === undefined || last.signature !== second || last.files.has(file);
      (isOther ? begin(second) : last).files.add(file);
    } else if (first === "Kernel Name") begin(second);
    else if (first === "Block Size" && last !== undefined) last.block = extentsOf(second);
    else if (first === "Grid Size" && last !== undefined) last.grid = extentsOf(second);
    else if (isHeader(row)) {
      columns = columnsOf(row);
      perLine = first === "Line No";
      addressColumn = row.indexOf("Address");
      if (last !== undefined && perLine) last.hasLines = true;
    } else if (columns !== null && last !== undefined) {
      const figures = figuresOf(row, columns);
      const address = row[addressColumn] ?? "";
      if (perLine && /^\d+$/.test(first)) line = Number(first);
      if (isZero(figures)) continue;
      if (address.startsWith("0x")) addInstruction(last.instructions, address, figures, { file, line });
      else if (perLine && line === Number(first)) last.lines.push({ file, line, ...figures, alsoAt: [] });
    }
  }
  return { kind: "launches", launches: launches.map(closed), notes: [] };
}

function addInstruction(
  instructions: Map<string, Instruction>,
  address: string,
  figures: MeasuredFigures,
  place: MeasuredPlace,
): void {
  const known = instructions.get(address);
  if (known === undefined) instructions.set(address, { places: [place], figures });
  else if (!known.places.some(({ file, line }) => file === place.file && line === place.line))
    known.places.push(place);
}

/** Lines by themselves are taken as they are where the page has no instructions. */
function closed(launch: OpenLaunch): MeasuredLaunch {
  const { signature, hasLines, block, grid } = launch;
  const instructions = [...launch.instructions.values()];
  const lines = instructions.length > 0 ? chargedLines(instructions) : launch.lines;
  return {
    signature,
    ...kernelOf(signature),
    block,
    grid,
    sharedBytes: null,
    totals: sumOf(hasLines ? lines : instructions.map(({ figures }) => figures)),
    lines: hasLines ? lines : null,
  };
}

/** `--page raw`: a row a launch, the units in the row below the header. */
function readRaw(rows: readonly (readonly string[])[], head: readonly string[]): ReadMeasurement {
  const columns = columnsOf(head);
  const at = (name: string): number => head.indexOf(name);
  const cell = (row: readonly string[], name: string): string => row[at(name)] ?? "";
  const launches = rows
    .filter((row) => /^\d+$/.test(row[0] ?? "") && row.length >= head.length)
    .map((row): MeasuredLaunch => {
      const signature = cell(row, "Kernel Name");
      const shared = cell(row, "launch__shared_mem_per_block_dynamic");
      return {
        signature,
        ...kernelOf(signature),
        block: extentsOf(cell(row, "Block Size")),
        grid: extentsOf(cell(row, "Grid Size")),
        sharedBytes:
          shared === ""
            ? null
            : bytesOf(shared, unitOf(rows, head, at("launch__shared_mem_per_block_dynamic"))),
        totals: columns === null ? null : figuresOf(row, columns),
        lines: null,
      };
    });
  return { kind: "launches", launches, notes: [] };
}

function unitOf(rows: readonly (readonly string[])[], head: readonly string[], column: number): string {
  return rows[rows.indexOf(head) + 1]?.[column] ?? "";
}

/** Nsight Compute scales units: "Kbyte/block" is 1,000 bytes. */
function bytesOf(text: string, unit: string): number {
  const scale = unit.startsWith("K") ? 1000 : unit.startsWith("M") ? 1_000_000 : 1;
  return Math.round(numberOf(text) * scale);
}

/** "(32, 8, 1)"; null where it is none. */
function extentsOf(text: string): readonly number[] | null {
  const numbers = text.match(/\d+/g)?.map(Number) ?? [];
  return numbers.length === 3 ? numbers : null;
}
