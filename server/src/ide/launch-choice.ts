// The launches that a kernel may be shown for, and the annotation above it that keeps a choice.
import { parseAnnotation } from "../launches/asked/annotation.ts";
import type { HostValue, Launch } from "../launches/launch.ts";
import { blockText, labelOf, type NamedLaunch } from "../render/labels.ts";
import type { Places } from "../render/places.ts";
import type { AnalysedFile, AnalysedKernel } from "./analysis.ts";
import { headStart, kernelAt, launchesOfKernel } from "./kernels.ts";
import { lineAbove, withoutComment } from "./text-lines.ts";
import type { LaunchChoice, LaunchChoices, TextEdit } from "./types.ts";

/** What there is to choose for the kernel whose definition holds `offset`; null where none does. */
export function launchChoicesOf(
  analysis: AnalysedFile,
  offset: number,
  places: Places,
): LaunchChoices | null {
  const kernel = kernelAt(analysis, offset);
  if (kernel === null) return null;
  const [annotation] = kernel.annotations;
  const current = annotation === undefined ? null : insideOf(annotation.text);
  const launches = usualFirst(launchesOfKernel(kernel));
  const choices = new Map<string, LaunchChoice>();
  for (const each of launches) {
    const choice = choiceOf(each, launches, kernel, analysis, places);
    if (!choices.has(choice.annotation)) choices.set(choice.annotation, choice);
  }
  return {
    kernel: kernel.name,
    range: { start: kernel.nameRange.start, end: kernel.nameRange.end },
    annotation: current,
    parameterNames: namesOf(kernel).parameters,
    choices: [...choices.values()],
  };
}

/**
 * Edits that make `annotation` (what stands in `launch(…)`) the one launch that is said of the kernel at `offset`: in place of the
 * annotations that are there, else above the kernel. Empty where no kernel is, or no comment can stand above it.
 */
export function setLaunchEdits(analysis: AnalysedFile, offset: number, annotation: string): TextEdit[] {
  const kernel = kernelAt(analysis, offset);
  if (kernel === null) return [];
  const { file, text } = analysis;
  const comment = `// warplint: launch(${annotation})`;
  const [first, ...rest] = kernel.annotations.filter(({ range }) => range.file === file);
  if (first !== undefined) {
    const { start, end } = first.range;
    return [
      { file, start, end, newText: comment },
      ...rest.map(({ range }) => withoutComment(file, text, range)),
    ];
  }
  const edit = lineAbove(file, text, headStart(text, kernel.range.start), comment);
  return edit === null ? [] : [edit];
}

/** What is wrong with `annotation` for the kernel at `offset`, in sentences; empty where nothing is. */
export function launchTextProblems(analysis: AnalysedFile, offset: number, annotation: string): string[] {
  const kernel = kernelAt(analysis, offset);
  if (kernel === null) return ["There is no kernel here."];
  if (!/\bblock\s*=/.test(annotation)) return ["Give at least block=(…)."];
  const text = `launch(${annotation})`;
  const range = { file: analysis.file, start: 0, end: text.length };
  return parseAnnotation(text, range, namesOf(kernel)).problems.map(({ message }) => message);
}

/** Of lengths in x that were merely assumed, the one that most kernels are launched with. */
function usualFirst(launches: readonly NamedLaunch[]): NamedLaunch[] {
  const isUsual = ({ launch }: NamedLaunch) =>
    launch.origin.kind === "assumed" && launch.block[0] === 256 && isLinearBlock(launch.block);
  return [...launches].sort((a, b) => Number(isUsual(b)) - Number(isUsual(a)));
}

function insideOf(annotation: string): string {
  return /launch\s*\(([\s\S]*)\)/.exec(annotation)?.[1]?.trim() ?? "";
}

/** What an annotation of a kernel may name. */
interface Names {
  readonly parameters: readonly string[];
  readonly templateParameters: readonly string[];
}

export function namesOf({ launches }: AnalysedKernel): Names {
  const kernel = launches[0]?.kernel;
  return {
    parameters: (kernel?.parameterNames ?? []).filter((name) => name !== ""),
    templateParameters: (kernel?.templateParameterNames ?? []).filter((name) => name !== ""),
  };
}

function choiceOf(
  named: NamedLaunch,
  all: readonly NamedLaunch[],
  kernel: AnalysedKernel,
  analysis: AnalysedFile,
  places: Places,
): LaunchChoice {
  const { launch } = named;
  const { kind } = launch.origin;
  const { line, template } = labelOf(named, all, places, analysis.file);
  const [x, y, z] = launch.grid;
  const grid = x === null || y === null || z === null ? [] : [`grid ${blockText([x, y, z])}`];
  const words = { annotation: "annotated above the kernel", config: "configured", assumed: "assumed" };
  return {
    label: [...(template === null ? [] : [template]), `block ${blockText(launch.block)}`, ...grid].join(", "),
    description: kind === "launch" ? (line ?? "found in the source") : words[kind],
    annotation: annotationOf(named, kernel, analysis.text),
    isCurrent: kind === "annotation",
  };
}

/** "block=(32,8), grid=(16,16), m=1024, T=float": all that a launch fixes; of an assumed one also sizes to start from. */
function annotationOf(named: NamedLaunch, kernel: AnalysedKernel, text: string): string {
  const { launch } = named;
  const { grid, block, sharedBytes, origin } = launch;
  const [x, y, z] = grid;
  const isGridKnown = x !== null && y !== null && z !== null;
  return [
    `block=${blockText(block)}`,
    ...(isGridKnown ? [`grid=${blockText([x, y, z])}`] : []),
    ...(sharedBytes === null || sharedBytes === 0 ? [] : [`shared=${sharedBytes}`]),
    ...templateTexts(named),
    ...(origin.kind === "assumed" ? assumedSizes(named, kernel, text) : argumentTexts(named)),
  ].join(", ");
}

function templateTexts({ kernel }: NamedLaunch): string[] {
  return kernel.templateParameterNames.flatMap((name, index) => {
    const value = kernel.templateArguments[index];
    return name === "" || value === undefined ? [] : [`${name}=${value}`];
  });
}

function argumentTexts({ kernel, launch }: NamedLaunch): string[] {
  return kernel.parameterNames.flatMap((name, index) => {
    const value = integerOf(launch.arguments[index]);
    return name === "" || value === null ? [] : [`${name}=${value}`];
  });
}

function integerOf(value: HostValue | undefined): string | null {
  if (value?.kind !== "scalar") return null;
  const { value: scalar } = value;
  if (typeof scalar === "bigint") return String(scalar);
  return Number.isSafeInteger(Number(scalar)) ? String(Number(scalar)) : null;
}

/** Integer parameters, by the kernel's text: a million elements in one dimension, 1024 in each of several. */
function assumedSizes(
  { kernel, launch }: NamedLaunch,
  { nameRange, range }: AnalysedKernel,
  text: string,
): string[] {
  const end = text.indexOf("{", nameRange.end);
  const head = text.slice(nameRange.end, end === -1 || end > range.end ? range.end : end);
  const integers = kernel.parameterNames.filter((name) => name !== "" && isInteger(head, name));
  const isLinear = isLinearBlock(launch.block) && integers.length === 1;
  return integers.map((name) => `${name}=${isLinear ? "1<<20" : "1024"}`);
}

function isLinearBlock([, y, z]: Launch["block"]): boolean {
  return y === 1 && z === 1;
}

function isInteger(head: string, name: string): boolean {
  const declaration = new RegExp(`([^,()]*)\\b${name}\\s*(?=[,)])`).exec(head)?.[1] ?? "";
  return /\b(?:int|unsigned|long|short|size_t|u?int\d+_t)\b/.test(declaration) && !/[*&[]/.test(declaration);
}
