// What launches of kernels access: as it was before where the same would come out, else evaluated.
import type { GeneratedProgram } from "../codegen/codegen.ts";
import { type EvaluationOptions, isPreciseWithin } from "../evaluate/evaluate.ts";
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { KernelDeclaration, Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import { firstAlike } from "./alike.ts";
import { nothingAllowed } from "./budget.ts";
import { type BodyCode, bodyCodeOf, codeOf, type KernelCode, placesBetween } from "./code.ts";
import { definesClass } from "./dependencies.ts";
import { isInstance, kernelName, launchKey } from "./kernel-launches.ts";
import type { LaunchedKernel } from "./kernel-states.ts";
import type { Evaluated, Evaluation, KernelMemory } from "./memory.ts";
import { relocateProfile } from "./move-profile.ts";
import type { Evaluate, Pipeline } from "./pipeline.ts";
import { settlingMore, unevaluatedProfile } from "./rounds.ts";
import { partAround, type Standing, shiftBeside, shiftBetween, textAt } from "./standing.ts";

/** Evaluates launches of the kernels of one program. */
export class Evaluator {
  private readonly program: Program;
  private readonly pipeline: Pipeline;
  private readonly surroundings: Omit<Standing, "parts">;
  private readonly edits: "awaited" | "none";
  private generatedProgram: GeneratedProgram | null = null;
  private evaluateCode: Evaluate | null = null;
  private readonly bodies = new Map<string, BodyCode>();
  private readonly written = new Map<string, KernelCode>();
  private readonly generated = new Map<string, KernelCode>();
  /** What came out of launches in this state of the text: some are evaluated before their turn. */
  private readonly outcomes = new Map<Launch, Evaluation>();

  constructor(
    program: Program,
    pipeline: Pipeline,
    surroundings: Omit<Standing, "parts">,
    edits: "awaited" | "none",
  ) {
    this.edits = edits;
    this.program = program;
    this.pipeline = pipeline;
    this.surroundings = surroundings;
  }

  firstAlike(launches: readonly Launch[]): readonly number[] {
    return firstAlike(this.program, launches);
  }

  /**
   * `known`: what the state before found out about the kernel; `lesser`: what came out with less, where that is tried again. In steps: its
   * code is generated a pass at a time.
   */
  *evaluation(
    kernel: LaunchedKernel,
    known: KnownEvaluations,
    launch: Launch,
    allowed: EvaluationOptions,
    lesser: Evaluation | null,
  ): Generator<void, Evaluation> {
    const ahead = endingAlike(this.outcomeOf(launch), allowed);
    const outcome =
      ahead === null
        ? yield* this.evaluateAgain(kernel, known, launch, allowed, lesser)
        : { ...(lesser === null ? ahead : keepingMore(lesser, ahead)), lesser };
    this.outcomes.set(launch, outcome);
    return outcome;
  }

  /** What came out of a launch last, in this state of the text; null where it was not evaluated yet. */
  outcomeOf(launch: Launch): Evaluation | null {
    return this.outcomes.get(launch) ?? null;
  }

  private *evaluateAgain(
    { declaration, isUnchanged, parts }: LaunchedKernel,
    known: KnownEvaluations,
    launch: Launch,
    allowed: EvaluationOptions,
    lesser: Evaluation | null,
  ): Generator<void, Evaluation> {
    const last = known.of(launch);
    const found = endingAlike(last, allowed);
    if (found !== null && isUnchanged)
      return found.profile.launch === launch && found.lesser === lesser
        ? found
        : { ...found, profile: { ...found.profile, launch }, lesser };
    // Until here a kernel that is as it was need not be known to the program.
    if (isUnchanged) isInstance(this.program, declaration, launch.kernel, () => last?.kernel ?? null);
    const standing: Standing = { ...this.surroundings, parts };
    const kept =
      last &&
      (typedBack(last, standing, launch, allowed) ?? this.relocated(found, standing, declaration, launch));
    if (kept) return { ...kept, lesser };
    const made = yield* this.evaluate(launch, allowed, standing);
    return {
      ...(lesser === null ? made : keepingMore(lesser, made)),
      lesser,
      before: last && { ...last, before: null },
    };
  }

  /** Where the budget of the file is spent. */
  unevaluated(sister: Evaluation, launch: Launch): Evaluation {
    // What was known of the sister before was not of this launch.
    return {
      ...sister,
      kernel: kernelName(this.program, launch),
      profile: unevaluatedProfile(sister.profile, launch),
      allowed: nothingAllowed,
      lesser: null,
      before: null,
    };
  }

  private *evaluate(
    launch: Launch,
    allowed: EvaluationOptions,
    standing: Standing,
  ): Generator<void, Evaluation> {
    yield* this.generatedCode().generating(launch.kernel);
    yield;
    this.evaluateCode ??= this.pipeline.evaluatorOf(this.generatedCode());
    const profile = yield* this.evaluateCode(launch, allowed);
    const isCompared = this.edits === "awaited" && profile.steps >= stepsWorthComparing;
    const generated = isCompared ? this.generatedOf(launch) : null;
    const written = this.edits === "awaited" ? this.writtenOf(launch) : noCode;
    const evaluated: Evaluated = { profile, standing, written, generated };
    return {
      kernel: kernelName(this.program, launch),
      profile,
      allowed,
      evaluated,
      lesser: null,
      before: null,
    };
  }

  /** What was found out about a launch of the same code, however it was typed and wherever it stood. */
  private relocated(
    found: Evaluation | null,
    standing: Standing,
    declaration: KernelDeclaration,
    launch: Launch,
  ): Evaluation | null {
    if (found === null || this.edits === "none") return null;
    const { evaluated } = found;
    const besideCallees = this.relocatedBody(evaluated, standing, declaration, launch);
    if (besideCallees !== null) return { ...found, profile: besideCallees };
    const written = this.writtenOf(launch);
    // The kernel's names are part of its code: they stay the object by which the rules' findings are known again.
    const asWritten = relocate(evaluated.profile, launch, evaluated.written, written);
    if (asWritten !== null) return { ...found, profile: asWritten };
    if (evaluated.generated === null) return null;
    const generated = this.generatedOf(launch);
    const profile = relocate(evaluated.profile, launch, evaluated.generated, generated);
    return (
      profile && {
        kernel: kernelName(this.program, launch),
        profile,
        allowed: found.allowed,
        evaluated: { profile, standing, written, generated },
        lesser: null,
        before: { ...found, before: null },
      }
    );
  }

  /** Where only the kernel's own text changed: what it calls is not lowered to see that it does the same. */
  private relocatedBody(
    { profile, standing: earlier, written }: Evaluated,
    standing: Standing,
    { range }: KernelDeclaration,
    launch: Launch,
  ): LaunchProfile | null {
    const own = partAround(range, standing);
    if (own === null || !written.body.namesItsCallees) return null;
    if (mayDefineClass(earlier, own) || mayDefineClass(standing, own)) return null;
    const shiftOf = shiftBeside(earlier, standing, own);
    if (shiftOf === null) return null;
    const body = this.bodies.get(launch.kernel) ?? bodyCodeOf(this.program, launch.kernel);
    this.bodies.set(launch.kernel, body);
    const placeOf = placesBetween(written.body, body);
    return placeOf && relocateProfile(profile, launch, (at) => placeOf(at) ?? shiftOf(at));
  }

  private writtenOf({ kernel }: Launch): KernelCode {
    const code = this.written.get(kernel) ?? codeOf(this.program, kernel);
    this.written.set(kernel, code);
    return code;
  }

  private generatedOf({ kernel }: Launch): KernelCode {
    const code = this.generated.get(kernel) ?? codeOf(this.generatedCode(), kernel);
    this.generated.set(kernel, code);
    return code;
  }

  private generatedCode(): GeneratedProgram {
    this.generatedProgram ??= this.pipeline.generate(this.program);
    return this.generatedProgram;
  }
}

/** Evaluation of fewer steps is as quick as to generate code and tell whether it is the same. */
const stepsWorthComparing = 4000;

/** Where nothing is compared with it. */
const noCode: KernelCode = { hash: "", places: [], body: { hash: "", places: [], namesItsCallees: false } };

/** What is known of launches: by themselves, and, once one is not found so, by all but where the host makes them. */
export interface KnownEvaluations {
  of(launch: Launch): Evaluation | null;
}

export function knownEvaluations(memory: KernelMemory | null): KnownEvaluations {
  const evaluations = memory?.evaluations ?? [];
  const ofLaunch = new Map(evaluations.map((each) => [each.profile.launch, each]));
  let byKey: ReadonlyMap<string, Evaluation> | null = null;
  return {
    of: (launch) => {
      const found = ofLaunch.get(launch);
      if (found !== undefined || evaluations.length === 0) return found ?? null;
      byKey ??= new Map(evaluations.map((each) => [launchKey(each.profile.launch), each]));
      return byKey.get(launchKey(launch)) ?? null;
    },
  };
}

function relocate(
  profile: LaunchProfile,
  launch: Launch,
  from: KernelCode,
  to: KernelCode,
): LaunchProfile | null {
  const placeOf = placesBetween(from, to);
  return placeOf === null ? null : relocateProfile(profile, launch, placeOf);
}

/** Whether a class may stand in a declaration: what it calls of one is named alike in each text. */
function mayDefineClass(standing: Standing, part: number): boolean {
  const place = standing.parts[part]?.place ?? null;
  return place === null || definesClass(textAt(place, standing) ?? "");
}

/** What was found out of the text as it is now: the last time, or the time before that. No code is looked at. */
function typedBack(
  last: Evaluation,
  standing: Standing,
  launch: Launch,
  allowed: EvaluationOptions,
): Evaluation | null {
  for (const time of [last, last.before]) {
    const earlier = endingAlike(time, allowed);
    if (earlier === null) continue;
    const placeOf = shiftBetween(earlier.evaluated.standing, standing);
    const profile = placeOf && relocateProfile(earlier.evaluated.profile, launch, placeOf);
    if (profile)
      return { ...earlier, profile, before: time === last ? last.before : { ...last, before: null } };
  }
  return null;
}

function keepingMore({ profile: lesser }: Evaluation, made: Evaluation): Evaluation {
  const profile = settlingMore(lesser, made.profile);
  return { ...made, profile, evaluated: { ...made.evaluated, profile } };
}

/**
 * What would come out again of what is known: as it was in the end, or before its sisters had a say, or before it was evaluated again with
 * what was left over. The least of these that would, for the others follow from it.
 */
function endingAlike(known: Evaluation | null, allowed: EvaluationOptions): Evaluation | null {
  let found: Evaluation | null = null;
  for (let each = known; each !== null; each = each.lesser) if (endsAlike(each, allowed)) found = each;
  return found;
}

/** Whether the evaluation would end with the same if it might take what is allowed now. */
function endsAlike({ profile, allowed }: Evaluation, now: EvaluationOptions): boolean {
  if (isPreciseWithin(profile, allowed) && isPreciseWithin(profile, now)) return true;
  return allowed.stepLimit === now.stepLimit && allowed.sweeps === now.sweeps;
}
