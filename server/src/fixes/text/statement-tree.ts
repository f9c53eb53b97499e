// The statements of a body as typed, as a tree: blocks, choices, loops and what stands between them. It reads no declarations and no types.
import { type Span, type TypedText, textAt } from "./typed-text.ts";

/** A statement. Its span holds the semicolon or the closing brace. */
export type TypedNode =
  | { readonly kind: "plain"; readonly span: Span }
  | { readonly kind: "block"; readonly span: Span; readonly body: readonly TypedNode[] }
  | {
      readonly kind: "if";
      readonly span: Span;
      readonly condition: Span;
      readonly then: TypedNode;
      readonly otherwise: TypedNode | null;
    }
  | {
      readonly kind: "loop";
      readonly span: Span;
      readonly word: "for" | "while" | "do";
      /** What stands in the parentheses. */
      readonly head: Span;
      readonly body: TypedNode;
    };

/** The statements of a span between braces; null where they are not understood (labels, what is being typed). */
export function statementsIn(typed: TypedText, { first, end }: Span): TypedNode[] | null {
  const nodes: TypedNode[] = [];
  for (let index = first; index < end; ) {
    if (typed.isInDirective(index)) {
      index++;
      continue;
    }
    const node = statementAt(typed, index, end);
    if (node === null) return null;
    nodes.push(node);
    index = node.span.end;
  }
  return nodes;
}

function statementAt(typed: TypedText, start: number, end: number): TypedNode | null {
  let first = start;
  while (first < end && typed.isInDirective(first)) first++;
  if (first >= end) return null;
  const word = textAt(typed, first);
  switch (word) {
    case "{":
      return blockAt(typed, first);
    case "if":
      return choiceAt(typed, first, end);
    case "for":
    case "while":
      return loopAt(typed, first, end, word);
    case "do":
    case "switch":
    case "case":
    case "default":
    case "goto":
    case "try":
      return null;
    default:
      return plainAt(typed, first, end);
  }
}

function blockAt(typed: TypedText, open: number): TypedNode | null {
  const closer = typed.partners[open] ?? -1;
  const body = closer === -1 ? null : statementsIn(typed, { first: open + 1, end: closer });
  return body === null ? null : { kind: "block", span: { first: open, end: closer + 1 }, body };
}

function choiceAt(typed: TypedText, first: number, end: number): TypedNode | null {
  const open = textAt(typed, first + 1) === "constexpr" ? first + 2 : first + 1;
  const closer = typed.partners[open] ?? -1;
  const then = closer === -1 ? null : statementAt(typed, closer + 1, end);
  if (then === null) return null;
  const hasElse = textAt(typed, then.span.end) === "else";
  const otherwise = hasElse ? statementAt(typed, then.span.end + 1, end) : null;
  if (hasElse && otherwise === null) return null;
  const span = { first, end: (otherwise ?? then).span.end };
  return { kind: "if", span, condition: { first: open + 1, end: closer }, then, otherwise };
}

function loopAt(typed: TypedText, first: number, end: number, word: "for" | "while"): TypedNode | null {
  const closer = typed.partners[first + 1] ?? -1;
  const body = closer === -1 ? null : statementAt(typed, closer + 1, end);
  if (body === null) return null;
  const head = { first: first + 2, end: closer };
  return { kind: "loop", span: { first, end: body.span.end }, word, head, body };
}

function plainAt(typed: TypedText, first: number, end: number): TypedNode | null {
  for (let index = first; index < end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (textAt(typed, index) === ";") return { kind: "plain", span: { first, end: index + 1 } };
  }
  return null;
}

/** The statements around a token, outermost first; empty where it stands in none. */
export function pathTo(nodes: readonly TypedNode[], index: number): TypedNode[] {
  const node = nodes.find(({ span }) => span.first <= index && index < span.end);
  if (node === undefined) return [];
  return [node, ...pathTo(childrenOf(node), index)];
}

export function childrenOf(node: TypedNode): readonly TypedNode[] {
  switch (node.kind) {
    case "plain":
      return [];
    case "block":
      return node.body;
    case "if":
      return node.otherwise === null ? [node.then] : [node.then, node.otherwise];
    case "loop":
      return [node.body];
  }
}

/** The one statement that a node comes to: a block of one statement is that statement. */
export function onlyStatement(node: TypedNode): TypedNode {
  const [only, ...others] = node.kind === "block" ? node.body : [];
  return only === undefined || others.length > 0 ? node : onlyStatement(only);
}

/** `if (…) return;`, without an `else`. */
export function isEarlyReturn(typed: TypedText, node: TypedNode): boolean {
  if (node.kind !== "if" || node.otherwise !== null) return false;
  const { span } = onlyStatement(node.then);
  return textAt(typed, span.first) === "return" && textAt(typed, span.first + 1) === ";";
}

/** Whether a word stands anywhere in a span. */
export function mentionsAny(typed: TypedText, { first, end }: Span, words: ReadonlySet<string>): boolean {
  for (let index = first; index < end; index++) if (words.has(textAt(typed, index))) return true;
  return false;
}
