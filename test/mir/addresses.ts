// The addresses of the accesses of a MIR function, for tests of passes that ask where memory is the same: each value has one name.
import { type Addresses, Addressing, variableKey } from "../../server/src/codegen/addresses/address.ts";
import type { Linear } from "../../server/src/codegen/addresses/linear.ts";
import { isPure } from "../../server/src/ir/walk.ts";
import type { MirFunction, Operand, Value } from "../../server/src/mir/mir.ts";

/** What no instruction gives is taken for a parameter; pointers lead to global memory. */
export function addressesIn({ blocks, homes }: MirFunction): Addresses {
  const addressing = new Addressing({
    alignmentOf: ({ alignmentBytes }) => alignmentBytes,
    arrayOffsetOf: () => null,
    mayLieElsewhere: () => false,
    isKernel: true,
    parameters: new Set(homes.byVariable.keys()),
    spaceOfPointer: () => "global",
  });
  const linears = new Map<Value, Linear>();
  const addresses: Addresses = new Map();
  const valuesOf = ({ uses }: Operand) => {
    const known = new Map<number, Linear>();
    for (const value of uses) {
      const linear = linears.get(value);
      if (linear) known.set(variableKey(value.home.variable, value.home.offsetBytes), linear);
    }
    return known;
  };
  for (const block of blocks) {
    for (const argument of block.arguments) linears.set(argument, addressing.unknown(1));
    for (const { operand, results } of block.instructions) {
      const assign = operand?.expression.kind === "assign" ? operand.expression : null;
      if (!operand || !assign) continue;
      const values = valuesOf(operand);
      const { place, value } = assign;
      if (place.kind === "memory") addresses.set(assign, addressing.addressOf(place, values));
      if (value.kind === "load" && value.place.kind === "memory")
        addresses.set(value, addressing.addressOf(value.place, values));
      const linear = isPure(value) ? addressing.linearOf(value, values) : addressing.unknown(1);
      for (const result of results) linears.set(result, linear);
    }
  }
  return addresses;
}
