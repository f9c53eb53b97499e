// Tables by names that somebody else writes: `toString` and `constructor` are in every object.

/** What the table itself has under that name; undefined where it has none. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
