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

export function passOn(from: Expression, to: Expression, { addresses, entries, groups }: AccessFacts): void {
  const address = addresses.get(from);
  if (address) addresses.set(to, address);
  const entry = entries.get(from);
  if (entry) entries.set(to, entry);
  const group = groups.get(from);
  if (group !== undefined) groups.set(to, group);
}
