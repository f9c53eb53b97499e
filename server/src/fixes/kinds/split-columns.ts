// Threads that have several columns side by side, as in a matrix product with a tile of registers: `Bs[k][tc * TN + j]`. Lanes of a warp lie as many
// columns apart, so that vectors of theirs meet in banks and scalars of theirs in no sector. Each thread takes groups of columns in their place, the
// groups of all threads side by side: `tc * 4 + j / 4 * (4 * (BN / TN)) + j % 4`.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { valueIn } from "../text/constants.ts";
import { namesIn, threadAxesOf, typedLocal } from "../text/locals.ts";
import { asFactor } from "../text/spelling.ts";
import { replaced, type Span, spelled, type TypedText, type TypedTexts, textAt } from "../text/typed-text.ts";
import { type KernelText, kernelText, ofKernel } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";

/** The columns that the access goes by, dealt out in groups of four (a vector of floats), of two, and one by one. */
export function splitColumnsCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofKernel(kernelText(access, launches, texts), (kernel) => {
    const columns = columnsOf(kernel);
    if (columns === null) return refusal(otherThreads);
    return candidatesFound(
      groups
        .filter(
          (group) =>
            columns.widths.some((width) => width > group) &&
            columns.widths.every((width) => width % group === 0),
        )
        .map(
          (group): Candidate => ({
            kind: "stripe",
            edits: columns.mentions.map((mention) => editOf(kernel.typed, columns, mention, group)),
            title: { kind: "stripe", array: access.target?.name ?? "" },
            safety: "suggestion",
            operations: 0,
            estimate: null,
          }),
        ),
    );
  });
}

const groups = [4, 2, 1];

/** Columns of a thread: `variable * width + number`, everywhere in the kernel. */
interface Columns {
  readonly variable: string;
  /** In each instance of the kernel. */
  readonly widths: readonly number[];
  /** How many threads have columns side by side, as typed. */
  readonly threads: string;
  readonly mentions: readonly Mention[];
}

interface Mention {
  readonly span: Span;
  /** Which of the thread's columns; null for the first. */
  readonly number: string | null;
}

function columnsOf(kernel: KernelText): Columns | null {
  const { typed, body, launches, access } = kernel;
  for (const index of namesIn(typed, access)) {
    const threads = threadsOf(typed, index);
    const own = threads === null ? null : mentionAt(typed, index);
    if (threads === null || own === null) continue;
    const variable = textAt(typed, index);
    const factor = { first: index + 2, end: index + 3 };
    const widths = launches.flatMap((each) => valueIn(typed, factor, each) ?? []);
    if (widths.length < launches.length) continue;
    const declared = typedLocal(typed, index)?.nameToken;
    const places = (typed.byName.get(variable) ?? []).filter(
      (at) => body.first <= at && at < body.end && at !== declared,
    );
    const isSame = (at: number) => textAt(typed, at + 2) === textAt(typed, factor.first);
    const mentions = places.flatMap((at) => (isSame(at) ? (mentionAt(typed, at) ?? []) : []));
    // Columns that are numbered by hand are not a row of registers.
    const isCounted = mentions.some(({ number }) => number !== null && !/^\d/.test(number));
    if (isCounted && mentions.length === places.length) return { variable, widths, threads, mentions };
  }
  return null;
}

/** Of a local that numbers threads side by side: `threadIdx.x % (BN / TN)` counts `BN / TN` of them, `threadIdx.x` all of a row. */
function threadsOf(typed: TypedText, index: number): string | null {
  const local = typedLocal(typed, index);
  if (local === null || threadAxesOf(typed, local.initializer).size !== 1) return null;
  const { first, end } = local.initializer;
  const text = spelled(typed, local.initializer).trim();
  if (text === "threadIdx.x") return "blockDim.x";
  for (let at = end - 1; at > first; at--) {
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at) at = partner;
    else if (textAt(typed, at) === "%") return asFactor(spelled(typed, { first: at + 1, end }));
    else if (["+", "-", "/", "*", "&"].includes(textAt(typed, at))) return null;
  }
  return null;
}

/** `tc * TN + j` or `tc * TN` as a summand of its own; null for every other use of the name. */
function mentionAt(typed: TypedText, index: number): Mention | null {
  if (textAt(typed, index + 1) !== "*" || !["[", "+", "(", "=", ","].includes(textAt(typed, index - 1)))
    return null;
  const after = index + 3;
  const isSummand = (at: number) => ["]", ")", ";", ",", "+"].includes(textAt(typed, at));
  if (!isSummand(after)) return null;
  const number = typed.tokens[after + 1];
  const isNumbered = textAt(typed, after) === "+" && isSummand(after + 2);
  if (isNumbered && (number?.kind === "identifier" || /^\d+$/.test(number?.text ?? "")))
    return { span: { first: index, end: after + 2 }, number: number?.text ?? null };
  return { span: { first: index, end: after }, number: null };
}

function editOf(typed: TypedText, { variable, threads }: Columns, mention: Mention, group: number): TextEdit {
  const { span, number } = mention;
  const first = group === 1 ? variable : `${variable} * ${group}`;
  if (number === null) return replaced(typed, span, first);
  const text =
    group === 1
      ? `${first} + ${number} * ${threads}`
      : `${first} + ${number} / ${group} * (${group} * ${threads}) + ${number} % ${group}`;
  return replaced(typed, span, text);
}
