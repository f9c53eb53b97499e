// The server as the rest of the extension sees it: started when first needed, asked with types, never a throw for a failed request.
import {
  type CancellationToken,
  type Disposable,
  type Event,
  EventEmitter,
  type LogOutputChannel,
} from "vscode";
import {
  type BaseLanguageClient,
  State,
  WorkDoneProgress,
  type WorkDoneProgressReport,
} from "vscode-languageclient";
import {
  type AnalysedParams,
  type DocumentParams,
  type EffectiveConfiguration,
  type FixAllParams,
  type FixAllResult,
  type ImportReportParams,
  type ImportReportResult,
  type LaunchChoicesResult,
  type LintWorkspaceParams,
  type LintWorkspaceResult,
  type MemoryCostParams,
  type MemoryCostResult,
  notificationNames,
  type PanelStateParams,
  type PanelStateResult,
  type PlaceArgument,
  requestNames,
  type SetLaunchParams,
  type SetLaunchResult,
  type StatusResult,
} from "../../server/src/lsp/protocol.ts";
import { answerFileRequests } from "./files.ts";

/** Parameters and result of each request. */
interface Requests {
  readonly panelState: readonly [PanelStateParams, PanelStateResult | null];
  readonly launchChoices: readonly [PlaceArgument, LaunchChoicesResult | null];
  readonly checkLaunch: readonly [SetLaunchParams, readonly string[]];
  readonly setLaunch: readonly [SetLaunchParams, SetLaunchResult];
  readonly status: readonly [PlaceArgument, StatusResult | null];
  readonly effectiveConfiguration: readonly [DocumentParams, EffectiveConfiguration];
  readonly fixAll: readonly [FixAllParams, FixAllResult];
  readonly importReport: readonly [ImportReportParams, ImportReportResult];
  readonly memoryCost: readonly [MemoryCostParams, MemoryCostResult];
  readonly lintWorkspace: readonly [LintWorkspaceParams, LintWorkspaceResult];
}

export type ServerState = "stopped" | "starting" | "running" | "failed";

export interface Server {
  /** The result of a request; null where it failed or was cancelled: the log says why. */
  readonly request: <Name extends keyof Requests>(
    name: Name,
    params: Requests[Name][0],
    token?: CancellationToken,
  ) => Promise<Requests[Name][1] | null>;
  /** The same of a request that tells how far it is. */
  readonly withProgress: <Name extends "lintWorkspace" | "fixAll">(
    name: Name,
    params: Requests[Name][0],
    onProgress: (progress: Partial<WorkDoneProgressReport>) => void,
    token: CancellationToken,
  ) => Promise<Requests[Name][1] | null>;
  /** Starts what is not running. */
  readonly start: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly state: () => ServerState;
  readonly client: () => BaseLanguageClient | null;
  readonly onStateChanged: Event<ServerState>;
  /** What is known of a document has changed. */
  readonly onAnalysed: Event<AnalysedParams>;
}

export function createServer(connect: () => BaseLanguageClient, log: LogOutputChannel): Server {
  const stateChanged = new EventEmitter<ServerState>();
  const analysed = new EventEmitter<AnalysedParams>();
  let client: BaseLanguageClient | null = null;
  let listeners: Disposable[] = [];
  let state: ServerState = "stopped";
  let starting: Promise<void> | null = null;
  let count = 0;

  const become = (next: ServerState) => {
    if (next === state) return;
    state = next;
    stateChanged.fire(next);
  };

  const launch = async () => {
    become("starting");
    const next = connect();
    client = next;
    listeners = [
      next.onDidChangeState(({ newState }) => become(stateOf(newState))),
      next.onNotification(notificationNames.analysed, (params: AnalysedParams) => analysed.fire(params)),
      ...answerFileRequests(next),
    ];
    try {
      await next.start();
    } catch (error) {
      log.error("the server could not be started", error);
      become("failed");
    }
  };

  const start = async () => {
    // A server that failed is started again by the user alone, not by each document that opens.
    if (state === "failed") return;
    starting ??= launch();
    await starting;
  };

  const stop = async () => {
    await starting;
    const last = client;
    client = null;
    starting = null;
    for (const listener of listeners) listener.dispose();
    listeners = [];
    try {
      await last?.dispose();
    } catch (error) {
      log.warn("the server did not stop in order", error);
    }
    become("stopped");
  };

  const request: Server["request"] = async (name, params, token) => {
    await start();
    if (client === null || !client.isRunning()) return null;
    try {
      // A token that is undefined would arrive as a second parameter that is null, in the place of the server's own.
      const tokens = token === undefined ? [] : [token];
      return await client.sendRequest(requestNames[name], params, ...tokens);
    } catch (error) {
      if (token?.isCancellationRequested !== true) log.debug(`${requestNames[name]} failed`, error);
      return null;
    }
  };

  return {
    start,
    stop,
    request,
    withProgress: async (name, params, onProgress, token) => {
      await start();
      count++;
      const workDoneToken = `warplint-${name}-${count}`;
      const listener = client?.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
        if (value.kind === "report") onProgress(value);
      });
      try {
        return await request(name, { ...params, workDoneToken }, token);
      } finally {
        listener?.dispose();
      }
    },
    restart: async () => {
      await stop();
      await start();
    },
    state: () => state,
    client: () => client,
    onStateChanged: stateChanged.event,
    onAnalysed: analysed.event,
  };
}

function stateOf(state: State): ServerState {
  if (state === State.Running) return "running";
  return state === State.Stopped ? "failed" : "starting";
}
