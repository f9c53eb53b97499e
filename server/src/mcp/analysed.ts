// From a tool's input to what is known of its source.
import type { ConfiguredLaunch } from "../config/schema.ts";
import type { FixSearchResult } from "../fixes/fix.ts";
import { type Host, readText, unreadText } from "../host/host.ts";
import { memoryHost } from "../host/memory.ts";
import { overlayHost } from "../host/overlay.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import { searchFile } from "../lint/fix-files.ts";
import { fixTools } from "../lint/fix-tools.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import { joined, millisecondsOfKernel, patienceOf } from "../lint/search.ts";
import { createLintSession, type LintSession } from "../lint/session.ts";
import { createProject } from "../project/project.ts";
import { createPlaces, type Places } from "../render/places.ts";
import { listText } from "../render/words.ts";
import { relativeTo } from "../text/path.ts";
import type { LaunchInput, SourceInput } from "./inputs.ts";
import { isPython, pythonKernels } from "./python-kernels.ts";
import { fileInside, insideHost, placeInside } from "./workspace.ts";

/** What the tools need of the process around them. */
export interface ToolContext {
  readonly host: Host;
  readonly pipeline: Pipeline;
  /** Directories whose files may be read. */
  readonly roots: readonly string[];
  /** Milliseconds that the process has worked. */
  worked(): number;
}

export interface Analysed {
  readonly analysis: FileAnalysis;
  readonly places: Places;
  readonly session: LintSession;
  /** The source came as text: it is no file. */
  readonly isText: boolean;
  /** The text that edits are made in; that of the analysis where the whole of it is CUDA. */
  readonly original: string;
  /** Of a Python file, the lines at which its strings with kernels begin; else none. */
  readonly stringLines: readonly number[];
}

/** What is wrong with an input, for whoever called the tool. */
export class InputError extends Error {}

/** Analyses one source. Throws `InputError`. */
export function analysed(input: SourceInput, context: ToolContext): Analysed {
  const source = ofPython(sourceOf(input, context), input.string ?? 1);
  if (input.launch === undefined) return analyse(source, input, {});
  const { kernels } = analyse(source, input, {}).analysis;
  const kernel = kernelOf(input.launch, [...new Set(kernels.map(({ name }) => name))]);
  return analyse(source, input, { [kernel]: configured(input.launch) });
}

interface Source {
  readonly host: Host;
  readonly file: string;
  readonly directory: string;
  readonly isText: boolean;
  readonly pipeline: Pipeline;
}

/** The kernels of one string of a Python file, in a file of their own beside it. */
function ofPython(source: Source, wanted: number): Source & Pick<Analysed, "original" | "stringLines"> {
  const { host, file, directory } = source;
  const read = readText(host, file);
  const original = read.kind === "text" ? read.text : "";
  if (!isPython(file)) return { ...source, original, stringLines: [] };
  const kernels = pythonKernels(original, wanted);
  if (kernels.kind === "error") throw new InputError(`${relativeTo(directory, file)}: ${kernels.message}.`);
  const cuda = `${file}${cudaEnding}`;
  const over = overlayHost(host, (each) => (each === cuda ? kernels.text : null), directory);
  return { ...source, host: over, file: cuda, original, stringLines: kernels.lines };
}

/** Of the file that the kernels of a Python file are taken to stand in. */
const cudaEnding = ".kernels.cu";

function sourceOf({ file, text, path }: SourceInput, { host, roots, pipeline }: ToolContext): Source {
  if ((file === undefined) === (text === undefined)) throw new InputError("Give either `file` or `text`.");
  if (text !== undefined && path === undefined) {
    const alone = memoryHost({ [textFile]: text });
    return { host: alone, file: textFile, directory: "/", isText: true, pipeline };
  }
  const inside = insideHost(host, roots);
  const directory = inside.currentDirectory;
  if (text !== undefined) {
    const place = placeInside(path ?? "", host, roots);
    if (place === null) throw new InputError(`${path}: outside of the workspace.`);
    const over = overlayHost(inside, (each) => (each === place ? text : null), directory);
    return { host: over, file: place, directory, isText: true, pipeline };
  }
  const found = fileInside(file ?? "", inside, roots);
  if (found === null) throw new InputError(`${file}: no such file in the workspace (${listText(roots)}).`);
  const read = readText(inside, found);
  if (read.kind !== "text") throw new InputError(`${file}: ${unreadText(read.kind)}.`);
  return { host: inside, file: found, directory, isText: false, pipeline };
}

const textFile = "/kernel.cu";

function analyse(
  { host, file, directory, isText, pipeline, original, stringLines }: ReturnType<typeof ofPython>,
  { arch, defines }: SourceInput,
  launches: Readonly<Record<string, ConfiguredLaunch>>,
): Analysed {
  const project = createProject(host, {
    configPath: null,
    includePaths: [],
    overridesOrigin: "<tool>",
    overrides: {
      launches,
      ...(arch === undefined ? {} : { architecture: arch }),
      ...(defines === undefined ? {} : { defines }),
    },
  });
  const session = createLintSession({ host, project, pipeline, options: { block: null, edits: "none" } });
  const analysis = session.analyse(file);
  const [failure] = analysis?.failures ?? [];
  if (analysis === null || failure !== undefined)
    throw new InputError(failure?.message ?? "could not be analysed");
  const displayed = (each: string) => (each === file ? each.replace(cudaEnding, "") : each);
  const places = createPlaces(analysis.texts, (each) => relativeTo(directory, displayed(each)));
  return { analysis, places, session, isText, original, stringLines };
}

function kernelOf({ kernel }: LaunchInput, names: readonly string[]): string {
  const [only] = names;
  if (only === undefined) throw new InputError("There is no kernel.");
  if (kernel !== undefined && !names.includes(kernel))
    throw new InputError(`There is no kernel ${kernel}; there is ${listText(names)}.`);
  if (kernel === undefined && names.length > 1)
    throw new InputError(`Say which \`kernel\` the launch is of: ${listText(names)}.`);
  return kernel ?? only;
}

function configured({ kernel: _kernel, ...launch }: LaunchInput): ConfiguredLaunch {
  return launch;
}

/** The fixes of all findings in the file. */
export function fixesOf({ analysis, session }: Analysed, { worked }: ToolContext): FixSearchResult {
  const newPatience = () => patienceOf(millisecondsOfKernel, worked);
  const { kernels, failures } = searchFile(analysis, { session, tools: fixTools, newPatience });
  const [failure] = failures;
  if (failure !== undefined) throw new InputError(failure.message);
  return joined(kernels);
}
