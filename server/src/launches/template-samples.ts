// Which template arguments are tried for a kernel that nobody in sight instantiates.
import type { KernelDeclaration, TemplateParameter } from "../ir/function.ts";

/** Arguments for all parameters of a kernel that have no default; packs are left empty. */
export interface TemplateSample {
  readonly values: readonly string[];
  /** The value given to a parameter that is the number of threads, if there is one. */
  readonly blockThreads: number | null;
  /** "T = float assumed". */
  readonly assumptions: readonly string[];
  /** One of the likeliest, which are tried with all shapes; the others are there to contradict. */
  readonly isLikely: boolean;
}

/**
 * Samples of a kernel's template arguments, the likeliest first; none where a parameter is a template. What exceeds with all of them may be
 * warned of. Types are float and double (4 and 8 bytes); what a number may be is read off its name (`meanings`). Each sample takes the next
 * choice of every number, and the first two are combined with both types. A kernel without parameters has one sample.
 */
export function templateSamples(kernel: KernelDeclaration): TemplateSample[] {
  const parameters = kernel.templateParameters.filter((each) => !each.isPack && !each.hasDefault);
  if (parameters.length === 0) return [{ values: [], blockThreads: null, assumptions: [], isLikely: true }];
  if (parameters.some(({ kind }) => kind === "template")) return [];
  const hasTypes = parameters.some(({ kind }) => kind === "type");
  const counts = parameters.map((parameter) =>
    parameter.kind === "value" ? choicesOf(parameter).length : 1,
  );
  return Array.from({ length: Math.max(...counts) }, (_, round) => {
    const isLikely = round < likelyRounds;
    const types = !hasTypes ? [0] : isLikely ? [0, 1] : [round % typeChoices.length];
    return types.map((type) => sampleOf(parameters, { type, round, isLikely }));
  }).flat();
}

const likelyRounds = 2;

function sampleOf(
  parameters: readonly TemplateParameter[],
  { type, round, isLikely }: { readonly type: number; readonly round: number; readonly isLikely: boolean },
): TemplateSample {
  const values = parameters.map((parameter) =>
    parameter.kind === "type" ? choice(typeChoices, type) : choice(choicesOf(parameter), round),
  );
  const threads = parameters.findIndex(({ kind, name }) => kind === "value" && namesThreads.test(name));
  return {
    values,
    blockThreads: threads === -1 ? null : Number(values[threads]),
    assumptions: parameters.map(({ name }, index) => `${name} = ${values[index]} assumed`),
    isLikely,
  };
}

function choice(choices: readonly string[], round: number): string {
  return choices[round % choices.length] ?? "";
}

const typeChoices = ["float", "double"];
const namesThreads =
  /^(k?(block|cta|tb)_?(size|dim|dim_?x|threads)?|k?(n|num)?_?threads(_?per_?block)?|tpb)$/i;

/** What a number may be, by its name: threads of a block, padding, items that a thread takes. */
const meanings: readonly (readonly [RegExp, readonly string[]])[] = [
  [namesThreads, ["256", "128", "512", "64", "1024", "32"]],
  [/pad/i, ["1", "0"]],
  [/(vec|unroll|per_?thread|items|ilp|pack)/i, ["4", "1", "2", "8"]],
];
const booleans = ["false", "true"];
const numbers = ["32", "16", "64", "8", "128", "4", "2", "1"];

function choicesOf({ name, typeText }: TemplateParameter): readonly string[] {
  if (/\bbool\b/.test(typeText ?? "")) return booleans;
  return meanings.find(([pattern]) => pattern.test(name))?.[1] ?? numbers;
}
