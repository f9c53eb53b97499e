// Tells the server what of documents is in sight: kernels there are analysed first.
import { Disposable, type TextEditor, window } from "vscode";
import { clientNotificationNames, type InSightParams } from "../../server/src/lsp/protocol.ts";
import { debounce } from "./debounce.ts";
import { isRead } from "./selector.ts";
import type { Server } from "./server.ts";

/** While somebody scrolls, nothing is told. */
const restMs = 50;

export function registerSight(server: Server): Disposable {
  let shown: readonly string[] = [];
  const tell = debounce(restMs, () => {
    if (server.state() !== "running") return;
    const now = inSight(window.visibleTextEditors);
    const gone = shown.filter((uri) => !now.some((each) => each.uri === uri));
    for (const params of [...gone.map((uri) => ({ uri, ranges: [] })), ...now])
      void server.client()?.sendNotification(clientNotificationNames.inSight, params);
    shown = now.map(({ uri }) => uri);
  });
  return Disposable.from(
    tell,
    server.onStateChanged(() => tell()),
    window.onDidChangeVisibleTextEditors(() => tell()),
    window.onDidChangeTextEditorVisibleRanges(() => tell()),
  );
}

/** A document that stands in several editors has the ranges of all. */
function inSight(editors: readonly TextEditor[]): InSightParams[] {
  const ranges = new Map<string, InSightParams["ranges"]>();
  for (const { document, visibleRanges } of editors) {
    if (!isRead(document)) continue;
    const uri = document.uri.toString();
    const own = visibleRanges.map(({ start, end }) => ({
      start: { line: start.line, character: 0 },
      end: { line: end.line + 1, character: 0 },
    }));
    ranges.set(uri, [...(ranges.get(uri) ?? []), ...own]);
  }
  return [...ranges].map(([uri, own]) => ({ uri, ranges: own }));
}
