// One translation unit from its text to the access profiles of all its kernels. What the state before knew, and no edit touched, stays.
import { definesOf } from "../config/schema.ts";
import type { KernelDeclaration, Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { FileSettings } from "../project/project.ts";
import type { KernelProfile } from "../rules/group.ts";
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";
import type { KernelSummary } from "./analysis.ts";
import { declarationsOf, touchesAny, waitsFor } from "./broken.ts";
import { createBudget } from "./budget.ts";
import { codeOf, type KernelCode, placesBetween } from "./code.ts";
import { type Dependencies, dependenciesOf, headOf, isKernel } from "./dependencies.ts";
import {
  isLaunched,
  kernelName,
  launchKey,
  mergedLaunches,
  mergeLaunches,
  withBlock,
} from "./kernel-launches.ts";
import {
  areSame,
  type Evaluation,
  type HostMemory,
  type KernelMemory,
  moveMemory,
  type Stamp,
  staleKernel,
  stampOf,
  type UnitMemory,
} from "./memory.ts";
import { changesBetween, type TextChanges } from "./move.ts";
import { relocateProfile } from "./move-profile.ts";
import type { KernelLaunches, Pipeline } from "./pipeline.ts";
import type { KernelLaunch } from "./report.ts";

export interface UnitAnalysis {
  readonly unit: TranslationUnit;
  readonly profiles: readonly KernelProfile[];
  readonly launches: readonly KernelLaunch[];
  /** Every kernel with a body, wherever it stands. */
  readonly kernels: readonly KernelSummary[];
  readonly notes: readonly string[];
  /** What is wrong with annotations, and where. */
  readonly problems: KernelLaunches["problems"];
  /** For the next state of the text. */
  readonly memory: UnitMemory;
}

export interface UnitOptions {
  /** The block for kernels that nothing launches, in place of the shapes that are assumed otherwise. */
  readonly block: Launch["block"] | null;
  /** Whether a kernel that nothing launches is worth analysing. */
  wantsUnlaunched(declaration: KernelDeclaration): boolean;
}

/** Runs all stages on `text`, in steps: whoever takes them may stop for a while between two. Throws only where warplint itself is wrong. */
export function* analyseUnit(
  file: string,
  text: string,
  settings: FileSettings,
  pipeline: Pipeline,
  options: UnitOptions,
  earlier: UnitMemory | null = null,
): Generator<void, UnitAnalysis> {
  const unit = pipeline.read(file, text, {
    readInclude: settings.readInclude,
    defines: definesOf(settings.config),
    architecture: Number(settings.config.architecture.slice("sm_".length)) * 10,
    previous: earlier?.unit ?? null,
  });
  yield;
  const analysis = new UnitAnalyser(unit, settings, pipeline, options, earlier);
  return yield* analysis.run();
}

/** A kernel with its launches, before they are evaluated. */
interface LaunchedKernel {
  readonly id: string;
  readonly declaration: KernelDeclaration;
  readonly parts: readonly Stamp[];
  readonly launches: readonly Launch[];
  readonly problems: KernelLaunches["problems"];
  /** What the state before found out about the very same kernel; null where there is none. */
  readonly earlier: KernelMemory | null;
  /** What it found out about the kernel as it was then; null where there was none. */
  readonly before: KernelMemory | null;
}

type KernelState =
  | { readonly kind: "launched"; readonly kernel: LaunchedKernel }
  | { readonly kind: "stale"; readonly id: string; readonly memory: KernelMemory };

class UnitAnalyser {
  private readonly unit: TranslationUnit;
  private readonly settings: FileSettings;
  private readonly pipeline: Pipeline;
  private readonly options: UnitOptions;
  /** As it was, and moved to where things stand now. */
  private readonly before: UnitMemory | null;
  private readonly moved: UnitMemory | null;
  private readonly changes: TextChanges;
  private readonly dependencies: Dependencies;
  private readonly declarations: UnitMemory["declarations"];
  private readonly broken: readonly Stamp[];
  private readonly program: Program;
  private generated: Program | null = null;
  private readonly codes = new Map<string, KernelCode>();
  /** What the host launches, by kernel: run anew, or as it was before. */
  private host: HostMemory | null = null;

  constructor(
    unit: TranslationUnit,
    settings: FileSettings,
    pipeline: Pipeline,
    options: UnitOptions,
    earlier: UnitMemory | null,
  ) {
    this.unit = unit;
    this.settings = settings;
    this.pipeline = pipeline;
    this.options = options;
    this.before = earlier?.settings === settings ? earlier : null;
    this.changes = this.before === null ? new Map() : changesBetween(this.before.unit.texts, unit.texts);
    this.moved = this.before === null ? null : moveMemory(this.before, this.changes);
    this.dependencies = dependenciesOf(unit);
    this.declarations = declarationsOf(unit, this.moved?.declarations ?? null);
    this.broken = this.declarations.flatMap(({ stamp, isBroken }) => (isBroken ? [stamp] : []));
    this.program = pipeline.lower(unit);
  }

  *run(): Generator<void, UnitAnalysis> {
    yield;
    const hostParts = this.dependencies.host.map(hostStamp);
    const kept = this.keptHost(hostParts);
    this.host = kept?.host ?? this.runHost(hostParts);
    yield;
    const isHostKept = kept !== null;
    const states = this.kernelIds().map(([id, declaration]) => this.stateOf(id, declaration, isHostKept));
    states.push(...this.vanished(new Set(states.map(idOf))));
    const kernels = yield* this.evaluate(inOrderOfText(states));
    return this.result(kernels, this.host);
  }

  /** The launches of the state before, where they hang on nothing that changed, or on something that is broken now. */
  private keptHost(parts: readonly Stamp[]): { readonly host: HostMemory } | null {
    const { moved } = this;
    if (moved === null) return null;
    if (moved.world === this.dependencies.world && areSame(moved.host.parts, parts))
      return { host: { ...moved.host, isStale: false } };
    const isStale = waitsFor(moved.host.parts, parts, this.broken);
    return isStale ? { host: { ...moved.host, isStale } } : null;
  }

  private runHost(parts: readonly Stamp[]): HostMemory {
    const { launches, gaps } = this.pipeline.findLaunches(this.program, this.unit.texts);
    const found = new Map(
      this.kernelIds().map(([id, declaration]) => [
        id,
        this.pipeline.launchesOfDeclaration(this.program, declaration, launches),
      ]),
    );
    return { parts, found, gaps, isStale: false };
  }

  /** Kernels by name and place among those of the name: so that they are known again when they have moved. */
  private kernelIds(): readonly (readonly [string, KernelDeclaration])[] {
    const counts = new Map<string, number>();
    return this.program.kernels.map((declaration) => {
      const name = `${declaration.nameRange.file}\n${declaration.qualifiedName}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return [`${name}\n${count}`, declaration];
    });
  }

  private stateOf(id: string, declaration: KernelDeclaration, isHostKept: boolean): KernelState {
    const parts = this.partsOf(declaration, this.host?.found.get(id) ?? []);
    const earlier = this.moved?.kernels.get(id) ?? null;
    const isSame =
      earlier !== null &&
      !earlier.isStale &&
      this.moved?.world === this.dependencies.world &&
      areSame(earlier.parts, parts) &&
      haveSameAnnotations(earlier.declaration, declaration);
    if (earlier !== null && isSame) {
      if (isHostKept) {
        const { launches, problems } = earlier;
        const before = earlier;
        return { kind: "launched", kernel: { id, declaration, parts, launches, problems, earlier, before } };
      }
      return this.launched(id, declaration, parts, this.host?.found.get(id) ?? [], earlier);
    }
    if (earlier !== null && waitsFor(earlier.parts, parts, this.broken)) return this.stale(id, declaration);
    const found = isHostKept ? this.foundAgain(id, declaration) : (this.host?.found.get(id) ?? []);
    if (found === null && earlier !== null) return this.stale(id, declaration);
    return this.launched(id, declaration, parts, found ?? [], null);
  }

  private launched(
    id: string,
    declaration: KernelDeclaration,
    parts: readonly Stamp[],
    found: readonly Launch[],
    earlier: KernelMemory | null,
  ): KernelState {
    const { launches, problems } = this.pipeline.kernelLaunches(
      this.program,
      declaration,
      found,
      this.settings.config.launches,
    );
    const before = this.moved?.kernels.get(id) ?? null;
    return { kind: "launched", kernel: { id, declaration, parts, launches, problems, earlier, before } };
  }

  private stale(id: string, declaration: KernelDeclaration | null): KernelState {
    const memory = this.before?.kernels.get(id);
    if (memory === undefined) throw new Error(`nothing is known of ${id}`);
    const kept = staleKernel(memory, this.changes);
    return { kind: "stale", id, memory: declaration === null ? kept : { ...kept, declaration } };
  }

  /** Kernels of the state before that are not there any more, for what is there does not parse. */
  private vanished(present: ReadonlySet<string>): KernelState[] {
    return [...(this.moved?.kernels ?? [])].flatMap(([id, { declaration }]) =>
      present.has(id) || !touchesAny(declaration.range, this.broken) ? [] : [this.stale(id, null)],
    );
  }

  /**
   * The launches that the state before found, once the kernel's instances are known to this program by the same ids; where they are
   * not, or where the blocks were assumed from the kernel's body, the host is run again. Null where it cannot be, for it is broken.
   */
  private foundAgain(id: string, declaration: KernelDeclaration): readonly Launch[] | null {
    const found = this.host?.found.get(id) ?? [];
    const isAtHand = found.every(
      ({ origin, kernel }) => origin.kind !== "assumed" && this.isInstance(id, declaration, kernel),
    );
    if (isAtHand) return found;
    if (this.host?.isStale) return null;
    this.host = this.runHost(this.dependencies.host.map(hostStamp));
    return this.host.found.get(id) ?? [];
  }

  private isInstance(id: string, declaration: KernelDeclaration, kernel: Launch["kernel"]): boolean {
    if (this.program.functionOf(kernel) !== null) return true;
    const names = this.moved?.kernels
      .get(id)
      ?.evaluations.find(({ profile }) => profile.launch.kernel === kernel)?.kernel;
    const isTemplate = declaration.templateParameters.length > 0;
    if (isTemplate && names === undefined) return false;
    const values = isTemplate ? (names?.templateArguments ?? []) : [];
    return this.program.instantiateKernel(declaration, values) === kernel;
  }

  /** What the kernel hangs on: what its text names, and what launches name for its template parameters. */
  private partsOf(declaration: KernelDeclaration, found: readonly Launch[]): readonly Stamp[] {
    const { file, start } = declaration.nameRange;
    const holder = this.unit.units.find((unit) => {
      const place = isKernel(unit) ? unit.extent() : null;
      return place !== null && place.file === file && place.start <= start && start < place.end;
    });
    if (holder === undefined) return [noStamp];
    const instances = new Set<string>(found.map(({ kernel }) => kernel));
    const texts = [...declaration.annotations.map(({ text }) => text), this.configuredText(declaration)];
    const names = [...instances, ...texts].flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
    const own = this.dependencies.kernel(holder, names).map(stampOf);
    // A lambda has no name: it stands somewhere in the host's code.
    const givesLambdas = [...instances].some((instance) => instance.includes("lambda"));
    return givesLambdas ? [...own, ...this.dependencies.host.map(hostStamp)] : own;
  }

  private configuredText({ name, qualifiedName }: KernelDeclaration): string {
    const { launches } = this.settings.config;
    return JSON.stringify([launches[name], launches[qualifiedName]]);
  }

  /** A launch a step. */
  private *evaluate(
    states: readonly KernelState[],
  ): Generator<void, readonly (readonly [string, KernelMemory])[]> {
    const wanted = states.map((state) => (state.kind === "launched" ? this.wanted(state.kernel) : []));
    const budget = createBudget(wanted.flat().length);
    const kernels: (readonly [string, KernelMemory])[] = [];
    for (const [index, state] of states.entries()) {
      if (state.kind === "stale") {
        kernels.push([state.id, state.memory]);
        continue;
      }
      const { kernel } = state;
      const known = knownEvaluations(kernel.earlier);
      const evaluations: Evaluation[] = [];
      for (const launch of wanted[index] ?? []) {
        yield;
        const limit = budget.nextLimit();
        const evaluation =
          reusable(known, launch, limit) ??
          this.relocated(kernel.before, launch, limit) ??
          this.evaluateLaunch(launch, limit);
        budget.spend(evaluation.profile.steps);
        evaluations.push(evaluation);
      }
      kernels.push([kernel.id, kernelMemory(kernel, evaluations)]);
    }
    return kernels;
  }

  private wanted({ declaration, launches }: LaunchedKernel): readonly Launch[] {
    const { block } = this.options;
    if (isLaunched(launches)) return launches;
    if (!this.options.wantsUnlaunched(declaration)) return [];
    return block === null ? launches : withBlock(launches, block);
  }

  private evaluateLaunch(launch: Launch, limit: number): Evaluation {
    this.generated ??= this.pipeline.generate(this.program);
    const profile = this.pipeline.evaluate(this.generated, launch, limit);
    const evaluated = profile.steps < stepsWorthKeeping ? null : { code: this.codeOf(launch), profile };
    return { kernel: kernelName(this.program, launch), profile, limit, evaluated };
  }

  /** What the state before found out about a launch of the same code, however it was typed and wherever it stood. */
  private relocated(before: KernelMemory | null, launch: Launch, limit: number): Evaluation | null {
    if (before === null) return null;
    const key = launchKey(launch);
    const found = before.evaluations.find((each) => launchKey(each.profile.launch) === key);
    if (!found?.evaluated || !endsAlike(found, limit)) return null;
    const code = this.codeOf(launch);
    const placeOf = placesBetween(found.evaluated.code, code);
    const profile = placeOf === null ? null : relocateProfile(found.evaluated.profile, launch, placeOf);
    if (profile === null) return null;
    return {
      kernel: kernelName(this.program, launch),
      profile,
      limit: found.limit,
      evaluated: { code, profile },
    };
  }

  private codeOf({ kernel }: Launch): KernelCode {
    this.generated ??= this.pipeline.generate(this.program);
    const code = this.codes.get(kernel) ?? codeOf(this.generated, kernel);
    this.codes.set(kernel, code);
    return code;
  }

  private result(kernels: readonly (readonly [string, KernelMemory])[], host: HostMemory): UnitAnalysis {
    const launches = new Map(
      kernels.map(([id, { evaluations, merged }]) => [id, mergedLaunches(evaluations, merged)]),
    );
    return {
      unit: this.unit,
      profiles: kernels.flatMap(([, { evaluations }]) => evaluations),
      launches: [...launches.values()].flat(),
      kernels: kernels.map(([id, memory]) => summaryOf(memory, launches.get(id) ?? [], host)),
      notes: [...notesOf(this.unit), ...host.gaps],
      problems: kernels.flatMap(([, { problems }]) => problems),
      memory: {
        unit: this.unit,
        settings: this.settings,
        world: this.dependencies.world,
        declarations: this.declarations,
        host,
        kernels: new Map(kernels),
      },
    };
  }
}

/** Evaluation of fewer steps is as quick as telling whether the code is the same. */
const stepsWorthKeeping = 4000;

/** What a kernel without a place of its own hangs on: nobody knows. */
const noStamp: Stamp = { hash: "", place: null, isIntact: false };

/** The host sees the heads of kernels alone, wherever they stand. */
function hostStamp(unit: SyntaxUnit): Stamp {
  return isKernel(unit) ? { hash: headOf(unit), place: null, isIntact: true } : stampOf(unit);
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

/** What is known of launches: by themselves, and, once one is not found so, by all but where the host makes them. */
interface KnownEvaluations {
  readonly ofLaunch: ReadonlyMap<Launch, Evaluation>;
  readonly byKey: () => ReadonlyMap<string, Evaluation>;
}

function knownEvaluations(memory: KernelMemory | null): KnownEvaluations {
  const evaluations = memory?.evaluations ?? [];
  let byKey: ReadonlyMap<string, Evaluation> | null = null;
  return {
    ofLaunch: new Map(evaluations.map((each) => [each.profile.launch, each])),
    byKey: () => {
      byKey ??= new Map(evaluations.map((each) => [launchKey(each.profile.launch), each]));
      return byKey;
    },
  };
}

/** What is known of a launch, where evaluation under `limit` would end with the same. */
function reusable(known: KnownEvaluations, launch: Launch, limit: number): Evaluation | null {
  if (known.ofLaunch.size === 0) return null;
  const found = known.ofLaunch.get(launch) ?? known.byKey().get(launchKey(launch));
  if (found === undefined) return null;
  if (!endsAlike(found, limit)) return null;
  return found.profile.launch === launch ? found : { ...found, profile: { ...found.profile, launch } };
}

/** Whether the evaluation would end with the same under `limit`. */
function endsAlike({ profile: { steps }, limit }: Evaluation, now: number): boolean {
  return (steps < limit && steps < now) || limit === now;
}

function kernelMemory(
  { declaration, parts, launches, problems, earlier }: LaunchedKernel,
  evaluations: readonly Evaluation[],
): KernelMemory {
  const isSame =
    earlier !== null &&
    earlier.evaluations.length === evaluations.length &&
    evaluations.every(
      (each, index) => each.profile.accesses === earlier.evaluations[index]?.profile.accesses,
    );
  const merged = isSame ? earlier.merged : mergeLaunches(evaluations);
  return { declaration, parts, launches, problems, evaluations, merged, isStale: false };
}

function summaryOf(memory: KernelMemory, launches: readonly KernelLaunch[], host: HostMemory): KernelSummary {
  const { name, nameRange, range, annotations } = memory.declaration;
  const gaps = [...new Set(memory.evaluations.flatMap(({ profile }) => profile.gaps))];
  const isStale = memory.isStale || (host.isStale && isLaunched(memory.launches));
  return { name, nameRange, range, annotations, launches, gaps, isStale };
}

function notesOf(unit: TranslationUnit): string[] {
  return [
    ...unit.missingIncludes.map(({ name }) => `#include "${name}" was not found; see --include-path`),
    ...unit.conventions.map(({ name, value }) => `${name} is defined nowhere and taken as ${value}`),
    ...unit.notExpanded.map(({ name, reason }) => `macro ${name} was not expanded: ${reason}`),
  ];
}
