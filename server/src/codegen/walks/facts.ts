// What passes know of single loads and stores. An access that takes the place of another takes what is known of it.
import type { Expression } from "../../ir/expression.ts";
import type { Addresses } from "../addresses/address.ts";
import type { RecordGroups } from "../linearise/context.ts";
import type { Entries } from "../values/held.ts";

export interface AccessFacts {
  readonly addresses: Addresses;
  readonly entries: Entries;
  readonly groups: RecordGroups;
}

export function passOn(from: Expression, to: Expression, facts: AccessFacts): void {
  passOnPlace(from, to, facts);
  const entry = facts.entries.get(from);
  if (entry) facts.entries.set(to, entry);
}

/** The same of where it is, and of the record that it is a part of. */
export function passOnPlace(
  from: Expression,
  to: Expression,
  { addresses, groups }: Omit<AccessFacts, "entries">,
): void {
  const address = addresses.get(from);
  if (address) addresses.set(to, address);
  const group = groups.get(from);
  if (group !== undefined) groups.set(to, group);
}
