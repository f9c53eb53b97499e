// Nsight Compute's own files (.ncu-rep): the letters NVR, a header, then blocks of Protocol Buffers. Field numbers are those of version 7, read off
// the reports of https://github.com/NVIDIA/nsight-training.

import { collectAdvice } from "./csv.ts";
import { type LineRow, linesOfCubin, rowsAt } from "./cubin-lines.ts";
import { type Field, Message } from "./messages.ts";
import {
  chargedLines,
  kernelOf,
  type MeasuredFigures,
  type MeasuredLaunch,
  type MeasuredLine,
  noFigures,
  type ReadMeasurement,
} from "./report.ts";

const number = (at: number): Field => ({ number: at, kind: "number" });
const text = (at: number): Field => ({ number: at, kind: "string" });
const bytes = (at: number): Field => ({ number: at, kind: "bytes" });

const fileHeader = { version: number(1) };
const blockHeader = { sources: number(1), results: number(2), strings: bytes(4), payload: number(5) };
const stringTable = { strings: text(1) };
const source = { id: number(1), cubin: bytes(4), functions: bytes(9) };
const functionTable = { functions: bytes(1) };
const functionEntry = { name: text(1), address: number(2) };
const result = {
  mangled: text(5),
  name: text(6),
  demangled: text(7),
  grid: bytes(10),
  block: bytes(11),
  metrics: bytes(13),
  source: bytes(15),
};
const sourceReference = { id: number(1) };
const extent = { x: number(1), y: number(2), z: number(3) };
const metric = { name: number(1), value: bytes(2), instances: bytes(3) };
const instance = { place: bytes(1), value: bytes(2) };
const value = {
  float: { number: 2, kind: "float" },
  double: { number: 3, kind: "double" },
  short: number(4),
  long: number(5),
} as const satisfies Readonly<Record<string, Field>>;

const knownVersion = 7;

const metricNames: Readonly<Record<string, keyof MeasuredFigures>> = {
  memory_l1_wavefronts_shared: "wavefronts",
  memory_l1_wavefronts_shared_ideal: "idealWavefronts",
  memory_l2_theoretical_sectors_global: "sectors",
  memory_l2_theoretical_sectors_global_ideal: "idealSectors",
};
const sharedMetric = "launch__shared_mem_per_block_dynamic";

const csvAdvice =
  "Export it: `ncu --import FILE --page source --print-source cuda,sass --csv > report.csv`, and read that";

export function isNcuReport(file: Uint8Array): boolean {
  return file[0] === 0x4e && file[1] === 0x56 && file[2] === 0x52 && file[3] === 0;
}

/** Every launch of the report. Never throws. */
export function readNcuReport(file: Uint8Array): ReadMeasurement {
  try {
    return readBlocks(file);
  } catch (error) {
    const reason = error instanceof CutOff ? "the report is cut off" : "the report cannot be decoded";
    return { kind: "error", message: `${reason}. ${csvAdvice}` };
  }
}

class CutOff extends Error {}

function readBlocks(file: Uint8Array): ReadMeasurement {
  const reader = new Blocks(file, 4);
  const version = new Message(reader.sized(), Object.values(fileHeader)).number(fileHeader.version);
  if (version !== knownVersion)
    return {
      kind: "error",
      message: `a report of version ${version ?? "unknown"}; version ${knownVersion} can be read. ${csvAdvice}`,
    };
  const strings: string[] = [];
  const sources = new Map<number, Code>();
  const results: Message[] = [];
  while (!reader.isAtEnd()) {
    const header = new Message(reader.sized(), Object.values(blockHeader));
    const table = header.bytes(blockHeader.strings);
    // Indices go on through all blocks.
    if (table !== null) strings.push(...new Message(table, [stringTable.strings]).texts(stringTable.strings));
    const payload = new Blocks(reader.take(header.number(blockHeader.payload) ?? 0), 0);
    for (let left = header.number(blockHeader.sources) ?? 0; left > 0; left--) {
      const each = new Message(payload.sized(), Object.values(source));
      const id = each.number(source.id) ?? -1;
      sources.set(id, joined(sources.get(id), codeOf(each)));
    }
    for (let left = header.number(blockHeader.results) ?? 0; left > 0; left--)
      results.push(new Message(payload.sized(), Object.values(result)));
  }
  const launches = results.map((each) => launchOf(each, strings, sources));
  if (launches.length > 0 && launches.every(({ totals }) => totals === null))
    return { kind: "error", message: `the report has no figures of memory accesses. ${collectAdvice}` };
  const hasLines = launches.some(({ lines }) => lines !== null);
  const notes =
    launches.length === 0 || hasLines ? [] : [`No lines are known of the code that ran. ${collectAdvice}`];
  return { kind: "launches", launches, notes };
}

/** Pieces with their sizes before them. */
class Blocks {
  private readonly file: Uint8Array;
  private at: number;

  constructor(file: Uint8Array, at: number) {
    this.file = file;
    this.at = at;
  }

  isAtEnd(): boolean {
    return this.at >= this.file.length;
  }

  sized(): Uint8Array {
    const size = this.take(4);
    return this.take(new DataView(size.buffer, size.byteOffset).getUint32(0, true));
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.file.length) throw new CutOff();
    this.at += count;
    return this.file.subarray(this.at - count, this.at);
  }
}

/** A module that ran: where its functions lay, and which lines they are of. */
interface Code {
  /** By address, ascending. */
  readonly functions: readonly { readonly name: string; readonly address: number }[];
  readonly lines: ReadonlyMap<string, readonly LineRow[]>;
}

function codeOf(each: Message): Code {
  const table = each.bytes(source.functions);
  const entries =
    table === null ? [] : new Message(table, [functionTable.functions]).all(functionTable.functions);
  const functions = entries.map((entry) => {
    const message = new Message(entry, Object.values(functionEntry));
    return { name: message.text(functionEntry.name), address: message.number(functionEntry.address) ?? 0 };
  });
  functions.sort((a, b) => a.address - b.address);
  return { functions, lines: cubinLines(each.bytes(source.cubin)) };
}

/** A module comes again when another of its kernels has run: with that kernel's name, and without its code. */
function joined(known: Code | undefined, code: Code): Code {
  if (known === undefined) return code;
  const functions = [...known.functions, ...code.functions].sort((a, b) => a.address - b.address);
  return { functions, lines: new Map([...known.lines, ...code.lines]) };
}

/** Of PTX, or of what was compiled in another way, there are none. */
function cubinLines(cubin: Uint8Array | null): Code["lines"] {
  try {
    return cubin === null ? new Map() : linesOfCubin(cubin);
  } catch {
    return new Map();
  }
}

function launchOf(
  each: Message,
  strings: readonly string[],
  sources: ReadonlyMap<number, Code>,
): MeasuredLaunch {
  const signature = each.text(result.demangled) || each.text(result.name) || each.text(result.mangled);
  const reference = each.bytes(result.source);
  const id =
    reference === null ? null : new Message(reference, [sourceReference.id]).number(sourceReference.id);
  const code = id === null ? undefined : sources.get(id);
  const totals = { ...noFigures };
  const byAddress = new Map<number, MeasuredFigures>();
  let isCollected = false;
  let sharedBytes: number | null = null;
  for (const entry of each.all(result.metrics)) {
    const message = new Message(entry, Object.values(metric));
    const name = strings[message.number(metric.name) ?? -1] ?? "";
    if (name === sharedMetric) sharedBytes = figureIn(message.bytes(metric.value));
    const figure = metricNames[name];
    if (figure === undefined) continue;
    isCollected = true;
    totals[figure] = figureIn(message.bytes(metric.value)) ?? 0;
    for (const part of message.all(metric.instances)) {
      const one = new Message(part, Object.values(instance));
      const address = figureIn(one.bytes(instance.place));
      const count = figureIn(one.bytes(instance.value)) ?? 0;
      if (address === null || count === 0) continue;
      const known = byAddress.get(address) ?? noFigures;
      byAddress.set(address, { ...known, [figure]: known[figure] + count });
    }
  }
  return {
    signature,
    ...kernelOf(signature),
    block: extentsOf(each.bytes(result.block)),
    grid: extentsOf(each.bytes(result.grid)),
    sharedBytes,
    totals: isCollected ? totals : null,
    lines: code === undefined || !isCollected ? null : linesOf(byAddress, code),
  };
}

/** Null where some address has no line. */
function linesOf(
  byAddress: ReadonlyMap<number, MeasuredFigures>,
  { functions, lines }: Code,
): MeasuredLine[] | null {
  const instructions = [...byAddress].map(([address, figures]) => {
    const holder = functions.findLast((each) => each.address <= address);
    const places = holder === undefined ? [] : rowsAt(lines.get(holder.name) ?? [], address - holder.address);
    return { places, figures };
  });
  return instructions.every(({ places }) => places.length > 0) ? chargedLines(instructions) : null;
}

function extentsOf(message: Uint8Array | null): readonly number[] | null {
  if (message === null) return null;
  const read = new Message(message, Object.values(extent));
  return [extent.x, extent.y, extent.z].map((field) => read.number(field) ?? 1);
}

function figureIn(message: Uint8Array | null): number | null {
  if (message === null) return null;
  const read = new Message(message, Object.values(value));
  return (
    read.number(value.long) ??
    read.number(value.short) ??
    read.number(value.double) ??
    read.number(value.float)
  );
}
