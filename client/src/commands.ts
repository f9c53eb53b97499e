// The commands, and what each is given: lenses, hovers and the palette call the same ones.
import { commands, Disposable, type ExtensionContext, type LogOutputChannel, Uri, window } from "vscode";
import { clientCommands, type RangeArgument, type RuleArgument } from "../../server/src/lsp/protocol.ts";
import type { ConfigurationView } from "./configuration-view.ts";
import type { CostTree } from "./cost-tree.ts";
import { openExample } from "./example.ts";
import { fixAll } from "./fix-all.ts";
import { forgetReport, importReport } from "./import-report.ts";
import { chooseLaunch } from "./launch-picker.ts";
import type { Panel } from "./panel.ts";
import { cursorPlace, type Place, placeOf, selectRange } from "./place.ts";
import type { Server } from "./server.ts";
import { lintWorkspace } from "./workspace-lint.ts";

export interface CommandParts {
  readonly context: ExtensionContext;
  readonly server: Server;
  readonly log: LogOutputChannel;
  readonly panel: Panel;
  readonly configuration: ConfigurationView;
  readonly costs: CostTree;
}

export function registerCommands({
  context,
  server,
  log,
  panel,
  configuration,
  costs,
}: CommandParts): Disposable {
  const handlers: Readonly<Record<string, (argument?: unknown) => unknown>> = {
    [clientCommands.showBankMap]: (argument) => withPlace(argument, panel.show),
    [clientCommands.chooseLaunch]: (argument) => withPlace(argument, (place) => chooseLaunch(server, place)),
    [clientCommands.pickFix]: (argument) => withPlace(argument, pickFix),
    [clientCommands.showRule]: (argument) => showRule(context, argument),
    [clientCommands.openPlace]: openPlace,
    "warplint.explainAccess": (argument) => withPlace(argument, explainAccess),
    "warplint.lintWorkspace": async () => {
      await lintWorkspace(server);
      costs.refresh();
    },
    "warplint.importReport": (argument) => importReport(server, argument),
    "warplint.forgetReport": () => forgetReport(server),
    "warplint.fixAllInFile": async () => {
      const uri = window.activeTextEditor?.document.uri;
      if (uri !== undefined) await fixAll(server, uri);
    },
    "warplint.fixAllInWorkspace": () => fixAll(server, null),
    "warplint.showFileCost": () => costs.setScope("file"),
    "warplint.showWorkspaceCost": () => costs.setScope("workspace"),
    "warplint.refreshMemoryCost": () => costs.refresh(),
    "warplint.showEffectiveConfiguration": () => configuration.show(window.activeTextEditor?.document.uri),
    "warplint.openExample": openExample,
    "warplint.restartServer": () => server.restart(),
    "warplint.showOutput": () => log.show(),
  };
  return Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) => commands.registerCommand(id, handler)),
  );
}

/** From the palette and from keys a command comes without a place: then it is the cursor's. */
async function withPlace(argument: unknown, run: (place: Place) => unknown): Promise<void> {
  const place = placeOf(argument) ?? cursorPlace();
  if (place !== null) await run(place);
}

/** The hover, opened by key: figures, map and reasons at the cursor. */
async function explainAccess(place: Place): Promise<void> {
  const cursor = cursorPlace();
  const isAtCursor =
    cursor?.uri.toString() === place.uri.toString() && cursor.position.isEqual(place.position);
  if (!isAtCursor) await selectRange(place.uri, { start: place.position, end: place.position });
  await commands.executeCommand("editor.action.showHover", { focus: "autoFocusImmediately" });
}

/** The menu of fixes where the finding stands, each with what it gains: nothing is changed without being picked. */
async function pickFix({ uri, position }: Place): Promise<void> {
  await selectRange(uri, { start: position, end: position });
  await commands.executeCommand("editor.action.quickFix");
}

async function showRule(context: ExtensionContext, argument: unknown): Promise<void> {
  const { rule } = (argument ?? {}) as Partial<RuleArgument>;
  // The name comes from a link: nothing but a rule's name may become part of a path.
  if (rule === undefined || !/^[a-z-]+$/.test(rule)) return;
  const page = Uri.joinPath(context.extensionUri, "docs", "rules", `${rule}.md`);
  await commands.executeCommand("markdown.showPreview", page);
}

async function openPlace(argument: unknown): Promise<void> {
  const { uri, range } = (argument ?? {}) as Partial<RangeArgument>;
  if (uri !== undefined && range !== undefined) await selectRange(Uri.parse(uri), range);
}
