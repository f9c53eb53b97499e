// textDocument/codeAction: checked fixes, the launch, and last of all to ignore a finding.
import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
} from "vscode-languageserver";
import { actionsAt } from "../ide/actions.ts";
import { fixAllAction } from "../ide/fixes.ts";
import { launchChoicesOf, setLaunchEdits } from "../ide/launch-choice.ts";
import type { Action } from "../ide/types.ts";
import { chosenFixes } from "../lint/fix-files.ts";
import type { ContentCommand } from "../render/content.ts";
import { clientCommand } from "./commands.ts";
import { type FileView, type ServerContext, viewOfUnchanged } from "./context.ts";
import { diagnosticSource } from "./diagnostics.ts";
import { workspaceEdit } from "./edits.ts";
import { fixAllKind } from "./protocol.ts";

/** For clients that cannot ask the user: as many launches as a menu may offer. */
const mostOfferedLaunches = 3;

const order: Readonly<Record<Action["origin"], number>> = { fix: 0, launch: 1, ignore: 2 };

export async function codeActions(
  { textDocument, range, context: asked }: CodeActionParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<CodeAction[]> {
  const { canTakeActions } = context.features;
  const wantsAll = asked.only?.includes(fixAllKind) === true;
  const wantsOne = wants(asked.only, CodeActionKind.QuickFix);
  if (!canTakeActions || !(wantsOne || wantsAll)) return [];
  const view = await viewOfUnchanged(textDocument.uri, token, context);
  if (view === null) return [];
  const { analysis, places, locations } = view;
  const { file } = analysis;
  if (wantsAll) {
    const all = fixAllAction(chosenFixes(context.fixes.byKernel(analysis), "safe"));
    return all === null ? [] : [toCodeAction(all, asked.diagnostics, view, context)];
  }
  const found = context.fixes.of(analysis);
  const offsets = { start: locations.offsetIn(file, range.start), end: locations.offsetIn(file, range.end) };
  const pending = context.fixes.pending(analysis);
  const actions = actionsAt(analysis, offsets, { found, pending, places }).flatMap((action) =>
    action.command?.kind === "choose-launch" && !context.features.commandLinks
      ? launchActions(action, action.command, view)
      : [action],
  );
  return actions
    .filter((action) => action.command === null || context.features.commandLinks)
    .sort((a, b) => order[a.origin] - order[b.origin])
    .map((action) => toCodeAction(action, asked.diagnostics, view, context));
}

/** `only` names kinds and everything below them: "quickfix", or "" for all. */
function wants(only: readonly string[] | undefined, kind: string): boolean {
  return (
    only === undefined || only.some((each) => each === "" || each === kind || kind.startsWith(`${each}.`))
  );
}

function toCodeAction(
  { title, kind, edits, command, isPreferred, diagnostics: answered }: Action,
  asked: readonly Diagnostic[],
  { analysis, locations }: FileView,
  context: ServerContext,
): CodeAction {
  const diagnostics = asked.filter((diagnostic) =>
    answered.some(
      ({ rule, range }) =>
        diagnostic.source === diagnosticSource &&
        diagnostic.code === rule &&
        JSON.stringify(diagnostic.range.start) ===
          JSON.stringify(locations.rangeIn(analysis.file, range).start),
    ),
  );
  return {
    title,
    kind: kind === "fix-all" ? fixAllKind : CodeActionKind.QuickFix,
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
    ...(isPreferred && context.features.canMarkPreferred ? { isPreferred } : {}),
    ...(edits.length > 0 ? { edit: workspaceEdit(edits, locations, context) } : {}),
    ...(command === null ? {} : { command: clientCommand(command, title, locations) }),
  };
}

/** In place of a question to the user, one action for each launch that may be meant. */
function launchActions(
  action: Action,
  { offset }: Extract<ContentCommand, { kind: "choose-launch" }>,
  { analysis, places }: FileView,
): Action[] {
  const found = launchChoicesOf(analysis, offset, places);
  if (found === null) return [];
  return found.choices
    .filter(({ annotation }) => annotation !== found.annotation)
    .slice(0, mostOfferedLaunches)
    .map(({ annotation }) => ({
      ...action,
      title: `Set the launch of ${found.kernel}: ${annotation}`,
      edits: setLaunchEdits(analysis, offset, annotation),
      command: null,
    }));
}
