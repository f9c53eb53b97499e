// The heat bar: marks in the gutter and in the overview ruler, by the share that a line has in its file's excess.
import {
  type DecorationOptions,
  Disposable,
  OverviewRulerLane,
  Range,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from "vscode";
import type { AccessMark } from "../../server/src/lsp/protocol.ts";
import { debounce } from "./debounce.ts";
import { isRead } from "./selector.ts";
import type { Server } from "./server.ts";

/** Least share of each step, hottest first, with the width of its bar. */
const steps = [
  { share: 0.5, width: 8, colour: "charts.red", hex: "#f14c4c" },
  { share: 0.1, width: 6, colour: "charts.orange", hex: "#d18616" },
  { share: 0.01, width: 4, colour: "charts.yellow", hex: "#cca700" },
] as const;

const restMs = 200;

export function registerHeat(server: Server): Disposable {
  const types = steps.map(decorationOf);
  const show = async (editor: TextEditor): Promise<void> => {
    if (!isRead(editor.document)) return;
    const { document } = editor;
    const isOn = workspace.getConfiguration("warplint", document).get<boolean>("heatBar", true);
    const { version } = document;
    const uri = document.uri.toString();
    const result = isOn && server.state() === "running" ? await server.request("memoryCost", { uri }) : null;
    if (document.version !== version) return;
    const marks = result?.accesses ?? [];
    for (const [index, type] of types.entries()) editor.setDecorations(type, optionsOf(marks, index));
  };
  const refresh = debounce(restMs, () => {
    for (const editor of window.visibleTextEditors) void show(editor);
  });
  return Disposable.from(
    ...types,
    refresh,
    server.onAnalysed(() => refresh()),
    server.onStateChanged(() => refresh()),
    window.onDidChangeVisibleTextEditors(() => refresh()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("warplint.heatBar")) refresh();
    }),
  );
}

function decorationOf({ width, colour, hex }: (typeof steps)[number]): TextEditorDecorationType {
  return window.createTextEditorDecorationType({
    gutterIconPath: barOf(width, hex),
    gutterIconSize: "contain",
    overviewRulerColor: new ThemeColor(colour),
    overviewRulerLane: OverviewRulerLane.Right,
  });
}

/** A picture of our own, without anything of a source in it. */
function barOf(width: number, colour: string): Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="${16 - width}" width="${width}" height="16" fill="${colour}"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`);
}

/** Lines whose share is that of the step; a line with several accesses has the sum of theirs. */
function optionsOf(marks: readonly AccessMark[], step: number): DecorationOptions[] {
  const lines = new Map<number, number>();
  for (const { range, share } of marks) {
    const { line } = range.start;
    lines.set(line, (lines.get(line) ?? 0) + (share ?? 0));
  }
  const least = steps[step]?.share ?? 1;
  const most = steps[step - 1]?.share ?? Infinity;
  return [...lines].flatMap(([line, share]) =>
    share >= least && share < most ? [{ range: new Range(line, 0, line, 0) }] : [],
  );
}
