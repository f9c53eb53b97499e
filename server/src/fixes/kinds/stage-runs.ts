// Loops in which each thread goes along a run of its own, wherever it begins: staged through shared memory by warps whose threads tell each other
// where their runs begin. For rows under blocks of two dimensions, in grid-stride loops, behind conditions; for a chunk a thread.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { isAssigned } from "../text/assigned.ts";
import { valueIn } from "../text/constants.ts";
import { type ArrayMention, mentionsOf } from "../text/mentions.ts";
import { runStart } from "../text/run-index.ts";
import { asSummand } from "../text/spelling.ts";
import { pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { type Span, spelled, type TypedTexts, textAt } from "../text/typed-text.ts";
import { isChangedIn } from "../text/uniform.ts";
import { elementOf } from "../text/vectors.ts";
import { parameterType } from "./element-type.ts";
import { type KernelText, kernelText, ofKernel } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";
import { rowPointerOf } from "./row-pointer.ts";
import { haloOf, noHalo, type RunHalo } from "./run-halo.ts";
import { guardsOf, type RunLoop, type RunNames, runLoopOf, variableThere } from "./run-loop.ts";
import { runEdits } from "./run-text.ts";
import { isFixed } from "./thread-role.ts";
import { whyNotWhole } from "./whole-trips.ts";

/** Columns of a tile, the most first: fewer where a block's runs would not fit. */
const columnCounts = [32, 16, 8];
const mostTileBytes = 48 * 1024;

/** The loop around the access, with the array of its runs staged. */
export function stageRunsCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofKernel(kernelText(access, launches, texts), (kernel) => {
    if (access.operation !== "load" && access.operation !== "store")
      return refusal("atomics and copies are not staged");
    const run = runOf(access, kernel);
    if (typeof run === "string") return refusal(run);
    const threads = Math.max(...kernel.blocks.map(([x, y, z]) => x * y * z));
    const fitting = run.widths.filter(
      ({ columns }) => threads * pitchOf(columns + wider(run), run.bytes) * run.bytes <= mostTileBytes,
    );
    if (fitting.length === 0)
      return refusal(
        `a tile for ${threads} threads would pass the 48 KB that a block may declare: launch smaller blocks`,
      );
    return candidatesFound(fitting.slice(0, 2).map((width) => candidateOf(kernel, run, threads, width)));
  });
}

interface RunWidth {
  readonly columns: number;
  /** Whole runs fit. */
  readonly isWhole: boolean;
}

/** Columns of a tile: those of short runs, where the text has their length; else the most first. */
function widthsOf({ typed, launches }: KernelText, { start, bounds, isUniform }: RunLoop): RunWidth[] {
  const [only, ...others] = bounds;
  const lengths = new Set(
    launches.map((launched) => {
      const first = valueIn(typed, start, launched);
      const last = only === undefined ? null : valueIn(typed, only.bound, launched);
      return first === null || last === null ? null : last - first + (only?.comparison === "<=" ? 1 : 0);
    }),
  );
  const [length] = lengths;
  const isKnown = isUniform && others.length === 0 && lengths.size === 1 && length != null && length > 0;
  const parts = columnCounts.map(partOfRun);
  if (!isKnown || length > columnsOfWarp) return parts;
  const isConstant = only !== undefined && isFixed(typed, start) && isFixed(typed, only.bound);
  if (isConstant) return [{ columns: length, isWhole: true }];
  return parts.filter(({ columns }) => columns >= length || columns === columnsOfWarp).reverse();
}

function partOfRun(columns: number): RunWidth {
  return { columns, isWhole: false };
}

const columnsOfWarp = 32;

/** An odd number of words, so that threads of neighbouring rows meet in no bank. */
function pitchOf(columns: number, bytes: number): number {
  if (bytes >= 4) return columns + (((columns * bytes) / 4) % 2 === 0 ? 1 : 0);
  const words = Math.ceil((columns * bytes) / 4);
  return ((words | 1) * 4) / bytes;
}

function wider({ halo }: Run): number {
  return halo.before + halo.behind;
}

/** The run that each thread goes along. */
export interface Run {
  readonly array: string;
  /** The array's name, or a cast of it. */
  readonly pointer: string;
  readonly type: string;
  readonly bytes: number;
  /** Where it begins, as typed; null where the loop's variable alone is the index. */
  readonly start: string | null;
  readonly loop: RunLoop;
  /** The loop's variable at an element of another thread's run; null where nothing asks for it. */
  readonly variableThere: string | null;
  /** Elements beside that of the iteration. */
  readonly halo: Omit<RunHalo, "start">;
  /** Every `name[index]` in the loop that is of the run. */
  readonly accesses: readonly Span[];
  /** Conditions of another thread's element, as that element is numbered. */
  readonly guards: readonly string[];
  readonly isLoaded: boolean;
  readonly isStored: boolean;
  readonly names: RunNames;
  /** Columns that a tile may have. */
  readonly widths: readonly RunWidth[];
}

/** `c` where the first is 0. */
export function firstPlus(first: string, column: string): string {
  return first === "0" ? column : `${asSummand(first)} + ${column}`;
}

function runOf(access: AccessProfile, kernel: KernelText): Run | string {
  const { target } = access;
  const { typed, body, nodes } = kernel;
  if (target === null) return otherThreads;
  const name = textAt(typed, kernel.access.first);
  const alias = name === target.name ? null : rowPointerOf(typed, kernel.access.first, target.name, body);
  const element = elementOf(target.type);
  const type = alias?.type ?? parameterType(typed, body, target.name);
  // Of a pointer to another type, each access is taken for a whole element.
  const bytes = alias?.type != null ? access.bytes : element === null ? null : sizeOf(element);
  if (bytes === null || type === null) return otherThreads;
  const path = pathTo(nodes, kernel.access.first);
  // Without a loop there is no run, however it is written: what stands in the way of other kinds says more.
  if (name !== target.name && alias === null && !path.some(({ kind }) => kind === "loop"))
    return otherThreads;
  if (name !== target.name && alias === null)
    return /^\w+$/.test(name) && textAt(typed, kernel.access.first + 1) === "["
      ? `${name} is no pointer to a row of ${target.name} that is made once`
      : `the access is not written as ${target.name}[…]`;
  const mentions = mentionsOf(typed, { name, nameToken: -1, scope: body });
  const own = mentions.find(({ nameToken }) => nameToken === kernel.access.first)?.subscripts[0];
  if (own === undefined) return otherThreads;
  const found = loopOfRun(kernel, path, own);
  if (typeof found === "string") return found;
  const { loop } = found;
  const { span, variable } = loop;
  const inLoop = mentions.filter(({ nameToken }) => span.first <= nameToken && nameToken < span.end);
  const isOwn = (index: Span | undefined) =>
    index !== undefined && runStart(typed, index, variable, span) === found.start;
  const alike = inLoop.filter(({ subscripts, address }) => isOwn(subscripts[0]) && address === "not-taken");
  const isAssignedTo = ({ subscripts }: ArrayMention) => isAssigned(typed, memberEnd(kernel, subscripts[0]));
  const isMixed = alike.length < inLoop.length && inLoop.some(isAssignedTo);
  const halo = isMixed ? haloOf(typed, inLoop, loop, isAssignedTo) : null;
  const ofRun = halo === null ? alike : inLoop;
  const offset = halo?.start ?? found.start;
  const start = [
    ...(alias === null ? [] : [spelled(typed, alias.offset)]),
    ...(offset === "" ? [] : [offset]),
  ];
  const isStored = ofRun.some(isAssignedTo);
  // What is stored to a part of an element leaves the rest as it is.
  const isLoaded = ofRun.some(({ subscripts }) => textAt(typed, (subscripts[0]?.end ?? -1) + 1) !== "=");
  const others = inLoop.filter((each) => !ofRun.includes(each));
  const isOtherStored = others.some(
    ({ subscripts }) => subscripts[0] === undefined || isAssigned(typed, memberEnd(kernel, subscripts[0])),
  );
  if (others.length > 0 && (isStored || isOtherStored))
    return `${name} is indexed in several ways in the loop, and stored to: one tile would not hold what the others need`;
  if (loop.isUniform && start.length === 0) return otherThreads;
  const names = namesFor(kernel, variable);
  const widths = halo === null ? widthsOf(kernel, loop) : columnCounts.map(partOfRun);
  // Behind a pointer of the thread's own, indices are not those of the array.
  const whole = alias === null ? offset : null;
  const there = widths.some(({ isWhole }) => isWhole)
    ? firstPlus(spelled(typed, loop.start).trim(), names.column)
    : variableThere(loop, whole, names);
  const isNumbered = there !== null || loop.bounds.every((each) => !each.isUniform);
  if (!isNumbered) return "runs do not begin in one column, and their end does not depend on the thread";
  if (loop.bounds.filter((each) => !each.isUniform).length > 1)
    return "runs end by several conditions that differ between threads";
  const guards = guardsOf(kernel, loop, {
    path: leastGuarded(kernel, ofRun, loop),
    offset: whole,
    names,
    there,
    isStored,
  });
  if (typeof guards === "string") return guards;
  if (halo !== null && guards.length > 0)
    return `${name} is indexed in several ways in the loop, and not in all of its iterations`;
  return {
    array: target.name,
    pointer: alias?.base ?? target.name,
    type,
    bytes,
    start: start.length === 0 ? null : start.map(asSummand).join(" + "),
    variableThere: there,
    widths,
    loop,
    halo: halo ?? noHalo,
    accesses: ofRun.map(({ nameToken, subscripts }) => ({
      first: nameToken,
      end: (subscripts[0]?.end ?? nameToken) + 1,
    })),
    guards,
    isLoaded,
    isStored,
    names,
  };
}

/** The way to the access that hangs on the fewest conditions in the loop: what it needs holds what the others need. */
function leastGuarded(
  { nodes }: KernelText,
  mentions: readonly ArrayMention[],
  { span }: RunLoop,
): readonly TypedNode[] {
  const paths = mentions.map(({ nameToken }) =>
    // What stands in a condition does not hang on it.
    pathTo(nodes, nameToken).filter(
      (node) => node.kind !== "if" || nameToken < node.condition.first || node.condition.end <= nameToken,
    ),
  );
  const guardsIn = (path: readonly TypedNode[]) =>
    path.filter((node) => node.kind === "if" && node.span.first > span.first).length;
  return paths.toSorted((a, b) => guardsIn(a) - guardsIn(b))[0] ?? [];
}

/** Behind `[index]` and the members of what is there. */
function memberEnd({ typed }: KernelText, index: Span | undefined): number {
  let at = (index?.end ?? -1) + 1;
  while (textAt(typed, at) === "." && typed.tokens[at + 1]?.kind === "identifier") at += 2;
  return at;
}

/** The innermost loop whose variable is a summand of the index. */
function loopOfRun(
  { typed, body }: KernelText,
  path: readonly TypedNode[],
  index: Span,
): { loop: RunLoop; start: string } | string {
  for (let place = path.length - 1; place >= 0; place--) {
    const node = path[place];
    if (node === undefined || node.kind !== "loop") continue;
    const loop = runLoopOf(typed, node, path.slice(0, place));
    if (loop === null) continue;
    const start = runStart(typed, index, loop.variable, node.span);
    if (start === null) continue;
    const notWhole = whyNotWhole(typed, node.body.span);
    if (notWhole !== null) return notWhole;
    if (start.includes("[")) return "what memory holds decides where the run begins";
    if (isChangedIn(typed, loop.variable, node.body.span))
      return `${loop.variable} is changed in the loop that it counts`;
    const moved = identifiersOf(start).find((each) => isChangedIn(typed, each, node.span));
    if (moved !== undefined) return `${moved} is changed in the loop: the run does not begin in one place`;
    if (body.first > node.span.first) continue;
    return { loop, start };
  }
  return otherThreads;
}

function identifiersOf(text: string): string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

function namesFor({ typed, body }: KernelText, variable: string): RunNames {
  const fresh = (name: string) => freshNameIn(typed, body, name);
  return {
    tile: fresh("tile"),
    thread: fresh("thread"),
    lane: fresh("lane"),
    mask: fresh("mask"),
    rank: fresh("rank"),
    active: fresh("active"),
    start: fresh("start"),
    left: fresh("left"),
    row: fresh("r"),
    from: fresh("from"),
    to: fresh("to"),
    column: fresh("c"),
    base: fresh(`${variable}0`),
  };
}

function candidateOf(kernel: KernelText, run: Run, threads: number, width: RunWidth): Candidate {
  const pitch = pitchOf(width.columns + wider(run), run.bytes);
  const edits: readonly TextEdit[] = runEdits(kernel, run, { threads, ...width, pitch });
  return {
    kind: "stage-tile",
    edits,
    title: {
      kind: "stage-tile",
      array: run.array,
      operation: run.isStored ? (run.isLoaded ? "access" : "store") : "load",
      tile: run.names.tile,
      dimensions: [String(threads), String(pitch)],
    },
    safety: "suggestion",
    operations: 0,
    estimate: null,
  };
}
