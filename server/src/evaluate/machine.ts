// The state of one evaluation: what variables hold, which symbols and objects exist, what was recorded, and the budget.
import type { Assumption, CompilerDoubt } from "../ir/assumption.ts";
import type { AccessSite } from "../ir/expression.ts";
import type { FunctionDefinition, Program } from "../ir/function.ts";
import type { Loop } from "../ir/statement.ts";
import type { Type } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { Launch } from "../launches/launch.ts";
import type { Carried } from "./code/inductions.ts";
import { type Relevance, relevanceOf } from "./code/relevance.ts";
import type { Remade } from "./code/remade.ts";
import type { KnownPitches } from "./cost/pitch.ts";
import type { CallPath, LogEntry, SizeUse } from "./cost/recorder.ts";
import { baseOf, type ObjectTable } from "./memory/objects.ts";
import type { RememberedAccesses } from "./memory/remembered.ts";
import type { BoundRegion } from "./regions/region.ts";
import { factorsOf, nameOf } from "./values/derive.ts";
import type { Lanes } from "./values/lanes.ts";
import {
  add,
  blend as blendForms,
  known as knownForm,
  type Linear,
  multiply,
  rangeOf as rangeOfForm,
  sameLinear,
  subtract,
  symbolic,
} from "./values/linear.ts";
import type { Mask } from "./values/mask.ts";
import { emptyMask } from "./values/mask.ts";
import { and, not, or, undecided } from "./values/predicates.ts";
import { BudgetSpent, type Split } from "./values/symbol.ts";
import { rangeOfType, type SymbolTable } from "./values/symbols.ts";
import {
  type AggregateValue,
  type Cell,
  decided,
  isSameObject,
  type MemoryObject,
  type PointerValue,
  unknownValue,
  type Value,
  variesByLane,
} from "./values/value.ts";

export interface Machine {
  readonly program: Program;
  readonly launch: Launch;
  readonly symbols: SymbolTable;
  readonly objects: ObjectTable;
  readonly bound: BoundRegion;
  readonly sizes: SizeUse;
  readonly gaps: Set<string>;
  /** Warps of the region, or null where the grid is unknown. */
  readonly warpCount: number;
  log: LogEntry[];
  /** What variables hold, by slot. */
  slots: Map<number, Value>;
  nextSlot: number;
  readonly paths: Map<string, CallPath>;
  /** The objects whose start, as a number, is a symbol: by the symbol's id. */
  readonly starts: Map<number, MemoryObject>;
  /** The kernel itself, at the outer end of every call path. */
  readonly root: CallPath;
  /** Executions that one recorded access stands for: the trips of folded loops. */
  multiplicity: number;
  /** Greater than 0 while only effects on variables matter: nothing is recorded. */
  rehearsals: number;
  assumptions: readonly Assumption[];
  steps: number;
  /** The number of steps from which on a pause is due. */
  nextPause: number;
  readonly stepLimit: number;
  /** Steps after which the trips of a loop that are left are taken as one. */
  readonly stepsOfLoop: number;
  /** Counts the regions that were evaluated. */
  readonly region: number;
  readonly frames: Frame[];
  readonly code: CodeFacts;
  /** Trips of a loop that are run one by one before folding is tried, where an earlier run of it told. */
  readonly patience: Map<Loop, number>;
  readonly knownPitches: KnownPitches;
  readonly remembered: RememberedAccesses;
  /** Accesses that the compiler may make otherwise, as the way of some warp shows. */
  readonly doubted: Map<AccessSite, CompilerDoubt>;
  /** Constant tables whose contents were worked out. */
  readonly tables: Map<number, MemoryObject>;
}

/** What was found out about functions and loops met so far: it is the same in every launch of a program. */
export interface CodeFacts {
  readonly relevance: Map<FunctionDefinition, Relevance>;
  /** Ids of the variables that a trip makes anew; see `variablesRemadeBy`. */
  readonly remade: Map<Loop, Remade>;
}

/** One call. */
export interface Frame {
  readonly definition: FunctionDefinition;
  /** The lanes that were active when it was called. */
  readonly lanes: number;
  readonly slotOf: Map<number, number>;
  readonly path: CallPath;
  readonly loops: LoopFrame[];
  /** What trips changed, of the loops that were rehearsed, when they were last. */
  readonly changedBy: Map<Loop, Carried>;
  readonly returnSlot: number;
  /** Whether an argument leads to a variable of a caller. */
  readonly reachesVariables: boolean;
  returned: Mask;
  /** What variables of callers held where lanes returned, if it is not known that they do. */
  returnedSlots: Exit[];
}

/** The innermost loop or switch: where break and continue go. */
export interface LoopFrame {
  readonly kind: "loop" | "switch";
  broken: Mask;
  continued: Mask;
  /** What variables held where lanes left, if it is not known that they do. */
  readonly brokenSlots: Exit[];
  readonly continuedSlots: Exit[];
}

/** What variables held where lanes may have left. */
export interface Exit {
  readonly slots: ReadonlyMap<number, Value>;
  readonly choice: Choice;
}

export function spend(machine: Machine, steps: number): void {
  machine.steps += steps;
  if (machine.steps > machine.stepLimit) throw new BudgetSpent();
}

/** Steps of evaluation between two pauses: some milliseconds. */
const stepsBetweenPauses = 1000;

/** Whether it is time to let others in; if so, the next pause is as far away again. */
export function isPauseDue(machine: Machine): boolean {
  if (machine.steps < machine.nextPause) return false;
  machine.nextPause = machine.steps + stepsBetweenPauses;
  return true;
}

/** Which values of the current function matter. */
export function relevanceIn({ code }: Machine, { definition }: Frame): Relevance {
  const existing = code.relevance.get(definition);
  if (existing) return existing;
  const relevance = relevanceOf(definition);
  code.relevance.set(definition, relevance);
  return relevance;
}

/** The slot of an automatic variable in the current call. */
export function slotOf(machine: Machine, frame: Frame, variable: Variable): number {
  const existing = frame.slotOf.get(variable.id);
  if (existing !== undefined) return existing;
  const slot = machine.nextSlot++;
  frame.slotOf.set(variable.id, slot);
  return slot;
}

/** The slots of those of the variables that have one. */
export function slotsAmong({ slotOf }: Frame, ids: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  for (const id of ids) {
    const slot = slotOf.get(id);
    if (slot !== undefined) found.add(slot);
  }
  return found;
}

export function newLoopFrame(kind: LoopFrame["kind"]): LoopFrame {
  return { kind, broken: emptyMask, continued: emptyMask, brokenSlots: [], continuedSlots: [] };
}

export interface UnknownOptions {
  readonly varies: boolean;
  readonly dependsOnData: boolean;
  readonly isMemoryPointer?: boolean;
  readonly condition?: string | null;
  readonly alike?: Lanes | null;
}

/** A value of `type` of which nothing is known. */
export function unknownOfType(machine: Machine, type: Type, reason: string, options: UnknownOptions): Value {
  switch (type.kind) {
    case "integer": {
      const limits = rangeOfType(type);
      const role = options.dependsOnData ? "data" : "derived";
      return symbolic(
        machine.symbols.create({
          name: reason,
          role,
          varies: options.varies,
          alike: options.alike ?? null,
          ...limits,
          reason,
          condition: options.condition ?? null,
        }),
      );
    }
    case "boolean":
      return undecided({
        split: null,
        lean: null,
        comparisons: null,
        partsAtEdge: false,
        isUniform: !options.varies,
        order: null,
        reason,
        dependsOnData: options.dependsOnData,
        sizes: [],
      });
    case "pointer": {
      if (!options.isMemoryPointer || options.varies) return unplaced(machine, type.target, reason, options);
      const object = machine.objects.ofUnknownPointer(
        `${reason} ${machine.nextSlot++}`,
        reason,
        type.target,
        {
          space: "global",
          range: null,
          reason: null,
          assumption: { kind: "global-pointer", pointer: reason },
        },
      );
      return { kind: "pointer", object, offset: knownForm(0) };
    }
    case "record":
    case "array":
      return { kind: "aggregate", cells: new Map(), rest: unknownValue(reason, options) };
    default:
      return unknownValue(reason, options);
  }
}

/** A pointer to nobody knows where: one that varies leads each lane elsewhere, so that what they load there varies as well. */
export function unplaced(
  machine: Machine,
  target: Type,
  reason: string,
  { varies, dependsOnData }: UnknownOptions,
): PointerValue {
  const how = { space: "unknown", range: null, reason, assumption: null } as const;
  const object = machine.objects.ofUnknownPointer(`${reason} ${machine.nextSlot++}`, reason, target, how);
  if (!varies) return { kind: "pointer", object, offset: knownForm(0) };
  const role = dependsOnData ? "data" : "derived";
  const limits = { least: -Infinity, most: Infinity };
  return {
    kind: "pointer",
    object,
    offset: symbolic(machine.symbols.create({ name: reason, role, varies, ...limits, reason })),
  };
}

/** What a variable holds where `lanes` take `a` and the others `b`; null where that cannot be said in one value. */
export function blendValues(lanes: number, a: Value, b: Value): Value | null {
  if (lanes === -1 || a === b) return a;
  if (lanes === 0) return b;
  if (a.kind === "linear" && b.kind === "linear") return blendForms(lanes, a, b);
  if (a.kind === "predicate" && b.kind === "predicate")
    return or(and(decided(lanes), a), and(not(decided(lanes)), b));
  if (a.kind === "floats" && b.kind === "floats") {
    const blended = Array.from({ length: 32 }, (_, lane) => {
      const side = (lanes >>> lane) & 1 ? a.lanes : b.lanes;
      return typeof side === "number" ? side : (side[lane] ?? 0);
    });
    return {
      kind: "floats",
      lanes: blended.every((value) => value === blended[0]) ? (blended[0] ?? 0) : blended,
    };
  }
  if (a.kind === "pointer" && b.kind === "pointer" && isSameObject(a.object, b.object))
    return { ...a, offset: blendForms(lanes, a.offset, b.offset) };
  return null;
}

/** Pointers into different objects of global memory, chosen lane by lane; null where one is elsewhere. */
export function blendPointers(machine: Machine, lanes: number, a: Value, b: Value): PointerValue | null {
  if (a.kind !== "pointer" || b.kind !== "pointer") return null;
  if (a.object.space !== "global" || b.object.space !== "global") return null;
  const first = add(a.offset, knownForm(baseOf(a.object)));
  const second = add(b.offset, knownForm(baseOf(b.object)));
  return {
    kind: "pointer",
    object: machine.objects.ofSeveral([a.object, b.object]),
    offset: blendForms(lanes, first, second),
  };
}

/** Whether two values are surely the same. */
export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind === "linear" && b.kind === "linear") return sameLinear(a, b);
  if (a.kind === "predicate" && b.kind === "predicate")
    return a.yes === b.yes && a.no === b.no && a.doubt === null && b.doubt === null;
  if (a.kind === "floats" && b.kind === "floats") {
    if (typeof a.lanes === "number" || typeof b.lanes === "number") return Object.is(a.lanes, b.lanes);
    const other = b.lanes;
    return a.lanes.every((value, lane) => Object.is(value, other[lane]));
  }
  if (a.kind === "pointer" && b.kind === "pointer")
    return isSameObject(a.object, b.object) && sameLinear(a.offset, b.offset);
  if (a.kind === "function" && b.kind === "function") return a.callee === b.callee;
  if (a.kind === "unknown" && b.kind === "unknown")
    return a.reason === b.reason && a.varies === b.varies && a.split === b.split;
  if (a.kind === "aggregate" && b.kind === "aggregate") {
    if (a.cells.size !== b.cells.size) return false;
    for (const [offset, cell] of a.cells) {
      const other = b.cells.get(offset);
      if (!other || !sameValue(cell.value, other.value)) return false;
    }
    return true;
  }
  return false;
}

/** Why it is not known which of two values holds. */
export interface Choice {
  readonly reason: string;
  /** Whether lanes of one warp may choose differently. */
  readonly varies: boolean;
  readonly dependsOnData: boolean;
  /** Splitting this makes it known; null where nothing does. */
  readonly split: Split | null;
}

/** What one side alone holds is kept where the other holds nothing there; where that holds anything, so may both. */
function eitherContents(
  machine: Machine,
  a: AggregateValue,
  b: AggregateValue,
  choice: Choice,
): AggregateValue {
  const cells = new Map<number, Cell>();
  for (const [offset, { type }] of [...a.cells, ...b.cells]) {
    const left = a.cells.get(offset)?.value ?? a.rest;
    const right = b.cells.get(offset)?.value ?? b.rest;
    if (left === a.rest && typeof left === "object") continue;
    if (right === b.rest && typeof right === "object") continue;
    cells.set(offset, { type, value: eitherPart(machine, left, right, type, choice) });
  }
  const rest = typeof b.rest === "object" || a.rest === "undefined" ? b.rest : a.rest;
  return { kind: "aggregate", cells, rest };
}

function eitherPart(
  machine: Machine,
  a: Value | "zero" | "undefined",
  b: Value | "zero" | "undefined",
  type: Type,
  choice: Choice,
): Value {
  const asValue = (part: Value | "zero") => (part === "zero" ? zeroOf(machine, type, choice) : part);
  if (a === "undefined" || b === "undefined") {
    const held = a === "undefined" ? b : a;
    return held === "undefined" ? unknownOfType(machine, type, choice.reason, choice) : asValue(held);
  }
  return eitherOf(machine, asValue(a), asValue(b), type, choice);
}

function zeroOf(machine: Machine, type: Type, choice: Choice): Value {
  return type.kind === "integer" ? knownForm(0) : unknownOfType(machine, type, choice.reason, choice);
}

/** A value that may be any of these two: itself where they agree, else unknown. */
export function eitherOf(machine: Machine, a: Value, b: Value, type: Type | null, choice: Choice): Value {
  if (sameValue(a, b)) return a;
  if (a.kind === "aggregate" && b.kind === "aggregate") return eitherContents(machine, a, b, choice);
  const { reason, split } = choice;
  const varies = choice.varies || variesByLane(a) || variesByLane(b);
  const dependsOnData = choice.dependsOnData || dependsOnMemory(a) || dependsOnMemory(b);
  if (a.kind === "linear" && b.kind === "linear") return eitherForm(machine, a, b, choice);
  if (a.kind === "pointer" && b.kind === "pointer") {
    if (isSameObject(a.object, b.object))
      return { kind: "pointer", object: a.object, offset: eitherForm(machine, a.offset, b.offset, choice) };
    const object = eitherObject(machine, a.object, b.object);
    if (object) return { kind: "pointer", object, offset: eitherOffset(machine, a.offset, b.offset, choice) };
  }
  if (type) return unknownOfType(machine, type, reason, { varies, dependsOnData });
  if (a.kind === "pointer" && b.kind === "pointer")
    return unplaced(machine, { kind: "void" }, reason, { varies, dependsOnData });
  if (a.kind === "predicate" && b.kind === "predicate")
    return undecided({
      split,
      lean: null,
      comparisons: null,
      partsAtEdge: false,
      isUniform: !varies,
      order: null,
      reason,
      dependsOnData,
      sizes: [],
    });
  return unknownValue(reason, { varies, dependsOnData, split });
}

/** Steps that two values may be apart for the choice to be kept as so many steps or none. */
const mostTermsApart = 2;

/** `a`, or what it takes from there to `b`: the multiple that both are of stays known. */
function eitherForm(machine: Machine, a: Linear, b: Linear, choice: Choice): Linear {
  const distance = subtract(b, a);
  const dependsOnData = choice.dependsOnData || dependsOnMemory(a) || dependsOnMemory(b);
  const common = { name: choice.reason, reason: choice.reason, split: choice.split };
  if (distance.terms.length <= mostTermsApart) {
    const taken = symbolic(
      machine.symbols.create({
        ...common,
        role: choice.dependsOnData ? "data" : "derived",
        varies: choice.varies,
        least: 0,
        most: 1,
      }),
    );
    const moved = multiply(distance, taken);
    if (moved) return add(a, moved);
  }
  // Whichever it is, it came from memory: people know that by its name.
  const named = dependsOnData && !choice.dependsOnData ? nameOf(factorsOf([a, b])) : choice.reason;
  return symbolic(
    machine.symbols.create({
      ...common,
      name: named,
      reason: named,
      role: dependsOnData ? "data" : "derived",
      varies: choice.varies || variesByLane(a) || variesByLane(b),
      least: Math.min(leastOf(a), leastOf(b)),
      most: Math.max(mostOf(a), mostOf(b)),
    }),
  );
}

/** How far into one of two objects. Where lanes go to different ones, how far apart those lie is not known. */
function eitherOffset(machine: Machine, a: Linear, b: Linear, choice: Choice): Linear {
  if (!choice.varies) return eitherForm(machine, a, b, choice);
  return symbolic(
    machine.symbols.create({
      name: choice.reason,
      role: choice.dependsOnData ? "data" : "derived",
      varies: true,
      least: -Infinity,
      most: Infinity,
      reason: "lanes access different arrays",
    }),
  );
}

/** What stands for one of two objects of one space; null where spaces differ. */
function eitherObject(machine: Machine, a: MemoryObject, b: MemoryObject): MemoryObject | null {
  if (a.space !== b.space || (a.space !== "shared" && a.space !== "global")) return null;
  const [first, second] = a.id < b.id ? [a, b] : [b, a];
  return machine.objects.ofUnknownPointer(
    `either ${first.id} ${second.id}`,
    `${first.name} or ${second.name}`,
    first.type ?? { kind: "void" },
    {
      space: a.space,
      range: first.range,
      reason: null,
      assumption: first.assumption ?? second.assumption,
      alignmentBytes: Math.min(first.alignmentBytes, second.alignmentBytes),
    },
  );
}

function leastOf(value: Value): number {
  return value.kind === "linear" ? rangeOfForm(value).least : -Infinity;
}

function mostOf(value: Value): number {
  return value.kind === "linear" ? rangeOfForm(value).most : Infinity;
}

/** Whether memory contents decide it. */
export function dependsOnMemory(value: Value): boolean {
  switch (value.kind) {
    case "linear":
      return value.terms.some((term) => term.factors.some((factor) => factor.role === "data"));
    case "unknown":
      return value.dependsOnData;
    case "predicate":
      return value.doubt?.dependsOnData ?? false;
    case "pointer":
      return dependsOnMemory(value.offset);
    default:
      return false;
  }
}
