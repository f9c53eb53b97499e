// How texts name a launch: by what tells it from the others.
import type { Launch } from "../launches/launch.ts";
import type { KernelName } from "../rules/finding.ts";
import type { SourceRange } from "../text/source.ts";
import type { Places } from "./places.ts";

/** "(32,8)", "(256)", "(8,8,4)". */
export function blockText(block: Launch["block"]): string {
  const [x, y, z] = block;
  return `(${[x, y, z].slice(0, z > 1 ? 3 : y > 1 ? 2 : 1).join(",")})`;
}

/** What a launch is named by: that of an access's context, or of a kernel as a whole. */
export interface NamedLaunch {
  readonly kernel: KernelName;
  readonly launch: Launch;
}

export interface LaunchLabel {
  /** "T=float": template arguments that differ among the launches. */
  readonly template: string | null;
  /** "block (32,32)", "block (32,8) assumed". */
  readonly block: string;
  /** "line 52", "main.cu:52": the outermost step of the path that tells the launches of one instantiation apart. */
  readonly line: string | null;
}

/** Names the launch of `context` among those of `all`. `file` is where the text will stand. */
export function labelOf(
  context: NamedLaunch,
  all: readonly NamedLaunch[],
  places: Places,
  file: string,
): LaunchLabel {
  const { launch } = context;
  const suffix = { assumed: " assumed", annotation: " annotated", config: " configured", launch: "" };
  return {
    template: templateText(context, all),
    block: `block ${blockText(launch.block)}${suffix[launch.origin.kind]}`,
    line: lineText(launch, all, places, file),
  };
}

/** All that a label says: "T=float, block (32,32), line 52". */
export function labelText({ template, block, line }: LaunchLabel): string {
  return [template, block, line].filter((part) => part !== null).join(", ");
}

/** What alone tells a launch apart: template arguments, else the block, else the line. */
export function distinguishingText(label: LaunchLabel, all: readonly NamedLaunch[]): string {
  if (label.template !== null) return label.template;
  const blocks = new Set(all.map(({ launch }) => blockText(launch.block)));
  return blocks.size > 1 || label.line === null ? label.block : label.line;
}

/** The launches of contexts, each once, in their order. */
export function distinctLaunches(contexts: readonly NamedLaunch[]): Launch[] {
  return [...new Set(contexts.map(({ launch }) => launch))];
}

function templateText({ kernel }: NamedLaunch, all: readonly NamedLaunch[]): string | null {
  const parts = kernel.templateArguments.flatMap((value, index) => {
    const isSame = all.every((other) => other.kernel.templateArguments[index] === value);
    if (isSame) return [];
    const name = kernel.templateParameterNames[index];
    return [name === undefined || name === "" ? value : `${name}=${value}`];
  });
  return parts.length === 0 ? null : parts.join(", ");
}

function lineText(launch: Launch, all: readonly NamedLaunch[], places: Places, file: string): string | null {
  // Template arguments tell instantiations apart by themselves: only launches of the same one need their place.
  const rivals = distinctLaunches(all).filter(({ kernel }) => kernel === launch.kernel);
  return lineAmong(launch, rivals, places, file);
}

/** "line 52": the outermost step that tells a launch from `rivals`; null where nothing in the text launches it. */
export function lineAmong(
  launch: Launch,
  rivals: readonly Launch[],
  places: Places,
  file: string,
): string | null {
  if (launch.origin.kind !== "launch") return null;
  const step = tellingStep(launch.origin.path, rivals);
  if (step === null) return null;
  const { line } = places.startOf(step);
  return step.file === file ? `line ${line}` : `${places.displayPath(step.file)}:${line}`;
}

/** From the outside inwards, the first step that not all launches share; of one launch, the `<<<>>>` itself. */
export function tellingStep(path: readonly SourceRange[], launches: readonly Launch[]): SourceRange | null {
  for (let fromEnd = 1; fromEnd <= path.length; fromEnd++) {
    const step = path[path.length - fromEnd];
    if (step === undefined) break;
    const isShared = launches.every(({ origin }) => {
      const other = origin.path[origin.path.length - fromEnd];
      return other !== undefined && other.file === step.file && other.start === step.start;
    });
    if (!isShared) return step;
  }
  return path[0] ?? null;
}
