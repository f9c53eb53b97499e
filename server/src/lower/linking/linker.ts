// The units of a program, linked as ld would: what one of them declares and does not define, the first of the others that has it defines.
import type { FunctionId } from "../../ir/function.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SyntaxUnit, TranslationUnit } from "../../syntax/unit.ts";
import type { SourceRange } from "../../text/source.ts";
import type { FunctionInstance } from "../functions/instance.ts";
import type { FunctionEntity, TemplateArgument, VariableInfo } from "../names/entity.ts";
import { Translation } from "../translation.ts";
import { definitionIn } from "./function-in.ts";
import { classesIn, isInternal, isLocal } from "./internal.ts";
import { type Linkage, type NamedVariable, unlinked } from "./linkage.ts";
import { variableIn } from "./variable-in.ts";

/** How many numbers a unit has for its own variables. */
const idsPerUnit = 2 ** 32;

export class Linker {
  /** In the order in which they are linked: that of the root first. */
  readonly units: readonly LinkedUnit[];
  /** By id, the unit whose definition the program takes. */
  private readonly owners = new Map<FunctionId, LinkedUnit>();

  constructor(
    sources: readonly TranslationUnit[],
    librariesOf: (unit: TranslationUnit) => readonly TranslationUnit[],
  ) {
    this.units = sources.map((source, index) => {
      const way = sources.slice(0, index).filter(({ file }) => file === source.file).length;
      return new LinkedUnit(this, source, { index, way }, librariesOf);
    });
  }

  /** The unit that made a function; null where none did. */
  ownerOf(id: FunctionId): Translation | null {
    return this.owners.get(id)?.translation ?? null;
  }

  /** The unit that made a variable. */
  makerOf({ id }: Variable): Translation | null {
    return this.units[Math.floor(id / idsPerUnit)]?.translation ?? null;
  }

  /** A definition goes before a declaration, and the first before those that come after it. */
  register({ id, entity }: FunctionInstance, unit: LinkedUnit): void {
    const known = this.owners.get(id);
    const isBetter =
      known === undefined || (entity.body !== null && known.translation.instanceOf(id)?.entity.body === null);
    if (isBetter) this.owners.set(id, unit);
  }
}

/** The place of a unit among those of its program, and among those of its source: one for each way in which it is compiled. */
interface UnitPlace {
  readonly index: number;
  readonly way: number;
}

/** One translation unit among those of its program. It is indexed and lowered as far as somebody asks. */
export class LinkedUnit implements Linkage {
  readonly source: TranslationUnit;
  readonly firstId: number;
  private readonly linker: Linker;
  private readonly index: number;
  private readonly libraries: () => readonly TranslationUnit[];
  private made: Translation | null = null;
  private readonly definitions = new Map<FunctionInstance, FunctionInstance | null>();
  private readonly marks = new Map<SyntaxUnit, string>();
  private readonly ownMark: string;
  private byPlace: ReadonlyMap<string, readonly SyntaxUnit[]> | null = null;

  constructor(
    linker: Linker,
    source: TranslationUnit,
    { index, way }: UnitPlace,
    librariesOf: (unit: TranslationUnit) => readonly TranslationUnit[],
  ) {
    this.linker = linker;
    this.source = source;
    this.index = index;
    this.ownMark = markOfFile(way === 0 ? source.file : `${source.file}#${way}`);
    this.firstId = index * idsPerUnit;
    this.libraries = () => librariesOf(source);
  }

  get translation(): Translation {
    this.made ??= new Translation(this.source, this.libraries(), this.isAlone() ? unlinked : this);
    return this.made;
  }

  /**
   * The ids of the first unit are plain. So are those of what stands in a header word for word as the first unit has it: that is one
   * function. All else has a number that hangs on the file it stands in alone, so that no id changes where another unit is edited.
   */
  markOf(entity: FunctionEntity, list: readonly TemplateArgument[]): string {
    if (this.index === 0 || !this.translation.isOwn(entity.unit)) return "";
    if (isInternal(entity)) return this.ownMark;
    const mark = this.markOfDeclaration(entity.unit);
    if (mark !== "") return mark;
    for (const info of classesIn(entity, list)) {
      if (isLocal(info)) return this.ownMark;
      const own = info.unit && this.translation.isOwn(info.unit) ? this.markOfDeclaration(info.unit) : "";
      if (own !== "") return own;
    }
    return "";
  }

  definitionOf(declared: FunctionInstance): FunctionInstance | null {
    const known = this.definitions.get(declared);
    if (known !== undefined) return known;
    this.definitions.set(declared, null);
    const { entity } = declared;
    const isElsewhere = this.translation.isOwn(entity.unit) && !isInternal(entity);
    const found = isElsewhere ? this.first((other) => definitionIn(other.translation, declared)) : null;
    this.definitions.set(declared, found);
    return found;
  }

  variableOf(declared: NamedVariable): VariableInfo | null {
    if (!this.translation.isOwn(declared.unit)) return null;
    if (declared.is === "declared") return this.first((other) => variableIn(other.translation, declared));
    const place = declared.unit.extent();
    for (const earlier of this.linker.units.slice(0, this.index))
      if (earlier.declaredAt(place).length > 0) return variableIn(earlier.translation, declared);
    return null;
  }

  others(): readonly TranslationUnit[] {
    return this.linker.units.flatMap(({ source }) => (source === this.source ? [] : [source]));
  }

  register(instance: FunctionInstance): void {
    this.linker.register(instance, this);
  }

  private isAlone(): boolean {
    return this.linker.units.length === 1;
  }

  private first<Found>(look: (other: LinkedUnit) => Found | null): Found | null {
    for (const other of this.linker.units) {
      const found = other === this ? null : look(other);
      if (found !== null) return found;
    }
    return null;
  }

  private markOfDeclaration(unit: SyntaxUnit): string {
    const mark = this.marks.get(unit) ?? this.readMark(unit);
    this.marks.set(unit, mark);
    return mark;
  }

  private readMark(unit: SyntaxUnit): string {
    const own = this.ownMark;
    const place = unit.extent();
    if (place === null || place.file === this.source.file || unit.namespaces.includes("")) return own;
    for (const earlier of this.linker.units.slice(0, this.index)) {
      const declared = earlier.declaredAt(place);
      if (declared.length === 0) continue;
      if (!declared.some((each) => each.hash() === unit.hash())) return own;
      return earlier.index === 0 ? "" : markOfFile(place.file);
    }
    return markOfFile(place.file);
  }

  /** What this unit has at a place in a header. */
  private declaredAt(place: SourceRange | null): readonly SyntaxUnit[] {
    this.byPlace ??= declarationsByPlace(this.source);
    return place === null ? [] : (this.byPlace.get(keyOf(place)) ?? []);
  }
}

function declarationsByPlace({ units, file }: TranslationUnit): ReadonlyMap<string, readonly SyntaxUnit[]> {
  const byPlace = new Map<string, SyntaxUnit[]>();
  for (const unit of units) {
    const place = unit.extent();
    if (place === null || place.file === file) continue;
    const known = byPlace.get(keyOf(place));
    if (known) known.push(unit);
    else byPlace.set(keyOf(place), [unit]);
  }
  return byPlace;
}

function keyOf({ file, start }: SourceRange): string {
  return `${start} ${file}`;
}

/** Digits alone: nobody takes them for a name. */
function markOfFile(file: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < file.length; at++) hash = Math.imul(hash ^ file.charCodeAt(at), 0x01000193);
  return `@${hash >>> 0}`;
}
