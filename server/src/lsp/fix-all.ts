// warplint/fixAll: the best safe fix of each kernel of a file, or of all files with findings, as one edit of which each part is confirmed by the user.
import {
  AnnotatedTextEdit,
  type CancellationToken,
  type ChangeAnnotation,
  type TextEdit as ProtocolEdit,
  type WorkDoneProgressReporter,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { Fix } from "../fixes/fix.ts";
import { chosenFixes } from "../lint/fix-files.ts";
import { fixTitle } from "../render/fix-title.ts";
import { overlap } from "../text/edit.ts";
import { CancelledError } from "./analyses.ts";
import { type FileView, type ServerContext, viewOfAnalysis } from "./context.ts";
import type { FixAllParams, FixAllResult } from "./protocol.ts";
import { pathOf } from "./uri.ts";
import type { WorkspaceLint } from "./workspace-lint.ts";

/** One fix, with the means to speak of it. */
interface OfferedFix {
  readonly fix: Fix;
  readonly view: FileView;
}

export async function fixAll(
  { uri }: FixAllParams,
  token: CancellationToken,
  progress: WorkDoneProgressReporter,
  context: ServerContext,
  lint: WorkspaceLint,
): Promise<FixAllResult> {
  await context.ready;
  const files = uri === null ? filesWithFindings(context, lint) : [pathOf(uri)];
  const offered: OfferedFix[] = [];
  progress.begin("warplint", 0, "Searching for fixes", true);
  try {
    for (const [index, file] of files.entries()) {
      const percent = Math.round((100 * index) / files.length);
      progress.report(
        percent,
        `${index + 1} of ${files.length}: ${context.folders.of(file).displayPath(file)}`,
      );
      for (const each of await fixesOf(file, token, context))
        if (canBeAdded(each, offered)) offered.push(each);
    }
  } finally {
    progress.done();
  }
  const touched = new Set(offered.flatMap(({ fix }) => fix.edits.map((edit) => edit.file)));
  return {
    edit: offered.length === 0 ? null : annotatedEdit(offered, context),
    fixes: offered.length,
    files: touched.size,
  };
}

/** Open documents first: what is known of them is at hand. */
function filesWithFindings({ documents }: ServerContext, lint: WorkspaceLint): readonly string[] {
  return [...new Set([...documents.cudaPaths(), ...lint.filesWithFindings()])];
}

/** Of a file that is not open nothing is kept. */
async function fixesOf(
  file: string,
  token: CancellationToken,
  context: ServerContext,
): Promise<OfferedFix[]> {
  const { analyses, documents, fixes, folders } = context;
  const analysis = await analyses.of(file, token);
  const search = new AbortController();
  const listener = token.onCancellationRequested(() => search.abort());
  try {
    const found = await fixes.searchNow(analysis, search.signal);
    if (token.isCancellationRequested) throw new CancelledError();
    const view = viewOfAnalysis(analysis, documents.documentOf(file)?.version ?? null, context);
    return chosenFixes(found, "safe").map((fix) => ({ fix, view }));
  } finally {
    listener.dispose();
    if (documents.documentOf(file) === null) {
      folders.of(file).session.forget(file);
      analyses.forget(file);
      fixes.forget(file);
    }
  }
}

/** A header may be fixed through several files that include it, the first time only. */
function canBeAdded({ fix }: OfferedFix, others: readonly OfferedFix[]): boolean {
  return !others.some((other) => other.fix.edits.some((a) => fix.edits.some((b) => overlap(a, b))));
}

function annotatedEdit(offered: readonly OfferedFix[], context: ServerContext): WorkspaceEdit {
  const changeAnnotations: Record<string, ChangeAnnotation> = {};
  const ofFile = new Map<string, ProtocolEdit[]>();
  for (const [index, { fix, view }] of offered.entries()) {
    const id = `fix-${index + 1}`;
    const { file } = fix.target;
    changeAnnotations[id] = {
      label: fixTitle(fix, view.places),
      description: `${view.places.displayPath(file)}:${view.places.startOf(fix.target).line}`,
      needsConfirmation: true,
    };
    for (const edit of fix.edits) {
      const known = ofFile.get(edit.file) ?? [];
      known.push(AnnotatedTextEdit.replace(view.locations.rangeIn(edit.file, edit), edit.newText, id));
      ofFile.set(edit.file, known);
    }
  }
  const { documents, features } = context;
  // Without annotations there is nothing to ask the user with.
  if (features.edits === "plain")
    return {
      changes: Object.fromEntries(
        [...ofFile].map(([file, edits]) => [
          documents.uriOf(file),
          edits.map(({ range, newText }) => ({ range, newText })),
        ]),
      ),
    };
  return {
    changeAnnotations,
    documentChanges: [...ofFile].map(([file, edits]) => ({
      textDocument: { uri: documents.uriOf(file), version: documents.documentOf(file)?.version ?? null },
      edits,
    })),
  };
}
