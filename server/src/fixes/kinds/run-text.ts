// What a loop along runs reads like when its array is staged.
import type { TextEdit } from "../fix.ts";
import { directivesBefore } from "../text/directives.ts";
import { asSummand } from "../text/spelling.ts";
import { offsetsOf, type Span, spelled } from "../text/typed-text.ts";
import { indentAt, indentStep, type KernelText } from "./kernel-text.ts";
import type { Run } from "./stage-runs.ts";

export interface RunTile {
  readonly threads: number;
  readonly columns: number;
  /** Whole runs fit: nothing goes on behind the tile's columns. */
  readonly isWhole: boolean;
  readonly pitch: number;
}

export function runEdits(kernel: KernelText, run: Run, tile: RunTile): TextEdit[] {
  const { typed, blocks } = kernel;
  const { loop, names, accesses, halo } = run;
  const { node, variable, around } = loop;
  const indent = indentAt(typed, node.span.first);
  const step = indentStep(typed);
  const { columns, isWhole } = tile;
  const within = isWhole ? "" : step;
  const isRow = blocks.every(([, y, z]) => y === 1 && z === 1);
  const thread = isRow ? "threadIdx.x" : names.thread;
  const first = tile.isWhole ? spelled(typed, loop.start).trim() : firstHere(kernel, run);
  const head = headsOf(kernel, run, columns);
  const copy = (direction: "in" | "out") =>
    copyLines(kernel, run, { tile, thread, direction }).map((line) => within + line);
  const before = [
    `__shared__ ${run.type} ${names.tile}[${tile.threads}][${tile.pitch}];`,
    ...threadLines(kernel, run, thread),
    `const unsigned ${names.mask} = __activemask();`,
    `const int ${names.rank} = __popc(${names.mask} & ((1u << ${names.lane}) - 1)), ${names.active} = __popc(${names.mask});`,
    ...(run.start === null ? [] : [`const auto ${names.start} = ${run.start};`]),
    ...(isWhole
      ? ["// The warp copies its threads' runs, run by run."]
      : [`// The warp copies ${columns} columns of its threads' runs, run by run.`, head.outer]),
    ...(run.isLoaded ? copy("in") : []),
  ];
  const directives = directivesBefore(typed, node.span.first);
  const own = isWhole ? spelled(typed, { first: node.span.first, end: node.body.span.first }) : head.inner;
  const inner = [...directives.lines, own].map((line) => within + line);
  const after = [
    `${within}__syncwarp(${names.mask});`,
    ...(run.isStored ? copy("out") : []),
    ...(isWhole ? [] : ["}"]),
  ];
  const [start, end] = offsetsOf(typed, node.span);
  const [bodyStart] = offsetsOf(typed, node.body.span);
  const headEnd = typed.tokens[node.body.span.first - 1]?.end ?? bodyStart;
  const { file, text } = typed;
  const parent = around.at(-1);
  // What the loop hangs on alone has several statements now.
  const isBare = parent !== undefined && parent.kind !== "block";
  const opened = typed.tokens[node.span.first - 1]?.end ?? start;
  const edits: TextEdit[] = [
    {
      file,
      start: directives.start ?? start,
      end: headEnd,
      newText: [...before, ...inner].join(`\n${indent}`),
    },
    {
      file,
      start: end,
      end,
      newText:
        after.map((line) => `\n${indent}${line}`).join("") +
        (isBare ? `\n${indentAt(typed, parent.span.first)}}` : ""),
    },
    ...(isBare ? [{ file, start: opened, end: opened, newText: " {" }] : []),
  ];
  for (
    let line = isWhole && !isBare ? 0 : text.indexOf("\n", headEnd) + 1;
    line > 0 && line <= end;
    line = text.indexOf("\n", line) + 1
  )
    if (/^[^\S\n]*[^\s#]/.test(text.slice(line))) edits.push({ file, start: line, end: line, newText: step });
  for (const span of accesses) {
    const [from, to] = offsetsOf(typed, span);
    edits.push({
      file,
      start: from,
      end: to,
      newText: `${names.tile}[${thread}][${variable}${first === "0" ? "" : ` - ${asSummand(first)}`}${signed((halo.distances.get(span.first) ?? 0) + halo.before)}]`,
    });
  }
  return edits;
}

function threadLines({ blocks }: KernelText, { names }: Run, thread: string): string[] {
  if (thread === "threadIdx.x") return [`const int ${names.lane} = threadIdx.x % 32;`];
  const isDeep = blocks.some(([, , z]) => z > 1);
  const row = isDeep ? "(threadIdx.z * blockDim.y + threadIdx.y)" : "threadIdx.y";
  return [`const int ${thread} = ${row} * blockDim.x + threadIdx.x, ${names.lane} = ${thread} % 32;`];
}

/** What the first column of the tile is numbered by, to be taken off: `k0`, or `begin - i0` for a start of the thread's own. */
function firstHere({ typed }: KernelText, { loop, names }: Run): string {
  if (loop.isUniform) return names.base;
  return `${asSummand(spelled(typed, loop.start))} - ${names.base}`;
}

function headsOf(
  { typed }: KernelText,
  { loop, names }: Run,
  columns: number,
): { outer: string; inner: string } {
  const { variable, type, bounds } = loop;
  const { base, mask } = names;
  const start = spelled(typed, loop.start).trim();
  const isWithin = (value: string) =>
    bounds.map(({ comparison, bound }) => `${value} ${comparison} ${spelled(typed, bound)}`).join(" && ");
  const declared = type === "" ? "" : `${type} `;
  const ofBase = type === "" ? "int" : type;
  if (loop.isUniform)
    return {
      outer: `for (${ofBase} ${base} = ${start}; ${isWithin(base)}; ${base} += ${columns}) {`,
      inner: `for (${declared}${variable} = ${base}; ${variable} < ${base} + ${columns} && ${isWithin(variable)}; ++${variable})`,
    };
  const first = `${asSummand(start)} + ${base}`;
  return {
    outer: `for (${ofBase} ${base} = 0; __any_sync(${mask}, ${isWithin(first)}); ${base} += ${columns}) {`,
    inner: `for (${declared}${variable} = ${first}; ${variable} < ${first} + ${columns} && ${isWithin(variable)}; ++${variable})`,
  };
}

/** ` + 1`, ` - 1`, or nothing. */
function signed(number: number): string {
  return number === 0 ? "" : number < 0 ? ` - ${-number}` : ` + ${number}`;
}

function copyLines(
  kernel: KernelText,
  run: Run,
  given: { readonly tile: RunTile; readonly thread: string; readonly direction: "in" | "out" },
): string[] {
  const { typed } = kernel;
  const {
    tile: { columns, isWhole },
    thread,
    direction,
  } = given;
  const { loop, names, guards, pointer, start, variableThere: there } = run;
  const { halo } = run;
  const more = direction === "in" ? halo.before + halo.behind : 0;
  const { left, mask, row, from, to, column, rank, active, base, lane, tile } = names;
  const step = indentStep(typed);
  const ofThread = loop.bounds.filter((each) => !each.isUniform);
  const text = (span: Span) => asSummand(spelled(typed, span).trim());
  const plus = (own: string) => (start === null ? own : `${names.start} + ${own}`);
  const beginning = loop.isUniform ? names.start : plus(text(loop.start));
  const ends = ofThread.map(
    ({ bound }) => `const auto ${to} = __shfl_sync(${mask}, ${plus(text(bound))}, ${row});`,
  );
  const first = spelled(typed, loop.start).trim();
  const offset = isWhole ? (first === "0" ? "" : ` + ${asSummand(first)}`) : ` + ${base}`;
  const conditions = [
    `${column} < ${columns + more}`,
    ...(isWhole ? [] : loop.bounds).map(({ comparison, bound, isUniform }) =>
      isUniform
        ? `${there} ${comparison} ${more === 0 ? spelled(typed, bound) : asSummand(spelled(typed, bound))}${signed(more)}`
        : `${from} + ${column} ${comparison} ${to}${signed(more)}`,
    ),
  ];
  const [outside, inside] = direction === "in" ? [-halo.before, 0] : [0, halo.before];
  const element = `${pointer}[${from} + ${column}${signed(outside)}]`;
  const staged = `${tile}[${thread} - ${lane} + ${row}][${column}${signed(inside)}]`;
  const statement = direction === "in" ? `${staged} = ${element};` : `${element} = ${staged};`;
  return [
    `for (unsigned ${left} = ${mask}; ${left} != 0; ${left} &= ${left} - 1) {`,
    `${step}const int ${row} = __ffs(${left}) - 1;`,
    `${step}const auto ${from} = __shfl_sync(${mask}, ${beginning}, ${row})${offset};`,
    ...ends.map((line) => step + line),
    `${step}for (int ${column} = ${rank}; ${conditions.join(" && ")}; ${column} += ${active})`,
    `${step}${step}${guards.length === 0 ? "" : `if (${guards.join(" && ")}) `}${statement}`,
    "}",
    `__syncwarp(${mask});`,
  ];
}
