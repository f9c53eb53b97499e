// Objects of the host's memory: variables, allocations and what unknown pointers point to, as typed cells by byte offset,
// with journals, so that two ways through the code can be taken one after the other and merged.

import type { Type } from "../../ir/type.ts";
import { isScalar, sameType, sizeOf, unknownType } from "../../ir/type.ts";
import { convert } from "../../semantics/arithmetic.ts";
import { reinterpret } from "../../semantics/bytes.ts";
import type { Allocation } from "../launch.ts";
import { clearData, type Data, readData, writeData } from "./data.ts";
import { leavesOf } from "./leaves.ts";
import type { RecordValue, Value } from "./value.ts";
import { isScalarValue, mergeContents, overlaps, unknownValue } from "./value.ts";

export interface Cell {
  readonly value: Value;
  readonly bytes: number;
  readonly type: Type;
}

/** What bytes hold that nobody has written: zeros, or what is not known. */
export type Fill = "zero" | "unknown";

export interface HostObject {
  /** Counts up: an object made later has a greater one. 0 for what is there from the program's start, whenever it is first asked for. */
  readonly serial: number;
  /** Empty for an allocation that no variable holds yet. */
  name: string;
  readonly sizeBytes: number | null;
  readonly alignmentBytes: number;
  /** What a pointer points to that came from outside the text: it may be null, or overlap with others. */
  readonly isOpaque: boolean;
  /** Its contents are data, which no launch is worth following: reads are unknown, and writes not kept, unless `data` keeps them. */
  readonly isBulk: boolean;
  /** What is kept of data in bulk, where accesses of kernels hang on it. */
  readonly data: Data | null;
  /** Kernels write to it as the host does. */
  readonly isManaged: boolean;
  /** The characters of a string literal, which nothing changes. */
  readonly isLiteral: boolean;
  /** Whether a record that points to it was copied: others may point to it as well. */
  isShared: boolean;
  /** A record of members alone, each at a place of its own: no index chooses what is written. */
  readonly hasMembersOnly: boolean;
  /** A variable of a function or a block, and gone with it. */
  readonly isLocal: boolean;
  /** Disjoint ranges of bytes, by their first. */
  cells: Map<number, Cell>;
  fill: Fill;
  /** Why its bytes are not known where `fill` says so. */
  reason: string;
  /** How launches name it; made when a launch first does. */
  allocation: Allocation | null;
}

/** The contents of the objects that were written since the journal was opened, as they were then. */
export type Journal = Map<HostObject, Contents>;

export interface Contents {
  readonly cells: ReadonlyMap<number, Cell>;
  readonly fill: Fill;
}

/** What was written, and where: a type by its first byte; null where an index may have chosen the place. */
export type Written = Map<HostObject, Map<number, Type> | null>;

export interface ObjectShape {
  readonly name: string;
  readonly sizeBytes: number | null;
  readonly alignmentBytes: number;
  readonly fill: Fill;
  readonly reason: string;
  readonly isOpaque?: boolean;
  readonly isBulk?: boolean;
  readonly data?: Data | null;
  readonly isManaged?: boolean;
  readonly isLiteral?: boolean;
  readonly hasMembersOnly?: boolean;
  readonly isLocal?: boolean;
  readonly isFromStart?: boolean;
}

let serials = 0;

/** The serial of the object that was made last. */
export function lastSerial(): number {
  return serials;
}

/** Of data in bulk, to which no cell is ever added: loops allocate them by the thousand. */
const noCells: Map<number, Cell> = new Map();

export function makeObject(shape: ObjectShape): HostObject {
  serials += 1;
  return {
    serial: shape.isFromStart === true ? 0 : serials,
    name: shape.name,
    sizeBytes: shape.sizeBytes,
    alignmentBytes: shape.alignmentBytes,
    isOpaque: shape.isOpaque ?? false,
    isBulk: shape.isBulk ?? false,
    data: shape.data ?? null,
    isManaged: shape.isManaged ?? false,
    isLiteral: shape.isLiteral ?? false,
    isShared: false,
    hasMembersOnly: shape.hasMembersOnly ?? false,
    isLocal: shape.isLocal ?? false,
    cells: shape.isBulk ? noCells : new Map(),
    fill: shape.fill,
    reason: shape.reason,
    allocation: null,
  };
}

const characterType = { kind: "integer", bits: 8, signed: true } as const;

function makeLiteral(text: string): HostObject {
  const object = makeObject({
    name: `"${text}"`,
    sizeBytes: text.length + 1,
    alignmentBytes: 1,
    fill: "zero",
    reason: "a text",
    isLiteral: true,
  });
  for (let at = 0; at < text.length; at++)
    object.cells.set(at, { value: text.charCodeAt(at), bytes: 1, type: characterType });
  return object;
}

/** More cells than this in one object, and it is forgotten: nobody launches kernels from tables of that size. */
const maxCells = 1 << 16;

/** What a text that grows by a letter at a time moves in all would take longer than anybody waits. */
const mostUnitsMoved = 1 << 23;

/** What a journal is kept for, and the last object that was there when it was opened: later ones nobody can come back to. */
interface JournalUse {
  /** To come back to where ways part, or to see what has changed. */
  readonly purpose: "ways" | "changes";
  readonly serial: number;
}

/** Memory of the host, with the journals that are open. */
export class Memory {
  private readonly journals = new Map<Journal, JournalUse>();
  /** The open watches, each with the last object that was there when it was opened. */
  private readonly watches = new Map<Written, number>();
  private readonly literals = new Map<string, HostObject>();
  /** Units of data in bulk that calls have copied or filled. */
  private unitsMoved = 0;
  /** The GPU's memory whose contents are followed. */
  readonly followed = new Set<HostObject>();
  /** What those variables held at the program's start that have been written since. */
  private readonly start: Journal = new Map();

  constructor() {
    this.journals.set(this.start, { purpose: "changes", serial: 0 });
  }

  /** The characters of a string literal, and the zero behind them. */
  literal(text: string): HostObject {
    const known = this.literals.get(text);
    if (known !== undefined) return known;
    const object = makeLiteral(text);
    this.literals.set(text, object);
    return object;
  }

  /** Collects what is written from now on, until `unwatch`, but for variables that come into being meanwhile: nobody reads them then. */
  watch(): Written {
    const written: Written = new Map();
    this.watches.set(written, lastSerial());
    return written;
  }

  unwatch(written: Written): void {
    this.watches.delete(written);
  }

  /** But for that of the program's start. */
  get openJournals(): number {
    return this.journals.size - 1;
  }

  openJournal(purpose: JournalUse["purpose"] = "ways"): Journal {
    const journal: Journal = new Map();
    this.journals.set(journal, { purpose, serial: lastSerial() });
    return journal;
  }

  closeJournal(journal: Journal): void {
    this.journals.delete(journal);
  }

  /** What the objects of a journal hold now. */
  contentsOf(journal: Journal): Journal {
    const now: Journal = new Map();
    for (const object of journal.keys()) now.set(object, { cells: new Map(object.cells), fill: object.fill });
    return now;
  }

  /** Puts back what the journal remembers. The journal stays open. */
  restore(journal: Journal): void {
    for (const [object, contents] of journal) this.replace(object, new Map(contents.cells), contents.fill);
  }

  /**
   * Merges what now is with another way from the same point: `other` holds the contents that its objects had at the end of
   * that way, `before` those of every object written since on either way, as they were at the point.
   */
  mergeWith(other: Journal, before: Journal, reason: string): void {
    for (const [object, contents] of [...other, ...before]) {
      const there = other.get(object) ?? contents;
      const merged = mergeContents({ cells: object.cells, fill: object.fill }, there, reason);
      this.replace(object, merged.cells, merged.fill);
    }
  }

  /** Forgets all that `object` holds. */
  forget(object: HostObject, reason: string): void {
    if (object.isLiteral) return;
    if (object.data === null) this.replace(object, new Map(), "unknown");
    else clearData(object.data, 0);
    this.noteWritten(object);
    object.reason = reason;
  }

  /** Notes that something was written somewhere in `object`. */
  noteWritten(object: HostObject): void {
    for (const [written, serial] of this.watches) if (mayOutlast(object, serial)) written.set(object, null);
    if (object.data === null) return;
    for (const [journal, { purpose, serial }] of this.journals)
      if (purpose === "changes" && object.serial <= serial) journal.set(object, noContents);
  }

  /** Counts units of data that a call copies or fills; false once they are too many. */
  spendUnits(units: number): boolean {
    this.unitsMoved += units;
    return this.unitsMoved <= mostUnitsMoved;
  }

  /** The last object that was there when a way began that may not be the one taken; -1 where none is open. */
  get lastUncertainSerial(): number {
    let last = -1;
    for (const { purpose, serial } of this.journals.values())
      if (purpose === "ways") last = Math.max(last, serial);
    return last;
  }

  /** Forgets what `object` holds where a `type` was written at `offset`; all of it where an index may choose another place. */
  forgetPlace(object: HostObject, offset: number, type: Type, reason: string): void {
    if (object.hasMembersOnly) this.write(object, offset, type, unknownValue(reason));
    else this.forget(object, reason);
  }

  /** Forgets what was written, wherever it is sure to have been; all of the other objects. */
  forgetWritten(written: Written, reason: string): void {
    for (const [object, places] of written) {
      if (places === null || !object.hasMembersOnly) this.forget(object, reason);
      else for (const [offset, type] of places) this.forgetPlace(object, offset, type, reason);
    }
  }

  read(object: HostObject, offset: number, type: Type): Value {
    if (object.data !== null) return readOf(object.data, offset, type);
    if (object.isBulk) return unknownValue(`what ${object.name} holds`);
    return readContents(object, offset, type, object.reason);
  }

  write(object: HostObject, offset: number, type: Type, value: Value): void {
    if (object.data !== null) {
      this.writeToData(object, object.data, offset, type, value);
      return;
    }
    if (object.isBulk || object.isLiteral) return;
    this.remember(object);
    for (const [written, serial] of this.watches)
      if (mayOutlast(object, serial)) notePlace(written, object, offset, type);
    this.put(object, offset, type, value);
  }

  /**
   * What `run` gives where it finds variables as they were at the program's start, when those of files are initialized. What it writes to them
   * they hold from then on, but for those that have been written since.
   */
  atStart<T>(run: () => T): T {
    const now = this.contentsOf(this.start);
    for (const [object, contents] of this.start) setContents(object, contents);
    const result = run();
    for (const object of [...this.start.keys()]) {
      const contents = now.get(object);
      this.start.delete(object);
      if (contents === undefined) continue;
      this.start.set(object, { cells: object.cells, fill: object.fill });
      setContents(object, contents);
    }
    return result;
  }

  /** What `object` holds before anything else is done to it, on whichever way it is first asked for: nobody is told of a write. */
  initialize(object: HostObject, type: Type, value: Value, offset = 0): void {
    if (object.data !== null) putData(object.data, offset, type, value);
    else if (sizeOf(type) === null) object.fill = "unknown";
    else if (!object.isBulk) this.put(object, offset, type, value);
  }

  private put(object: HostObject, offset: number, type: Type, value: Value): void {
    const bytes = sizeOf(type);
    if (bytes === null || object.cells.size > maxCells) {
      this.forget(object, object.reason);
    } else if (type.kind === "record" || type.kind === "array") {
      this.writeRecord(object, offset, type, bytes, value);
    } else {
      clear(object.cells, offset, bytes);
      object.cells.set(offset, { value, bytes, type });
    }
  }

  /** On a way that may not be the one taken, what was there is forgotten with what is written. */
  private writeToData(object: HostObject, data: Data, offset: number, type: Type, value: Value): void {
    this.noteWritten(object);
    const isSure = object.serial > this.lastUncertainSerial;
    putData(data, offset, type, isSure ? value : unknownValue(object.reason));
  }

  private writeRecord(object: HostObject, offset: number, type: Type, bytes: number, value: Value): void {
    const record: RecordValue =
      !isScalarValue(value) && value.kind === "record"
        ? value
        : { kind: "record", cells: new Map(), fill: "unknown" };
    if (!isScalarValue(value) && value.kind === "unknown") object.reason = value.reason;
    const isWhole = offset === 0 && bytes === object.sizeBytes;
    if (isWhole) {
      object.cells = new Map();
      object.fill = record.fill;
    } else {
      clear(object.cells, offset, bytes);
      // A cell of just that size, which `clear` leaves to be written over.
      object.cells.delete(offset);
      if (record.fill !== object.fill && !this.spellOut(object, offset, type, record.fill)) return;
    }
    for (const [at, cell] of record.cells) {
      clear(object.cells, offset + at, cell.bytes);
      object.cells.set(offset + at, cell);
    }
  }

  /** Writes a cell for each scalar of `type`; false where they are too many, and the object was forgotten. */
  private spellOut(object: HostObject, offset: number, type: Type, fill: Fill): boolean {
    const leaves = leavesOf(type);
    if (leaves === null) {
      this.forget(object, object.reason);
      return false;
    }
    for (const leaf of leaves) {
      const value = fill === "zero" ? 0 : unknownValue(object.reason);
      object.cells.set(offset + leaf.offsetBytes, { value, bytes: leaf.bytes, type: leaf.type });
    }
    return true;
  }

  /** Puts other contents in place. Where ways are left and merged, what they wrote was noted when they wrote it. */
  private replace(object: HostObject, cells: Map<number, Cell>, fill: Fill): void {
    this.remember(object);
    for (const [written, serial] of this.watches)
      if (mayOutlast(object, serial) && !written.has(object)) written.set(object, null);
    object.cells = cells;
    object.fill = fill;
  }

  private remember(object: HostObject): void {
    let contents: Contents | null = null;
    for (const [journal, { serial }] of this.journals) {
      if (object.serial > serial || journal.has(object)) continue;
      contents ??= { cells: new Map(object.cells), fill: object.fill };
      journal.set(object, contents);
    }
  }
}

/** Data in bulk stay as they are. */
function setContents(object: HostObject, { cells, fill }: Contents): void {
  if (object.data !== null) return;
  object.cells = new Map(cells);
  object.fill = fill;
}

const noContents: Contents = { cells: new Map(), fill: "unknown" };

function putData(data: Data, offset: number, type: Type, value: Value): void {
  if (type.kind !== "record" && type.kind !== "array") {
    writeData(data, offset, type, value);
    return;
  }
  const leaves = leavesOf(type);
  if (leaves === null || isScalarValue(value) || value.kind !== "record") {
    clearData(data, 0);
    return;
  }
  for (const { offsetBytes, type: part } of leaves)
    writeData(data, offset + offsetBytes, part, readContents(value, offsetBytes, part, ""));
}

function readOf(data: Data, offset: number, type: Type): Value {
  if (type.kind !== "record" && type.kind !== "array") return readData(data, offset, type);
  const cells = new Map<number, Cell>();
  for (const leaf of leavesOf(type) ?? [])
    cells.set(leaf.offsetBytes, {
      value: readData(data, offset + leaf.offsetBytes, leaf.type),
      bytes: leaf.bytes,
      type: leaf.type,
    });
  return { kind: "record", cells, fill: "unknown" };
}

/** Whether somebody may read the object behind a stretch of code that began when the object of that serial was the last. */
function mayOutlast(object: HostObject, serial: number): boolean {
  return !object.isLocal || object.serial <= serial;
}

function notePlace(written: Written, object: HostObject, offset: number, type: Type): void {
  const places = written.get(object);
  if (places === null) return;
  if (!object.hasMembersOnly) {
    written.set(object, null);
    return;
  }
  if (places === undefined) {
    written.set(object, new Map([[offset, type]]));
    return;
  }
  const known = places.get(offset);
  // Loops write the same places over and over.
  if (known === type) return;
  if (known === undefined || (sizeOf(known) ?? 0) <= (sizeOf(type) ?? 0)) places.set(offset, type);
}

/** What `type` reads at `offset` of an object or record; `reason` says why where that is not known. */
export function readContents(contents: Contents, offset: number, type: Type, reason: string): Value {
  const bytes = sizeOf(type);
  if (bytes === null) return unknownValue(reason);
  if (type.kind === "record" || type.kind === "array") return readRecord(contents, offset, bytes);
  const cell = contents.cells.get(offset);
  if (cell !== undefined) return cell.bytes === bytes ? reread(cell, type) : unknownValue(reason);
  if (overlaps(contents.cells, offset, bytes)) return unknownValue(reason);
  return contents.fill === "zero" ? 0 : unknownValue(reason);
}

function readRecord(contents: Contents, offset: number, bytes: number): RecordValue {
  const cells = new Map<number, Cell>();
  for (const [at, cell] of contents.cells) {
    if (at < offset || at + cell.bytes > offset + bytes) continue;
    cells.set(at - offset, cell);
    if (!isScalarValue(cell.value) && cell.value.kind === "pointer") cell.value.object.isShared = true;
  }
  return { kind: "record", cells, fill: contents.fill };
}

/** The bytes of a cell read as `type` of the same size. */
function reread(cell: Cell, type: Type): Value {
  const { value } = cell;
  if (!isScalarValue(value) || !isScalar(type) || !isScalar(cell.type)) return value;
  if (sameType(cell.type, type)) return value;
  if (cell.type.kind === "integer" && type.kind === "integer") return convert(value, cell.type, type);
  return reinterpret(value, cell.type, type);
}

const widestBytes = 8;

/** Makes room for `bytes` at `offset`; of a cell that reaches beyond, the rest is not known. */
function clear(cells: Map<number, Cell>, offset: number, bytes: number): void {
  if (cells.size === 0 || cells.get(offset)?.bytes === bytes) return;
  if (bytes > 64) {
    for (const at of [...cells.keys()]) cut(cells, at, offset, offset + bytes);
    return;
  }
  for (let at = offset - widestBytes + 1; at < offset + bytes; at++) cut(cells, at, offset, offset + bytes);
}

function cut(cells: Map<number, Cell>, at: number, start: number, end: number): void {
  const cell = cells.get(at);
  if (cell === undefined || at >= end || at + cell.bytes <= start) return;
  cells.delete(at);
  const rest = (from: number, to: number) => {
    const type = unknownType("part of a value");
    if (from < to)
      cells.set(from, { value: unknownValue("part of a value was written"), bytes: to - from, type });
  };
  rest(at, start);
  rest(end, at + cell.bytes);
}
