// Records that each thread has to itself in a grid-stride loop, staged through shared memory by its warp: in each step the warp's records lie behind
// one another, so that it copies them word by word.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { typedLocal } from "../text/locals.ts";
import { mentionsOf } from "../text/mentions.ts";
import { asSummand } from "../text/spelling.ts";
import { pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { isRowNumber } from "../text/thread-index.ts";
import { offsetsOf, replaced, type Span, spelled, type TypedTexts, textAt } from "../text/typed-text.ts";
import { isUniform } from "../text/uniform.ts";
import { elementOf } from "../text/vectors.ts";
import { isConstantParameter, parameterType } from "./element-type.ts";
import { indentAt, indentStep, type KernelText, kernelText, ofRow } from "./kernel-text.ts";
import { extentNames, otherThreads } from "./launch-shape.ts";
import { stagedOperations } from "./staged-operations.ts";
import { anyLoopParts } from "./thread-role.ts";
import { whyNotWhole } from "./whole-trips.ts";

/** The array of an access staged in each step of the loop that deals records out to the threads of the grid. */
export function stageStrideCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofRow(kernelText(access, launches, texts), (kernel, threads) => {
    if (threads % warp !== 0) return refusal(otherThreads);
    const dealt = dealtOf(access, kernel, threads);
    if (typeof dealt === "string") return refusal(dealt);
    const operations = stagedOperations(access, kernel);
    if (typeof operations === "string") return refusal(operations);
    const { isStored } = operations;
    const width = extentNames(launches, texts, kernel.body.first).x ?? String(threads);
    return candidatesFound([
      {
        kind: "stage-tile",
        edits: editsOf(kernel, dealt, { width, isStored }),
        title: {
          kind: "stage-tile",
          array: dealt.array,
          operation: isStored ? "access" : "load",
          tile: dealt.tile,
          dimensions: [width],
        },
        safety: "suggestion",
        operations: 0,
        estimate: null,
      },
    ]);
  });
}

const warp = 32;
/** Threads that meet in a bank, from which a tile costs what it saves. */
const mostWay = 4;

interface Dealt {
  readonly array: string;
  readonly type: string;
  readonly tile: string;
  readonly variable: string;
  readonly bound: Span;
  readonly body: TypedNode & { readonly kind: "block" };
  /** Every `array[variable]` in the loop. */
  readonly accesses: readonly Span[];
}

function dealtOf({ target }: AccessProfile, kernel: KernelText, threads: number): Dealt | string {
  const { typed, body, nodes } = kernel;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  const type = target === null ? null : parameterType(typed, body, target.name);
  if (target === null || element?.kind !== "record" || bytes === null || type === null) return otherThreads;
  if (bytes % 4 !== 0 || element.alignmentBytes % 4 !== 0)
    return `a record of ${target.name} is not a whole number of words`;
  if ((bytes / 4) % mostWay === 0)
    return `records of ${bytes} bytes would conflict in the banks of a tile: align or pad them`;
  const loop = pathTo(nodes, kernel.access.first).find(({ kind }) => kind === "loop");
  const parts =
    loop?.kind === "loop" ? anyLoopParts(typed, { first: loop.span.first, end: loop.body.span.first }) : null;
  if (loop?.kind !== "loop" || parts === null || parts.comparison !== "<") return otherThreads;
  const { variable, start, bound, step } = parts;
  const isByStride = textAt(typed, step.first) === variable && textAt(typed, step.first + 1) === "+=";
  const named = start.end === start.first + 1 ? typedLocal(typed, start.first) : null;
  const number = named ?? { name: "", nameToken: -1, type: "", initializer: start };
  const isDealt =
    isByStride &&
    isRowNumber(typed, number, threads) &&
    isUniform(typed, { first: step.first + 2, end: step.end }) &&
    isUniform(typed, bound);
  if (!isDealt || /&&|\|\||\?/.test(spelled(typed, bound))) return otherThreads;
  if (loop.body.kind !== "block") return "the loop has no braces around what it does";
  const notWhole = whyNotWhole(typed, loop.body.span);
  if (notWhole !== null) return notWhole;
  const mentions = mentionsOf(typed, { name: target.name, nameToken: -1, scope: body });
  const isOwn = (index: Span | undefined) =>
    index !== undefined && index.end === index.first + 1 && textAt(typed, index.first) === variable;
  const isInLoop = (at: number) => loop.body.span.first <= at && at < loop.body.span.end;
  if (!mentions.every((each) => isOwn(each.subscripts[0]) && isInLoop(each.nameToken)))
    return `${target.name} is indexed by something else than ${variable}`;
  return {
    array: target.name,
    type,
    tile: freshNameIn(typed, body, "tile"),
    variable,
    bound,
    body: loop.body,
    accesses: mentions.map(({ nameToken, subscripts }) => ({
      first: nameToken,
      end: (subscripts[0]?.end ?? nameToken) + 1,
    })),
  };
}

interface Staging {
  readonly width: string;
  readonly isStored: boolean;
}

function editsOf(kernel: KernelText, dealt: Dealt, { width, isStored }: Staging): TextEdit[] {
  const { typed, body } = kernel;
  const { array, type, tile, variable, bound, accesses } = dealt;
  const [lane, first, active, mask, words, k] = ["lane", "first", "active", "mask", "words", "k"].map(
    (name) => freshNameIn(typed, body, name),
  );
  const step = indentStep(typed);
  const [start, end] = offsetsOf(typed, dealt.body.span);
  const inner = dealt.body.body;
  const indent = indentAt(typed, inner[0]?.span.first ?? dealt.body.span.first);
  const left = `${asSummand(spelled(typed, bound).trim())} - ${first}`;
  const constant = isConstantParameter(kernel.typed, kernel.body, array) ? "const " : "";
  const there = `reinterpret_cast<${constant}int *>(${array} + ${first})[${k}]`;
  const here = `reinterpret_cast<int *>(&${tile}[threadIdx.x - ${lane}])[${k}]`;
  const copy = (to: string, from: string) => [
    `for (int ${k} = ${lane}; ${k} < ${active} * ${words}; ${k} += ${active})`,
    `${step}${to} = ${from};`,
    `__syncwarp(${mask});`,
  ];
  const opening = [
    `__shared__ ${type} ${tile}[${width}];`,
    `constexpr int ${words} = sizeof(${type}) / sizeof(int);`,
    `const int ${lane} = threadIdx.x % ${warp}, ${first} = ${variable} - ${lane};`,
    `const int ${active} = ${left} < ${warp} ? ${left} : ${warp};`,
    `const unsigned ${mask} = ${active} < ${warp} ? (1u << ${active}) - 1 : 0xffffffffu;`,
    ...copy(here, there),
  ];
  const closing = [`__syncwarp(${mask});`, ...(isStored ? copy(there, here) : [])];
  const last = inner.at(-1);
  const behind = last === undefined ? end - 1 : offsetsOf(typed, last.span)[1];
  const comment = /^[^\S\n]*\/\/[^\n]*/.exec(typed.text.slice(behind))?.[0].length ?? 0;
  const { file } = typed;
  return [
    { file, start: start + 1, end: start + 1, newText: opening.map((line) => `\n${indent}${line}`).join("") },
    ...accesses.map((span) => replaced(typed, span, `${tile}[threadIdx.x]`)),
    {
      file,
      start: behind + comment,
      end: behind + comment,
      newText: closing.map((line) => `\n${indent}${line}`).join(""),
    },
  ];
}
