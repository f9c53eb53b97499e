// Candidates for an access that is not written as an element of its array: looked for in a text in which it is.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Candidate, Candidates } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { composedEdits } from "../text/composed-edits.ts";
import { applyEdits, movedRange } from "../text/edits.ts";
import { bodyAround, type TypedTexts, tokenFrom, typedText } from "../text/typed-text.ts";
import { unfoldingEdits } from "../text/unfold.ts";
import { type MemberPointer, memberPointer } from "./member-pointer.ts";

export type FindCandidates = (
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
) => Candidates;

/** What `find` gives for the text as it is, or else for the one that is written out: the edits are those of the text as it is. */
export function seenThrough(
  find: FindCandidates,
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const found = find(access, launches, texts);
  if (found.kind === "candidates") return found;
  const place = access.stack.at(-1) ?? access.range;
  const typed = texts(place.file);
  const body = typed === null ? null : bodyAround(typed, tokenFrom(typed, place.start));
  const array = access.target?.name ?? null;
  if (typed === null || body === null || array === null) return found;
  const member = memberPointer(access, typed, body);
  const named = member?.edits ?? [];
  const namedText = typedText(typed.file, applyEdits(typed.text, named));
  const namedBody = bodyAround(namedText, tokenFrom(namedText, movedRange(place, named).start));
  const name = member?.name ?? array;
  const more = namedBody === null ? [] : unfoldingEdits(namedText, namedBody, name);
  const unfolded = composedEdits(typed.text, named, more).map(({ edit }) => edit);
  for (const unfolding of [...(more.length > 0 ? [named] : []), unfolded]) {
    if (unfolding.length === 0) continue;
    const text = typedText(typed.file, applyEdits(typed.text, unfolding));
    const moved = (range: SourceRange) => movedRange(range, unfolding);
    const other = find(
      {
        ...access,
        range: moved(place),
        stack: [moved(place)],
        target: access.target === null ? null : { ...access.target, name },
      },
      launches.map((each) => movedLaunch(each, moved, member)),
      (file) => (file === typed.file ? text : texts(file)),
    );
    if (other.kind === "refused") continue;
    return {
      kind: "candidates",
      candidates: other.candidates.map((candidate) => {
        const back = folded(candidate, typed.text, unfolding);
        return member === null ? back : withMember(back, member);
      }),
    };
  }
  return found;
}

/** With the pointer as its author wrote it. */
function withMember(candidate: Candidate, { name, written }: MemberPointer): Candidate {
  const { title } = candidate;
  return {
    ...candidate,
    edits: candidate.edits.map((edit) => ({
      ...edit,
      newText: edit.newText.replace(new RegExp(`\\b${name}\\b`, "g"), written),
    })),
    title: "array" in title && title.array === name ? { ...title, array: written } : title,
  };
}

function movedLaunch(
  launched: LaunchedKernel,
  moved: (range: SourceRange) => SourceRange,
  member: MemberPointer | null,
): LaunchedKernel {
  const { launch, profile } = launched;
  return {
    ...launched,
    launch: { ...launch, origin: { ...launch.origin, path: launch.origin.path.map(moved) } },
    profile: member === null ? profile : { ...profile, accesses: accessesThrough(member, profile.accesses) },
  };
}

/** Those through other pointers of the record are none of the array that has a name of its own. */
function accessesThrough(
  { name, written }: MemberPointer,
  accesses: readonly AccessProfile[],
): readonly AccessProfile[] {
  const [record] = written.split(".");
  return accesses.flatMap((access) => {
    const { target } = access;
    if (target?.name === written) return [{ ...access, target: { ...target, name } }];
    return target?.name.startsWith(`${record}.`) ? [] : [access];
  });
}

/** What nothing else changed is left as the author wrote it; a declaration goes where nothing needs it any more. */
function folded(candidate: Candidate, text: string, unfolding: readonly TextEdit[]): Candidate {
  const [file] = unfolding.map((edit) => edit.file);
  const own = candidate.edits.filter((edit) => edit.file === file);
  const composed = composedEdits(text, unfolding, own);
  const isRemoval = ({ newText }: TextEdit) => newText === "";
  const isNeeded = composed.some(({ edit, isOfFirst }) => isOfFirst && !isRemoval(edit));
  const edits = composed.flatMap(({ edit, isOfFirst }) =>
    isOfFirst && (isNeeded || !isRemoval(edit)) ? [] : [edit],
  );
  return { ...candidate, edits: [...edits, ...candidate.edits.filter((edit) => edit.file !== file)] };
}
