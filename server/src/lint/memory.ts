// What is kept of a program from one state of its text to the next, and how edits move it.

import type { EvaluationOptions } from "../evaluate/evaluate.ts";
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { FunctionId, KernelDeclaration } from "../ir/function.ts";
import type { HostGap } from "../launches/host/gaps.ts";
import type { Launch } from "../launches/launch.ts";
import type { FileSettings } from "../project/project.ts";
import type { KernelProfile } from "../rules/group.ts";
import type { SyntaxNode } from "../syntax/node.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import type { KernelCode } from "./code.ts";
import type { NameIndex } from "./dependencies.ts";
import { isIntact, moveAll, moveRange, type TextChanges } from "./move.ts";
import { type Move, moveDeclaration, moveLaunch, moveProfile, withoutEditedLines } from "./move-profile.ts";
import type { LaunchProblem } from "./pipeline.ts";
import type { Standing } from "./standing.ts";

export interface UnitMemory {
  readonly unit: TranslationUnit;
  readonly settings: FileSettings;
  readonly world: string;
  readonly names: NameIndex;
  readonly declarations: readonly DeclarationMemory[];
  readonly host: HostMemory;
  /** By name and place among those of that name. */
  readonly kernels: ReadonlyMap<string, KernelMemory>;
}

/** A declaration by its meaning and its place. */
export interface Stamp {
  readonly hash: string;
  /** Null where it has none of its own. */
  readonly place: SourceRange | null;
  /** It stands there as it stood when it was stamped. */
  readonly isIntact: boolean;
}

export interface DeclarationMemory {
  readonly stamp: Stamp;
  /** Syntax errors of its text, or, where it is broken, those that it had before. */
  readonly errorCount: () => number;
  /** It has syntax errors that it had not before. */
  readonly isBroken: boolean;
}

/** What the host code launches, and what that hangs on. */
export interface HostMemory {
  readonly parts: readonly Stamp[];
  /** By kernel. */
  readonly found: ReadonlyMap<string, readonly Launch[]>;
  readonly gaps: readonly HostGap[];
  /** By kernel that is launched, what it does with the memory that it is passed: the launches hang on that too. */
  readonly uses: ReadonlyMap<FunctionId, string>;
  /** The host code does not parse any more: these are the launches that it made before. */
  readonly isStale: boolean;
  /** What was found when the host was run last, and what it was then: the same code launches the same. Null where it was not run. */
  readonly run: HostRun | null;
}

export interface HostRun extends Pick<HostMemory, "found" | "gaps" | "uses"> {
  readonly standing: Standing;
  /** The time before, for what is typed back; null where there was none. */
  readonly before: HostRun | null;
}

export interface KernelMemory {
  readonly declaration: KernelDeclaration;
  /** What it hangs on. */
  readonly parts: readonly Stamp[];
  /** Before the user's block is put in place of those assumed. */
  readonly launches: readonly Launch[];
  readonly problems: readonly LaunchProblem[];
  /** Why there is no launch, in words; null where there is one. */
  readonly gap: string | null;
  readonly evaluations: readonly Evaluation[];
  /** For each launch, the index of the first that accesses memory as it does. */
  readonly alike: readonly number[];
  /** Indices into `evaluations` of those that are one for people. */
  readonly merged: readonly (readonly number[])[];
  readonly isStale: boolean;
}

export interface Evaluation extends KernelProfile {
  /** What it might have taken. */
  readonly allowed: EvaluationOptions;
  /** What was evaluated, and what came out, where it stood then: the same code gives the same wherever it stands. */
  readonly evaluated: Evaluated;
  /**
   * What came out of the same text with less, where it was cut: before it was evaluated again with what was left over, or before its
   * sisters had a say; null else.
   */
  readonly lesser: Evaluation | null;
  /** The last one of another text, as it was then, for what is typed back; null where there was none. */
  readonly before: Evaluation | null;
}

export interface Evaluated {
  readonly profile: LaunchProfile;
  readonly standing: Standing;
  /** The code as written. */
  readonly written: KernelCode;
  /** The code as generated, which texts of different code may share; null where evaluation costs less than to find that out. */
  readonly generated: KernelCode | null;
}

/** Everything where it stands after `changes`. `unharmed`: the declarations that `changes` reach into and leave as they are. */
export function moveMemory(
  memory: UnitMemory,
  changes: TextChanges,
  unharmed: readonly SyntaxUnit[],
): UnitMemory {
  if (changes.size === 0) return memory;
  const { host } = memory;
  const move = mover(changes, unharmed);
  return {
    ...memory,
    declarations: memory.declarations.map(({ stamp, errorCount: count, isBroken }) => ({
      stamp: move.stamp(stamp),
      errorCount: count,
      isBroken,
    })),
    host: {
      ...host,
      parts: host.parts.map(move.stamp),
      found: new Map([...host.found].map(([id, launches]) => [id, moveAll(launches, move.launch)])),
    },
    kernels: new Map([...memory.kernels].map(([id, kernel]) => [id, moveKernel(kernel, move)])),
  };
}

/** Moves so that what was one object stays one: who holds launches can tell that they are the same, and places are not made twice. */
interface Mover {
  readonly changes: TextChanges;
  readonly range: Move;
  launch(launch: Launch): Launch;
  stamp(stamp: Stamp): Stamp;
}

function mover(changes: TextChanges, unharmed: readonly SyntaxUnit[]): Mover {
  const kept = new Set(unharmed.map((unit) => keyOfStamp(stampOf(unit))));
  const places = new Map<SourceRange, SourceRange>();
  const launches = new Map<Launch, Launch>();
  const range: Move = (place) => {
    const known = places.get(place) ?? moveRange(place, changes);
    places.set(place, known);
    return known;
  };
  return {
    changes,
    range,
    launch: (launch) => {
      const known = launches.get(launch) ?? moveLaunch(launch, range);
      launches.set(launch, known);
      return known;
    },
    stamp: (stamp) => {
      const moved = moveStamp(stamp, changes);
      return moved.isIntact === stamp.isIntact || !kept.has(keyOfStamp(stamp))
        ? moved
        : { hash: moved.hash, place: moved.place, isIntact: true };
    },
  };
}

// Each edit moves all that is known: written out property by property, as they are made, they keep one layout.

function moveKernel(kernel: KernelMemory, move: Mover): KernelMemory {
  const { changes } = move;
  return {
    declaration: moveDeclaration(kernel.declaration, changes),
    parts: kernel.parts.map(move.stamp),
    launches: moveAll(kernel.launches, move.launch),
    problems: kernel.problems.map(({ message, range }) => ({ message, range: moveRange(range, changes) })),
    gap: kernel.gap,
    evaluations: moveAll(kernel.evaluations, (each) => moveEvaluation(each, move)),
    alike: kernel.alike,
    merged: kernel.merged,
    isStale: kernel.isStale,
  };
}

function moveEvaluation(evaluation: Evaluation, move: Mover): Evaluation {
  const { kernel, profile, allowed, evaluated, before } = evaluation;
  const moved = moveProfile(profile, move.launch(profile.launch), move.range);
  const lesser = evaluation.lesser && moveEvaluation(evaluation.lesser, move);
  if (moved === profile && lesser === evaluation.lesser) return evaluation;
  return { kernel, profile: moved, allowed, evaluated, lesser, before };
}

/** What stays of a kernel that does not parse any more: all but what is said of lines that were edited. */
export function staleKernel(kernel: KernelMemory, changes: TextChanges): KernelMemory {
  const evaluations = kernel.evaluations.map((each) => ({
    ...each,
    profile: withoutEditedLines(each.profile, changes),
  }));
  return { ...moveKernel({ ...kernel, evaluations }, mover(changes, [])), isStale: true };
}

function moveStamp(stamp: Stamp, changes: TextChanges): Stamp {
  const { place } = stamp;
  if (place === null || !changes.has(place.file)) return stamp;
  return {
    hash: stamp.hash,
    place: moveRange(place, changes),
    isIntact: stamp.isIntact && isIntact(place, changes),
  };
}

export function stampOf(unit: SyntaxUnit): Stamp {
  const place = unit.extent();
  return { hash: unit.hash(), place, isIntact: place !== null };
}

/** Equal for stamps of the same declaration at the same place; null where nothing can be equal to it. */
export function keyOfStamp({ hash, place, isIntact }: Stamp): string | null {
  if (!isIntact) return null;
  return place === null ? hash : `${hash} ${place.start} ${place.end} ${place.file}`;
}

export function areSame(a: readonly Stamp[], b: readonly Stamp[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((stamp, index) => {
    const other = b[index];
    const key = keyOfStamp(stamp);
    return key !== null && other !== undefined && key === keyOfStamp(other);
  });
}

/** The nodes that say what the grammar does not know. */
export function errorCount(node: SyntaxNode): number {
  if (!node.hasError) return 0;
  let count = 0;
  for (const child of node.children) count += errorCount(child);
  return Math.max(1, count);
}
