// Classes: their fields, bases and layout. Members are declared in the class's scope (declare.ts), layout follows the
// Itanium ABI as nvcc on Linux has it.
import { alignmentOf, pointerTo, type RecordField, type RecordType, sizeOf } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { Context } from "../context.ts";
import type { FunctionEntity, TemplateArgument, TemplateEntity } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { Unsupported } from "../unsupported.ts";
import type { CxxType } from "./cxx-type.ts";
import { irTypeOf, opaqueBytes, strideOf, whyOpen } from "./cxx-type.ts";

export interface FieldDeclaration {
  readonly name: string;
  readonly type: CxxType;
  /** Width of a bit-field. */
  readonly bits?: number;
  /** `= value` or `{value}` at the declaration. */
  readonly initializer?: { readonly node: SyntaxNode; readonly context: Context };
  /** `alignas` at the declaration. */
  readonly alignmentBytes?: number;
}

export interface Field extends FieldDeclaration {
  readonly offsetBytes: number;
  /** Why its offset is a guess: the size of something in front of it is not known; null where it is certain. */
  readonly unplaced: string | null;
}

export interface BaseClass {
  readonly info: ClassInfo;
  readonly offsetBytes: number;
  readonly unplaced: string | null;
}

export interface ClassLayout {
  readonly record: RecordType;
  /** The class's own fields, not those of its bases. */
  readonly fields: readonly Field[];
  readonly bases: readonly BaseClass[];
  /** False where a field's type is a library's own (`std::vector`): its size is a guess that only host code sees. */
  readonly isExact: boolean;
  /** Whether a member may lie where its type is not aligned: nvcc moves it in pieces. */
  readonly isPacked: boolean;
}

/** What `members` of a class gives: evaluated once, when the class is completed. */
export interface ClassMembers {
  readonly fields: readonly FieldDeclaration[];
  readonly bases: readonly ClassInfo[];
  /** Why a base is not known; null where all are. */
  readonly unknownBase: string | null;
  readonly isUnion: boolean;
  readonly alignmentBytes: number;
  /** Why the alignment that the class asks for is not known; null where it is. */
  readonly unknownAlignment: string | null;
  /** The alignment that members have at most. */
  readonly packingBytes: number;
  readonly hasVirtual: boolean;
}

export interface ClassInfo {
  readonly name: string;
  readonly qualifiedName: string;
  readonly scope: Scope;
  /** The declaration that it stands in; null for those of CUDA itself. */
  readonly unit: SyntaxUnit | null;
  /** Set for an instance of a class template. */
  readonly instanceOf: {
    readonly template: TemplateEntity;
    readonly arguments: readonly TemplateArgument[];
  } | null;
  /** Constructors; those of built-in classes are known by kind. */
  readonly constructors: FunctionEntity[];
  /** Member functions that are declared virtual, destructors left out. */
  readonly virtuals: FunctionEntity[];
  /** A closure, a vector type of CUDA, or a class that the text defines. */
  readonly origin: "builtin" | "closure" | "source";
  layout(): ClassLayout;
  /** Its bases as they are written, also while its members are being declared. */
  writtenBases(): readonly ClassInfo[];
  /** Whether its members are being declared or laid out: until then nobody can ask for all of them. */
  isIncomplete(): boolean;
}

/** The field called `name`, in the class or its bases, with its offset in the whole object. */
export function fieldOf(info: ClassInfo, name: string): Field | null {
  const layout = info.layout();
  const own = layout.fields.find((field) => field.name === name);
  if (own) return own;
  for (const base of layout.bases) {
    const inherited = fieldOf(base.info, name);
    if (inherited) {
      const offsetBytes = inherited.offsetBytes + base.offsetBytes;
      return { ...inherited, offsetBytes, unplaced: base.unplaced ?? inherited.unplaced };
    }
  }
  // Members of an anonymous struct or union are members of the class around it.
  for (const field of layout.fields) {
    if (field.name !== "" || field.type.kind !== "class") continue;
    const inner = fieldOf(field.type.info, name);
    if (inner) {
      const offsetBytes = inner.offsetBytes + field.offsetBytes;
      return { ...inner, offsetBytes, unplaced: field.unplaced ?? inner.unplaced };
    }
  }
  return null;
}

/** Offset of the base `base` in `info`; null where it is none. The class itself is at 0. */
export function baseOffset(info: ClassInfo, base: ClassInfo): number | null {
  if (info === base) return 0;
  for (const each of info.layout().bases) {
    const inner = baseOffset(each.info, base);
    if (inner !== null) return each.offsetBytes + inner;
  }
  return null;
}

/** A class whose members are given by a function, called when its layout is first needed. */
export class SourceClass implements ClassInfo {
  readonly name: string;
  readonly qualifiedName: string;
  readonly scope: Scope;
  readonly unit: SyntaxUnit;
  readonly instanceOf: ClassInfo["instanceOf"];
  readonly constructors: FunctionEntity[] = [];
  readonly virtuals: FunctionEntity[] = [];
  readonly origin: "closure" | "source";
  private readonly members: () => ClassMembers;
  private readonly bases: () => readonly ClassInfo[];
  private state: "open" | "busy" | ClassLayout = "open";
  private isBeingDeclared = false;

  constructor(options: {
    name: string;
    qualifiedName: string;
    scope: Scope;
    unit: SyntaxUnit;
    instanceOf?: ClassInfo["instanceOf"];
    origin?: "closure" | "source";
    members: () => ClassMembers;
    bases?: () => readonly ClassInfo[];
  }) {
    this.name = options.name;
    this.qualifiedName = options.qualifiedName;
    this.scope = options.scope;
    this.unit = options.unit;
    this.instanceOf = options.instanceOf ?? null;
    this.origin = options.origin ?? "source";
    this.members = options.members;
    this.bases = options.bases ?? (() => []);
  }

  writtenBases(): readonly ClassInfo[] {
    return this.bases();
  }

  isIncomplete(): boolean {
    return this.isBeingDeclared || this.state === "busy";
  }

  /** Runs what declares its members. What they name may lead back here before the last of them is declared. */
  declaring(declareMembers: () => void): void {
    this.isBeingDeclared = true;
    try {
      declareMembers();
    } finally {
      this.isBeingDeclared = false;
    }
  }

  layout(): ClassLayout {
    if (typeof this.state === "object") return this.state;
    if (this.state === "busy") throw new Unsupported(`${this.name} contains itself`);
    this.state = "busy";
    try {
      this.state = layoutOf(this.qualifiedName, this.members());
      return this.state;
    } finally {
      if (this.state === "busy") this.state = "open";
    }
  }
}

/** A class of CUDA's own: plain fields, no methods. */
export class RecordClass implements ClassInfo {
  readonly name: string;
  readonly qualifiedName: string;
  readonly scope: Scope;
  readonly unit = null;
  readonly instanceOf = null;
  readonly constructors: FunctionEntity[] = [];
  readonly virtuals: FunctionEntity[] = [];
  readonly origin = "builtin";
  private readonly laidOut: ClassLayout;

  constructor(name: string, fields: readonly FieldDeclaration[], alignmentBytes: number) {
    this.name = name;
    this.qualifiedName = name;
    this.scope = new Scope("class", null, name);
    this.laidOut = layoutOf(name, {
      fields,
      bases: [],
      unknownBase: null,
      isUnion: false,
      alignmentBytes,
      unknownAlignment: null,
      packingBytes: Infinity,
      hasVirtual: false,
    });
  }

  isIncomplete(): boolean {
    return false;
  }

  writtenBases(): readonly ClassInfo[] {
    return [];
  }

  layout(): ClassLayout {
    return this.laidOut;
  }
}

function layoutOf(name: string, members: ClassMembers): ClassLayout {
  const fields: Field[] = [];
  const bases: BaseClass[] = [];
  // The first base with a table comes first, and has its table in common with the class.
  const primary = members.bases.find((info) => hasTable(info.layout().record));
  const hasOwnTable = members.hasVirtual && primary === undefined;
  let end = hasOwnTable ? 8 : 0;
  let unplaced = members.unknownBase;
  if (unplaced !== null) end += opaqueBytes;
  let alignmentBytes = Math.max(members.alignmentBytes, hasOwnTable ? 8 : 1);
  const placed = primary ? [primary, ...members.bases.filter((info) => info !== primary)] : members.bases;
  for (const info of placed) {
    const { record } = info.layout();
    const isEmpty = record.fields.length === 0;
    const alignment = Math.min(record.alignmentBytes, members.packingBytes);
    const offsetBytes = isEmpty ? 0 : alignUp(end, alignment);
    bases.push({ info, offsetBytes, unplaced });
    if (!info.layout().isExact) unplaced ??= `the size of ${info.name} is not known`;
    alignmentBytes = Math.max(alignmentBytes, alignment);
    if (!isEmpty) end = offsetBytes + record.sizeBytes;
  }
  bases.sort((a, b) => members.bases.indexOf(a.info) - members.bases.indexOf(b.info));
  let bitPosition: number | null = null;
  for (const field of members.fields) {
    const { size, alignment } = extentOf(name, field, members.packingBytes);
    if (field.bits !== undefined) {
      const start: number = members.isUnion ? 0 : (bitPosition ?? end * 8);
      const unit: number = size * 8;
      const first: number =
        field.bits === 0 || Math.floor(start / unit) !== Math.floor((start + field.bits - 1) / unit)
          ? alignUp(start, unit)
          : start;
      bitPosition = first + field.bits;
      end = Math.max(end, Math.ceil(bitPosition / 8));
      fields.push({ ...field, offsetBytes: Math.floor(first / unit) * size, unplaced });
    } else {
      bitPosition = null;
      const offsetBytes = members.isUnion ? 0 : alignUp(end, alignment);
      fields.push({ ...field, offsetBytes, unplaced });
      end = members.isUnion ? Math.max(end, size) : offsetBytes + size;
    }
    if (!members.isUnion && !hasExactSize(field)) unplaced ??= whyInexact(name, field);
    alignmentBytes = Math.max(alignmentBytes, alignment);
  }
  const sizeBytes = Math.max(alignUp(end, alignmentBytes), alignUp(1, alignmentBytes));
  const record: RecordType = {
    kind: "record",
    name,
    sizeBytes,
    alignmentBytes,
    fields: [...bases.flatMap(inheritedFields), ...fields.map(irField), ...(hasOwnTable ? [vtable] : [])],
  };
  const isExact =
    members.unknownBase === null &&
    members.unknownAlignment === null &&
    members.fields.every(hasExactSize) &&
    bases.every((base) => base.info.layout().isExact);
  return { record, fields, bases, isExact, isPacked: hasUnaligned(record, fields, bases) };
}

/** Whether a part of the class, or of what it holds, may lie off the boundary that its type asks for. */
function hasUnaligned(
  { alignmentBytes }: RecordType,
  fields: readonly Field[],
  bases: readonly BaseClass[],
): boolean {
  const parts = [
    ...fields.map(({ type, offsetBytes }) => ({ type: irTypeOf(type), offsetBytes })),
    ...bases.map(({ info, offsetBytes }) => ({ type: info.layout().record, offsetBytes })),
  ];
  const inner = [...fields.map(({ type }) => classIn(type)), ...bases.map(({ info }) => info)];
  return (
    inner.some((info) => info?.layout().isPacked) ||
    parts.some(({ type, offsetBytes }) => {
      const alignment = alignmentOf(type) ?? 1;
      return alignment > alignmentBytes || offsetBytes % alignment !== 0;
    })
  );
}

function classIn(type: CxxType): ClassInfo | null {
  if (type.kind === "array") return classIn(type.element);
  return type.kind === "class" ? type.info : null;
}

function extentOf(
  name: string,
  field: FieldDeclaration,
  packingBytes: number,
): { size: number; alignment: number } {
  const type = irTypeOf(field.type);
  const isOpen = field.type.kind === "array" && whyOpen(field.type) !== null;
  const size = isOpen ? opaqueBytes : (sizeOf(type) ?? (field.type.kind === "unknown" ? opaqueBytes : null));
  const alignment = alignmentOf(type) ?? 8;
  if (size === null) throw new Unsupported(`the size of ${name}::${field.name} is not known`);
  return { size, alignment: Math.max(Math.min(alignment, packingBytes), field.alignmentBytes ?? 1) };
}

function whyInexact(name: string, field: FieldDeclaration): string {
  const { type } = field;
  if (type.kind === "unknown") return type.reason;
  return (type.kind === "array" ? whyOpen(type) : null) ?? `the size of ${name}::${field.name} is not known`;
}

function hasExactSize(field: FieldDeclaration): boolean {
  return strideOf(field.type) !== null;
}

function inheritedFields(base: BaseClass): RecordField[] {
  return base.info
    .layout()
    .record.fields.map((field) => ({ ...field, offsetBytes: field.offsetBytes + base.offsetBytes }));
}

function irField(field: Field): RecordField {
  const { name, type, offsetBytes } = field;
  return { name, type: irTypeOf(type), offsetBytes, isReference: type.kind === "reference" };
}

const vtable: RecordField = { name: "$vtable", type: pointerTo({ kind: "void" }), offsetBytes: 0 };

function hasTable(record: RecordType): boolean {
  return record.fields.some(({ name, offsetBytes }) => name === vtable.name && offsetBytes === 0);
}

function alignUp(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
