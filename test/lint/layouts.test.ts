// What every edit makes for a whole text has one layout in V8, whether it was read, evaluated or moved: code that is made for one layout is
// dropped when another comes, on that keystroke. Asked of V8 itself, so that nothing is timed.
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";
import { testPipeline } from "../support/pipeline.ts";

setFlagsFromString("--allow-natives-syntax");
const haveSameLayout: (a: object, b: object) => boolean = Object(
  new Function("a", "b", "return %HaveSameMap(a, b)"),
);

const file = "/w/a.cu";
const text = readFileSync("fixtures/programs/moving_average.cu", "utf8");
const edited = text.replace(/(__global__[^;{]*\{)/, "$1 int ha");

let pipeline: Pipeline;
const units: TranslationUnit[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    read: (...given) => {
      const unit = real.read(...given);
      units.push(unit);
      return unit;
    },
  };
});

/** What is known of the text before and after the edit. */
function analyses() {
  units.length = 0;
  const files = { [file]: text };
  const host: Host = {
    ...memoryHost(files, "/w"),
    readBytes: () => new TextEncoder().encode(files[file]),
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const before = session.analyse(file);
  files[file] = edited;
  session.update([file]);
  const after = session.analyse(file);
  if (before === null || after === null) throw new Error("nobody cancels");
  return { before, after };
}

function layoutsOf(objects: readonly object[]): number {
  const found: object[] = [];
  for (const each of objects) if (!found.some((known) => haveSameLayout(known, each))) found.push(each);
  return found.length;
}

describe("one layout", () => {
  it("have declarations and texts, read as a whole or edited", () => {
    analyses();
    expect(units).toHaveLength(2);
    expect(units[1]?.reading?.alone).not.toBeNull();
    expect(layoutsOf(units)).toBe(1);
    expect(layoutsOf(units.flatMap((each) => each.units))).toBe(1);
    expect(layoutsOf(units.map((each) => each.units))).toBe(1);
  });
  it("have accesses, evaluated or moved", () => {
    const { before, after } = analyses();
    const [known, moved] = [before, after].map(({ groups }) =>
      groups.flatMap(({ contexts }) => contexts.map(({ access }) => access)),
    );
    expect(moved?.some((each) => !known?.includes(each))).toBe(true);
    expect(layoutsOf([...(known ?? []), ...(moved ?? [])])).toBe(1);
  });
});
