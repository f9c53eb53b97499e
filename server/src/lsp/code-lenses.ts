// textDocument/codeLens: what each kernel costs, above it.
import type { CancellationToken, CodeLens, CodeLensParams } from "vscode-languageserver";
import { lensesOf } from "../ide/lenses.ts";
import { clientCommand } from "./commands.ts";
import { anyDraft, type ServerContext, viewOf } from "./context.ts";

export async function codeLenses(
  { textDocument }: CodeLensParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<CodeLens[]> {
  const view = await viewOf(textDocument.uri, token, context, anyDraft);
  if (view === null) return [];
  const { analysis, places, locations } = view;
  const lenses = lensesOf(analysis, places, context.fixes.of(analysis));
  // A lens that only leads somewhere is nothing where it cannot be clicked.
  const shown = context.features.commandLinks
    ? lenses
    : lenses.filter(({ command }) => command?.kind !== "pick-fix");
  return shown.map(({ range, title, command }) => ({
    range: locations.rangeIn(analysis.file, range),
    // A command without a name is shown and cannot be clicked.
    command:
      command === null || !context.features.commandLinks
        ? { title, command: "" }
        : clientCommand(command, title, locations),
  }));
}
