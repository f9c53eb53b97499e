// warplint/memoryCost and textDocument/inlayHint: kernels and accesses ranked by what they cost over all launches.
import {
  type CancellationToken,
  type InlayHint,
  InlayHintKind,
  type InlayHintParams,
} from "vscode-languageserver";
import { accessCostsIn, type FileAccessCost, hasExcess, lineCostText } from "../ide/cost.ts";
import { anyDraft, type FileView, type ServerContext, viewOf, viewOfAnalysis } from "./context.ts";
import { costItems, type KernelRecord, recordsOf } from "./kernel-records.ts";
import type { AccessMark, MemoryCostParams, MemoryCostResult } from "./protocol.ts";
import { pathOf } from "./uri.ts";
import type { WorkspaceLint } from "./workspace-lint.ts";

const nothing: MemoryCostResult = { kernels: [], accesses: [], isWorkspaceLinted: false };

export async function memoryCost(
  { uri }: MemoryCostParams,
  token: CancellationToken,
  context: ServerContext,
  lint: WorkspaceLint,
): Promise<MemoryCostResult> {
  if (uri === null) return workspaceCost(context, lint);
  const view = await viewOf(uri, token, context);
  if (view === null) return nothing;
  const { analysis, places, locations } = view;
  return {
    kernels: costItems(recordsOf(analysis, places, locations, context.measurements.of(analysis, places))),
    accesses: accessCostsIn(analysis).map((access) => markOf(access, view)),
    isWorkspaceLinted: lint.hasRun(),
  };
}

/** Open documents as they are now, all others as they were linted. */
function workspaceCost(context: ServerContext, lint: WorkspaceLint): MemoryCostResult {
  const records = new Map<string, readonly KernelRecord[]>(lint.kernels());
  for (const path of context.documents.cudaPaths()) {
    const analysis = context.analyses.last(path);
    if (analysis === null) continue;
    const { places, locations } = viewOfAnalysis(analysis, null, context);
    records.set(path, recordsOf(analysis, places, locations, context.measurements.of(analysis, places)));
  }
  return {
    kernels: costItems([...records.values()].flat()),
    accesses: [],
    isWorkspaceLinted: lint.hasRun(),
  };
}

function markOf({ range, share, text }: FileAccessCost, { analysis, locations }: FileView): AccessMark {
  return { range: locations.rangeIn(analysis.file, range), share, text };
}

/** Figures at the ends of lines. */
export async function inlayHints(
  { textDocument: { uri }, range }: InlayHintParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<InlayHint[]> {
  // Before, the settings are not known.
  await context.ready;
  const wanted = context.folders.of(pathOf(uri)).settings.inlayHints;
  if (wanted === "off") return [];
  const view = await viewOf(uri, token, context, anyDraft);
  if (view === null) return [];
  const { analysis, places } = view;
  const lines = new Map<number, FileAccessCost[]>();
  for (const access of accessCostsIn(analysis)) {
    if (wanted === "excess" && !hasExcess(access)) continue;
    // The access ends where its statement does, as a rule: its figure stands at the end of that line.
    const { line } = places.endOf(access.range);
    if (line - 1 < range.start.line || line - 1 > range.end.line) continue;
    lines.set(line, [...(lines.get(line) ?? []), access]);
  }
  return [...lines].map(([line, accesses]): InlayHint => {
    const text = places.lineText(analysis.file, line) ?? "";
    return {
      position: { line: line - 1, character: text.trimEnd().length },
      label: lineCostText(accesses),
      kind: InlayHintKind.Type,
      paddingLeft: true,
      tooltip: accesses.map((each) => each.text).join("\n"),
    };
  });
}
