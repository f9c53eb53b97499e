// Which launches the kernels of a unit have: found by the host's code, or kept where nothing changed that they hang on; and which kernels
// wait as they were until the text parses again.
import type { FunctionId, KernelDeclaration, Program } from "../ir/function.ts";
import { kernelUseOf } from "../launches/contents/parameter-use.ts";
import type { Launch } from "../launches/launch.ts";
import type { SyntaxUnit } from "../syntax/unit.ts";
import { touchesAny, waitsFor } from "./broken.ts";
import { definesLocalClass, isKernel } from "./dependencies.ts";
import { isInstance } from "./kernel-launches.ts";
import { areSame, type HostMemory, type KernelMemory, type Stamp, staleKernel } from "./memory.ts";
import { relocateLaunches } from "./move-profile.ts";
import type { KernelLaunches, Pipeline } from "./pipeline.ts";
import { type Standing, shiftBetween } from "./standing.ts";
import { hostStamps, stampOfPart, type UnitState } from "./unit-state.ts";

/** A kernel with its launches, before they are evaluated. */
export interface LaunchedKernel {
  readonly id: string;
  readonly declaration: KernelDeclaration;
  readonly parts: readonly Stamp[];
  readonly launches: readonly Launch[];
  readonly problems: KernelLaunches["problems"];
  readonly gap: KernelLaunches["gap"];
  /** What the state before found out about the kernel as it was then; null where there was none. */
  readonly before: KernelMemory | null;
  /** The kernel and all that it hangs on are as they were before. */
  readonly isUnchanged: boolean;
}

export type KernelState =
  | { readonly kind: "launched"; readonly kernel: LaunchedKernel }
  | { readonly kind: "stale"; readonly id: string; readonly memory: KernelMemory };

export interface KernelStates {
  /** In the order of the text. */
  readonly kernels: readonly KernelState[];
  readonly host: HostMemory;
}

/** In steps, among them those of the host's code. */
export function* kernelStates(
  state: UnitState,
  program: Program,
  pipeline: Pipeline,
  mayAssume: (kernel: KernelDeclaration) => boolean,
): Generator<void, KernelStates> {
  const finder = new LaunchFinder(state, program, pipeline, mayAssume);
  yield* finder.findHost();
  yield;
  return yield* finder.states();
}

/** The functions by which what the host holds comes into memory of the device, and such memory as the host writes itself. */
const fillsMemory = /\bcuda(Memcpy|Memset|MallocManaged|MallocHost|Host)|\b__managed__\b|\bdevice_vector\b/;

/** Equal for kernels that do the same with the memory that they are passed. */
function useText(program: Program, kernel: FunctionId): string {
  const { parameters, writesAnywhere } = kernelUseOf(program, kernel);
  const memory = parameters.map((each) => [each.contentsDecide, each.isWritten, each.isChanged]);
  return JSON.stringify([memory, writesAnywhere]);
}

class LaunchFinder {
  private readonly state: UnitState;
  private readonly program: Program;
  private readonly pipeline: Pipeline;
  private readonly mayAssume: (kernel: KernelDeclaration) => boolean;
  private readonly ids: readonly (readonly [string, KernelDeclaration])[];
  private readonly kernelUnits: readonly SyntaxUnit[];
  private host: HostMemory;
  private hostLocalClasses: boolean | null = null;
  /** How the launches at hand were found: they are those of the state before, those of an earlier one, or the host was run for them. */
  private hostIs: "as before" | "as it stood" | "run" = "run";

  constructor(
    state: UnitState,
    program: Program,
    pipeline: Pipeline,
    mayAssume: (kernel: KernelDeclaration) => boolean,
  ) {
    this.state = state;
    this.program = program;
    this.pipeline = pipeline;
    this.mayAssume = mayAssume;
    this.ids = kernelIds(program);
    this.kernelUnits = state.unit.units.filter(isKernel);
    this.host = { parts: [], found: new Map(), gaps: [], uses: new Map(), isStale: false, run: null };
  }

  *findHost(): Generator<void, void> {
    const parts = hostStamps(this.state);
    const kept = this.keptHost(parts);
    const earlier = kept === null ? this.earlierHost(parts) : null;
    this.hostIs = kept !== null ? "as before" : earlier !== null ? "as it stood" : "run";
    this.host = kept ?? earlier ?? (yield* this.runHost(parts));
  }

  *states(): Generator<void, KernelStates> {
    const states: KernelState[] = [];
    for (const [id, declaration] of this.ids) states.push(yield* this.stateOf(id, declaration));
    states.push(...this.vanished(new Set(states.map(idOf))));
    return { kernels: inOrderOfText(states), host: this.host };
  }

  /** The launches of the state before, where they hang on nothing that changed, or on something that is broken now. */
  private keptHost(parts: readonly Stamp[]): HostMemory | null {
    const { moved, dependencies, broken } = this.state;
    if (moved === null) return null;
    const isSame = moved.world === dependencies.world && areSame(moved.host.parts, parts);
    if (isSame && this.holds(moved.host)) return { ...moved.host, isStale: false };
    return waitsFor(moved.host.parts, parts, broken) ? { ...moved.host, isStale: true } : null;
  }

  /** The launches that were found when the host was run last, or the time before, where its code is what it was then. */
  private earlierHost(parts: readonly Stamp[]): HostMemory | null {
    const run = this.state.moved?.host.run ?? null;
    for (const time of [run, run?.before ?? null]) {
      if (time === null || !this.holds(time)) continue;
      const placeOf = shiftBetween(time.standing, this.standingOf(parts));
      const found = placeOf && relocateLaunches(time.found, placeOf);
      if (found) return { parts, found, gaps: time.gaps, uses: time.uses, isStale: false, run };
    }
    return null;
  }

  /** Whether launches that were found before know all kernels, and were given what these read in memory. */
  private holds({ found, uses }: Pick<HostMemory, "found" | "uses">): boolean {
    return this.knowsKernels(found) && this.ids.every((id) => this.readsAsBefore(id, found, uses));
  }

  /** Whether a kernel still does with the memory that it is passed what it did: what it finds there, and leaves to others, hangs on that. */
  private readsAsBefore(
    [id, declaration]: readonly [string, KernelDeclaration],
    found: HostMemory["found"],
    uses: HostMemory["uses"],
  ): boolean {
    const launches = found.get(id) ?? [];
    const parts = this.partsOf(declaration, launches);
    const before = this.state.moved?.kernels.get(id) ?? null;
    if (before === null || this.isUnchanged(before, declaration, parts)) return true;
    if (waitsFor(before.parts, parts, this.state.broken)) return true;
    return launches.every(({ kernel }) => {
      const known = uses.get(kernel);
      if (known === undefined) return true;
      return this.isInstance(id, declaration, kernel) && known === useText(this.program, kernel);
    });
  }

  /** Whether launches were looked for with all kernels at hand: one whose body did not parse then was not known. */
  private knowsKernels(found: HostMemory["found"]): boolean {
    return this.ids.every(([id]) => found.has(id));
  }

  private standingOf(parts: readonly Stamp[]): Standing {
    const { dependencies, unit } = this.state;
    return { world: dependencies.world, parts, texts: unit.texts };
  }

  private *runHost(parts: readonly Stamp[]): Generator<void, HostMemory> {
    const { launches, gaps } = yield* this.pipeline.findLaunches(
      this.program,
      this.state.unit.texts,
      this.mayAssume,
    );
    const byKernel = this.pipeline.launchesByKernel(this.program, launches);
    const found = new Map(this.ids.map(([id, declaration]) => [id, byKernel.get(declaration) ?? []]));
    const last = this.state.moved?.host.run ?? null;
    const before = last && { ...last, before: null };
    const isFilled = this.state.unit.units.some(({ text }) => fillsMemory.test(text));
    const kernels = isFilled ? new Set(launches.map(({ kernel }) => kernel)) : [];
    const uses = new Map([...kernels].map((kernel) => [kernel, useText(this.program, kernel)]));
    const run = { standing: this.standingOf(parts), found, gaps, uses, before };
    return { parts, found, gaps, uses, isStale: false, run };
  }

  private *stateOf(id: string, declaration: KernelDeclaration): Generator<void, KernelState> {
    const { moved } = this.state;
    const parts = this.partsOf(declaration, this.host.found.get(id) ?? []);
    const before = moved?.kernels.get(id) ?? null;
    const isUnchanged = before !== null && this.isUnchanged(before, declaration, parts);
    if (isUnchanged && this.hostIs === "as before") {
      const { launches, problems, gap } = before;
      return {
        kind: "launched",
        kernel: { id, declaration, parts, launches, problems, gap, before, isUnchanged },
      };
    }
    if (!isUnchanged && before !== null && waitsFor(before.parts, parts, this.state.broken))
      return this.stale(id, declaration);
    if (this.hostIs !== "run" && !this.areLaunchesAtHand(id, declaration)) {
      if (this.host.isStale && before !== null) return this.stale(id, declaration);
      if (!this.host.isStale) {
        this.host = yield* this.runHost(hostStamps(this.state));
        this.hostIs = "run";
      }
    }
    return this.launched({ id, declaration, parts, isUnchanged });
  }

  private isUnchanged(
    before: KernelMemory,
    declaration: KernelDeclaration,
    parts: readonly Stamp[],
  ): boolean {
    const { moved, dependencies } = this.state;
    return (
      !before.isStale &&
      moved?.world === dependencies.world &&
      areSame(before.parts, parts) &&
      haveSameAnnotations(before.declaration, declaration)
    );
  }

  private launched(
    kernel: Pick<LaunchedKernel, "id" | "declaration" | "parts" | "isUnchanged">,
  ): KernelState {
    const { id, declaration } = kernel;
    const { settings, moved } = this.state;
    const { launches, problems, gap } = this.pipeline.kernelLaunches(
      this.program,
      declaration,
      this.host.found.get(id) ?? [],
      { configured: settings.config.launches, mayAssume: this.mayAssume },
    );
    const before = moved?.kernels.get(id) ?? null;
    return { kind: "launched", kernel: { ...kernel, launches, problems, gap, before } };
  }

  private stale(id: string, declaration: KernelDeclaration | null): KernelState {
    const memory = this.state.before?.kernels.get(id);
    if (memory === undefined) throw new Error(`nothing is known of ${id}`);
    const kept = staleKernel(memory, this.state.changes);
    return { kind: "stale", id, memory: declaration === null ? kept : { ...kept, declaration } };
  }

  /** Kernels of the state before that are not there any more, for what is there does not parse. */
  private vanished(present: ReadonlySet<string>): KernelState[] {
    return [...(this.state.moved?.kernels ?? [])].flatMap(([id, { declaration }]) =>
      present.has(id) || !touchesAny(declaration.range, this.state.broken) ? [] : [this.stale(id, null)],
    );
  }

  /**
   * Whether the launches that the state before found hold for this program: the kernel's instances are known to it by the same ids, and
   * no block was assumed from the kernel's body.
   */
  private areLaunchesAtHand(id: string, declaration: KernelDeclaration): boolean {
    const found = this.host.found.get(id) ?? [];
    return found.every(
      ({ origin, kernel }) => origin.kind !== "assumed" && this.isInstance(id, declaration, kernel),
    );
  }

  private isInstance(id: string, declaration: KernelDeclaration, kernel: Launch["kernel"]): boolean {
    const names = () =>
      this.state.moved?.kernels.get(id)?.evaluations.find(({ profile }) => profile.launch.kernel === kernel)
        ?.kernel ?? null;
    return isInstance(this.program, declaration, kernel, names);
  }

  /** What the kernel hangs on: what its text names, and what launches name for its template parameters. */
  private partsOf(declaration: KernelDeclaration, found: readonly Launch[]): readonly Stamp[] {
    const { dependencies } = this.state;
    const { file, start } = declaration.nameRange;
    const holder = this.kernelUnits.find((each) => {
      const place = each.extent();
      return place !== null && place.file === file && place.start <= start && start < place.end;
    });
    if (holder === undefined) return [noStamp];
    const instances = new Set<string>(found.map(({ kernel }) => kernel));
    const texts = [...declaration.annotations.map(({ text }) => text), this.configuredText(declaration)];
    const names = [...instances, ...texts].flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
    const own = dependencies.kernel(holder, names).map(stampOfPart);
    // A lambda has no name, and that of a class within a function is known there alone: they stand somewhere in the host's code.
    const mayStandInHost =
      found.some(({ kernel }) => kernel.includes("lambda")) ||
      (declaration.templateParameters.length > 0 && this.hasHostLocalClasses());
    return mayStandInHost ? [...own, ...hostStamps(this.state)] : own;
  }

  private hasHostLocalClasses(): boolean {
    this.hostLocalClasses ??= this.state.dependencies.host.some(
      ({ unit, extent }) => extent === "whole" && definesLocalClass(unit),
    );
    return this.hostLocalClasses;
  }

  private configuredText({ name, qualifiedName }: KernelDeclaration): string {
    const { launches } = this.state.settings.config;
    return JSON.stringify([launches[name], launches[qualifiedName]]);
  }
}

/** What a kernel without a place of its own hangs on: nobody knows. */
const noStamp: Stamp = { hash: "", place: null, isIntact: false };

/** Kernels by name and place among those of the name: so that they are known again when they have moved. */
function kernelIds({ kernels }: Program): readonly (readonly [string, KernelDeclaration])[] {
  const counts = new Map<string, number>();
  return kernels.map((declaration) => {
    const name = `${declaration.nameRange.file}\n${declaration.qualifiedName}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return [`${name}\n${count}`, declaration];
  });
}

function haveSameAnnotations(a: KernelDeclaration, b: KernelDeclaration): boolean {
  return (
    a.annotations.length === b.annotations.length &&
    a.annotations.every((each, index) => {
      const other = b.annotations[index];
      return each.text === other?.text && each.range.start === other.range.start;
    })
  );
}

function idOf(state: KernelState): string {
  return state.kind === "stale" ? state.id : state.kernel.id;
}

/** Those that vanished stand behind the others: they are brought to where they stood. */
function inOrderOfText(states: readonly KernelState[]): readonly KernelState[] {
  const rangeOf = (state: KernelState) =>
    (state.kind === "stale" ? state.memory : state.kernel).declaration.range;
  const ordered: KernelState[] = [];
  for (const state of states) {
    const range = rangeOf(state);
    const after = ordered.findIndex((each) => {
      const other = rangeOf(each);
      return other.file === range.file && other.start > range.start;
    });
    ordered.splice(after === -1 ? ordered.length : after, 0, state);
  }
  return ordered;
}
