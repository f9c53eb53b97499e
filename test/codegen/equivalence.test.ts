// Property: a kernel leaves the same memory with and without codegen, whatever overlaps.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Expression } from "../../server/src/ir/expression.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import { int32 } from "../../server/src/ir/type.ts";
import type { Variable } from "../../server/src/ir/variable.ts";
import {
  add,
  assign,
  barrier,
  binary,
  declare,
  element,
  evaluate,
  generated,
  int,
  kernel,
  loop,
  pointer,
  read,
  shared,
  store,
  tid,
  times,
  variable,
  when,
} from "./build.ts";
import { type Machine, run } from "./interpret.ts";

const p = pointer("p", int32);
const q = pointer("q", int32);
const s = shared("s", 64, int32);
const n = variable("n", int32);
const bases = [p, q, s];
const locals = ["a", "b", "c"].map((name) => variable(name, int32));
const line = 1;

const base = fc.constantFrom(...bases);
const local = fc.constantFrom(...locals);

const { value, index } = fc.letrec<{ value: Expression; index: Expression }>((tie) => ({
  index: fc.oneof(
    fc
      .tuple(fc.constantFrom(1, 2, 4), fc.nat(5))
      .map(([pitch, offset]) => add(times(tid, pitch), int(offset))),
    fc.nat(7).map(int),
    local.map((one) => binary("&", read(one), int(15))),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ min: -9, max: 9 }).map(int),
    local.map((one) => read(one)),
    fc.tuple(base, tie("index")).map(([from, at]) => element(from, at, line)),
    fc.tuple(tie("value"), tie("value")).map(([left, right]) => add(left, right)),
    fc.tuple(tie("value"), tie("value"), tie("value")).map(
      ([test, whenTrue, whenFalse]): Expression => ({
        kind: "conditional",
        type: int32,
        condition: binary("<", test, int(2)),
        whenTrue,
        whenFalse,
      }),
    ),
  ),
}));

const { list } = fc.letrec<{ list: readonly Statement[]; one: readonly Statement[] }>((tie) => ({
  list: fc.array(tie("one"), { minLength: 1, maxLength: 5 }).map((parts) => parts.flat()),
  one: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(base, index, value).map(([to, at, what]) => [store(to, at, what, line)]),
    fc.tuple(local, value).map(([to, what]) => [evaluate(assign(to, what))]),
    fc
      .tuple(base, index, fc.array(value, { minLength: 2, maxLength: 4 }))
      .map(([to, at, values]) => values.map((what, offset) => store(to, add(at, int(offset)), what, line))),
    fc.constant([barrier]),
    fc
      .tuple(value, tie("list"), tie("list"))
      .map(([test, yes, no]) => [when(binary("<", test, int(3)), yes, no)]),
    fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: 5 }), tie("list"), base, value)
      .map(([isKnown, trips, body, to, what]) => {
        const counter: Variable = variable("k", int32);
        const limit = isKnown ? int(trips) : read(n);
        return loop(counter, limit, [...body, store(to, add(times(tid, 4), read(counter)), what, line)]);
      }),
    fc
      .tuple(base, index, value)
      .map(([to, at, what]) =>
        loop(variable("i", int32), read(n), [store(to, at, add(element(to, at, line), what), line)]),
      ),
  ),
}));

function memoryAfter(body: readonly Statement[], input: { distance: number; trips: number; thread: number }) {
  const variables = new Map<string, number>([
    [`${p.id}.0`, 4096],
    [`${q.id}.0`, 4096 + input.distance * 4],
    [`${n.id}.0`, input.trips],
  ]);
  const memory = new Map<number, number>();
  for (let word = 0; word < 400; word++) memory.set(4096 + word * 4, (word * 7919) % 13);
  for (let word = 0; word < 64; word++) memory.set(word * 4, (word * 31) % 11);
  const machine: Machine = {
    memory,
    variables,
    arrays: new Map([[s.id, 0]]),
    thread: input.thread,
    steps: 200_000,
  };
  run(body, machine);
  return memory;
}

it("codegen changes no result", () => {
  const inputs = fc.record({
    distance: fc.integer({ min: 0, max: 40 }),
    trips: fc.nat(4),
    thread: fc.nat(9),
  });
  fc.assert(
    fc.property(list, inputs, (body, input) => {
      // Shared words that nobody reads are not written: all are read at the end.
      const readBack = loop(variable("r", int32), int(64), []).slice(0, 1);
      const whole = [declare(s), ...locals.map((one) => declare(one, int(1))), ...body, ...readBack];
      const after = [...Array(64).keys()].map((word) =>
        store(p, int(300 + word), element(s, int(word), line), line),
      );
      const definition = kernel([p, q, n], [...whole, barrier, ...after]);
      const expected = memoryAfter(definition.body, input);
      const actual = memoryAfter(generated(definition).body, input);
      for (const [address, word] of expected)
        if (address >= 4096) expect(actual.get(address), `word at ${address}`).toBe(word);
    }),
    { numRuns: 500, seed: 7 },
  );
});
