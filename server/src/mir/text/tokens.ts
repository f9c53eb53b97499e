// The words of a line of MIR's text: brackets by themselves, what stands in quotes as part of its word, nothing behind a `;`.

export class Tokens {
  readonly #words: readonly string[];
  #at = 0;

  constructor(line: string) {
    this.#words =
      line.match(/;.*|[()]|(?:"(?:[^"\\]|\\.)*"|[^\s()";])+/g)?.filter((word) => !word.startsWith(";")) ?? [];
  }

  /** The next word, which stays the next; nothing at the end. */
  peek(): string {
    return this.#words[this.#at] ?? "";
  }

  next(): string {
    const word = this.peek();
    if (word === "") throw new Error(`something is missing behind: ${this.#words.join(" ")}`);
    this.#at++;
    return word;
  }

  /** Whether the next word is this one, which is taken then. */
  takes(word: string): boolean {
    if (this.peek() !== word) return false;
    this.#at++;
    return true;
  }

  expect(word: string): void {
    const found = this.next();
    if (found !== word) throw new Error(`${word} expected, found ${found} in: ${this.#words.join(" ")}`);
  }
}
