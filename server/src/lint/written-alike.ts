// Sources that only instantiate templates, as generators write them by the hundred: but for arguments they are written alike. Of those a
// repository looks at so many as tell something new.
import { spread } from "./sisters.ts";

/** After so many sources of one form in succession that told nothing new no others are looked at. */
const mostQuiet = 2;
/** Of each form so many are looked at, mostly: the first, which tells all that is new, and those after which no others are. */
export const mostlyLookedAt = 1 + mostQuiet;

/**
 * What is written in a source but for comments, numbers, and what stands in brackets: equal for sources that instantiate the same templates.
 * Null where it has kernels, device functions, launches or `main` of its own.
 */
export function formOf(text: string): string | null {
  if (text.length > mostCharacters) return null;
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  if (/__global__|__device__|<<<|cudaLaunch|\bmain\b/.test(code)) return null;
  const lines = code.split("\n").map((line) => line.trim());
  const isInclude = (line: string) => /^#\s*include\b/.test(line);
  const includes = lines.filter(isInclude);
  const others = lines.filter((line) => !isInclude(line)).join("\n");
  const bare = withoutBrackets(withoutBrackets(others, "(", ")"), "<", ">");
  return [...includes, bare.replaceAll(/\d+/g, "0").replaceAll(/\s+/g, " ").trim()].join("\n");
}

/** A source that only instantiates is short. */
const mostCharacters = 20_000;

/** `text` without what stands in pairs of brackets; what is not closed stays. */
function withoutBrackets(text: string, open: "(" | "<", close: ")" | ">"): string {
  const starts: number[] = [];
  const kept: string[] = [];
  for (const character of text) {
    if (character === open) starts.push(kept.length);
    const start = character === close ? starts.pop() : undefined;
    if (start === undefined) kept.push(character);
    else kept.length = start;
  }
  return kept.join("");
}

/** By file, those of `files` that are written as it is, itself among them, in their order; of what stands alone nothing. */
export function writtenAlike(
  files: readonly string[],
  textOf: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const byForm = new Map<string, string[]>();
  for (const file of files) {
    const form = formOf(textOf(file));
    if (form === null) continue;
    // A file is included by its name from where it stands.
    const key = `${file.slice(0, file.lastIndexOf("/"))}\n${form}`;
    const known = byForm.get(key);
    if (known === undefined) byForm.set(key, [file]);
    else known.push(file);
  }
  const several = [...byForm.values()].filter(({ length }) => length > 1);
  return new Map(several.flatMap((alike) => alike.map((file) => [file, alike] as const)));
}

/** What the sources of a part told, by how they are written. */
export class WrittenAlike {
  private readonly alike: ReadonlyMap<string, readonly string[]>;
  /** By the sources that are written alike, how many told nothing new, in succession, and how many were looked at. */
  private readonly quiet = new Map<readonly string[], number>();
  private readonly looked = new Map<readonly string[], number>();

  constructor(files: readonly string[], textOf: (file: string) => string) {
    this.alike = writtenAlike(files, textOf);
  }

  /** `files` so that the first of those written alike lie spread over them. */
  inOrder(files: readonly string[]): readonly string[] {
    const waiting = new Map([...new Set(this.alike.values())].map((alike) => [alike, spread(alike)]));
    return files.map((file) => waiting.get(this.alike.get(file) ?? [])?.shift() ?? file);
  }

  /** Null where a file may tell something new; else in words why it is not looked at. */
  reasonAgainst(file: string): string | null {
    const alike = this.alike.get(file);
    if (alike === undefined || (this.quiet.get(alike) ?? 0) < mostQuiet) return null;
    return `not analysed: ${this.looked.get(alike)} of ${alike.length} sources that are written as it is, but for arguments, were, and the last of them told nothing new`;
  }

  tell(file: string, what: "news" | "nothing new"): void {
    const alike = this.alike.get(file);
    if (alike === undefined) return;
    this.looked.set(alike, (this.looked.get(alike) ?? 0) + 1);
    this.quiet.set(alike, what === "news" ? 0 : (this.quiet.get(alike) ?? 0) + 1);
  }
}
