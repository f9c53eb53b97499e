// What homes hold, with changes that can be taken back: the arms of a branch start from one state without copies of it.

export class Journal<V> {
  readonly #held: V[];
  readonly #indices: number[] = [];
  readonly #before: V[] = [];
  #openMarks = 0;

  constructor(held: V[]) {
    this.#held = held;
  }

  get(index: number): V {
    const value = this.#held[index];
    if (value === undefined) throw new Error(`no home has index ${index}`);
    return value;
  }

  all(): readonly V[] {
    return [...this.#held];
  }

  set(index: number, value: V): void {
    if (this.#openMarks > 0) {
      this.#indices.push(index);
      this.#before.push(this.get(index));
    }
    this.#held[index] = value;
  }

  /** Begins to note changes; `takeBack` ends it. Marks nest. */
  mark(): number {
    this.#openMarks++;
    return this.#indices.length;
  }

  /** Undoes all since the mark, and gives what the changed ones held at the end. */
  takeBack(mark: number): ReadonlyMap<number, V> {
    const changes = new Map<number, V>();
    for (let at = this.#indices.length - 1; at >= mark; at--) {
      const index = this.#indices[at] ?? 0;
      if (!changes.has(index)) changes.set(index, this.get(index));
      const before = this.#before[at];
      if (before !== undefined) this.#held[index] = before;
    }
    this.#indices.length = mark;
    this.#before.length = mark;
    this.#openMarks--;
    return changes;
  }
}
