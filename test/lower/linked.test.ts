// Programs of several translation units: what each of them declares and another defines is one thing, as ld would have it. The launches that
// they make, and what their accesses cost, by both engines.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { type Program, readableName } from "../../server/src/ir/function.ts";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import type { HostValue, Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { librariesOf } from "../../server/src/lower/headers/libraries.ts";
import { lowerUnits } from "../../server/src/lower/program.ts";
import { assumptionText } from "../../server/src/render/assumption-words.ts";
import { readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";
import { testParser } from "../support/parser.ts";
import { evaluatedTotals, simulatedTotals } from "../support/voices.ts";
import { type LinkedCase, linkedCases } from "./linked-cases.ts";
import { reachable } from "./support.ts";

async function programOf(files: Readonly<Record<string, string>>): Promise<Program> {
  const parser = await testParser();
  const readInclude = (name: string) => {
    const text = files[name];
    return text === undefined ? null : { path: name, text };
  };
  const units = Object.entries(files)
    .filter(([name]) => !/\.(h|cuh|hpp)$/.test(name))
    .map(([name, text]) => readTranslationUnit(name, text, parser, { readInclude }));
  return lowerUnits(units, librariesOf(parser));
}

function launchText(
  program: Program,
  { kernel, grid, block, arguments: values, count, assumptions }: Launch,
): string {
  const definition = program.functionOf(kernel);
  const list = definition?.templateArguments ?? [];
  const extents = (each: Launch["grid"]) => each.map((extent) => extent ?? "?").join();
  return [
    `${definition?.name}${list.length > 0 ? `<${list.join()}>` : ""}`,
    `${extents(grid)} ${extents(block)}`,
    ...(count === 1 ? [] : [`x${count}`]),
    `(${values.map(valueText).join(", ")})`,
    ...(assumptions.length > 0 ? [`| ${assumptions.map(assumptionText).join(", ")}`] : []),
  ].join(" ");
}

function valueText(value: HostValue): string {
  switch (value.kind) {
    case "scalar":
      return `${value.value}`;
    case "pointer":
      return `${value.allocation.sizeBytes}`;
    case "null":
      return "null";
    case "aggregate":
      return `{${[...value.parts.values()].map(valueText).join(", ")}}`;
    case "unknown":
      return "?";
  }
}

/** What each access costs and needs, by its text, in the order of the text. */
function accessTexts(program: Program): readonly string[] {
  const generated = generateCode(program);
  return launchesOf(generated).kernels.flatMap(({ launches }) =>
    launches.flatMap((launch) => {
      const profile = evaluateLaunch(generated, launch);
      expect(profile.gaps).toEqual([]);
      const simulated = simulatedTotals(generated, launch);
      expect(simulated.gaps).toEqual([]);
      for (const [key, totals] of evaluatedTotals(profile.accesses))
        if (totals !== null) expect(totals, key).toEqual(simulated.totals.get(key));
      return profile.accesses.map(({ expression, totals, verdict }) =>
        [expression, totals ? `${totals.cost}/${totals.ideal}` : "?", verdict.kind].join(" "),
      );
    }),
  );
}

describe("linked units", () => {
  it.each(linkedCases.map((each) => [each.name, each] as const))("%s", async (_, each: LinkedCase) => {
    const program = await programOf(each.files);
    const { launches } = findLaunches(program, { texts: new Map(Object.entries(each.files)) });
    expect(launches.map((launch) => launchText(program, launch))).toEqual(each.launches);
    if (each.accesses) expect(accessTexts(program)).toEqual(each.accesses);
    if (each.kernels) expect(program.kernels.map(({ qualifiedName }) => qualifiedName)).toEqual(each.kernels);
  });
});

describe("a unit among others", () => {
  const header = "int size(int n);\ninline int twice(int n) { return 2 * n; }\n";
  const main =
    '#include "a.h"\nstatic int own(int n) { return twice(n); }\nint main() { return size(own(1)); }\n';
  const other = (body: string) =>
    `#include "a.h"\nstatic int own(int n) { return n; }\nint size(int n) { ${body} return own(n) + twice(n); }\n`;
  const programWith = (body: string) =>
    programOf({
      "a.h": header,
      "main.cpp": main,
      "other.cpp": other(body),
      "unused.cpp": "int unused() { return 1; }\n",
    });

  it("has functions of its own names, which hang on nothing that stands in another", async () => {
    const ids = reachable(await programWith(""));
    expect(ids.map(readableName).sort()).toEqual([
      "main()",
      "own(int)",
      "own(int)",
      "size(int)",
      "twice(int)",
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(reachable(await programWith("auto f = [](int k) { return k; }; f(n);"))).toEqual(
      expect.arrayContaining(ids),
    );
  });

  it("is not parsed where nobody asks for it", async () => {
    const parsed: string[] = [];
    const parser = await testParser();
    const read = (name: string, text: string) =>
      readTranslationUnit(name, text, parser, { readInclude: () => ({ path: "a.h", text: header }) });
    const watched = (unit: TranslationUnit): TranslationUnit => ({
      ...unit,
      units: unit.units.map((each) => ({
        ...each,
        root: () => {
          parsed.push(unit.file);
          return each.root();
        },
      })),
    });
    const units = [
      read("main.cpp", main),
      read("other.cpp", other("")),
      read("unused.cpp", "int unused() { return 1; }"),
    ];
    const program = lowerUnits(units.map(watched), librariesOf(parser));
    reachable(program);
    expect(new Set(parsed)).toEqual(new Set(["main.cpp", "other.cpp"]));
  });
});
