// Which template arguments are tried for a kernel that nobody in sight instantiates.
import type { Assumption } from "../../ir/assumption.ts";
import { type KernelDeclaration, type TemplateParameter, unknownTypeMark } from "../../ir/function.ts";

type TemplateArgument = Assumption & { readonly kind: "template-argument" };

export interface TemplateSample {
  /** Of the parameters in their order, packs left out; of those behind the last one, the defaults count. */
  readonly values: readonly string[];
  /** The value given to a parameter that is the number of threads, if there is one. */
  readonly blockThreads: number | null;
  /** The values, by the names of their parameters. */
  readonly assumptions: readonly TemplateArgument[];
  /** One of the likeliest, which are tried with all shapes; the others are there to contradict. */
  readonly isLikely: boolean;
}

/** The written form of a type of which nothing is known: that of an object, which is called or has members. */
export function unknownType(name: string): string {
  return `${unknownTypeMark}${name}`;
}

/**
 * Samples of a kernel's template arguments, the likeliest first; none where a parameter is a template. What exceeds with all of them may be
 * warned of. Types are float and double (4 and 8 bytes), or int and long long where their values choose places; what a number may be is read off its name (`meanings`). Each sample takes the next
 * choice of every number, and the first two are combined with both types. Of types that are no numbers nothing is assumed. A kernel without parameters has one sample. Defaults stay as they
 * are, but for padding: a row that a parameter pads by 0 is padded where somebody launches it.
 */
export function templateSamples(kernel: Templated): TemplateSample[] {
  const needed = kernel.templateParameters.filter((each) => !each.isPack && each.defaultText === null);
  if (needed.some(({ kind }) => kind === "template")) return [];
  const samples = needed.length === 0 ? [plainSample] : samplesOf(needed);
  const [likeliest] = samples;
  return likeliest === undefined ? [] : [...samples, ...paddedSamples(kernel, likeliest)];
}

type Templated = Pick<KernelDeclaration, "templateParameters">;

const plainSample: TemplateSample = { values: [], blockThreads: null, assumptions: [], isLikely: true };

function samplesOf(parameters: readonly TemplateParameter[]): TemplateSample[] {
  const hasTypes = parameters.some(({ kind, typeRole }) => kind === "type" && typeRole !== "object");
  const counts = parameters.map((parameter) =>
    parameter.kind === "value" ? choicesOf(parameter).length : 1,
  );
  return Array.from({ length: Math.max(...counts) }, (_, round) => {
    const isLikely = round < likelyRounds;
    const types = !hasTypes ? [0] : isLikely ? [0, 1] : [round % typeChoices.length];
    return types.map((type) => sampleOf(parameters, { type, round, isLikely }));
  }).flat();
}

/** The likeliest sample with each padding in place of the defaults of those that pad. */
function paddedSamples({ templateParameters }: Templated, likeliest: TemplateSample): TemplateSample[] {
  const pads = templateParameters.filter(
    ({ kind, name, defaultText }) => kind === "value" && defaultText !== null && isPad.test(name),
  );
  if (pads.length === 0 || templateParameters.some(({ isPack }) => isPack)) return [];
  return paddings.map((padding) => {
    const given = [...likeliest.values];
    const values = templateParameters.map((parameter) => {
      if (parameter.defaultText === null) return given.shift() ?? "";
      return pads.includes(parameter) ? padding : parameter.defaultText;
    });
    const assumed = pads.map(({ name }) => assumedArgument(name, padding));
    const assumptions = [...likeliest.assumptions, ...assumed];
    return { ...likeliest, values, assumptions, isLikely: false };
  });
}

const likelyRounds = 2;

function sampleOf(
  parameters: readonly TemplateParameter[],
  { type, round, isLikely }: { readonly type: number; readonly round: number; readonly isLikely: boolean },
): TemplateSample {
  const values = parameters.map((parameter) => {
    if (parameter.kind !== "type") return choice(choicesOf(parameter), round);
    if (parameter.typeRole === "object") return unknownType(parameter.name);
    return choice(parameter.typeRole === "index" ? indexTypeChoices : typeChoices, type);
  });
  const threads = parameters.findIndex(({ kind, name }) => kind === "value" && namesThreads.test(name));
  return {
    values,
    blockThreads: threads === -1 ? null : Number(values[threads]),
    assumptions: parameters.flatMap(({ name, typeRole }, index) =>
      typeRole === "object" ? [] : [assumedArgument(name, values[index] ?? "")],
    ),
    isLikely,
  };
}

function assumedArgument(name: string, value: string): TemplateArgument {
  return { kind: "template-argument", name, value };
}

function choice(choices: readonly string[], round: number): string {
  return choices[round % choices.length] ?? "";
}

const typeChoices = ["float", "double"];
const indexTypeChoices = ["int", "long long"];
const namesThreads =
  /^(k?(block|cta|tb)_?(size|dim|dim_?x|threads)?|k?(n|num)?_?threads(_?per_?block)?|tpb)$/i;

const isPad = /pad/i;
/** 8 halves are the 16 bytes of a row of a matrix instruction. */
const paddings = ["1", "0", "8"];

/** What a number may be, by its name: threads of a block, padding, items that a thread takes. */
const meanings: readonly (readonly [RegExp, readonly string[]])[] = [
  [namesThreads, ["256", "128", "512", "64", "1024", "32"]],
  [isPad, paddings],
  [/(vec|unroll|per_?thread|items|ilp|pack)/i, ["4", "1", "2", "8"]],
];
const booleans = ["false", "true"];
const numbers = ["32", "16", "64", "8", "128", "4", "2", "1"];

function choicesOf({ name, typeText }: TemplateParameter): readonly string[] {
  if (/\bbool\b/.test(typeText ?? "")) return booleans;
  return meanings.find(([pattern]) => pattern.test(name))?.[1] ?? numbers;
}
