// Each snippet must become the IR that is written beside it.
import { expect, test } from "vitest";
import { printFunction } from "../../server/src/ir/print.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";
import { snippets } from "./snippets.ts";
import { reachable, testPrelude } from "./support.ts";

test.each(snippets)("$title", async ({ source, of = "k", lines }) => {
  const program = lowerProgram(await readText(source), { prelude: await testPrelude() });
  const kernels = program.kernels
    .map((kernel) => program.instantiateKernel(kernel, []))
    .filter((id) => id !== null);
  const ids = reachable(program, [...program.hostEntries, ...kernels]);
  const id = ids.find((each) => each === of || each.startsWith(`${of}(`) || each.startsWith(`${of}<`));
  const definition = id ? program.functionOf(id) : null;
  expect(definition).not.toBeNull();
  const printed = definition ? printFunction(definition).split("\n").slice(1) : [];
  expect(anonymous(printed.map((line) => line.slice(2)).join("\n"))).toBe(lines.trimStart());
});

/** Closures are numbered; in expectations they are lettered in the order in which they are met. */
function anonymous(text: string): string {
  const letters = new Map<string, string>();
  return text.replace(/lambda#\d+/g, (name) => {
    const letter = letters.get(name) ?? String.fromCharCode(65 + letters.size);
    letters.set(name, letter);
    return `lambda#${letter}`;
  });
}
