// What fixes are judged by that change all global accesses of a kernel at once.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { SourceRange } from "../../text/source.ts";
import type { TrialSubject } from "../check/try.ts";
import { movedRange } from "../text/edits.ts";
import { bodyAround, offsetsOf, type TypedTexts, tokenFrom } from "../text/typed-text.ts";

/** All global accesses of the kernel that one of them is made by. */
export function kernelSubject(access: AccessProfile, texts: TypedTexts): TrialSubject {
  const body = bodyOf(access, texts);
  const isOf = (range: SourceRange | null) => (each: AccessProfile) =>
    each.space === "global" && (range === null || isMadeIn(each, range));
  return {
    concern: (edits) => ({ before: isOf(body), after: isOf(body === null ? null : movedRange(body, edits)) }),
    originalMisaligns: false,
    mayRise: "any",
  };
}

function isMadeIn({ stack, range }: AccessProfile, { file, start, end }: SourceRange): boolean {
  const outermost = stack.at(-1) ?? range;
  return outermost.file === file && start <= outermost.start && outermost.start < end;
}

/** The body of the kernel; null where it is not in the text. */
function bodyOf({ stack, range }: AccessProfile, texts: TypedTexts): SourceRange | null {
  const outermost = stack.at(-1) ?? range;
  const typed = texts(outermost.file);
  const body = typed === null ? null : bodyAround(typed, tokenFrom(typed, outermost.start));
  if (typed === null || body === null) return null;
  const [start, end] = offsetsOf(typed, body);
  return { file: outermost.file, start, end };
}
