// One line for each request: its name, what is answered where something goes wrong, and who answers.
import {
  CancellationToken,
  CancellationTokenSource,
  type CodeActionParams,
  type CodeLensParams,
  type DocumentDiagnosticParams,
  DocumentDiagnosticReportKind,
  type ExecuteCommandParams,
  type HoverParams,
  type InlayHintParams,
  type ProgressToken,
  type WorkDoneProgressReporter,
  type WorkspaceDiagnosticParams,
} from "vscode-languageserver";
import type { ZodMiniType } from "zod/mini";
import { codeActions } from "./code-actions.ts";
import { codeLenses } from "./code-lenses.ts";
import { guarded, type ServerContext } from "./context.ts";
import {
  checkLaunch,
  effectiveConfiguration,
  launchChoices,
  panelState,
  setLaunch,
  status,
} from "./custom-requests.ts";
import { pulledDiagnostics } from "./document-diagnostics.ts";
import { fixAll } from "./fix-all.ts";
import { hover } from "./hover.ts";
import { importReport } from "./import-report.ts";
import { inlayHints, memoryCost } from "./memory-cost.ts";
import {
  type DocumentParams,
  type FixAllParams,
  type FixAllResult,
  type ImportReportParams,
  type ImportReportResult,
  type LintWorkspaceParams,
  type LintWorkspaceResult,
  type MemoryCostParams,
  type MemoryCostResult,
  type PanelStateParams,
  type PlaceArgument,
  requestNames,
  type SetLaunchParams,
  serverCommands,
} from "./protocol.ts";
import { unlessRefused } from "./refusals.ts";
import * as shapes from "./shapes.ts";
import type { WorkspaceState } from "./workspace-state.ts";

const noLint: LintWorkspaceResult = { files: 0, findings: 0, summary: "" };
const noCost: MemoryCostResult = { kernels: [], accesses: [], isWorkspaceLinted: false };
const noFixes: FixAllResult = { edit: null, fixes: 0, files: 0 };
const notRead: ImportReportResult = {
  isRead: false,
  message: "The report could not be read: the log says why.",
  launches: {},
};
const noConfiguration = { configFile: null, workspace: null, text: "" };

export function listenToRequests(context: ServerContext, state: WorkspaceState): void {
  const { connection, features, log, fixes, linter } = context;
  const answer = <P, R>(
    name: string,
    shape: ZodMiniType,
    empty: R,
    handler: (params: P, token: CancellationToken) => Promise<R> | R,
  ) =>
    guarded(name, log, empty, (params: P, token: CancellationToken) => {
      shapes.expectShape(shape, params);
      return handler(params, token);
    });

  // What somebody looks at comes up the sooner for it.
  const makeWay = (): void => {
    fixes.makeWay();
    linter.makeWay();
  };
  connection.onHover(
    answer("hover", shapes.documentPlace, null, (params: HoverParams, token) => {
      makeWay();
      return hover(params, token, context);
    }),
  );
  connection.onCodeAction(
    answer("code actions", shapes.codeAction, [], (params: CodeActionParams, token) => {
      makeWay();
      return codeActions(params, token, context);
    }),
  );
  connection.onCodeLens(
    answer("code lenses", shapes.document, [], (params: CodeLensParams, token) =>
      codeLenses(params, token, context),
    ),
  );
  connection.languages.inlayHint.on(
    answer("inlay hints", shapes.documentRange, [], (params: InlayHintParams, token) =>
      inlayHints(params, token, context),
    ),
  );
  connection.onRequest(
    requestNames.memoryCost,
    answer("memory cost", shapes.maybeUri, noCost, (params: MemoryCostParams, token) =>
      memoryCost(params, token, context, state.lint),
    ),
  );
  connection.onRequest(
    requestNames.fixAll,
    answer("fix all", shapes.fixAll, noFixes, (params: FixAllParams, token) =>
      fixAll(params, token, progressOfRequest(params.workDoneToken, context).reporter, context, state.lint),
    ),
  );
  connection.onRequest(
    requestNames.importReport,
    answer("a report", shapes.report, notRead, (params: ImportReportParams) => importReport(params, context)),
  );
  if (features.diagnostics === "pull") listenToPulls(context, state, answer);

  connection.onRequest(
    requestNames.panelState,
    answer("the panel", shapes.panel, null, (params: PanelStateParams, token) =>
      panelState(params, token, context),
    ),
  );
  connection.onRequest(
    requestNames.launchChoices,
    answer("launch choices", shapes.place, null, (params: PlaceArgument, token) =>
      launchChoices(params, token, context),
    ),
  );
  connection.onRequest(
    requestNames.checkLaunch,
    answer("checking a launch", shapes.launch, [], (params: SetLaunchParams, token) =>
      checkLaunch(params, token, context),
    ),
  );
  connection.onRequest(
    requestNames.setLaunch,
    answer(
      "setting a launch",
      shapes.launch,
      { edit: null, setting: null },
      (params: SetLaunchParams, token) => setLaunch(params, token, context),
    ),
  );
  connection.onRequest(
    requestNames.status,
    answer("status", shapes.place, null, (params: PlaceArgument, token) => status(params, token, context)),
  );
  connection.onRequest(
    requestNames.effectiveConfiguration,
    answer("configuration", shapes.uri, noConfiguration, (params: DocumentParams) =>
      effectiveConfiguration(params, context),
    ),
  );
  connection.onRequest(
    requestNames.lintWorkspace,
    answer("lint of the workspace", shapes.lint, noLint, ({ workDoneToken }: LintWorkspaceParams, token) =>
      lintWorkspace(progressOfRequest(workDoneToken, context), token, state),
    ),
  );
  connection.onExecuteCommand(
    answer("a command", shapes.command, null, (params: ExecuteCommandParams, token) =>
      execute(params, token, context, state),
    ),
  );
}

type Answer = <P, R>(
  name: string,
  shape: ZodMiniType,
  empty: R,
  handler: (params: P, token: CancellationToken) => Promise<R> | R,
) => (params: P, token: CancellationToken) => Promise<R>;

function listenToPulls(context: ServerContext, state: WorkspaceState, answer: Answer): void {
  const { diagnostics } = context.connection.languages;
  diagnostics.on(
    answer(
      "diagnostics",
      shapes.document,
      { kind: DocumentDiagnosticReportKind.Full, items: [] },
      (params: DocumentDiagnosticParams, token) => pulledDiagnostics(params, token, state.memory, context),
    ),
  );
  // The library takes the tokens out of the parameters before it calls: what it made of them comes behind.
  diagnostics.onWorkspace((params, token, progress, partialResults) =>
    answer(
      "workspace diagnostics",
      shapes.workspaceDiagnostic,
      { items: [] },
      async (_: WorkspaceDiagnosticParams) => {
        // A client that takes results bit by bit keeps its request open until there is something; others ask because the user did.
        if (partialResults !== undefined) return state.lint.news(params, token);
        await lintWorkspace({ reporter: progress, token: CancellationToken.None }, token, state);
        return state.lint.report(params);
      },
    )(params, token),
  );
}

async function execute(
  { command, arguments: given }: ExecuteCommandParams,
  token: CancellationToken,
  context: ServerContext,
  state: WorkspaceState,
): Promise<unknown> {
  const [argument] = given ?? [];
  switch (command) {
    case serverCommands.lintWorkspace:
      return lintWorkspace(await progressOfServer(context), token, state);
    case serverCommands.effectiveConfiguration:
      shapes.expectShape(shapes.uri, argument);
      return effectiveConfiguration(argument as DocumentParams, context);
    case serverCommands.setLaunch: {
      shapes.expectShape(shapes.launch, argument);
      const { edit } = await setLaunch(argument as SetLaunchParams, token, context);
      if (edit === null || !context.features.canApplyEdits) return edit;
      await unlessRefused("an edit", context.connection.workspace.applyEdit(edit), context.log);
      return null;
    }
    default:
      return null;
  }
}

async function lintWorkspace(
  progress: CancellableProgress,
  token: CancellationToken,
  { lint }: WorkspaceState,
): Promise<LintWorkspaceResult> {
  const either = new CancellationTokenSource();
  const cancel = () => either.cancel();
  const listeners = [token, progress.token].map((each) => each.onCancellationRequested(cancel));
  try {
    return await lint.run(either.token, progress.reporter);
  } finally {
    for (const listener of listeners) listener.dispose();
    either.dispose();
  }
}

interface CancellableProgress {
  readonly reporter: WorkDoneProgressReporter;
  readonly token: CancellationToken;
}

/** Progress that the client asked to see with its request; none where it shows its own. */
function progressOfRequest(
  workDoneToken: ProgressToken | undefined,
  { connection }: ServerContext,
): CancellableProgress {
  const reporter = connection.window.attachWorkDoneProgress(workDoneToken);
  return { reporter, token: CancellationToken.None };
}

/** Progress that nobody has asked for, which the user may cancel. */
async function progressOfServer(context: ServerContext): Promise<CancellableProgress> {
  if (!context.features.canShowProgress) return progressOfRequest(undefined, context);
  const created = context.connection.window.createWorkDoneProgress();
  const reporter = await unlessRefused("to show progress", created, context.log);
  if (reporter === null) return progressOfRequest(undefined, context);
  return { reporter, token: reporter.token };
}
