// What a name or a small expression of the text comes to: template arguments, the block's extents, constants and macros that are numbers, what a
// launch gives for a parameter, and locals that are made of these.
import { operateOnWholeNumbers } from "../../semantics/whole-number.ts";
import { entryOf } from "../../table.ts";
import type { LaunchedKernel } from "../fix.ts";
import { bodyAround, type Span, type TypedText, textAt } from "./typed-text.ts";

/** The value of an expression of integers under one launch; null where the text does not say. */
export function valueIn(typed: TypedText, span: Span, launched: LaunchedKernel): number | null {
  return new Evaluator(typed, launched, span.first).value(span, 0);
}

/** The kernel's parameters that have a part in what an expression comes to: with other launches it would be another number. */
export function parametersIn(typed: TypedText, span: Span, launched: LaunchedKernel): readonly string[] {
  const evaluator = new Evaluator(typed, launched, span.first);
  evaluator.value(span, 0);
  return [...evaluator.parameters];
}

const mostDepth = 8;
const blockExtents: Readonly<Record<string, 0 | 1 | 2>> = { x: 0, y: 1, z: 2 };

class Evaluator {
  private readonly typed: TypedText;
  private readonly launched: LaunchedKernel;
  /** Those that were asked for. */
  readonly parameters = new Set<string>();
  /** Of the function that the expression stands in. */
  private readonly body: Span | null;

  constructor(typed: TypedText, launched: LaunchedKernel, place: number) {
    this.typed = typed;
    this.launched = launched;
    this.body = bodyAround(typed, place);
  }

  value({ first, end }: Span, depth: number): number | null {
    if (depth > mostDepth || first >= end) return null;
    for (const operators of [
      ["+", "-"],
      ["*", "/", "%"],
    ]) {
      const at = this.lastOperator({ first, end }, operators);
      if (at === null) continue;
      const left = this.value({ first, end: at }, depth + 1);
      const right = this.value({ first: at + 1, end }, depth + 1);
      if (left === null || right === null) return null;
      return operateOnWholeNumbers(textAt(this.typed, at), left, right);
    }
    return this.primary({ first, end }, depth);
  }

  /** Of those that stand in no bracket; null where there is none. */
  private lastOperator({ first, end }: Span, operators: readonly string[]): number | null {
    for (let index = end - 1; index > first; index--) {
      const partner = this.typed.partners[index] ?? -1;
      if (partner !== -1 && partner < index) index = partner;
      else if (operators.includes(textAt(this.typed, index))) return index;
    }
    return null;
  }

  private primary({ first, end }: Span, depth: number): number | null {
    const token = this.typed.tokens[first];
    if (token === undefined) return null;
    if (token.text === "(" && this.typed.partners[first] === end - 1)
      return this.value({ first: first + 1, end: end - 1 }, depth + 1);
    if (token.text === "blockDim" && end === first + 3) {
      const axis = entryOf(blockExtents, textAt(this.typed, first + 2));
      return axis === undefined ? null : this.launched.launch.block[axis];
    }
    if (end === first + 3 && textAt(this.typed, first + 1) === ".")
      return this.member(token.text, textAt(this.typed, first + 2));
    if (end !== first + 1) return null;
    if (token.kind === "number")
      return /^\d+[uUlL]*$/.test(token.text) ? Number.parseInt(token.text, 10) : null;
    return token.kind === "identifier" ? this.named(token.text, depth) : null;
  }

  /** Of a struct that is the kernel's parameter. */
  private member(name: string, member: string): number | null {
    const { kernel, launch, program } = this.launched;
    const place = kernel.parameterNames.indexOf(name);
    const type = program()?.functionOf(launch.kernel)?.parameters[place]?.type;
    const argument = launch.arguments[place];
    if (type?.kind !== "record" || argument?.kind !== "aggregate") return null;
    const field = type.fields.find((each) => each.name === member);
    const part = field === undefined ? undefined : argument.parts.get(field.offsetBytes);
    this.parameters.add(name);
    return part?.kind === "scalar" ? Number(part.value) : null;
  }

  private named(name: string, depth: number): number | null {
    const { templateParameterNames, templateArguments } = this.launched.kernel;
    const index = templateParameterNames.indexOf(name);
    if (index !== -1) {
      const value = Number(templateArguments[index]);
      return Number.isInteger(value) ? value : null;
    }
    const local = this.body === null ? null : localIn(this.typed, name, this.body);
    if (local !== null) return this.value(local, depth + 1);
    const argument = this.launched.launch.arguments[this.launched.kernel.parameterNames.indexOf(name)];
    if (argument) {
      this.parameters.add(name);
      return argument.kind === "scalar" ? Number(argument.value) : null;
    }
    const definition = definitionOf(this.typed, name);
    return definition === null ? null : this.value(definition, depth + 1);
  }
}

/** What a constant or a macro without parameters is defined as: the one definition in the text; null where there are none or several. */
export function definitionOf(typed: TypedText, name: string): Span | null {
  const definitions = (typed.byName.get(name) ?? []).flatMap((index) => definitionAt(typed, index) ?? []);
  const [only, ...others] = definitions;
  return only === undefined || others.length > 0 ? null : only;
}

/** The same of a name that the whole file knows: not of one that a function has for itself. */
export function fileConstant(typed: TypedText, name: string): Span | null {
  const definition = definitionOf(typed, name);
  return definition !== null && bodyAround(typed, definition.first) === null ? definition : null;
}

function definitionAt(typed: TypedText, index: number): Span | null {
  if (textAt(typed, index - 1) === "define" && textAt(typed, index - 2) === "#") {
    let end = index + 1;
    while (end < typed.tokens.length && !typed.tokens[end]?.startsLine) end++;
    const isFunctionLike = textAt(typed, index + 1) === "(" && !typed.tokens[index + 1]?.spaceBefore;
    return isFunctionLike ? null : { first: index + 1, end };
  }
  if (textAt(typed, index + 1) !== "=" || !isConstant(typed, index)) return null;
  let end = index + 2;
  while (end < typed.tokens.length && ![";", ","].includes(textAt(typed, end))) end++;
  return { first: index + 2, end };
}

/** What the local that a span names is made of; null where it names none, or one that is assigned to again. */
export function localAt(typed: TypedText, { first, end }: Span): Span | null {
  const body = end === first + 1 ? bodyAround(typed, first) : null;
  return body === null ? null : localIn(typed, textAt(typed, first), body);
}

/** What a local is made with, where the body never assigns to it again: `int n = rows * d;`. */
function localIn(typed: TypedText, name: string, body: Span): Span | null {
  const mentions = (typed.byName.get(name) ?? []).filter((index) => body.first <= index && index < body.end);
  const [only, ...others] = mentions.filter((index) => isChanged(typed, index));
  if (only === undefined || others.length > 0 || textAt(typed, only + 1) !== "=") return null;
  if (!isDeclarator(typed, only)) return null;
  let end = only + 2;
  while (end < body.end && ![";", ","].includes(textAt(typed, end)))
    end = Math.max(end, typed.partners[end] ?? -1) + 1;
  return { first: only + 2, end };
}

/** `int x`, or a later name of the same declaration: the `y` of `int x = 0, y = 1;`. */
function isDeclarator(typed: TypedText, name: number): boolean {
  const isName = (index: number) => typed.tokens[index]?.kind === "identifier";
  if (isName(name - 1)) return true;
  if (textAt(typed, name - 1) !== ",") return false;
  let first = name - 1;
  for (let at = first; at >= 0; at--) {
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at && textAt(typed, at) !== "}") {
      at = partner;
      first = at;
      continue;
    }
    if ([";", "{", "}", "("].includes(textAt(typed, at)) || typed.isInDirective(at)) break;
    first = at;
  }
  return isName(first) && isName(first + 1);
}

function isChanged(typed: TypedText, index: number): boolean {
  const isStepped = [index - 1, index + 1].some((at) => ["++", "--"].includes(textAt(typed, at)));
  return (
    isStepped || /^(?:[-+*/%&|^]|<<|>>)?=$/.test(textAt(typed, index + 1)) || textAt(typed, index - 1) === "&"
  );
}

/** `const` or `constexpr` stands before the name in its statement. */
function isConstant(typed: TypedText, index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const text = textAt(typed, at);
    if (text === "const" || text === "constexpr") return true;
    if ([";", "{", "}", ")", ","].includes(text)) return false;
  }
  return false;
}
