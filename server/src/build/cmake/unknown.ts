// Unknown parts of texts. CMake's values are strings; what is not known in one stands there as a mark that the reader alone makes, and goes wherever the string goes.

/** What stands in the place of a part of a text. */
export interface Unknown {
  /** A clause: "MPI_FOUND is not known". */
  readonly reason: string;
  /** The texts that it may be, which may hold marks themselves; null where it may be anything. */
  readonly alternatives: readonly string[] | null;
}

/** One element of a list that may have unknown parts. */
export interface Element {
  readonly text: string;
  /** Why it may not be there at all; null where it is. */
  readonly doubt: string | null;
}

const mark = /\uE000(\d+)\uE001/;
const marks = /\uE000(\d+)\uE001/g;
const mostUnknowns = 100_000;
const mostReadings = 48;

/** A text without the characters that marks are made of. */
export function withoutMarks(text: string): string {
  return /[\uE000\uE001]/.test(text) ? text.replace(/[\uE000\uE001]/g, "") : text;
}

/** Whether a part of the text is unknown. */
export function hasUnknown(text: string): boolean {
  return text.includes("\uE000");
}

/** The text with each of its marks given by `to`. */
export function replaceMarks(text: string, to: (mark: string) => string): string {
  return hasUnknown(text) ? text.replace(marks, (found) => to(found)) : text;
}

/** The unknowns of one reading, by the number that stands in their marks. */
export class Unknowns {
  private readonly all: Unknown[] = [];
  private readonly known = new Map<string, string>();

  /** A text that is unknown as a whole. */
  mark(reason: string, alternatives: readonly string[] | null = null): string {
    const key = `${reason}\n${alternatives?.join("\n") ?? "?"}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    if (this.all.length >= mostUnknowns) return this.known.values().next().value ?? "";
    const made = `\uE000${this.all.length}\uE001`;
    this.all.push({ reason, alternatives });
    this.known.set(key, made);
    return made;
  }

  /** Why the text is not known; null where it is. */
  reasonOf(text: string): string | null {
    const found = mark.exec(text);
    return found === null ? null : (this.all[Number(found[1])]?.reason ?? "it is not known");
  }

  /** Every text that this may be, one choice changed at a time; null where it may be anything. */
  readings(text: string): readonly string[] | null {
    const found = this.variations(text);
    return found.isComplete ? found.texts : null;
  }

  /** Elements of a list; those that stand in one reading and not in another are doubtful. */
  elements(text: string, split: (known: string) => readonly string[] = splitList): readonly Element[] {
    if (!hasUnknown(text)) return split(text).map((element) => ({ text: element, doubt: null }));
    const { texts } = this.variations(text);
    const lists = texts.map((reading) => split(reading));
    const counts = new Map<string, number>();
    for (const list of lists)
      for (const element of new Set(list)) counts.set(element, (counts.get(element) ?? 0) + 1);
    const longest = lists.reduce((best, list) => (list.length > best.length ? list : best), lists[0] ?? []);
    const order = new Set<string>();
    const reason = this.reasonOf(text) ?? "it is not known";
    const result: Element[] = [];
    const add = (element: string): void => {
      if (order.has(element)) return;
      order.add(element);
      const isSure = counts.get(element) === lists.length && this.bare(element) !== "";
      result.push({ text: element, doubt: isSure ? null : reason });
    };
    for (const element of longest) add(element);
    for (const list of lists) for (const element of list) add(element);
    return result;
  }

  /** The text that stands around the marks. */
  bare(text: string): string {
    return hasUnknown(text) ? text.replace(marks, "") : text;
  }

  /** A list as one text: doubtful elements become marks. */
  join(elements: readonly Element[]): string {
    let text = "";
    let isFirst = true;
    for (const element of elements) {
      const separated = isFirst ? element.text : `;${element.text}`;
      text += element.doubt === null ? separated : this.mark(element.doubt, ["", separated]);
      isFirst = false;
    }
    return text;
  }

  /** One text for two that a condition chooses between; what both begin with, up to a separator, is known. */
  either(a: string, b: string, reason: string): string {
    if (a === b) return a;
    let same = 0;
    while (same < a.length && same < b.length && a[same] === b[same]) same++;
    const ends = same === a.length ? b[same] : same === b.length ? a[same] : "";
    if (ends !== ";" && ends !== " ") {
      while (same > 0 && a[same - 1] !== ";" && a[same - 1] !== " ") same--;
      if (same > 0) same--;
    }
    const head = a.slice(0, same);
    const cut = head.lastIndexOf("\uE000");
    const start = cut >= 0 && !head.includes("\uE001", cut) ? cut : same;
    return a.slice(0, start) + this.mark(reason, [a.slice(start), b.slice(start)]);
  }

  private variations(text: string): { readonly texts: readonly string[]; readonly isComplete: boolean } {
    let isComplete = true;
    const done = new Set<string>();
    const waiting = [text];
    for (let rounds = 0; waiting.length > 0 && rounds < 400; rounds++) {
      const current = waiting.pop() ?? "";
      const open = this.firstChoice(current);
      if (open === null) {
        if (hasUnknown(current)) isComplete = false;
        done.add(current);
        if (done.size >= mostReadings) {
          isComplete = false;
          break;
        }
        continue;
      }
      // One choice at a time where there are many: the others take their first alternative.
      const choices =
        countChoices(current) > 5 ? open.texts.map((each) => this.firstsBehind(each)) : open.texts;
      waiting.push(...choices.reverse());
      if (countChoices(current) > 5) waiting.unshift(...this.laterChoices(current));
    }
    if (waiting.length > 0) isComplete = false;
    return { texts: [...done], isComplete };
  }

  private firstChoice(text: string): { readonly texts: string[] } | null {
    for (const found of text.matchAll(marks)) {
      const alternatives = this.all[Number(found[1])]?.alternatives;
      if (alternatives == null) continue;
      const start = found.index;
      return {
        texts: alternatives.map((each) => text.slice(0, start) + each + text.slice(start + found[0].length)),
      };
    }
    return null;
  }

  /** All choices but the first are left open, the first is made as by its first alternative. */
  private laterChoices(text: string): string[] {
    const results: string[] = [];
    const places = [...text.matchAll(marks)].filter(
      (found) => this.all[Number(found[1])]?.alternatives != null,
    );
    for (const place of places.slice(1, mostReadings)) {
      for (const alternative of this.all[Number(place[1])]?.alternatives ?? []) {
        const before = this.firstsBehind(text.slice(0, place.index));
        const after = this.firstsBehind(text.slice(place.index + place[0].length));
        results.push(before + this.firstsBehind(alternative) + after);
      }
    }
    return results;
  }

  private firstsBehind(text: string): string {
    let result = text;
    for (let depth = 0; depth < 8 && hasUnknown(result); depth++) {
      result = result.replace(
        marks,
        (whole, number: string) => this.all[Number(number)]?.alternatives?.[0] ?? whole,
      );
    }
    return result;
  }
}

function countChoices(text: string): number {
  return text.match(marks)?.length ?? 0;
}

/** The elements of a list as CMake splits it, empty ones left out. */
export function splitList(text: string): string[] {
  return splitListWhole(text).filter((element) => element !== "");
}

/** The elements of a list, with the empty ones; none of an empty text. */
export function splitListWhole(text: string): string[] {
  if (text === "") return [];
  if (!text.includes(";")) return [text];
  const elements: string[] = [];
  let element = "";
  let nesting = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\\" && text[at + 1] === ";") {
      element += ";";
      at++;
    } else if (char === ";" && nesting === 0) {
      elements.push(element);
      element = "";
    } else {
      if (char === "[") nesting++;
      else if (char === "]" && nesting > 0) nesting--;
      element += char;
    }
  }
  elements.push(element);
  return elements;
}
