// What the tests of lowering share: everything that a program reaches from its host entries.
import type { Expression } from "../../server/src/ir/expression.ts";
import type { FunctionId, Program } from "../../server/src/ir/function.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import { preludeText } from "../../server/src/lower/headers/prelude.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";
import { readText } from "../support/parser.ts";

/** Functions reached by calls and launches from the host's entries, in the order in which they are met. */
export function reachable(program: Program, from: readonly FunctionId[] = program.hostEntries): FunctionId[] {
  const found: FunctionId[] = [];
  const visit = (id: FunctionId) => {
    if (found.includes(id)) return;
    found.push(id);
    const definition = program.functionOf(id);
    if (definition) for (const callee of calleesOf(definition.body)) visit(callee);
  };
  for (const id of from) visit(id);
  return found;
}

/** Ids in a tree of plain data: of calls, function references and launches. */
function calleesOf(tree: readonly Statement[] | Expression): FunctionId[] {
  const ids: FunctionId[] = [];
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (typeof node === "object" && node !== null) {
      const { kind, callee, kernel } = node as { kind?: string; callee?: unknown; kernel?: unknown };
      if ((kind === "call" || kind === "function") && typeof callee === "string")
        ids.push(callee as FunctionId);
      if (kind === "launch" && typeof kernel === "string") ids.push(kernel as FunctionId);
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(tree);
  return ids;
}

let prelude: Promise<TranslationUnit> | null = null;

/** The prelude, read once for each test file. */
export function testPrelude(): Promise<TranslationUnit> {
  prelude ??= readText(preludeText);
  return prelude;
}
