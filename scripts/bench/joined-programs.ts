// A long file of realistic programs for benchmarks: those of fixtures/programs in one file, each in a namespace of its own, one main.
import { readdirSync, readFileSync } from "node:fs";

/** Programs of `folder` as one, as many as make at least `lineCount` lines, from the first again where they do not suffice. */
export function joinedPrograms(folder: string, lineCount: number): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".cu"));
  return joined(
    names.map((name) => readFileSync(`${folder}/${name}`, "utf8")),
    lineCount,
  );
}

/** The same of texts. */
export function joined(programs: readonly string[], lineCount: number): string {
  const includes = new Set(programs.flatMap((program) => program.match(/^#include.*$/gm) ?? []));
  const parts: string[] = [[...includes].join("\n")];
  const calls: string[] = [];
  let lines = includes.size;
  for (let index = 0; lines < lineCount; index++) {
    const program = programs[index % programs.length] ?? "";
    const part = inNamespace(program, `p${index}`);
    parts.push(part);
    calls.push(`  p${index}::run(${/\bint main\((void)?\)/.test(program) ? "" : "argc, argv"});`);
    lines += part.split("\n").length;
  }
  return `${parts.join("\n")}\nint main(int argc, char** argv) {\n${calls.join("\n")}\n  return 0;\n}\n`;
}

/** The program without its includes and with its macros taken back at its end; its main becomes `run`. */
function inNamespace(program: string, name: string): string {
  const macros = [...program.matchAll(/^\s*#define\s+(\w+)/gm)].map((match) => match[1]);
  const body = program.replace(/^#include.*\n/gm, "").replace(/\bint main\(/, "int run(");
  return `namespace ${name} {\n${body}}\n${macros.map((macro) => `#undef ${macro}\n`).join("")}`;
}
