// Which launches a kernel gets: annotation, configuration, found, assumed, in that order.
import { describe, expect, it } from "vitest";
import type { FunctionDefinition, Program } from "../../server/src/ir/function.ts";
import { arrayOf, float32 } from "../../server/src/ir/type.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import {
  constant,
  declare,
  define,
  dim3,
  floatPointer,
  intrinsic,
  launch,
  program,
  run,
  variable,
} from "./build.ts";

const kernel = (...uses: string[]) =>
  define(
    "kernel",
    "k",
    [variable("out", floatPointer), variable("n")],
    uses.map((name) => run(intrinsic(name))),
  );

function annotated(base: Program, text: string): Program {
  const range = { file: "a.cu", start: 0, end: text.length };
  return { ...base, kernels: base.kernels.map((each) => ({ ...each, annotations: [{ text, range }] })) };
}

const blocks = (of: Program, options = {}) =>
  launchesOf(of, options).kernels.flatMap((each) => each.launches.map((one) => one.block.join()));

describe("launchesOf", () => {
  const main = define(
    "host",
    "main",
    [],
    [launch("k", dim3(constant(4)), dim3(constant(128)), constant(0, floatPointer), constant(512))],
  );
  const launched = program(["main"], [kernel("threadIdx.x"), main]);
  const alone = (definition: FunctionDefinition) => program([], [definition]);

  it("takes what the host does", () => {
    expect(launchesOf(launched).kernels[0]?.launches).toMatchObject([
      {
        block: [128, 1, 1],
        arguments: [{ kind: "null" }, { kind: "scalar", value: 512 }],
        origin: { kind: "launch" },
      },
    ]);
  });

  it("lets the configuration change it, and an annotation the configuration", () => {
    const options = { configured: { k: [{ block: [64] }, { block: [96], arguments: { n: 7 } }] } };
    expect(launchesOf(launched, options).kernels[0]?.launches).toMatchObject([
      {
        block: [64, 1, 1],
        grid: [null, null, null],
        arguments: [{}, { value: 512 }],
        origin: { kind: "config" },
      },
      { block: [96, 1, 1], arguments: [{}, { value: 7 }], origin: { kind: "config" } },
    ]);
    const both = launchesOf(annotated(launched, "launch(n=9)"), options).kernels[0]?.launches;
    expect(both).toMatchObject([
      { block: [128, 1, 1], grid: [4, 1, 1], arguments: [{}, { value: 9 }], origin: { kind: "annotation" } },
    ]);
  });

  it("reports an annotation that says nothing right and goes on without it", () => {
    const result = launchesOf(annotated(launched, "launch(q=9)"));
    expect(result.problems).toHaveLength(1);
    expect(result.kernels[0]?.launches[0]?.origin.kind).toBe("launch");
  });

  it("assumes shapes by the axes that are used", () => {
    expect(blocks(alone(kernel("threadIdx.x")))).toEqual([
      "32,1,1",
      "64,1,1",
      "128,1,1",
      "256,1,1",
      "512,1,1",
      "1024,1,1",
    ]);
    expect(blocks(alone(kernel("threadIdx.x", "threadIdx.y")))).toEqual([
      "32,8,1",
      "16,16,1",
      "8,32,1",
      "32,32,1",
    ]);
  });

  it("reads shapes off tiles and launch bounds", () => {
    const tile = { ...variable("tile", arrayOf(arrayOf(float32, 17), 16)), storage: "shared" as const };
    const tiled = kernel("threadIdx.y");
    expect(blocks(alone({ ...tiled, body: [declare(tile), ...tiled.body] }))).toEqual(["16,16,1"]);
    expect(blocks(alone({ ...kernel(), maxThreadsPerBlock: 96 }))).toEqual(["96,1,1", "32,1,1", "64,1,1"]);
    expect(blocks(alone({ ...kernel("threadIdx.y"), maxThreadsPerBlock: 256 }))).toEqual([
      "32,8,1",
      "16,16,1",
      "8,32,1",
    ]);
  });

  it("says what it assumes, and knows only the alignment of pointers", () => {
    const [first] = launchesOf(alone(kernel("threadIdx.x"))).kernels[0]?.launches ?? [];
    expect(first).toMatchObject({
      grid: [null, null, null],
      sharedBytes: null,
      assumptions: [{ kind: "block", block: [32, 1, 1] }],
      arguments: [
        {
          kind: "pointer",
          allocation: { name: "out", sizeBytes: null, alignmentBytes: 256, isAlignmentAssumed: true },
        },
        { kind: "unknown" },
      ],
    });
  });

  it("combines a block whose height is unknown with the shapes that fit", () => {
    const height = variable("height");
    const entry = define(
      "host",
      "run",
      [height],
      [
        launch(
          "k",
          dim3(constant(1)),
          dim3(constant(64), {
            kind: "load",
            type: height.type,
            site: null,
            place: { kind: "variable", variable: height, offsetBytes: 0, type: height.type },
          }),
        ),
      ],
    );
    const result = launchesOf(program(["run"], [kernel("threadIdx.y"), entry])).kernels[0]?.launches ?? [];
    expect(result.map((each) => each.block.join())).toEqual(["64,8,1", "64,16,1"]);
    expect(result[0]?.origin).toMatchObject({ kind: "assumed", path: [{}] });
  });
});
