// Locals that nothing names yet, told by their text alone: the first line of something new. A kernel costs with them what it costs without,
// so that it need not be understood anew.
import { childOf, namedChildren, type SyntaxNode } from "../syntax/node.ts";
import type { SyntaxUnit } from "../syntax/unit.ts";
import { changedStretch } from "../text/stretch.ts";

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What is kept of a declaration: not itself, which would keep its tree. */
export type DeclarationText = Pick<SyntaxUnit, "text" | "attributes">;

export function declarationText({ text, attributes }: SyntaxUnit): DeclarationText {
  return { text, attributes };
}

/**
 * Where `now` declares locals that `earlier` did not, if these are all that it has more: locals that nothing names, made of
 * numbers and the places of threads. Null where the texts differ in anything else.
 */
export function addedIdleLocals(earlier: DeclarationText, now: SyntaxUnit): Stretch | null {
  const length = now.text.length - earlier.text.length;
  if (length <= 0 || isTakenAsWhole(now) || attributesText(earlier) !== attributesText(now)) return null;
  const { start: at } = changedStretch(earlier.text, now.text);
  for (const block of blocksAround(now.root(), at)) {
    for (const [index, { start }] of block.children.entries()) {
      if (start <= at - length || start >= at + length) continue;
      const added = declarationsFrom(block, index, start + length);
      const stretch = { start, end: added.at(-1)?.end ?? start };
      const isIdle = added.length > 0 && added.every((each) => isIdleDeclaration(each, now));
      if (
        isIdle &&
        !goesOnBehind(now.text, stretch) &&
        additionAround(earlier.text, now.text, stretch)?.around.trim() === ""
      )
        return stretch;
    }
  }
  return null;
}

/** Whether more hangs on the body than what its statements do: a constant expression may want it, or jumps are followed in it. */
function isTakenAsWhole({ text }: SyntaxUnit): boolean {
  return /\bgoto\b/.test(text) || (!isOfKernel(text) && /\bconst(expr|eval)\b/.test(text));
}

function isOfKernel(text: string): boolean {
  return text.includes("__global__");
}

/** Whether what follows belonged to the statement before it, which the grammar cannot see any more. */
function goesOnBehind(text: string, { end }: Stretch): boolean {
  return /^\s*(else|while|catch)\b/.test(text.slice(end, end + 200));
}

function attributesText({ attributes }: DeclarationText): string {
  return JSON.stringify(attributes.map(({ name, arguments: values }) => [name, values]));
}

/** A stretch that one text has more than another. */
interface Addition {
  readonly start: number;
  readonly length: number;
  /** What it holds before and behind the part of it that was asked for. */
  readonly around: string;
}

/** What `text` has more than `earlier`, if that is one stretch that holds `part`; null where it is not. */
export function additionAround(earlier: string, text: string, part: Stretch): Addition | null {
  const length = text.length - earlier.length;
  // A stretch reads the same where it begins a little earlier, if what stands before it is what it ends with.
  const start = Math.min(part.start, changedStretch(earlier, text).start);
  const end = start + length;
  if (end < part.end || text.slice(0, start) + text.slice(end) !== earlier) return null;
  return { start, length, around: text.slice(start, part.start) + text.slice(part.end, end) };
}

/** The blocks of statements around `at`, outermost first; none of a lambda, which may stand in a constant expression. */
function blocksAround(root: SyntaxNode, at: number): SyntaxNode[] {
  const blocks: SyntaxNode[] = [];
  let node: SyntaxNode | undefined = root;
  while (node !== undefined) {
    if (node.type === "compound_statement") blocks.push(node);
    if (node.type === "lambda_expression") break;
    node = node.children.find((child) => child.start <= at && at < child.end);
  }
  return blocks;
}

/** The declarations of `block` that follow each other from `index` on and end before `limit`. */
function declarationsFrom({ children }: SyntaxNode, index: number, limit: number): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const child of children.slice(index)) {
    if (child.type !== "declaration" || child.end > limit) break;
    found.push(child);
  }
  return found;
}

/** `int i = 4 * threadIdx.x, j;` where neither name stands anywhere else. */
function isIdleDeclaration(declaration: SyntaxNode, unit: SyntaxUnit): boolean {
  const [type, ...declarators] = namedChildren(declaration);
  // What was blanked before it, a pragma or an alignment, is its own now.
  const isPlain = unit.attributes.every(
    ({ offset }) => offset < declaration.start || offset >= declaration.end,
  );
  return (
    isPlain &&
    type !== undefined &&
    numberTypes.has(type.type) &&
    declarators.length > 0 &&
    declarators.every((each) => isIdleDeclarator(each, unit))
  );
}

function isIdleDeclarator(declarator: SyntaxNode, unit: SyntaxUnit): boolean {
  if (declarator.type === "identifier") return isNamedOnce(declarator, unit);
  const name = childOf(declarator, "declarator");
  const value = childOf(declarator, "value");
  const isInitialised =
    declarator.type === "init_declarator" && name?.type === "identifier" && value !== null;
  return isInitialised && isNamedOnce(name, unit) && isOfNumbers(value, unit);
}

const numberTypes: ReadonlySet<string> = new Set(["primitive_type", "sized_type_specifier"]);

function isNamedOnce({ start, end }: SyntaxNode, { text, written }: SyntaxUnit): boolean {
  const name = text.slice(start, end);
  const { starts, ends } = written;
  let count = 0;
  for (const [index, from] of starts.entries())
    if (ends[index] === from + name.length && text.startsWith(name, from)) count++;
  return count === 1;
}

/** Whether nothing is read for a value, and nothing can go wrong with it. */
function isOfNumbers(value: SyntaxNode, unit: SyntaxUnit): boolean {
  if (value.type === "field_expression")
    return isOfKernel(unit.text) && threadPlace.test(unit.text.slice(value.start, value.end));
  if (literals.has(value.type)) return true;
  return operations.has(value.type) && value.children.every((each) => isOfNumbers(each, unit));
}

const threadPlace = /^(threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/;
const literals: ReadonlySet<string> = new Set([
  "number_literal",
  "char_literal",
  "true",
  "false",
  ..."()+-*",
]);
const operations: ReadonlySet<string> = new Set([
  "parenthesized_expression",
  "unary_expression",
  "binary_expression",
]);
