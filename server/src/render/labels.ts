// How texts name a launch: by what tells it from the others.
import type { Figure } from "../evaluate/profile.ts";
import type { FunctionId } from "../ir/function.ts";
import type { HostValue, Launch } from "../launches/launch.ts";
import type { AccessContext, KernelName } from "../rules/finding.ts";
import type { SourceRange } from "../text/source.ts";
import type { Places } from "./places.ts";
import { onOneLine } from "./visible.ts";
import { countText } from "./words.ts";

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

/** An access under a launch, with what it costs there; null where that is not known. */
export interface NamedContext extends NamedLaunch, Pick<AccessContext, "access"> {
  readonly figure: Figure | null;
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

/** The label of a context, and what tells it from the others where that says too little. `file` is where the text will stand. */
export function contextLabel(
  context: NamedContext,
  all: readonly NamedContext[],
  places: Places,
  file: string,
): string {
  const label = labelText(labelOf(context, all, places, file));
  const telling = tellingText(context, all, places) ?? widthText(context, all);
  return telling === null ? label : `${label}, ${telling}`;
}

/** "4 B a lane": what tells the pieces apart in which one launch accesses a record at one place; null where there is one. */
function widthText({ launch, access }: NamedContext, all: readonly NamedContext[]): string | null {
  const isInPieces = all.some((other) => other.launch === launch && other.access.bytes !== access.bytes);
  return isInPieces && access.bytes > 0 ? `${access.bytes} B a lane` : null;
}

/**
 * "stride=32", "grid (64)", "call at line 18": what tells a context from those of the same instantiation, block and place that cost
 * something else; null where there are none, or nothing tells.
 */
export function tellingText(
  context: NamedContext,
  all: readonly NamedContext[],
  places: Places,
): string | null {
  const { launch, figure, access } = context;
  const rivals = all.filter(
    (other) =>
      (other.figure?.cost !== figure?.cost || other.figure?.ideal !== figure?.ideal) &&
      isLaunchedAlike(other.launch, launch),
  );
  if (rivals.length === 0) return null;
  const others = rivals.filter((other) => other.launch !== launch);
  if (others.length > 0) return argumentText(context, others) ?? gridText(launch, others);
  const stacks = rivals.map((other) => other.access.stack);
  const call = partingStep(access.stack, stacks);
  return call && `call at line ${places.startOf(call).line}`;
}

function isLaunchedAlike(a: Launch, b: Launch): boolean {
  if (a === b) return true;
  if (a.kernel !== b.kernel || a.block.some((extent, axis) => extent !== b.block[axis])) return false;
  const [longer, shorter] = [a.origin.path, b.origin.path];
  return longer.length === shorter.length && partingStep(longer, [shorter]) === null;
}

/** Of the arguments that differ from a rival's, the first that differs from every one's, else the first. */
function argumentText({ kernel, launch }: NamedLaunch, rivals: readonly NamedLaunch[]): string | null {
  const differing = launch.arguments.flatMap((value, index) => {
    const text = scalarText(value);
    const name = kernel.parameterNames[index];
    if (text === null || name === undefined || name === "") return [];
    const others = rivals.filter((rival) => scalarText(rival.launch.arguments[index]) !== text);
    return others.length === 0
      ? []
      : [{ text: `${name}=${text}`, isFromAll: others.length === rivals.length }];
  });
  return (differing.find(({ isFromAll }) => isFromAll) ?? differing[0])?.text ?? null;
}

function scalarText(value: HostValue | undefined): string | null {
  if (value?.kind !== "scalar") return null;
  return Number.isInteger(value.value) ? countText(Number(value.value)) : String(value.value);
}

function gridText({ grid: [x, y, z] }: Launch, rivals: readonly NamedLaunch[]): string | null {
  if (x === null || y === null || z === null) return null;
  const isOther = rivals.some(({ launch: { grid } }) => grid.join() !== [x, y, z].join());
  return isOther ? `grid ${blockText([x, y, z])}` : null;
}

/** The launches of contexts, each once, in their order. */
export function distinctLaunches(contexts: readonly NamedLaunch[]): Launch[] {
  return [...new Set(contexts.map(({ launch }) => launch))];
}

function templateText({ kernel }: NamedLaunch, all: readonly NamedLaunch[]): string | null {
  const { differingArguments } = differencesAmong(all);
  const parts = kernel.templateArguments.flatMap((value, index) => {
    if (!differingArguments.has(index)) return [];
    const name = kernel.templateParameterNames[index];
    return [name === undefined || name === "" ? value : `${name}=${value}`];
  });
  return parts.length === 0 ? null : parts.join(", ");
}

/** What launches that are named together differ in. */
interface Differences {
  /** The indices of template arguments that are not the same for all. */
  readonly differingArguments: ReadonlySet<number>;
  /** The launches of each instantiation, each once. */
  readonly launchesOf: ReadonlyMap<FunctionId, readonly Launch[]>;
}

/** Of thousands of launches each is named among all: what they differ in is found once. */
function differencesAmong(all: readonly NamedLaunch[]): Differences {
  const known = knownDifferences.get(all);
  if (known !== undefined) return known;
  const [first, ...others] = new Set(all.map(({ kernel }) => kernel.templateArguments));
  const differingArguments = new Set<number>();
  for (const values of others)
    for (let index = 0; index < Math.max(values.length, first?.length ?? 0); index++)
      if (values[index] !== first?.[index]) differingArguments.add(index);
  const launchesOf = new Map<FunctionId, Launch[]>();
  for (const launch of distinctLaunches(all)) {
    const alike = launchesOf.get(launch.kernel);
    if (alike) alike.push(launch);
    else launchesOf.set(launch.kernel, [launch]);
  }
  const differences = { differingArguments, launchesOf };
  knownDifferences.set(all, differences);
  return differences;
}

const knownDifferences = new WeakMap<readonly NamedLaunch[], Differences>();

function lineText(launch: Launch, all: readonly NamedLaunch[], places: Places, file: string): string | null {
  // Template arguments tell instantiations apart by themselves: only launches of the same one need their place.
  const rivals = differencesAmong(all).launchesOf.get(launch.kernel) ?? [];
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
  return step.file === file ? `line ${line}` : `${onOneLine(places.displayPath(step.file))}:${line}`;
}

/** From the outside inwards, the first step that not all launches share; of one launch, the `<<<>>>` itself. */
export function tellingStep(path: readonly SourceRange[], launches: readonly Launch[]): SourceRange | null {
  const paths = launches.map(({ origin }) => origin.path);
  return partingStep(path, paths) ?? path[0] ?? null;
}

/** From the end of a path to its start, the first step that not all paths share; null where they share all. */
function partingStep(
  path: readonly SourceRange[],
  paths: readonly (readonly SourceRange[])[],
): SourceRange | null {
  for (let fromEnd = 1; fromEnd <= path.length; fromEnd++) {
    const step = path[path.length - fromEnd];
    const isShared = paths.every((other) => {
      const same = other[other.length - fromEnd];
      return same !== undefined && same.file === step?.file && same.start === step.start;
    });
    if (!isShared) return step ?? null;
  }
  return null;
}
