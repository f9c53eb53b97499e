// The map of one request: a row is a wavefront and a column a bank; of a global access a row is a sector. First plain data, which
// text, hover and panel draw alike; then the drawing as text.
import type { AccessProfile, RequestSample } from "../evaluate/profile.ts";
import { copiedSectors, type Pass, sharedPasses } from "../hardware/passes.ts";
import { bankBytes, bankCount } from "../rules/banks.ts";
import { countText, plural } from "./words.ts";

export interface RequestMap {
  /** What the columns are, as a ruler; null where there is none. */
  readonly ruler: string | null;
  /** Whether the request moves more than it needs: what is as it should be is not drawn in the colour of trouble. */
  readonly tone: MapTone;
  readonly rows: readonly MapRow[];
}

export type MapTone = "excess" | "ideal";

export interface MapRow {
  readonly label: string;
  readonly cells: readonly Cell[];
  /** The lanes that each cell serves, ascending: none of one that is idle. */
  readonly lanes: readonly (readonly number[])[];
  readonly note: string;
}

/** `used` and `other` alternate between lanes that cover several banks; `shared` is one word for several lanes; `gap` parts sectors. */
export type Cell = "idle" | "used" | "other" | "shared" | "gap";

/** The longest map in rows, ruler included. */
export const mostRows = 6;

/** The map of the most expensive request of `access`, in at most `limit` lines; null where it is not known, or has none. */
export function mapOf(access: AccessProfile, limit: number = mostRows): RequestMap | null {
  if (access.worst === null) return null;
  return mapOfRequest(access.worst, access, limit);
}

/** The map of one request of `access`. */
export function mapOfRequest(
  sample: Sample,
  access: AccessProfile,
  limit: number = mostRows,
): RequestMap | null {
  if (access.space === "shared") return sharedMap(sample, access, limit);
  return access.space === "global" ? globalMap(sample, access, limit) : null;
}

function toneOf({ figure }: Sample): MapTone {
  return figure.cost > figure.ideal ? "excess" : "ideal";
}

/** A request by itself. */
export type Sample = Pick<RequestSample, "laneAddresses" | "partnerAddresses" | "figure">;

/** A line of a drawn map: what stands left and right of its cells, padded so that cells stand below each other. */
export interface MapLine {
  readonly before: string;
  readonly cells: readonly Cell[];
  readonly after: string;
}

/** The lines of a map, the ruler first. */
export function layoutMap(map: RequestMap): MapLine[] {
  const width = Math.max(...map.rows.map(({ label }) => label.length), map.ruler === null ? 0 : 4);
  const lines = map.rows.map(({ label, cells, note }): MapLine => {
    const gap = cells.length > 0 && note !== "" ? "  " : "";
    return { before: `${label.padEnd(width)} `, cells, after: `${gap}${note}` };
  });
  if (map.ruler === null) return lines;
  return [{ before: `${"bank".padEnd(width)} ${map.ruler}`, cells: [], after: "" }, ...lines];
}

/** Draws a map as lines of text, at most 64 columns of cells and labels wide; notes follow. */
export function drawMap(map: RequestMap): string[] {
  return layoutMap(map).map(({ before, cells, after }) =>
    `${before}${cells.map(glyphOf).join("")}${after}`.trimEnd(),
  );
}

export function glyphOf(cell: Cell): string {
  return glyphs[cell];
}

const glyphs: Readonly<Record<Cell, string>> = { idle: "·", used: "█", other: "▓", shared: "B", gap: " " };

const bankRuler = "0       8       16      24     31";

function sharedMap(
  sample: Sample,
  { bytes, operation, variant }: AccessProfile,
  limit: number,
): RequestMap | null {
  const { laneAddresses, partnerAddresses } = sample;
  const passes = sharedPasses({ laneAddresses, partnerAddresses, bytes, operation, variant });
  // Where the passes are not those that the figure counts, no picture is better than a wrong one.
  if (passes === null || passes.length !== sample.figure.cost) return null;
  const masked = maskRow(sample);
  const room = limit - 1 - (masked === null ? 0 : 1);
  const isShort = passes.length <= room;
  const shown = isShort ? passes : passes.slice(0, Math.min(2, room - 1));
  const rows = shown.map((pass, index) => passRow(pass, index, bytes));
  if (!isShort) {
    const rest = passes.slice(shown.length);
    const each = rest.every(({ lanes }) => lanes.length === 1) ? ", one lane each" : "";
    rows.push({ label: "   ⋮", cells: [], lanes: [], note: `${rest.length} more${each}` });
  }
  if (masked !== null) rows.push(masked);
  return { ruler: bankRuler, tone: toneOf(sample), rows };
}

function passRow(pass: Pass, index: number, bytes: number): MapRow {
  const lanesOfBank = Array.from({ length: bankCount }, (): readonly number[] => []);
  for (const { bank, lanes } of pass.cells) lanesOfBank[bank] = lanes;
  const cells =
    bytes > bankBytes ? alternating(lanesOfBank) : lanesOfBank.map((lanes) => narrowCell(lanes, bytes));
  return { label: `pass ${index + 1}`, cells, lanes: lanesOfBank, note: lanesText(pass.lanes) };
}

/** Several lanes in one bank share its word; that they read other bytes of it, as narrow accesses do, is no broadcast. */
function narrowCell(lanes: readonly number[], bytes: number): Cell {
  if (lanes.length === 0) return "idle";
  return lanes.length > 1 && bytes === bankBytes ? "shared" : "used";
}

/** Lanes that cover several banks each, told apart by shade. */
function alternating(lanesOfBank: readonly (readonly number[])[]): Cell[] {
  let shade: "used" | "other" = "other";
  let before: number | undefined;
  return lanesOfBank.map(([first]) => {
    if (first === undefined) return "idle";
    if (first !== before) shade = shade === "used" ? "other" : "used";
    before = first;
    return shade;
  });
}

/** "lane 0", "lanes 0-31", "lanes 0, 8, 16, 24", "8 lanes". */
function lanesText(lanes: readonly number[]): string {
  const [first] = lanes;
  const last = lanes.at(-1);
  if (first === undefined || last === undefined) return "";
  if (lanes.length === 1) return `lane ${first}`;
  if (last - first + 1 === lanes.length) return `lanes ${first}-${last}`;
  return lanes.length <= 4 ? `lanes ${lanes.join(", ")}` : `${lanes.length} lanes`;
}

function maskRow({ laneAddresses }: Sample): MapRow | null {
  const active = laneAddresses.filter((address) => address !== null).length;
  if (active === laneAddresses.length) return null;
  const cells = laneAddresses.map((address): Cell => (address === null ? "idle" : "used"));
  return {
    label: "lanes",
    cells,
    lanes: laneAddresses.map((address, lane) => (address === null ? [] : [lane])),
    note: `${active} of ${laneAddresses.length} active; ideal counts these only`,
  };
}

const sectorBytes = 32;
const cellsOfSector = sectorBytes / bankBytes;

interface Sector {
  readonly number: number;
  readonly usedBytes: Set<number>;
  readonly lanes: number[];
  readonly lanesOfCell: readonly Set<number>[];
}

function globalMap(sample: Sample, access: AccessProfile, limit: number): RequestMap | null {
  const sectors = sectorsMoved(sample, access);
  if (sectors === null) return null;
  const first = sectors[0]?.number ?? 0;
  const isRow =
    sectors.length <= mostSectorsOfRow && sectors.every(({ number }, index) => number === first + index);
  if (isRow) {
    const cells = sectors.flatMap((sector, index) =>
      index === 0 ? cellsOf(sector) : ["gap" as const, ...cellsOf(sector)],
    );
    const served = sectors.flatMap((sector, index) =>
      index === 0 ? lanesOfCells(sector) : [[], ...lanesOfCells(sector)],
    );
    const row: MapRow = { label: "", cells, lanes: served, note: "(one character = 4 bytes)" };
    return { ruler: null, tone: toneOf(sample), rows: [row] };
  }
  const isShort = sectors.length <= limit;
  const shown = isShort ? sectors : sectors.slice(0, 2);
  const lanes = shown.map((sector) => lanesText(sector.lanes));
  const width = Math.max(...lanes.map((text) => text.length));
  const rows = shown.map((sector, index): MapRow => {
    const used = `${sector.usedBytes.size} of ${sectorBytes} B used`;
    const note = `${(lanes[index] ?? "").padEnd(width)}  ${used}`;
    return { label: `sector ${index + 1}`, cells: cellsOf(sector), lanes: lanesOfCells(sector), note };
  });
  if (!isShort) {
    const used = sectors.reduce((sum, { usedBytes }) => sum + usedBytes.size, 0);
    const all = sectors.length * sectorBytes;
    const share = `${Math.round((1000 * used) / all) / 10} %`;
    const note = `${sectors.length - shown.length} more: ${countText(used)} of ${countText(all)} B used (${share})`;
    rows.push({ label: "   ⋮", cells: [], lanes: [], note });
  }
  return { ruler: null, tone: toneOf(sample), rows };
}

/** Seven sectors and the gaps between them are 62 columns. */
const mostSectorsOfRow = 7;

/** Null where the sectors are not those that the figure counts. */
function sectorsMoved(
  { laneAddresses, partnerAddresses, figure }: Sample,
  { bytes, operation, variant }: AccessProfile,
): Sector[] | null {
  if (operation !== "async-copy") return sectorsOf(laneAddresses, bytes);
  const copied = copiedSectors({ laneAddresses, partnerAddresses, bytes, operation, variant });
  const sectors =
    copied?.flatMap((lanes) => {
      const own = laneAddresses.map((address, lane) => ((lanes >>> lane) & 1 ? address : null));
      return sectorsOf(own, bytes);
    }) ?? sectorsOf(laneAddresses, bytes);
  return sectors.length === figure.cost ? sectors : null;
}

function sectorsOf(laneAddresses: Sample["laneAddresses"], bytes: number): Sector[] {
  const sectors = new Map<number, Sector>();
  laneAddresses.forEach((address, lane) => {
    if (address === null) return;
    for (let byte = address; byte < address + bytes; byte++) {
      const number = Math.floor(byte / sectorBytes);
      let sector = sectors.get(number);
      if (sector === undefined) {
        const lanesOfCell = Array.from({ length: cellsOfSector }, () => new Set<number>());
        sector = { number, usedBytes: new Set(), lanes: [], lanesOfCell };
        sectors.set(number, sector);
      }
      const offset = byte - number * sectorBytes;
      sector.usedBytes.add(offset);
      sector.lanesOfCell[Math.floor(offset / bankBytes)]?.add(lane);
      if (sector.lanes.at(-1) !== lane) sector.lanes.push(lane);
    }
  });
  return [...sectors.values()].sort((a, b) => a.number - b.number);
}

function lanesOfCells({ lanesOfCell }: Sector): (readonly number[])[] {
  return lanesOfCell.map((lanes) => [...lanes]);
}

function cellsOf({ usedBytes }: Sector): Cell[] {
  return Array.from({ length: cellsOfSector }, (_, cell) => {
    for (let byte = 0; byte < bankBytes; byte++) if (usedBytes.has(cell * bankBytes + byte)) return "used";
    return "idle";
  });
}

/** "32 wavefronts, 1 ideal (32.0×)" of the request that the map shows. */
export function mapHeading(access: AccessProfile): string {
  const noun = access.space === "shared" ? "wavefront" : "sector";
  const { cost, ideal } = access.worst?.figure ?? { cost: 0, ideal: 0 };
  return `${plural(cost, noun)}, ${countText(ideal)} ideal`;
}
