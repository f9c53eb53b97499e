// The bank map beside the code: follows the cursor, keeps what was picked while the cursor stays on one access.
import {
  type Disposable,
  Disposable as Disposables,
  type ExtensionContext,
  languages,
  Position,
  Range,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";
import type { PanelStateResult } from "../../server/src/lsp/protocol.ts";
import type { PanelChoice } from "../../server/src/render/content.ts";
import { panelHtml } from "../../server/src/render/panel-html.ts";
import { debounce } from "./debounce.ts";
import type { FromPanel, KeptPanel, ToPanel } from "./panel-messages.ts";
import { panelPage } from "./panel-page.ts";
import { type Place, placeArgument, selectRange } from "./place.ts";
import { readSelector } from "./selector.ts";
import type { Server } from "./server.ts";

const viewType = "warplint.bankMap";
/** After the cursor rests for so long. */
const restMs = 120;

export interface Panel extends Disposable {
  /** Opens the panel, or brings it to the front, with the access at a place. */
  readonly show: (place: Place) => Promise<void>;
}

const noChoice: PanelChoice = { operation: null, launch: null, warp: null, trip: null };

export function registerPanel(context: ExtensionContext, server: Server): Panel {
  let view: PanelView | null = null;
  const attach = (panel: WebviewPanel): PanelView => {
    view?.panel.dispose();
    const attached = new PanelView(panel, context.extensionUri, server);
    view = attached;
    panel.onDidDispose(() => {
      if (view === attached) view = null;
    });
    return attached;
  };
  const serializer = window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (panel, kept: Partial<KeptPanel> | undefined) => {
      const place = placeOfKept(kept);
      await attach(panel).show(place, kept?.choice ?? noChoice);
    },
  });
  return {
    show: async (place) => {
      if (view === null) attach(createPanel(context.extensionUri));
      else view.panel.reveal(undefined, true);
      await view?.show(place, noChoice);
    },
    dispose: () => {
      serializer.dispose();
      view?.panel.dispose();
    },
  };
}

function createPanel(extensionUri: Uri): WebviewPanel {
  const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
  return window.createWebviewPanel(viewType, "Bank map", column, panelOptions(extensionUri));
}

function panelOptions(extensionUri: Uri) {
  return { enableScripts: true, localResourceRoots: [Uri.joinPath(extensionUri, "client", "dist")] };
}

function placeOfKept(kept: Partial<KeptPanel> | undefined): Place | null {
  if (kept?.uri === undefined || kept.position === undefined) return null;
  const { line, character } = kept.position;
  return { uri: Uri.parse(kept.uri), position: new Position(line, character) };
}

/** One open panel. */
class PanelView {
  readonly panel: WebviewPanel;
  private readonly server: Server;
  private place: Place | null = null;
  private choice: PanelChoice = noChoice;
  private shown: PanelStateResult | null = null;
  /** Counts requests: an answer that a later request has overtaken is dropped. */
  private asked = 0;

  constructor(panel: WebviewPanel, extensionUri: Uri, server: Server) {
    this.panel = panel;
    this.server = server;
    panel.iconPath = Uri.joinPath(extensionUri, "client", "icon.png");
    panel.webview.options = panelOptions(extensionUri);
    panel.webview.html = panelPage(panel.webview, extensionUri);
    const follow = debounce(restMs, () => this.follow());
    const listeners = Disposables.from(
      follow,
      panel.webview.onDidReceiveMessage((message: FromPanel) => this.receive(message)),
      panel.onDidChangeViewState(() => {
        if (panel.visible) this.post();
      }),
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) follow();
      }),
      window.onDidChangeActiveTextEditor(() => follow()),
      server.onAnalysed(({ uri }) => {
        if (this.place?.uri.toString() === uri) void this.refresh();
      }),
      server.onStateChanged((state) => {
        if (state === "running") void this.refresh();
      }),
    );
    panel.onDidDispose(() => listeners.dispose());
  }

  async show(place: Place | null, choice: PanelChoice): Promise<void> {
    this.place = place;
    this.choice = choice;
    await this.refresh();
  }

  private follow(): void {
    const editor = window.activeTextEditor;
    if (editor === undefined || languages.match(readSelector(), editor.document) === 0) return;
    const place = { uri: editor.document.uri, position: editor.selection.active };
    void this.show(place, this.isOnShown(place) ? this.choice : noChoice);
  }

  private isOnShown({ uri, position }: Place): boolean {
    if (this.shown === null || this.shown.uri !== uri.toString()) return false;
    const { start, end } = this.shown.range;
    return new Range(start.line, start.character, end.line, end.character).contains(position);
  }

  /** Asks for the state of where the cursor is. Between accesses the last one stays, as long as it is there. */
  private async refresh(): Promise<void> {
    if (this.place === null) return this.post();
    this.asked += 1;
    const asked = this.asked;
    const params = { ...placeArgument(this.place), choice: this.choice };
    const result = (await this.server.request("panelState", params)) ?? (await this.shownAgain());
    if (asked !== this.asked) return;
    this.shown = result;
    this.post();
  }

  private async shownAgain(): Promise<PanelStateResult | null> {
    if (this.shown === null) return null;
    const { uri, range, state } = this.shown;
    return this.server.request("panelState", { uri, position: range.start, choice: state.choice });
  }

  private post(): void {
    const message: ToPanel = {
      html: this.shown === null ? null : panelHtml(this.shown.state),
      lanes: this.shown?.state.lanes ?? [],
      kept: this.kept(),
    };
    void this.panel.webview.postMessage(message);
  }

  private kept(): KeptPanel | null {
    if (this.shown === null) return null;
    return { uri: this.shown.uri, position: this.shown.range.start, choice: this.choice };
  }

  private receive(message: FromPanel): void {
    if (message.kind === "ready") this.post();
    else if (message.kind === "reveal") void this.reveal();
    else if (message.kind === "reveal-row") void this.revealRow(message.row);
    else {
      this.choice = { ...this.choice, [message.name]: message.id };
      void this.pickAgain();
    }
  }

  /** A pick is of what is shown, wherever the cursor has gone since. */
  private async pickAgain(): Promise<void> {
    if (this.shown === null) return;
    const { uri, range } = this.shown;
    const { line, character } = range.start;
    await this.show({ uri: Uri.parse(uri), position: new Position(line, character) }, this.choice);
  }

  /** The panel follows the cursor there. */
  private async revealRow(row: number): Promise<void> {
    const location = this.shown?.rows[row];
    if (location !== undefined) await selectRange(Uri.parse(location.uri), location.range);
  }

  private async reveal(): Promise<void> {
    if (this.shown !== null) await selectRange(Uri.parse(this.shown.uri), this.shown.range);
  }
}
