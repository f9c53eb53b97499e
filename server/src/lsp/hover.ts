// textDocument/hover: figures and the bank map of what is under the cursor.
import type { CancellationToken, Hover, HoverParams, MarkupContent } from "vscode-languageserver";
import { hoverAt } from "../ide/hover.ts";
import { effectiveMacros } from "../render/build.ts";
import type { HoverContent } from "../render/content.ts";
import { hoverMarkdown } from "../render/markdown.ts";
import { hoverPlainText } from "../render/plain-text.ts";
import { linkTo } from "./commands.ts";
import { draftAt, type FileView, type ServerContext, viewOfUnchanged } from "./context.ts";
import type { ClientFeatures } from "./features.ts";

export async function hover(
  { textDocument, position }: HoverParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<Hover | null> {
  const view = await viewOfUnchanged(textDocument.uri, token, context, draftAt(position, context));
  if (view === null) return null;
  const { analysis, places, locations } = view;
  const offset = locations.offsetIn(analysis.file, position);
  const isUnderDiagnostic = analysis.report.findings.some(
    ({ range }) => range.start <= offset && offset <= range.end,
  );
  // VS Code shows the diagnostic above the hover, in the same box; others show it elsewhere or not at all.
  const hasDiagnosticAbove = context.features.commandLinks && isUnderDiagnostic;
  const found = context.fixes.of(analysis);
  const { session, project } = view.folder;
  const settings = project.settingsOf(session.sourcesReading(analysis.file)[0] ?? analysis.file);
  const buildMacros = settings.kind === "settings" ? effectiveMacros(settings.settings.flags) : [];
  const measured = context.measurements.of(analysis, places);
  const content = hoverAt(analysis, offset, { places, hasDiagnosticAbove, found, buildMacros, measured });
  if (content === null) return null;
  return {
    contents: markupOf(content, view, context.features),
    range: locations.rangeIn(analysis.file, content.range),
  };
}

function markupOf(content: HoverContent, { locations }: FileView, features: ClientFeatures): MarkupContent {
  if (features.hover === "plain") return { kind: "plaintext", value: hoverPlainText(content) };
  const value = hoverMarkdown(content, {
    dialect: features.hover,
    linkTo: (command) => linkTo(command, locations, features),
  });
  return { kind: "markdown", value };
}
