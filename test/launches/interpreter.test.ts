// The host interpreter on IR built by hand: what it runs, what it leaves out, and what it says where it does not know.
import { describe, expect, it } from "vitest";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import {
  addressOf,
  assign,
  binary,
  call,
  constant,
  count,
  declare,
  define,
  dim3,
  floatPointer,
  give,
  intrinsic,
  launch,
  program,
  range,
  read,
  run,
  unknown,
  variable,
  when,
} from "./build.ts";

const kernelOf = (...names: string[]) =>
  define(
    "kernel",
    "k",
    names.map((name) => variable(name, name.startsWith("p") ? floatPointer : undefined)),
    [],
  );
const block = (x: number, y = 1) => dim3(constant(x), constant(y));
const scalar = (value: number) => ({ kind: "scalar", value });

describe("findLaunches", () => {
  it("follows constants through calls, with the path outwards", () => {
    const n = variable("n");
    const inner = launch("k", dim3(read(n)), block(32, 8), read(n));
    const outer = call("helper", constant(64));
    const found = findLaunches(
      program(
        ["main"],
        [kernelOf("n"), define("host", "helper", [n], [inner]), define("host", "main", [], [run(outer)])],
      ),
    );
    expect(found.launches).toHaveLength(1);
    expect(found.launches[0]).toMatchObject({
      grid: [64, 1, 1],
      block: [32, 8, 1],
      arguments: [scalar(64)],
      count: 1,
      assumptions: [],
    });
    const ranges = [inner, outer].map((each) => ("range" in each ? each.range : null));
    expect(found.launches[0]?.origin).toEqual({ kind: "launch", path: ranges });
  });

  it("counts equal launches of a loop and keeps unequal ones apart", () => {
    const i = variable("i");
    const j = variable("j");
    const body = [
      count(i, constant(20), [launch("k", block(1), block(32), constant(7))]),
      count(j, constant(3), [launch("k", block(1), block(32), read(j))]),
    ];
    const { launches } = findLaunches(program(["main"], [kernelOf("n"), define("host", "main", [], body)]));
    expect(launches.map((each) => [each.count, each.arguments[0]])).toEqual([
      [20, scalar(7)],
      [1, scalar(0)],
      [1, scalar(1)],
      [1, scalar(2)],
    ]);
  });

  it("does not run what no launch depends on", () => {
    const i = variable("i");
    const sum = variable("sum");
    const withTrips = (trips: number) => {
      const idle = count(i, constant(trips), [run(assign(sum, binary("+", read(sum), read(i))))]);
      const main = define(
        "host",
        "main",
        [],
        [declare(sum, constant(0)), idle, launch("k", block(1), block(64))],
      );
      return program(["main"], [kernelOf(), main]);
    };
    // Processor time, and the best of several, since the machine may be busy with other work.
    const milliseconds = (trips: number) => {
      const text = withTrips(trips);
      const times = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        findLaunches(text);
        return process.cpuUsage(start).user / 1000;
      });
      return Math.min(...times);
    };
    expect(milliseconds(2_000_000_000)).toBeLessThan(10 * milliseconds(50) + 10);
    const { launches } = findLaunches(withTrips(2_000_000_000));
    expect(launches).toHaveLength(1);
    expect(launches[0]?.assumptions).toEqual([]);
  });

  it("gives up a long loop that a launch depends on, and what it assigns", () => {
    const i = variable("i");
    const sum = variable("sum");
    const idle = count(i, constant(2_000_000_000), [run(assign(sum, binary("+", read(sum), read(i))))]);
    const body = [declare(sum, constant(0)), idle, launch("k", block(1), block(64), read(sum))];
    const { launches } = findLaunches(program(["main"], [kernelOf("n"), define("host", "main", [], body)]));
    expect(launches[0]?.arguments[0]).toMatchObject({ kind: "unknown" });
  });

  it("takes an unknown condition both ways and merges what differs", () => {
    const n = variable("n");
    const m = variable("m");
    const body = [
      declare(n, constant(1)),
      declare(m, constant(5)),
      when(
        unknown("time"),
        [run(assign(n, constant(2))), launch("k", block(1), block(32), read(n), read(m))],
        [],
      ),
      launch("k", block(1), block(32), read(n), read(m)),
    ];
    const { launches } = findLaunches(
      program(["main"], [kernelOf("n", "m"), define("host", "main", [], body)]),
    );
    expect(launches.map((each) => each.arguments)).toMatchObject([
      [scalar(2), scalar(5)],
      [{ kind: "unknown" }, scalar(5)],
    ]);
    expect(launches.map((each) => each.assumptions)).toEqual([
      [{ kind: "host-condition", condition: "…", ways: "both" }],
      [],
    ]);
  });

  it("knows whether a pointer into an allocation is aligned, and of a caller's nothing", () => {
    const p = variable("p", floatPointer);
    const given = variable("given", floatPointer);
    const isAligned = (pointer: typeof p) =>
      binary("==", binary("%", read(pointer), constant(16)), constant(0));
    const body = [
      declare(p),
      run(intrinsic("cudaMalloc", addressOf(p), constant(1024))),
      when(isAligned(p), [launch("k", block(1), block(32))], [launch("k", block(1), block(64))]),
      when(isAligned(given), [launch("k", block(1), block(96))], [launch("k", block(1), block(128))]),
    ];
    const { launches } = findLaunches(program(["f"], [kernelOf(), define("host", "f", [given], body)]));
    expect(launches.map((each) => each.block[0])).toEqual([32, 96, 128]);
  });

  it("keeps what an early return did apart until the caller", () => {
    const size = variable("size");
    const pointer = variable("out", floatPointer);
    const set = (value: number) =>
      run({
        kind: "assign",
        type: size.type,
        place: { kind: "memory", pointer: read(pointer), offsetBytes: 0, type: size.type },
        value: constant(value),
        site: null,
      });
    const pick = define(
      "host",
      "pick",
      [pointer],
      [when(unknown("time"), [set(128), give(constant(0))]), set(256), give(constant(0))],
    );
    const same = define(
      "host",
      "same",
      [pointer],
      [when(unknown("time"), [set(64), give(constant(0))]), set(64), give(constant(0))],
    );
    const main = (callee: string) =>
      define(
        "host",
        "main",
        [],
        [
          declare(size, constant(1)),
          run(call(callee, addressOf(size))),
          launch("k", block(1), block(32), read(size)),
        ],
      );
    const argument = (callee: string) =>
      findLaunches(program(["main"], [kernelOf("n"), pick, same, main(callee)])).launches[0]?.arguments[0];
    expect(argument("pick")).toMatchObject({ kind: "unknown" });
    expect(argument("same")).toEqual(scalar(64));
  });

  it("says argc = 1 only where a launch depends on it", () => {
    const argc = variable("argc");
    const n = variable("n");
    const body = [
      declare(n, constant(1024)),
      when(binary(">", read(argc), constant(1)), [run(assign(n, intrinsic("atoi")))]),
      launch("k", block(1), block(32), constant(3)),
      launch("k", block(2), block(32), read(n)),
    ];
    const { launches } = findLaunches(
      program(["main"], [kernelOf("n"), define("host", "main", [argc], body)]),
    );
    expect(launches.map((each) => [each.arguments[0], each.assumptions])).toEqual([
      [scalar(3), []],
      [scalar(1024), [{ kind: "world", world: "no-arguments" }]],
    ]);
  });

  it("ends at a guard that exits, and passes one that is not known", () => {
    const guard = (condition: number | null) =>
      when(condition === null ? unknown("errno") : constant(condition), [
        run(intrinsic("exit", constant(1))),
      ]);
    const launches = (condition: number | null) =>
      findLaunches(
        program(
          ["main"],
          [kernelOf(), define("host", "main", [], [guard(condition), launch("k", block(1), block(32))])],
        ),
      ).launches;
    expect(launches(1)).toEqual([]);
    expect(launches(0)).toHaveLength(1);
    expect(launches(null)).toMatchObject([{ assumptions: [] }]);
  });

  it("names allocations after their variables and knows their sizes", () => {
    const data = variable("d_data", floatPointer);
    const body = [
      declare(data),
      run(intrinsic("cudaMalloc", addressOf(data), constant(4096))),
      launch("k", block(1), block(32), read(data)),
    ];
    const { launches } = findLaunches(program(["main"], [kernelOf("p"), define("host", "main", [], body)]));
    expect(launches[0]?.arguments[0]).toMatchObject({
      kind: "pointer",
      allocation: { name: "d_data", sizeBytes: 4096, alignmentBytes: 256 },
      offsetBytes: 0,
    });
  });

  it("runs the body of a loop whose condition is not known once, and once for all later iterations", () => {
    const n = variable("n");
    const loop = {
      kind: "loop",
      condition: unknown("error > tolerance"),
      step: [],
      body: [launch("k", block(1), block(32), read(n)), run(assign(n, binary("*", read(n), constant(2))))],
      test: "top",
      unroll: null,
      range: range(),
    } as const;
    const body = [declare(n, constant(8)), loop, launch("k", block(1), block(64), read(n))];
    const { launches } = findLaunches(program(["main"], [kernelOf("n"), define("host", "main", [], body)]));
    expect(launches.map((each) => [each.arguments[0]?.kind, each.count, each.assumptions.length])).toEqual([
      ["scalar", 1, 1],
      ["unknown", 1, 1],
      ["unknown", 1, 0],
    ]);
  });
});
