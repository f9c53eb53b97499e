// A map whose changes can be taken back, so that the ways of a branch start from one state without copies of it.

/** By key, what it holds after some changes; undefined where it holds nothing. */
export type Changes<V> = ReadonlyMap<number, V | undefined>;

/** The keys that either of two ways changes. */
export function keysOf(a: Changes<unknown>, b: Changes<unknown>): Iterable<number> {
  if (a.size === 0) return b.keys();
  if (b.size === 0) return a.keys();
  const keys = new Set(a.keys());
  for (const key of b.keys()) keys.add(key);
  return keys;
}

export class JournalMap<V> {
  readonly #entries = new Map<number, V>();
  readonly #keys: number[] = [];
  readonly #before: (V | undefined)[] = [];
  #openMarks = 0;
  /** Values put by `renew` that nobody has read: another new one in their place would make no difference. */
  readonly #unread = new Set<V>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: number): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && this.#unread.size > 0) this.#unread.delete(value);
    return value;
  }

  /** Puts a value that is like no other. */
  renew(key: number, make: () => V): void {
    const held = this.#entries.get(key);
    if (held !== undefined && this.#unread.has(held)) return;
    const value = make();
    this.set(key, value);
    this.#unread.add(value);
  }

  set(key: number, value: V): void {
    this.#note(key);
    this.#entries.set(key, value);
  }

  delete(key: number): void {
    if (!this.#entries.has(key)) return;
    this.#note(key);
    this.#entries.delete(key);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }

  /** Begins to note changes; `takeBack` ends it. Marks nest. */
  mark(): number {
    this.#openMarks++;
    return this.#keys.length;
  }

  /** Undoes all since the mark, and gives what the changed keys held at the end (undefined: nothing). */
  takeBack(mark: number): Changes<V> {
    if (this.#keys.length === mark) {
      this.#openMarks--;
      return noChanges;
    }
    const changes = new Map<number, V | undefined>();
    for (let index = this.#keys.length - 1; index >= mark; index--) {
      const key = this.#keys[index] ?? 0;
      const before = this.#before[index];
      if (!changes.has(key)) changes.set(key, this.#entries.get(key));
      if (before === undefined) this.#entries.delete(key);
      else this.#entries.set(key, before);
    }
    this.#keys.length = mark;
    this.#before.length = mark;
    this.#openMarks--;
    return changes;
  }

  /** Makes the changes again. */
  apply(changes: Changes<V>): void {
    for (const [key, value] of changes) {
      if (value === undefined) this.delete(key);
      else this.set(key, value);
    }
  }

  #note(key: number): void {
    if (this.#openMarks === 0) return;
    this.#keys.push(key);
    this.#before.push(this.#entries.get(key));
  }
}

const noChanges: Changes<never> = new Map();
