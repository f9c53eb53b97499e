// What is said of how a file was read, beside its findings: what was not found, taken by convention, or could not be followed.
import type { UnreadKernel } from "../ir/function.ts";
import type { MissingInclude } from "../preprocess/preprocessed.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";
import type { HostMemory, KernelMemory } from "./memory.ts";

export interface Noted {
  readonly unit: TranslationUnit;
  readonly host: HostMemory;
  readonly unread: readonly UnreadKernel[];
  /** Those that this unit speaks for. */
  readonly kernels: readonly KernelMemory[];
}

/** One sentence each. */
export function notesOf({ unit, host, unread, kernels }: Noted): string[] {
  return [
    ...oncePerName(unit.missingIncludes).map(
      (each) => `${missingIncludeText(each)} (${placeText(each.range, unit)})`,
    ),
    ...unit.conventions.map(({ written, value }) => `${written} is defined nowhere and taken as ${value}`),
    ...unit.notExpanded.map(({ name, reason }) => `macro ${name} was not expanded: ${reason}`),
    ...unread.map((kernel) => unreadText(kernel, unit)),
    ...kernels.flatMap(({ declaration, gap }) =>
      gap === null ? [] : [`kernel ${declaration.name} (${placeText(declaration.nameRange, unit)}): ${gap}`],
    ),
    ...host.gaps,
  ];
}

/** "util.h is not found: …", with what would cure it. */
export function missingIncludeText({ name, reason }: Pick<MissingInclude, "name" | "reason">): string {
  return reason === "not found"
    ? `${name} is not found: add its directory to includePaths in warplint.json, or name it with --include-path`
    : `${name} is not read: there is too much before it`;
}

function oncePerName(missing: readonly MissingInclude[]): readonly MissingInclude[] {
  return [...new Map(missing.toReversed().map((each) => [each.name, each])).values()].reverse();
}

function unreadText({ name, range, reason }: UnreadKernel, unit: TranslationUnit): string {
  const place = placeText(range, unit);
  return `${name === null ? `a kernel (${place})` : `kernel ${name} (${place})`} could not be read: ${reason}`;
}

/** "line 12", "kernels.cuh:12". */
function placeText({ file, start }: SourceRange, unit: TranslationUnit): string {
  const { line } = positionAt(lineStarts(unit.texts.get(file) ?? ""), start);
  return file === unit.file ? `line ${line}` : `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
}
