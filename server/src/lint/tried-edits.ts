// Kernels that share a block are tried with the same launches: what an edit makes of them, and what its checks say, is found out once.
import type { AnalysedKernels, CheckPair, CheckResult, FixContext, TextEdit } from "../fixes/fix.ts";
import type { Program } from "../ir/function.ts";

/** Each of them holds a program. */
const mostKeptEdits = 6;

/** The same as `tools` gives, from what the last few edits gave where it was asked before. */
export function rememberedTries(
  tools: Pick<FixContext, "analyse" | "check">,
): Pick<FixContext, "analyse" | "check"> {
  const analysed = new Map<string, AnalysedKernels | null>();
  const checked = new WeakMap<Program, Map<string, CheckedPair[]>>();

  function* analyse(edits: readonly TextEdit[]): Generator<void, AnalysedKernels | null> {
    const key = JSON.stringify(edits);
    const known = analysed.get(key);
    if (known !== undefined) return known;
    const found = yield* tools.analyse(edits);
    analysed.set(key, found);
    const [oldest] = analysed.keys();
    if (analysed.size > mostKeptEdits && oldest !== undefined) analysed.delete(oldest);
    return found;
  }

  function* check(pair: CheckPair, maxSteps: number): Generator<void, CheckResult> {
    const ofProgram = checked.get(pair.patched.program) ?? new Map<string, CheckedPair[]>();
    checked.set(pair.patched.program, ofProgram);
    const key = JSON.stringify([pair.mustRun, pair.originalMisaligns, pair.keptArguments]);
    const pairs = ofProgram.get(key) ?? [];
    ofProgram.set(key, pairs);
    const known = pairs.find(
      ({ original, patched, result, mostSteps }) =>
        original === pair.original.launch &&
        patched === pair.patched.launch &&
        // With more steps another answer may come of it.
        (result.kind !== "not-checked" || maxSteps <= mostSteps),
    );
    if (known !== undefined) return known.result;
    const result = yield* tools.check(pair, maxSteps);
    const [original, patched] = [pair.original.launch, pair.patched.launch];
    pairs.push({ original, patched, result, mostSteps: maxSteps });
    return result;
  }

  return { analyse, check };
}

interface CheckedPair {
  readonly original: CheckPair["original"]["launch"];
  readonly patched: CheckPair["patched"]["launch"];
  readonly result: CheckResult;
  readonly mostSteps: number;
}
