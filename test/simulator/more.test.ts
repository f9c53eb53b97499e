// What kernels meet less often: barriers of the grid, matrix and async copies, variables of namespaces, function values, memory.
import { describe, expect, it } from "vitest";
import type { Expression } from "../../server/src/ir/expression.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import {
  arrayOf,
  float32,
  functionType,
  int32,
  pointerTo,
  type RecordType,
  uint16,
  uint32,
} from "../../server/src/ir/type.ts";
import type { Variable } from "../../server/src/ir/variable.ts";
import type { HostValue } from "../../server/src/launches/launch.ts";
import { createCounter } from "../../server/src/simulator/counter.ts";
import type { AccessRequest } from "../../server/src/simulator/request.ts";
import { type SimulationOptions, simulate } from "../../server/src/simulator/simulate.ts";
import {
  barrier,
  binary,
  buffer,
  call,
  constant,
  declare,
  define,
  elementOf,
  evaluate,
  giveBack,
  identity,
  intrinsic,
  launchOf,
  load,
  loop,
  offset,
  programOf,
  range,
  set,
  site,
  store,
  use,
  variable,
  when,
} from "./build.ts";

const thread = identity("threadIdx.x");
const intPointer = pointerTo(int32);
const zeros = { contents: () => new Uint8Array(65536) };

function ints(bytes: Uint8Array | null): number[] {
  return bytes === null ? [] : [...new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)];
}

function run(
  body: (out: Variable) => readonly Statement[],
  options: {
    readonly grid?: readonly [number, number, number];
    readonly threads?: number;
    readonly count?: number;
    readonly functions?: Parameters<typeof programOf>[0];
    readonly simulation?: SimulationOptions;
    readonly sharedBytes?: number;
  } = {},
) {
  const out = variable("out", intPointer);
  const kernel = define("k", [out], body(out));
  const requests: AccessRequest[] = [];
  const result = simulate(
    programOf([kernel, ...(options.functions ?? [])]),
    launchOf(
      kernel,
      { grid: options.grid ?? [1, 1, 1], block: [options.threads ?? 32, 1, 1] },
      [buffer(1, (options.count ?? 32) * 4)],
      options.sharedBytes ?? 0,
    ),
    { ...zeros, onRequest: (request) => requests.push(request), ...options.simulation },
  );
  return { result, requests, values: ints(result.contentsOf(1)) };
}

describe("barriers", () => {
  it("of the grid let every block see what the others wrote", () => {
    const block = identity("blockIdx.x");
    const { values, result } = run(
      (out) => [
        when(binary("==", thread, constant(0)), [evaluate(store(offset(use(out), block), block, 1))]),
        { kind: "barrier", scope: "grid", range: range(2) },
        when(binary("==", thread, constant(0)), [
          evaluate(
            store(
              offset(use(out), binary("+", block, constant(4))),
              load(offset(use(out), binary("-", constant(3), block)), 3),
              4,
            ),
          ),
        ]),
      ],
      { grid: [4, 1, 1], count: 8 },
    );
    expect(values).toEqual([0, 1, 2, 3, 3, 2, 1, 0]);
    expect(result.completedBlockCount).toBe(4);
  });

  it("in loops keep warps in step: a tree reduction", () => {
    const { values, result } = run(
      (out) => {
        const s = variable("s", arrayOf(int32, 128), "shared");
        const stride = variable("stride", int32);
        const at = (index: Expression) => elementOf(s, index);
        return [
          declare(s),
          evaluate(store(at(thread), thread, 1)),
          barrier,
          declare(stride, constant(64)),
          loop(
            binary(">", use(stride), constant(0)),
            [set(stride, binary(">>", use(stride), constant(1)))],
            [
              when(binary("<", thread, use(stride)), [
                evaluate(
                  store(
                    at(thread),
                    binary("+", load(at(thread), 2), load(at(binary("+", thread, use(stride))), 3)),
                    4,
                  ),
                ),
              ]),
              barrier,
            ],
          ),
          when(binary("==", thread, constant(0)), [evaluate(store(use(out), load(at(constant(0)), 5), 6))]),
        ];
      },
      { threads: 128, count: 1 },
    );
    expect(values).toEqual([(127 * 128) / 2]);
    expect(result.faults).toEqual([]);
  });
});

describe("dynamic shared memory", () => {
  it("starts every extern array at one address, behind the static ones", () => {
    const { requests, result } = run(
      () => {
        const fixed = variable("fixed", arrayOf(int32, 5), "shared");
        const [a, b] = [
          variable("a", arrayOf(int32, 0), "dynamic-shared"),
          variable("b", arrayOf(float32, 0), "dynamic-shared"),
        ];
        return [
          declare(fixed),
          evaluate(store(elementOf(a, thread), thread, 1)),
          evaluate(load(elementOf(b, thread), 2)),
        ];
      },
      { sharedBytes: 120 },
    );
    expect(requests.map((request) => request.laneAddresses[0])).toEqual([32, 32]);
    // 120 bytes are 30 ints: two lanes are past the end, on both sides.
    expect(result.faults.map((fault) => [fault.kind, fault.count])).toEqual([
      ["out-of-bounds", 2],
      ["out-of-bounds", 2],
    ]);
  });

  it("must be given a size", () => {
    const a = variable("a", arrayOf(int32, 0), "dynamic-shared");
    const kernel = define("k", [], [evaluate(store(elementOf(a, thread), thread, 1))]);
    const launch = { ...launchOf(kernel, { block: [32, 1, 1] }, []), sharedBytes: null };
    expect(simulate(programOf([kernel]), launch).reasons[0]).toContain("dynamic shared memory");
    expect(simulate(programOf([kernel]), launch, { sharedBytes: 128 }).status).toBe("complete");
  });
});

describe("matrix and async copies", () => {
  it("ldmatrix spreads rows over the lanes, and only the first lanes give addresses", () => {
    const { values, requests } = run(
      (out) => {
        const s = variable("s", arrayOf(uint16, 64), "shared");
        const row = elementOf(s, binary("*", binary("&", thread, constant(7)), constant(8)));
        const pair = binary("*", thread, constant(2));
        return [
          declare(s),
          evaluate(store(elementOf(s, pair), { kind: "convert", type: uint16, operand: pair }, 1)),
          evaluate(
            store(
              elementOf(s, binary("+", pair, constant(1))),
              { kind: "convert", type: uint16, operand: binary("+", pair, constant(1)) },
              1,
            ),
          ),
          evaluate(store(offset(use(out), thread), intrinsic("ldmatrix.x1", uint32, [row], site(2)), 3)),
          evaluate(
            store(
              offset(use(out), binary("+", thread, constant(32))),
              intrinsic("ldmatrix.x1.trans", uint32, [row], site(4)),
              5,
            ),
          ),
        ];
      },
      { count: 64 },
    );
    // Element e of the matrix is e: a lane has elements 2*lane and the next, or, transposed, (2c, r) and (2c+1, r).
    const lanes = Array.from({ length: 32 }, (_, lane) => lane);
    expect(values.slice(0, 32)).toEqual(lanes.map((lane) => 2 * lane + ((2 * lane + 1) << 16)));
    expect(values.slice(32)).toEqual(
      lanes.map((lane) => {
        const [row, column] = [(lane % 4) * 2, lane >> 2];
        return row * 8 + column + (((row + 1) * 8 + column) << 16);
      }),
    );
    const matrix = requests.filter((request) => request.operation === "matrix-load");
    expect(matrix.map((request) => [request.mask, request.bytes])).toEqual([
      [0xff, 16],
      [0xff, 16],
    ]);
  });

  it("cp.async is told on both sides, each with the other's addresses", () => {
    const { values, requests } = run((out) => {
      const s = variable("s", arrayOf(int32, 32), "shared");
      return [
        declare(s),
        evaluate(store(offset(use(out), thread), thread, 1)),
        evaluate(
          intrinsic(
            "cp.async.ca",
            int32,
            [elementOf(s, binary("^", thread, constant(1))), offset(use(out), thread), constant(4)],
            site(2),
          ),
        ),
        evaluate(store(offset(use(out), thread), load(elementOf(s, thread), 3), 4)),
      ];
    });
    expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => lane ^ 1));
    const copies = requests.filter((request) => request.operation === "async-copy");
    expect(copies.map((copy) => [copy.space, copy.laneAddresses[2], copy.pairedAddresses?.[2]])).toEqual([
      ["shared", 12, 8],
      ["global", 8, 12],
    ]);
  });
});

describe("functions", () => {
  it("called through values run for the lanes that hold them", () => {
    const [a, b] = [variable("a", int32), variable("b", int32)];
    const double = define("double", [a], [giveBack(binary("*", use(a), constant(2)))], int32);
    const negate = define("negate", [b], [giveBack(binary("-", constant(0), use(b)))], int32);
    const { values } = run(
      (out) => [
        evaluate(
          store(
            offset(use(out), thread),
            {
              kind: "call-indirect",
              type: int32,
              callee: {
                kind: "conditional",
                type: functionType,
                condition: binary("<", thread, constant(16)),
                whenTrue: { kind: "function", type: functionType, callee: double.id },
                whenFalse: { kind: "function", type: functionType, callee: negate.id },
              },
              arguments: [thread],
              range: range(5),
            },
            6,
          ),
        ),
      ],
      { functions: [double, negate] },
    );
    expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => (lane < 16 ? lane * 2 : -lane)));
  });

  it("recurse, each call with locals of its own, and endless recursion ends the run", () => {
    const n = variable("n", int32);
    const place = { kind: "variable", variable: n, offsetBytes: 0, type: int32 } as const;
    const sum: ReturnType<typeof define> = define("sum", [n], [], int32);
    const recursing = {
      ...sum,
      body: [
        when(binary("<=", load({ kind: "address", type: intPointer, place }, 1), constant(0)), [
          giveBack(constant(0)),
        ]),
        giveBack(binary("+", use(n), call(sum, [binary("-", use(n), constant(1))], 2))),
      ],
    };
    const { values } = run((out) => [evaluate(store(offset(use(out), thread), call(sum, [thread], 3), 4))], {
      functions: [recursing],
    });
    expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => (lane * (lane + 1)) / 2));
    const endless = { ...sum, body: [giveBack(call(sum, [use(n)], 2))] };
    const { result } = run((out) => [evaluate(store(use(out), call(sum, [thread], 3), 4))], {
      functions: [endless],
    });
    expect(result.reasons[0]).toContain("nested deeper");
  });
});

describe("arguments and variables", () => {
  it("records arrive by their bytes, pointers in them too", () => {
    const type: RecordType = {
      kind: "record",
      name: "Params",
      sizeBytes: 16,
      alignmentBytes: 8,
      fields: [
        { name: "to", type: intPointer, offsetBytes: 0 },
        { name: "n", type: int32, offsetBytes: 8 },
      ],
    };
    const p = variable("p", type);
    const field = (offsetBytes: number, of: RecordType["fields"][number]["type"]): Expression => ({
      kind: "load",
      type: of,
      place: { kind: "variable", variable: p, offsetBytes, type: of },
      site: null,
    });
    const kernel = define(
      "k",
      [p],
      [evaluate(store(offset(field(0, intPointer), thread), field(8, int32), 1))],
    );
    const value: HostValue = {
      kind: "aggregate",
      parts: new Map<number, HostValue>([
        [0, buffer(1, 128)],
        [8, { kind: "scalar", value: 42 }],
      ]),
    };
    const result = simulate(programOf([kernel]), launchOf(kernel, { block: [32, 1, 1] }, [value]));
    expect(ints(result.contentsOf(1))).toEqual(Array.from({ length: 32 }, () => 42));
  });

  it("variables of namespaces keep their initial values and what is written", () => {
    const table = variable("table", arrayOf(int32, 4), "constant");
    const counter = variable("counter", int32, "device");
    const out = variable("out", intPointer);
    const pointerOf = (one: Variable): Expression => ({
      kind: "address",
      type: intPointer,
      place: { kind: "variable", variable: one, offsetBytes: 0, type: one.type },
    });
    const kernel = define(
      "k",
      [out],
      [
        evaluate(intrinsic("atomicAdd", int32, [pointerOf(counter), constant(1)], site(1))),
        evaluate(
          store(
            offset(use(out), thread),
            binary(
              "+",
              load(elementOf(table, binary("&", thread, constant(3))), 2),
              load(pointerOf(counter), 3),
            ),
            4,
          ),
        ),
      ],
    );
    const program = {
      ...programOf([kernel]),
      globalInitializer: (one: Variable): Expression | null =>
        one === table
          ? {
              kind: "aggregate",
              type: arrayOf(int32, 4),
              parts: [10, 20, 30, 40].map((value, at) => ({ offsetBytes: at * 4, value: constant(value) })),
            }
          : null,
    };
    const spaces: string[] = [];
    const result = simulate(program, launchOf(kernel, { block: [32, 1, 1] }, [buffer(1, 128)]), {
      onRequest: (request) => spaces.push(request.space),
    });
    expect(ints(result.contentsOf(1)).slice(0, 4)).toEqual([42, 52, 62, 72]);
    expect(spaces).toEqual(["global", "constant", "global", "global"]);
  });
});

describe("memory", () => {
  it("of unknown size grows, up to the limit", () => {
    const out = variable("out", intPointer);
    const far = binary("*", thread, constant(100_000));
    const kernel = define("k", [out], [evaluate(store(offset(use(out), far), thread, 1))]);
    const launch = launchOf(kernel, { block: [32, 1, 1] }, [buffer(1, null)]);
    const roomy = simulate(programOf([kernel]), launch, zeros);
    expect(roomy.faults).toEqual([]);
    expect(ints(roomy.contentsOf(1))[3_100_000]).toBe(31);
    const tight = simulate(programOf([kernel]), launch, { ...zeros, maxAllocationBytes: 1_000_000 });
    expect(tight.faults).toMatchObject([{ kind: "out-of-bounds", count: 29 }]);
  });

  it("has the same random contents for the same seed, small and exact for its type", () => {
    const input = variable("input", pointerTo(float32));
    const kernel = define("k", [input], []);
    const launch = launchOf(kernel, { block: [32, 1, 1] }, [buffer(1, 4 * 100_000)]);
    const contents = (seed: number) => {
      const bytes = simulate(programOf([kernel]), launch, { seed }).contentsOf(1) ?? new Uint8Array();
      return new Float32Array(bytes.buffer);
    };
    expect(contents(1)).toEqual(contents(1));
    expect(contents(1)).not.toEqual(contents(2));
    expect(contents(1).every((value) => Math.abs(value) <= 8 && Number.isInteger(value * 16))).toBe(true);
    expect(new Set(contents(1)).size).toBe(256);
  });
});

describe("the counter", () => {
  it("sums requests, lanes and figures for each access", () => {
    const counter = createCounter();
    run(
      (out) => {
        const s = variable("s", arrayOf(int32, 1024), "shared");
        return [
          declare(s),
          evaluate(store(elementOf(s, binary("*", thread, constant(16))), thread, 1)),
          evaluate(store(offset(use(out), thread), thread, 2)),
        ];
      },
      { grid: [3, 1, 1], threads: 48, count: 64, simulation: { onRequest: counter.onRequest } },
    );
    expect(counter.totals()).toMatchObject([
      // Stride 16 words: 32 lanes in 2 banks take 16 passes, the 16 lanes of the tail 8.
      { space: "shared", operation: "store", bytes: 4, requests: 6, lanes: 144, cost: 72, ideal: 6 },
      { space: "global", operation: "store", bytes: 4, requests: 6, lanes: 144, cost: 18, ideal: 18 },
    ]);
  });
});
