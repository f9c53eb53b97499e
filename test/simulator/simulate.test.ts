// The simulator on hand-built programs: masks, barriers, memory, atomics, shuffles, and what it counts.
import { describe, expect, it } from "vitest";
import type { Statement } from "../../server/src/ir/statement.ts";
import {
  arrayOf,
  booleanType,
  float32,
  int32,
  pointerTo,
  type RecordType,
  uint32,
} from "../../server/src/ir/type.ts";
import type { AccessRequest } from "../../server/src/simulator/request.ts";
import { simulate } from "../../server/src/simulator/simulate.ts";
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
  store,
  use,
  variable,
  when,
} from "./build.ts";

const intPointer = pointerTo(int32);
const warpOf = { block: [32, 1, 1] } as const;

/** Runs `body` with one parameter `out`, an int array of `count`, and gives what it holds. */
function runInts(
  count: number,
  dimensions: { grid?: readonly [number, number, number]; block: readonly [number, number, number] },
  makeBody: (out: ReturnType<typeof variable>) => readonly Statement[],
  more: Parameters<typeof programOf>[0] = [],
) {
  const out = variable("out", intPointer);
  const kernel = define("k", [out], makeBody(out));
  const requests: AccessRequest[] = [];
  const result = simulate(
    programOf([kernel, ...more]),
    launchOf(kernel, dimensions, [buffer(1, count * 4)]),
    {
      onRequest: (request) => requests.push(request),
      contents: () => new Uint8Array(count * 4),
    },
  );
  const bytes = result.contentsOf(1) ?? new Uint8Array();
  const values = [...new Int32Array(bytes.buffer, bytes.byteOffset, count)];
  return { result, requests, values };
}

const thread = identity("threadIdx.x");

describe("masks", () => {
  it("runs both sides of a branch and meets after it", () => {
    const { values, requests } = runInts(32, warpOf, (out) => {
      const x = variable("x", int32);
      return [
        declare(x, constant(0)),
        when(
          binary("<", thread, constant(8)),
          [evaluate(set(x, constant(1)))],
          [evaluate(set(x, constant(2)))],
        ),
        evaluate(store(offset(use(out), thread), use(x), 1)),
      ];
    });
    expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => (lane < 8 ? 1 : 2)));
    expect(requests.map((request) => request.mask)).toEqual([0xffffffff]);
  });

  it("keeps lanes that left a loop out of it, and counts their rounds", () => {
    const { values, requests } = runInts(32, warpOf, (out) => {
      const [i, sum] = [variable("i", int32), variable("sum", int32)];
      return [
        declare(sum, constant(0)),
        declare(i, constant(0)),
        loop(
          binary("<", use(i), thread),
          [set(i, binary("+", use(i), constant(1)))],
          [
            when(binary("==", use(i), constant(3)), [{ kind: "continue" }]),
            when(binary("==", use(i), constant(6)), [{ kind: "break" }]),
            evaluate(set(sum, binary("+", use(sum), use(i)))),
            evaluate(store(offset(use(out), thread), use(sum), 1)),
          ],
        ),
        evaluate(store(offset(use(out), thread), use(sum), 2)),
      ];
    });
    const expected = Array.from({ length: 32 }, (_, lane) => {
      let sum = 0;
      for (let i = 0; i < Math.min(lane, 6); i++) if (i !== 3) sum += i;
      return sum;
    });
    expect(values).toEqual(expected);
    // Rounds 0, 1, 2, 4 and 5 store under fewer and fewer lanes.
    expect(requests.map((request) => request.mask)).toEqual([
      0xfffffffe, 0xfffffffc, 0xfffffff8, 0xffffffe0, 0xffffffc0, 0xffffffff,
    ]);
  });

  it("ends lanes that return, in the kernel and in what it calls", () => {
    const n = variable("n", int32);
    const clamp = define(
      "clamp",
      [n],
      [when(binary(">", use(n), constant(4)), [giveBack(constant(4))]), giveBack(use(n))],
      int32,
    );
    const { values, requests } = runInts(
      32,
      warpOf,
      (out) => [
        when(binary(">=", thread, constant(16)), [giveBack(null)]),
        evaluate(store(offset(use(out), thread), call(clamp, [thread], 7), 1)),
      ],
      [clamp],
    );
    expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => (lane < 16 ? Math.min(lane, 4) : 0)));
    expect(requests.map((request) => request.mask)).toEqual([0xffff]);
  });

  it("falls through the cases of a switch", () => {
    const { values } = runInts(32, warpOf, (out) => {
      const x = variable("x", int32);
      const add = (amount: number) => evaluate(set(x, binary("+", use(x), constant(amount))));
      return [
        declare(x, constant(0)),
        {
          kind: "switch",
          selector: binary("%", thread, constant(4)),
          cases: [
            { values: [0], body: [add(1)] },
            { values: [1], body: [add(10), { kind: "break" }] },
            { values: [null], body: [add(100)] },
          ],
          range: { file: "a.cu", start: 0, end: 1 },
        },
        evaluate(store(offset(use(out), thread), use(x), 1)),
      ];
    });
    expect(values.slice(0, 4)).toEqual([11, 10, 100, 100]);
  });

  it("leaves the lanes past the block inactive", () => {
    const { requests } = runInts(64, { block: [20, 2, 1] }, (out) => [
      evaluate(
        store(
          offset(use(out), binary("+", thread, binary("*", identity("threadIdx.y"), constant(20)))),
          thread,
          1,
        ),
      ),
    ]);
    expect(requests.map((request) => request.mask)).toEqual([0xffffffff, 0xff]);
  });
});

describe("barriers and shared memory", () => {
  const reversing = (out: ReturnType<typeof variable>): Statement[] => {
    const tile = variable("tile", arrayOf(int32, 64), "shared");
    return [
      declare(tile),
      evaluate(store(elementOf(tile, thread), thread, 1)),
      barrier,
      evaluate(
        store(offset(use(out), thread), load(elementOf(tile, binary("-", constant(63), thread)), 2), 3),
      ),
    ];
  };

  it("lets each warp see what the others wrote before", () => {
    const { values, result } = runInts(64, { block: [64, 1, 1] }, reversing);
    expect(values).toEqual(Array.from({ length: 64 }, (_, lane) => 63 - lane));
    expect(result.faults).toEqual([]);
  });

  it("reports reads of what another warp has not yet written", () => {
    const { result } = runInts(64, { block: [64, 1, 1] }, (out) =>
      reversing(out).filter((statement) => statement.kind !== "barrier"),
    );
    expect(result.faults).toMatchObject([{ kind: "uninitialized", count: 32, thread: [0, 0, 0] }]);
  });

  it("waits inside functions, also where a call is part of an expression", () => {
    const tile = variable("tile", arrayOf(int32, 64), "shared");
    const value = variable("value", int32);
    const mirror = define(
      "mirror",
      [value],
      [
        declare(tile),
        evaluate(store(elementOf(tile, thread), use(value), 1)),
        barrier,
        giveBack(load(elementOf(tile, binary("-", constant(63), thread)), 2)),
      ],
      int32,
    );
    const { values, requests } = runInts(
      64,
      { block: [64, 1, 1] },
      (out) => [
        evaluate(
          store(
            offset(use(out), thread),
            binary("+", call(mirror, [binary("*", thread, constant(2))], 50), constant(1)),
            3,
          ),
        ),
      ],
      [mirror],
    );
    expect(values).toEqual(Array.from({ length: 64 }, (_, lane) => (63 - lane) * 2 + 1));
    expect(requests[0]?.stack.map((one) => one.start)).toEqual([1, 50]);
  });

  it("tells of barriers that not all lanes reach", () => {
    const { result } = runInts(32, warpOf, () => [when(binary("<", thread, constant(4)), [barrier])]);
    expect(result.faults).toMatchObject([{ kind: "divergent-barrier", count: 28, thread: [4, 0, 0] }]);
  });

  it("starts every block with shared memory of its own", () => {
    const { result } = runInts(32, { grid: [2, 1, 1], block: [32, 1, 1] }, (out) => {
      const tile = variable("tile", arrayOf(int32, 32), "shared");
      return [
        declare(tile),
        when(binary("==", identity("blockIdx.x"), constant(0)), [
          evaluate(store(elementOf(tile, thread), thread, 1)),
        ]),
        evaluate(store(offset(use(out), thread), load(elementOf(tile, thread), 2), 3)),
      ];
    });
    expect(result.faults).toMatchObject([{ kind: "uninitialized", block: [1, 0, 0], count: 32 }]);
    expect(result.completedBlockCount).toBe(2);
  });

  it("lays static arrays out at multiples of 16, and gives real addresses", () => {
    const { requests } = runInts(32, warpOf, () => {
      const flag = variable("flag", booleanType, "shared");
      const tile = variable("tile", arrayOf(int32, 33), "shared");
      return [
        declare(flag),
        declare(tile),
        evaluate(store(elementOf(tile, binary("+", thread, constant(1))), thread, 1)),
      ];
    });
    expect(requests[0]).toMatchObject({ space: "shared", bytes: 4, operation: "store" });
    expect(requests[0]?.laneAddresses.slice(0, 3)).toEqual([20, 24, 28]);
  });
});

const float4: RecordType = {
  kind: "record",
  name: "float4",
  sizeBytes: 16,
  alignmentBytes: 16,
  fields: ["x", "y", "z", "w"].map((name, at) => ({ name, type: float32, offsetBytes: at * 4 })),
};
const float3: RecordType = {
  ...float4,
  name: "float3",
  sizeBytes: 12,
  alignmentBytes: 4,
  fields: float4.fields.slice(0, 3),
};

describe("records", () => {
  it.each([
    [float4, [16]],
    [float3, [4, 4, 4]],
  ])("moves $name in the pieces that its alignment allows", (type, pieces) => {
    const [to, from] = [variable("to", pointerTo(type)), variable("from", pointerTo(type))];
    const copy = variable("copy", type);
    const kernel = define(
      "k",
      [to, from],
      [
        declare(copy, load(offset(use(from), thread), 1)),
        evaluate(store(offset(use(to), thread), use(copy), 2)),
      ],
    );
    const requests: AccessRequest[] = [];
    const result = simulate(
      programOf([kernel]),
      launchOf(kernel, warpOf, [buffer(1, 32 * type.sizeBytes), buffer(2, 32 * type.sizeBytes)]),
      { onRequest: (request) => requests.push(request) },
    );
    expect(result.contentsOf(1)).toEqual(result.contentsOf(2));
    expect(result.faults).toEqual([]);
    expect(requests.filter((one) => one.operation === "load").map((one) => one.bytes)).toEqual(pieces);
    expect(requests.filter((one) => one.operation === "store").map((one) => one.bytes)).toEqual(pieces);
  });

  it("reads and writes members of locals without accesses", () => {
    const { values, requests } = runInts(32, warpOf, (out) => {
      const pair = variable("pair", arrayOf(int32, 2));
      const at = (offsetBytes: number) =>
        ({ kind: "variable", variable: pair, offsetBytes, type: int32 }) as const;
      return [
        declare(pair, {
          kind: "aggregate",
          type: arrayOf(int32, 2),
          parts: [{ offsetBytes: 4, value: thread }],
        }),
        evaluate({ kind: "assign", type: int32, place: at(0), value: constant(5), site: null }),
        evaluate(
          store(
            offset(use(out), thread),
            binary(
              "+",
              { kind: "load", type: int32, place: at(0), site: null },
              { kind: "load", type: int32, place: at(4), site: null },
            ),
            1,
          ),
        ),
      ];
    });
    expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => 5 + lane));
    expect(requests).toHaveLength(1);
  });
});

describe("faults", () => {
  it("tells thread and offset of an access out of bounds, and goes on", () => {
    const { result, values } = runInts(32, warpOf, (out) => [
      evaluate(store(offset(use(out), binary("-", thread, constant(1))), constant(7), 1)),
    ]);
    expect(result.faults).toMatchObject([
      { kind: "out-of-bounds", count: 1, thread: [0, 0, 0], offsetBytes: -4, object: "buffer 1" },
    ]);
    expect(values.slice(0, 2)).toEqual([7, 7]);
    expect(result.status).toBe("complete");
  });

  it("tells of vectors off their alignment", () => {
    const wide = pointerTo(float4);
    const { result } = runInts(64 * 4, warpOf, (out) => [
      evaluate(
        load({ kind: "convert", type: wide, operand: offset(use(out), binary("*", thread, constant(2))) }, 1),
      ),
    ]);
    expect(result.faults).toMatchObject([
      { kind: "misaligned", count: 16, thread: [1, 0, 0], offsetBytes: 8 },
    ]);
  });

  it("tells of locals that were never set", () => {
    const { result } = runInts(32, warpOf, (out) => {
      const x = variable("x", int32);
      return [
        declare(x),
        when(binary("<", thread, constant(30)), [evaluate(set(x, constant(1)))]),
        evaluate(store(offset(use(out), use(x)), constant(1), 1)),
      ];
    });
    expect(result.faults).toMatchObject([
      { kind: "uninitialized", count: 2, object: "x", thread: [30, 0, 0] },
    ]);
  });
});

describe("what is not known", () => {
  it("says which arguments are missing", () => {
    const n = variable("n", int32);
    const kernel = define("k", [n], []);
    const launch = launchOf(kernel, warpOf, [{ kind: "unknown", reason: "read from a file" }]);
    expect(simulate(programOf([kernel]), launch)).toMatchObject({
      status: "not-started",
      missingArguments: [{ index: 0, name: "n", reason: "read from a file" }],
    });
    const given = new Map([[0, { kind: "scalar", value: 3 } as const]]);
    expect(simulate(programOf([kernel]), launch, { arguments: given }).status).toBe("complete");
  });

  it("reports accesses at unknown addresses as unknown, lane by lane", () => {
    const out = variable("out", intPointer);
    const kernel = define(
      "k",
      [out],
      [
        evaluate(
          store(
            offset(use(out), {
              kind: "conditional",
              type: int32,
              condition: binary("<", thread, constant(4)),
              whenTrue: thread,
              whenFalse: { kind: "unknown", type: int32, reason: "a goto", operands: [] },
            }),
            constant(1),
            1,
          ),
        ),
      ],
    );
    const unknowns: unknown[] = [];
    const masks: number[] = [];
    simulate(programOf([kernel]), launchOf(kernel, warpOf, [buffer(1, 128)]), {
      onUnknown: (access) => unknowns.push([access.mask, access.reason]),
      onRequest: (request) => masks.push(request.mask),
    });
    expect(unknowns).toEqual([[0xfffffff0, "a goto"]]);
    expect(masks).toEqual([0xf]);
  });

  it("ends endless loops by the budget", () => {
    const out = variable("out", intPointer);
    const kernel = define(
      "k",
      [out],
      [
        {
          kind: "loop",
          condition: null,
          step: [],
          body: [],
          test: "top",
          unroll: null,
          range: range(1),
        },
      ],
    );
    const result = simulate(programOf([kernel]), launchOf(kernel, warpOf, [buffer(1, 4)]), {
      maxSteps: 1000,
    });
    expect(result).toMatchObject({ status: "stopped", completedBlockCount: 0, blockCount: 1 });
    expect(result.reasons[0]).toContain("budget");
  });
});

describe("intrinsics", () => {
  it("adds atomically where lanes meet", () => {
    const { values, requests } = runInts(2, { block: [64, 1, 1] }, (out) => [
      evaluate(
        intrinsic("atomicAdd", int32, [offset(use(out), binary("%", thread, constant(2))), thread], {
          range: { file: "a.cu", start: 1, end: 2 },
          expression: "atomicAdd",
          isVolatile: false,
          merged: [],
        }),
      ),
    ]);
    expect(values).toEqual([992, 1024]);
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ operation: "atomic", intrinsic: "atomicAdd" });
  });

  it("shuffles and votes", () => {
    const all = constant(-1, uint32);
    const { values } = runInts(96, warpOf, (out) => [
      evaluate(
        store(
          offset(use(out), thread),
          intrinsic("__shfl_down_sync", int32, [all, thread, constant(4), constant(8)]),
          1,
        ),
      ),
      evaluate(
        store(
          offset(use(out), binary("+", thread, constant(32))),
          intrinsic("__shfl_xor_sync", int32, [all, thread, constant(5)]),
          2,
        ),
      ),
      evaluate(
        store(
          offset(use(out), binary("+", thread, constant(64))),
          intrinsic("__ballot_sync", int32, [all, binary("<", thread, constant(3))]),
          3,
        ),
      ),
    ]);
    const lanes = Array.from({ length: 32 }, (_, lane) => lane);
    expect(values.slice(0, 32)).toEqual(lanes.map((lane) => (lane % 8 < 4 ? lane + 4 : lane)));
    expect(values.slice(32, 64)).toEqual(lanes.map((lane) => lane ^ 5));
    expect(values.slice(64)).toEqual(lanes.map(() => 7));
  });
});
