// Fixes on the command line: searched, made, written or shown as a diff.
import type { FixSearchResult, WantedFixes } from "../fixes/fix.ts";
import { readText } from "../host/host.ts";
import {
  type FixedFiles,
  fixFiles,
  type MadeFix,
  type SearchOptions,
  searchFile,
} from "../lint/fix-files.ts";
import { fixTools } from "../lint/fix-tools.ts";
import type { FileReport, LintFailure } from "../lint/report.ts";
import { joined, millisecondsOfKernel, type Patience, patienceOf } from "../lint/search.ts";
import type { LintSession } from "../lint/session.ts";
import { fixTitle } from "../render/fix-title.ts";
import { createPlaces } from "../render/places.ts";
import { unifiedDiff } from "../render/unified-diff.ts";
import { onOneLine } from "../render/visible.ts";
import { relativeTo } from "../text/path.ts";
import type { Linted } from "./linted.ts";
import { SearchAllowance, stepsOfLook } from "./search-allowance.ts";
import type { Terminal } from "./terminal.ts";

export interface FoundFixes {
  readonly found: ReadonlyMap<string, FixSearchResult>;
  readonly failures: readonly LintFailure[];
}

/** The fixes of all findings, by file. */
export function searchFixesOf({ result, session }: Linted, terminal: Terminal): FoundFixes {
  const found = new Map<string, FixSearchResult>();
  const failures: LintFailure[] = [];
  if (session === null) return { found, failures };
  const time = new FixTime(terminal);
  for (const report of result.reports) {
    const searched = time.search(session, report);
    if (searched === null) continue;
    found.set(report.path, searched.found);
    failures.push(...searched.failures);
  }
  return { found, failures };
}

/** What searches that nobody asked to be made may take, all files together. */
export class FixTime {
  private readonly terminal: Pick<Terminal, "worked">;
  private readonly allowance: SearchAllowance;
  /** Some search was ended for other reasons than its own: in another run it finds more. */
  wasCut = false;

  constructor(terminal: Pick<Terminal, "worked">, allowance = new SearchAllowance(stepsOfLook)) {
    this.terminal = terminal;
    this.allowance = allowance;
  }

  /** The fixes of the findings in a file; null where none has any to search for. */
  search(session: LintSession, { path, findings }: FileReport): FoundInFile | null {
    const analysis = findings.some(({ kind }) => kind === "access") ? session.analyse(path) : null;
    if (analysis === null) return null;
    const { kernels, failures } = searchFile(analysis, {
      ...searchOptions(session, this.terminal, this.allowance),
      newPatience: () => this.notedPatience(),
    });
    this.wasCut ||= this.allowance.isShortFor(path);
    return { found: joined(kernels), failures };
  }

  private notedPatience(): Patience {
    const patience = patienceOf(millisecondsOfKernel, this.terminal.worked);
    return {
      isOver: () => {
        const isOver = patience.isOver();
        this.wasCut ||= isOver;
        return isOver;
      },
    };
  }
}

export interface FoundInFile {
  readonly found: FixSearchResult;
  readonly failures: readonly LintFailure[];
}

/** Makes what is wanted in the texts that the session reads; writes nothing. */
export function makeFixes(linted: Linted, wanted: WantedFixes, terminal: Terminal): FixedFiles {
  const { session, result, overlay } = linted;
  if (session === null)
    return { texts: new Map(), before: new Map(), made: [], found: new Map(), failures: [] };
  const files = result.reports.filter(({ findings }) => findings.length > 0).map(({ path }) => path);
  return fixFiles(files, {
    ...searchOptions(session, terminal, new SearchAllowance(Number.POSITIVE_INFINITY)),
    wanted,
    overlay,
  });
}

function searchOptions(
  session: LintSession,
  { worked }: Pick<Terminal, "worked">,
  allowance: SearchAllowance,
): SearchOptions {
  return {
    session,
    tools: fixTools,
    newPatience: () => patienceOf(millisecondsOfKernel, worked),
    sharedSteps: (file) => allowance.of(file),
  };
}

export interface WrittenFiles {
  /** What of the fixes is in the files now. */
  readonly written: FixedFiles;
  /** What went wrong, in sentences that begin with the path. */
  readonly problems: readonly string[];
}

/** Writes the texts that changed. Of a file that cannot be written, nothing is taken to be fixed. */
export function writeFixed(fixed: FixedFiles, terminal: Terminal): WrittenFiles {
  const problems = new Map<string, string>();
  for (const [path, text] of fixed.texts) {
    const problem = writeText(path, fixed.before.get(path) ?? "", text, terminal);
    const name = onOneLine(relativeTo(terminal.host.currentDirectory, path));
    if (problem !== null) problems.set(path, `${name}: ${problem}`);
  }
  const inWritten = <T>(map: ReadonlyMap<string, T>) =>
    new Map([...map].filter(([path]) => !problems.has(path)));
  return {
    written: {
      ...fixed,
      texts: inWritten(fixed.texts),
      found: inWritten(fixed.found),
      made: fixed.made.filter(({ fix }) => !fix.edits.some(({ file }) => problems.has(file))),
    },
    problems: [...problems.values()],
  };
}

const byteOrderMark = "\uFEFF";

/** A file is written only where what was read is what it holds: UTF-8, with or without a byte order mark. */
function writeText(path: string, before: string, text: string, terminal: Terminal): string | null {
  const bytes = terminal.host.readBytes(path);
  const read = readText(terminal.host, path);
  if (bytes === null || read.kind !== "text" || read.text !== before)
    return "has changed meanwhile, not written";
  const encoder = new TextEncoder();
  for (const mark of ["", byteOrderMark])
    if (areEqual(encoder.encode(mark + before), bytes))
      return terminal.writeFile(path, encoder.encode(mark + text));
  return "is not UTF-8, not written";
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** "a.cu:5: Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked)". */
export function madeText({ fix, texts }: MadeFix, terminal: Terminal): string {
  const places = createPlaces(texts, (file) => relativeTo(terminal.host.currentDirectory, file));
  const { file } = fix.target;
  return `${onOneLine(places.displayPath(file))}:${places.startOf(fix.target).line}: ${fixTitle(fix, places)}`;
}

/** What fixing would change, as one diff. */
export function diffText({ texts, before }: FixedFiles, terminal: Terminal): string {
  return [...texts]
    .map(([path, text]) =>
      unifiedDiff(relativeTo(terminal.host.currentDirectory, path), before.get(path) ?? "", text),
    )
    .join("");
}
