// Reads a text again after an edit inside of one declaration: that declaration alone is lexed, expanded and written, all others are moved.
// What comes out is what reading the whole text would give. Wherever that is not certain, the whole text is read.
import { preprocessStretch } from "../preprocess/preprocess.ts";
import type { KnownMacros, PreprocessOptions, Stretch } from "../preprocess/preprocessed.ts";
import type { SourceRange } from "../text/source.ts";
import { type ChangedStretch, changedStretch } from "../text/stretch.ts";
import { annotationsOf } from "./annotations.ts";
import { makeUnit, type UnitParts } from "./make-unit.ts";
import { normalise } from "./normalise.ts";
import type { CudaParser } from "./parser.ts";
import { splitDeclarations } from "./split.ts";
import type { SyntaxUnit, TranslationUnit } from "./unit.ts";

/** What is known of a text that was read as a whole, edited since or not. */
export interface Reading {
  readonly macros: KnownMacros;
  /** By declaration, where it began in the text that was read as a whole: there the macros are known. */
  readonly places: readonly number[];
  readonly answers: readonly IncludeAnswer[];
  /** Equal for equal options. */
  readonly options: string;
  /** What was read by itself last; null where the text was read as a whole. */
  readonly alone: ReadAlone | null;
}

/** A declaration that reads alike by itself and in its place. */
interface ReadAlone {
  readonly unit: SyntaxUnit;
  /** What of it hangs on conventions, and so on all that stands around it. */
  readonly assumed: string;
}

type ReadInclude = PreprocessOptions["readInclude"];

/** What was asked of the outside, and what it said. */
interface IncludeAnswer {
  readonly question: Parameters<ReadInclude>;
  readonly answer: ReturnType<ReadInclude>;
}

export function recordAnswers(ask: ReadInclude): {
  readonly answers: IncludeAnswer[];
  readonly readInclude: ReadInclude;
} {
  const answers: IncludeAnswer[] = [];
  return {
    answers,
    readInclude: (...question) => {
      const answer = ask(...question);
      answers.push({ question, answer });
      return answer;
    },
  };
}

/** Null where parts of the text cannot be read by themselves. */
export function readingOf(
  file: string,
  units: readonly SyntaxUnit[],
  macros: KnownMacros,
  answers: readonly IncludeAnswer[],
  options: PreprocessOptions,
): Reading | null {
  if (macros.computed.has("__COUNTER__") || answers.some(({ answer }) => answer?.path === file)) return null;
  const places = units.map((unit) => unit.extent()?.start ?? 0);
  return { macros, places, answers, options: keyOf(options), alone: null };
}

function keyOf({ flags, architecture }: PreprocessOptions): string {
  return JSON.stringify([architecture, flags]);
}

/** `previous` with `text` in place of its file's; null where the whole must be read. */
export function reread(
  previous: TranslationUnit,
  text: string,
  parser: CudaParser,
  options: PreprocessOptions,
): TranslationUnit | null {
  const { file, units, texts, reading } = previous;
  const before = texts.get(file);
  if (reading === null || before === undefined || !holds(reading, options)) return null;
  if (before === text) return previous;
  const change = changedStretch(before, text);
  const index = units.findIndex((unit) => surrounds(unit.extent(), file, change));
  const unit = units[index];
  const extent = unit?.extent() ?? null;
  if (unit === undefined || extent === null) return null;
  if (
    reading.macros.computed.has("__LINE__") &&
    lineCount(before, change.start, change.oldEnd) !== lineCount(text, change.start, change.newEnd)
  )
    return null;
  const by = change.newEnd - change.oldEnd;
  const read = (whole: string, stretch: Stretch) =>
    readStretch(file, whole, stretch, reading.places[index] ?? 0, unit, reading.macros);
  const assumed =
    reading.alone?.unit === unit ? reading.alone.assumed : assumedBy(read(before, extent), unit, parser);
  const later = read(text, { start: extent.start, end: extent.end + by });
  if (later === null || later.assumed !== assumed) return null;
  const edited = makeUnit(later.parts, parser, new Map([[unit.hash(), unit]]));
  // In the layout of a text that is read as a whole.
  return {
    file,
    hasRelocatableDeviceCode: previous.hasRelocatableDeviceCode,
    units: withEdited(units, index, edited, (each) => each.moved(file, by)),
    includedFiles: previous.includedFiles,
    missingIncludes: previous.missingIncludes,
    conventions: previous.conventions,
    assumed: previous.assumed,
    notExpanded: previous.notExpanded,
    unclosed: previous.unclosed,
    texts: new Map(texts).set(file, text),
    reading: {
      macros: { ...reading.macros, computed: new Set([...reading.macros.computed, ...later.computed]) },
      places: reading.places,
      answers: reading.answers,
      options: reading.options,
      alone: { unit: edited, assumed },
    },
  };
}

/**
 * Filled one by one: what `map` gives has another layout once V8 has made code for who calls it, and all code that was made for those who
 * read the declarations would be dropped on that keystroke.
 */
function withEdited(
  units: readonly SyntaxUnit[],
  index: number,
  edited: SyntaxUnit,
  move: (behind: SyntaxUnit) => SyntaxUnit,
): SyntaxUnit[] {
  const all: SyntaxUnit[] = [];
  for (const [at, unit] of units.entries()) all.push(at < index ? unit : at > index ? move(unit) : edited);
  return all;
}

/** What `unit`, read by itself, assumes; null where it does not read alike by itself and in its place: it hangs on what stands around it. */
function assumedBy(alone: StretchRead | null, unit: SyntaxUnit, parser: CudaParser): string | null {
  if (alone === null || makeUnit(alone.parts, parser, new Map()).hash() !== unit.hash()) return null;
  return alone.assumed;
}

function holds({ answers, options }: Reading, now: PreprocessOptions): boolean {
  return (
    options === keyOf(now) &&
    answers.every(({ question, answer }) => {
      const found = now.readInclude(...question);
      return found?.path === answer?.path && found?.text === answer?.text;
    })
  );
}

/** Whether the change leaves the first and the last character of a declaration alone. */
function surrounds(extent: SourceRange | null, file: string, { start, oldEnd }: ChangedStretch): boolean {
  return extent !== null && extent.file === file && extent.start < start && oldEnd < extent.end;
}

function lineCount(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

interface StretchRead {
  readonly parts: UnitParts;
  /** As of `ReadAlone`. */
  readonly assumed: string;
  readonly computed: ReadonlySet<string>;
}

/** Reads a stretch that is to be `unit`, or an edited form of it; null where it is not one declaration that is closed by what it ends with. */
function readStretch(
  file: string,
  text: string,
  stretch: Stretch,
  place: number,
  { namespaces, annotations }: SyntaxUnit,
  macros: KnownMacros,
): StretchRead | null {
  const preprocessed = preprocessStretch(file, text, stretch, place, macros);
  if (preprocessed === null || preprocessed.computed.has("__COUNTER__")) return null;
  const { tokens, attributes, conventions } = normalise(preprocessed.tokens);
  const [first] = tokens;
  const last = tokens.at(-1);
  // A name in capitals at the start may be anything, by what stands before it.
  if (first === undefined || last === undefined || /^[A-Z]/.test(first.text)) return null;
  const isTyped = first.use === null && last.use === null && last.file === preprocessed.file;
  if (!isTyped || first.start !== stretch.start || last.end !== stretch.end || !/^[};]$/.test(last.text))
    return null;
  const [span, ...others] = splitDeclarations(tokens);
  if (
    others.length > 0 ||
    span?.start !== 0 ||
    span.end !== tokens.length ||
    !span.isClosed ||
    span.namespaces.length > 0
  )
    return null;
  const ahead = annotations.filter(({ range }) => range.file === file && range.end <= stretch.start);
  return {
    parts: { tokens, attributes, namespaces, annotations: [...ahead, ...annotationsOf(preprocessed.file)] },
    assumed: JSON.stringify([preprocessed.mentions, conventions]),
    computed: preprocessed.computed,
  };
}
