// Rules of codegen on hand-built IR; each expectation is what the GPU did in the case of fixtures/codegen that it names.
import { describe, expect, it } from "vitest";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { Expression } from "../../server/src/ir/expression.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import { float32, int32, pointerTo, sizeOf } from "../../server/src/ir/type.ts";
import {
  accessesOf,
  add,
  assign,
  at,
  barrier,
  binary,
  declare,
  element,
  evaluate,
  float4,
  generated,
  int,
  kernel,
  loop,
  member,
  pointer,
  read,
  shared,
  store,
  storeMember,
  tid,
  times,
  variable,
  when,
} from "./build.ts";

const o = pointer("o");
const g = pointer("g");
const v4 = pointer("v4", float4);
const n = variable("n", int32);

function list(...body: readonly Statement[]): readonly string[] {
  return accessesOf(generated(kernel([o, g, v4, n], body)));
}

function sumOf(values: readonly Expression[]): Expression {
  return values.reduce((sum, value) =>
    binary("+", binary("*", sum, { kind: "constant", type: float32, value: 3 }), value),
  );
}

/** Loads s[4*t+k] in the order of `offsets` into variables, then uses them in the order of their addresses. */
function loadsOf(
  base: ReturnType<typeof shared>,
  pitch: number,
  offsets: readonly number[],
): readonly string[] {
  const variables = offsets.map((offset) => ({ offset, variable: variable(`a${offset}`, float32) }));
  const used = [...variables].sort((a, b) => a.offset - b.offset).map((one) => read(one.variable));
  return list(
    declare(base),
    ...variables.map(({ offset, variable: local }, index) =>
      declare(local, element(base, add(times(tid, pitch), int(offset)), index + 1)),
    ),
    store(o, tid, sumOf(used), 9),
  );
}

describe("loads of neighbours in shared memory", () => {
  const expected: readonly [
    name: string,
    pitch: number,
    offsets: readonly number[],
    result: readonly string[],
  ][] = [
    ["pair", 4, [0, 1], ["1 load 64"]],
    ["pairOdd", 4, [1, 2], ["1 load 32", "1 load 32"]],
    ["triple", 4, [0, 1, 2], ["1 load 128"]],
    ["tripleHigh", 4, [1, 2, 3], ["1 load 128"]],
    ["quad", 4, [0, 1, 2, 3], ["1 load 128"]],
    ["quadReverse", 4, [3, 2, 1, 0], ["4 load 128"]],
    ["quadShuffled", 4, [2, 0, 3, 1], ["2 load 128"]],
    ["gap02", 4, [0, 2], ["1 load 32", "1 load 32"]],
    ["gap013", 4, [0, 1, 3], ["1 load 128"]],
    ["gap03", 4, [0, 3], ["1 load 32", "1 load 32"]],
    ["load1d<33>", 33, [0, 1, 2, 3], ["1 load 32", "2 load 32", "3 load 32", "4 load 32"]],
    ["load1d<34>", 34, [0, 1, 2, 3], ["1 load 64", "3 load 64"]],
    ["load1d<36>", 36, [0, 1, 2, 3], ["1 load 128"]],
    ["sharedTriple8", 6, [0, 1, 2], ["1 load 64", "3 load 32"]],
  ];
  it.each(expected)("%s", (_, pitch, offsets, result) => {
    expect(loadsOf(shared("s", 2048), pitch, offsets)).toEqual([...result, "9 store 32"]);
  });

  it("unrolled s[4*t+k] is one 128-bit load", () => {
    const s = shared("s", 256);
    const k = variable("k", int32);
    const sum = variable("sum", float32);
    const body = evaluate(assign(sum, sumOf([read(sum), element(s, add(times(tid, 4), read(k)), 1)])));
    expect(
      list(
        declare(s),
        declare(sum, { kind: "constant", type: float32, value: 0 }),
        ...loop(k, int(4), [body]),
        store(o, tid, read(sum), 2),
      ),
    ).toEqual(["1 load 128", "2 store 32"]);
  });

  it("a barrier or a shared store parts neighbours, a global store does not", () => {
    const pair = (between: Statement, ...after: Statement[]) => {
      const s = shared("s", 256);
      const a = variable("a", float32);
      const b = variable("b", float32);
      return list(
        declare(s),
        declare(a, element(s, times(tid, 4), 1)),
        between,
        declare(b, element(s, add(times(tid, 4), int(1)), 3)),
        store(o, tid, sumOf([read(a), read(b)]), 9),
        ...after,
      );
    };
    expect(pair(barrier)).toEqual(["1 load 32", "3 load 32", "9 store 32"]);
    expect(pair(store(o, add(tid, int(64)), { kind: "constant", type: float32, value: 1 }, 2))).toEqual([
      "1 load 64",
      "2 store 32",
      "9 store 32",
    ]);
    const u = shared("u", 64);
    const readsOther = evaluate(
      assign(variable("unused", float32), element(u, tid, 5, { isVolatile: true })),
    );
    const other = pair(store(u, tid, { kind: "constant", type: float32, value: 1 }, 2), readsOther);
    expect(other).toContain("2 store 32");
    expect(other).not.toContain("1 load 64");
  });
});

describe("vectors read in part", () => {
  const whole = (offsets: readonly number[]) => {
    const v = variable("v", float4);
    return list(
      declare(v, element(v4, tid, 1)),
      store(o, tid, sumOf(offsets.map((offset) => read(v, 4 * offset, float32))), 2),
    );
  };
  it.each([
    ["x", [0], ["1 load 32"]],
    ["w", [3], ["1 load 32"]],
    ["xy", [0, 1], ["1 load 64"]],
    ["yz", [1, 2], ["1 load 32", "1 load 32"]],
    ["zw", [2, 3], ["1 load 64"]],
    ["xz", [0, 2], ["1 load 32", "1 load 32"]],
    ["xyz", [0, 1, 2], ["1 load 128"]],
    ["yzw", [1, 2, 3], ["1 load 128"]],
    ["whole", [0, 1, 2, 3], ["1 load 128"]],
  ] as const)("%s", (_, offsets, result) => {
    expect(whole(offsets)).toEqual([...result, "2 store 32"]);
  });

  it("members named one by one (membersYZW): the hole is filled behind the first only", () => {
    const parts = [4, 8, 12].map((offset, index) => member(v4, tid, offset, index + 1));
    expect(list(store(o, tid, sumOf(parts), 9))).toEqual(["1 load 32", "2 load 64", "9 store 32"]);
  });

  it("copyMembers: four members loaded and stored one by one are one vector each", () => {
    const h = pointer("h", float4);
    const body = [0, 4, 8, 12].map((offset, index) =>
      storeMember(h, tid, offset, member(v4, tid, offset, index + 1), index + 1),
    );
    expect(accessesOf(generated(kernel([v4, h], body)))).toEqual(["1 load 128", "4 store 128"]);
  });

  it("storeXYZ and storeYZW", () => {
    const one = { kind: "constant", type: float32, value: 1 } as const;
    const stores = (offsets: readonly number[]) =>
      accessesOf(
        generated(
          kernel(
            [v4],
            offsets.map((offset, index) => storeMember(v4, tid, offset, one, index + 1)),
          ),
        ),
      );
    expect(stores([0, 4, 8])).toEqual(["2 store 64", "3 store 32"]);
    expect(stores([4, 8, 12])).toEqual(["1 store 32", "2 store 32", "3 store 32"]);
    expect(stores([12, 0])).toEqual(["1 store 32", "2 store 32"]);
  });

  it("whole copies keep their width", () => {
    const h = pointer("h", float4);
    expect(accessesOf(generated(kernel([v4, h], [store(h, tid, element(v4, tid, 1), 2)])))).toEqual([
      "1 load 128",
      "2 store 128",
    ]);
  });
});

describe("repeats", () => {
  const twice = (between: readonly Statement[], from = g, to = o) => {
    const a = variable("a", float32);
    const b = variable("b", float32);
    return accessesOf(
      generated(
        kernel(
          [from, to],
          [
            declare(a, element(from, tid, 1)),
            ...between,
            declare(b, element(from, tid, 3)),
            store(to, tid, binary("*", read(a), read(b)), 4),
          ],
        ),
      ),
    );
  };
  const one: Expression = { kind: "constant", type: float32, value: 1 };
  it("twice", () => expect(twice([])).toEqual(["1 load 32", "4 store 32"]));
  it("twiceAcrossStore", () =>
    expect(twice([store(o, add(tid, int(32)), one, 2)])).toEqual([
      "1 load 32",
      "2 store 32",
      "3 load 32",
      "4 store 32",
    ]));
  it("twiceAcrossStoreConst, twiceAcrossBarrierConst", () => {
    const constant = pointer("c", float32, { isRestrict: true, pointsToConst: true });
    expect(twice([store(o, add(tid, int(32)), one, 2), barrier], constant)).toEqual([
      "1 load 32",
      "2 store 32",
      "4 store 32",
    ]);
  });
  it("a pointer that is first read under a branch is known behind it", () => {
    const s = shared("s", 256);
    const a = variable("a", float32);
    const b = variable("b", float32);
    expect(
      list(
        declare(s),
        when(binary("<", read(n), int(3)), [store(g, add(tid, int(64)), one, 1)]),
        declare(a, element(g, tid, 2)),
        store(s, tid, one, 3),
        declare(b, element(g, tid, 4)),
        store(o, tid, sumOf([read(a), read(b), element(s, add(tid, int(1)), 5)]), 6),
      ),
    ).toEqual(["1 store 32", "2 load 32", "3 store 32", "5 load 32", "6 store 32"]);
  });
  it("twiceAcrossBarrier", () => expect(twice([barrier])).toEqual(["1 load 32", "3 load 32", "4 store 32"]));
  it("twiceSameArrayOtherIndex", () =>
    expect(twice([store(g, add(tid, int(64)), one, 2)])).toEqual(["1 load 32", "2 store 32", "4 store 32"]));
  it("dead loads vanish", () => {
    const a = variable("a", float32);
    expect(list(declare(a, element(g, tid, 1)), store(o, tid, one, 2))).toEqual(["2 store 32"]);
  });
  it("a store goes where only a dead load kept it from a later one", () => {
    const a = variable("a", float32);
    const body = [store(o, tid, one, 1), declare(a, element(g, tid, 2)), store(o, tid, sumOf([one, one]), 3)];
    expect(list(...body)).toEqual(["3 store 32"]);
  });
  it("locals that nothing names vanish with what fed them, and arrays whose address is taken stay", () => {
    const a = variable("a", int32);
    const b = variable("b", int32);
    const local = variable("local", { kind: "array", element: int32, count: 4 });
    const body = [
      declare(a, int(2)),
      declare(b, add(read(a), int(1))),
      declare(local),
      store(local, tid, int(1), 1),
      store(o, tid, element(local, add(tid, int(1)), 2), 3),
    ];
    const declared = generated(kernel([o], body)).body.flatMap((statement) =>
      statement.kind === "declare" ? [statement.variable.name] : [],
    );
    expect(declared).toEqual(["local"]);
  });
  it("readModifyWrite: the first load, the last store", () => {
    const body = [1, 2, 3].map((line) => store(o, tid, binary("+", element(o, tid, line), one), line));
    expect(list(...body)).toEqual(["1 load 32", "3 store 32"]);
  });
  it("volatile is left alone", () => {
    const loads = [1, 2].map((line) => element(g, tid, line, { isVolatile: true }));
    expect(list(store(o, tid, sumOf(loads), 3))).toEqual(["1 load 32", "2 load 32", "3 store 32"]);
  });
});

describe("branches and loops", () => {
  it("usedUnderOneBranch: the load moves under it", () => {
    const a = variable("a", float32);
    const definition = generated(
      kernel(
        [o, g, n],
        [declare(a, element(g, tid, 1)), when(binary("<", tid, read(n)), [store(o, tid, read(a), 2)])],
      ),
    );
    expect(accessesOf(definition)).toEqual(["1 load 32", "2 store 32"]);
    const last = definition.body.at(-1);
    expect(last?.kind === "if" && last.whenTrue.length).toBeGreaterThanOrEqual(2);
  });

  it("ternaryLoads: one load of the selected address", () => {
    const selected: Expression = {
      kind: "conditional",
      type: float32,
      condition: binary("<", tid, read(n)),
      whenTrue: element(g, tid, 1),
      whenFalse: element(g, add(tid, int(32)), 2),
    };
    expect(list(store(o, tid, selected, 3))).toEqual(["2 load 32", "3 store 32"]);
  });

  it("invariantGlobal leaves the loop, invariantAcrossStore does not", () => {
    const i = variable("i", int32);
    const sum = variable("sum", float32);
    const kept = generated(
      kernel(
        [o, g, n],
        [
          declare(sum, { kind: "constant", type: float32, value: 0 }),
          ...loop(i, read(n), [evaluate(assign(sum, sumOf([read(sum), element(g, tid, 1)])))]),
          store(o, tid, read(sum), 2),
        ],
      ),
    );
    const inLoop = (definition: typeof kept) => {
      const found = definition.body.find((statement) => statement.kind === "loop");
      return found ? accessesOf({ ...definition, body: [found] }) : null;
    };
    expect(inLoop(kept)).toEqual([]);
    expect(accessesOf(kept)).toEqual(["1 load 32", "2 store 32"]);
    const j = variable("j", int32);
    const stored = generated(
      kernel([o, g, n], [...loop(j, read(n), [store(o, add(tid, read(j)), element(g, tid, 1), 2)])]),
    );
    expect(inLoop(stored)).toEqual(["1 load 32", "2 store 32"]);
  });
});

describe("updates in loops", () => {
  const update = (extra: readonly Expression[], base: ReturnType<typeof shared>) => {
    const i = variable("i", int32);
    const body = store(
      base,
      tid,
      sumOf([element(base, tid, 1), ...extra, { kind: "constant", type: float32, value: 1 }]),
      1,
    );
    const readBack = store(o, tid, element(base, binary("-", int(31), tid), 3), 3);
    return generated(kernel([o, g, n], [declare(base), ...loop(i, read(n), [body]), barrier, readBack]));
  };
  const inLoop = (definition: ReturnType<typeof update>) => {
    const found = definition.body.find((statement) => statement.kind === "loop");
    return found ? accessesOf({ ...definition, body: [found] }) : null;
  };

  it("updateShared: one load before the loop, one store after it", () => {
    const definition = update([], shared("s", 64));
    expect(inLoop(definition)).toEqual([]);
    expect(accessesOf(definition)).toEqual(["1 load 32", "1 store 32", "3 load 32", "3 store 32"]);
  });

  it("updateAcrossLoad: the store stays where another load may see it", () => {
    const s = shared("s", 64);
    const definition = update([element(s, read(n), 2)], s);
    expect(inLoop(definition)).toEqual(["2 load 32", "1 store 32"]);
  });
});

describe("integers of which some bits are used", () => {
  const h = pointer("h", int32);
  const out = pointer("out", int32);
  const masked = (mask: number) => binary("&", element(h, tid, 1), int(mask));
  it("intMaskByte", () => {
    expect(accessesOf(generated(kernel([out, h], [store(out, tid, masked(255), 2)])))).toEqual([
      "1 load 8",
      "2 store 32",
    ]);
    expect(accessesOf(generated(kernel([out, h], [store(out, tid, masked(254), 2)])))).toEqual([
      "1 load 32",
      "2 store 32",
    ]);
  });
});

describe("loops that stay rolled", () => {
  const rolled = (pitch: number) => {
    const s = shared("s", 2048);
    const k = variable("k", int32);
    const sum = variable("sum", float32);
    const index = add(times(tid, pitch), read(k));
    const definition = generated(
      kernel(
        [o, n],
        [
          declare(s),
          declare(sum, { kind: "constant", type: float32, value: 0 }),
          ...loop(k, read(n), [evaluate(assign(sum, sumOf([read(sum), element(s, index, 1)])))]),
          store(o, tid, read(sum), 2),
        ],
      ),
    );
    const widths: number[] = [];
    forEachExpressionOf(definition.body, (node) => {
      if (node.kind === "load" && node.site) widths.push(node.site.wideBytes ?? sizeOf(node.type) ?? 0);
    });
    return widths;
  };
  it("load neighbours of four trips at once, and what is left over one by one", () => {
    expect(rolled(32)).toEqual([16, 4]);
    expect(rolled(33)).toEqual([4]);
  });
});

describe("calls", () => {
  it("inlines device functions, with the calls as the stack of their accesses", () => {
    const p = pointer("p");
    const parameter = variable("i", int32);
    const callee = {
      ...kernel(
        [p, parameter],
        [{ kind: "return", value: element(p, read(parameter), 1), range: at(1).range }],
        "load",
      ),
      result: float32,
    };
    const call = (index: Expression, line: number): Expression => ({
      kind: "call",
      type: float32,
      callee: callee.id,
      arguments: [read(g), index],
      range: at(line).range,
    });
    const definition = generated(
      kernel([o, g], [store(o, tid, sumOf([call(tid, 7), call(add(tid, int(32)), 8)]), 9)]),
      callee,
    );
    expect(accessesOf(definition)).toEqual(["1 load 32", "1 load 32", "9 store 32"]);
  });

  it("memory behind a pointer to a local vector is that vector (throughFunction)", () => {
    const p = pointer("p");
    const callee = {
      ...kernel(
        [p],
        [
          {
            kind: "return",
            value: sumOf([0, 3].map((index) => element(p, int(index), 1))),
            range: at(1).range,
          },
        ],
        "sum",
      ),
      result: float32,
    };
    const v = variable("v", float4);
    const address: Expression = {
      kind: "address",
      type: pointerTo(float32),
      place: { kind: "variable", variable: v, offsetBytes: 0, type: float32 },
    };
    const call: Expression = {
      kind: "call",
      type: float32,
      callee: callee.id,
      arguments: [address],
      range: at(5).range,
    };
    expect(
      accessesOf(
        generated(kernel([o, v4], [declare(v, element(v4, tid, 2)), store(o, tid, call, 9)]), callee),
      ),
    ).toEqual(["2 load 32", "2 load 32", "9 store 32"]);
  });
});
