// The language server: connects a client's requests to what answers them. It runs wherever a connection and a host are, a browser's
// worker included.
import { type Connection, ErrorCodes, type InitializeResult, ResponseError } from "vscode-languageserver";
import type { Host } from "../host/host.ts";
import { fixTools } from "../lint/fix-tools.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import type { ReadMeasurement } from "../measured/report.ts";
import { createAnalyses } from "./analyses.ts";
import { serverCapabilities } from "./capabilities.ts";
import { clientFiles } from "./client-files.ts";
import type { ServerContext } from "./context.ts";
import { createDocuments } from "./documents.ts";
import { featuresOf } from "./features.ts";
import { createFolders, type Folders, type LastGood } from "./folders.ts";
import { type LintProcess, linterInProcess } from "./lint-process/linter.ts";
import { connectionLog } from "./log.ts";
import { createMeasurements } from "./measurements.ts";
import { clientNotificationNames, type InSightParams } from "./protocol.ts";
import { onceQuiet } from "./quiet.ts";
import { type RequestedFiles, requestedFiles } from "./requested-files.ts";
import { listenToRequests } from "./requests.ts";
import { type Clock, createScheduler } from "./scheduler.ts";
import { createFixes } from "./second-phase/fixes.ts";
import { searcherHere } from "./second-phase/searcher.ts";
import { type SearchThread, searcherInThread } from "./second-phase/thread.ts";
import * as shapes from "./shapes.ts";
import { createSight } from "./sight.ts";
import { pathOf } from "./uri.ts";
import { linterHere } from "./workspace-folder.ts";
import { createWorkspaceState } from "./workspace-state.ts";

/** What the server needs of the place where it runs. */
export interface ServerEnvironment {
  readonly connection: Connection;
  readonly host: Host;
  readonly clock: Clock;
  readonly version: string;
  /** Where the pages of rules are, unless the client says better: an address that ends in "/"; null where they are nowhere. */
  readonly rulePages: string | null;
  createPipeline(): Promise<Pipeline>;
  /** Reads a report of Nsight Compute; null where nothing is there to read it. */
  readonly readReport: ((bytes: Uint8Array) => Promise<ReadMeasurement>) | null;
  /** Does what would delay a later edit, now that nobody waits. */
  whenQuiet(): void;
  /** A thread that searches for fixes. */
  startSearchThread(): SearchThread;
  /** A process that lints a folder of this machine; null where there can be none. */
  readonly startLintProcess: (() => LintProcess) | null;
}

/** Answers the client until the connection ends. */
export function startServer(environment: ServerEnvironment): void {
  const { connection, clock, version } = environment;
  const log = connectionLog(connection);
  // It takes longer than the client takes to say what it can do.
  const loading = environment.createPipeline();
  loading.catch(() => {});
  let isInitialized = false;
  connection.onInitialize(async (params): Promise<InitializeResult> => {
    if (isInitialized)
      throw new ResponseError(ErrorCodes.InvalidRequest, "the server is initialized already");
    isInitialized = true;
    const features = featuresOf(params, environment.rulePages);
    const pipeline = await loading;
    const documents = createDocuments();
    // Folders come and go: what may be asked of the client goes with them.
    const roots = (): string[] => folders.all().flatMap(({ path }) => path ?? []);
    const files: RequestedFiles | null =
      features.files === "client" ? requestedFiles(clientFiles(connection), roots) : null;
    const sight = createSight(documents);
    connection.onNotification(clientNotificationNames.inSight, (params: InSightParams) => {
      shapes.expectShape(shapes.inSight, params);
      sight.show(params);
    });
    const lastGood: LastGood = new Map();
    const folders: Folders = createFolders(files?.host ?? environment.host, pipeline, {
      openTexts: documents.textOf,
      trust: features.trust,
      isInSight: sight.sees,
      lastGood,
    });
    const named =
      params.workspaceFolders ??
      (params.rootUri === null || params.rootUri === undefined ? [] : [{ uri: params.rootUri, name: "" }]);
    folders.set(named.map(({ uri }) => ({ uri, path: pathOf(uri) })));
    const scheduler = createScheduler(clock, onceQuiet(environment.whenQuiet));
    let onReady: () => void = () => {};
    const ready = new Promise<void>((resolve) => {
      onReady = resolve;
    });
    const analyses = createAnalyses(folders, { scheduler, clock }, log, files);
    const searcher = searcherInThread(
      environment.startSearchThread,
      searcherHere({ scheduler, clock, log }),
      folders,
      log,
    );
    const fixes = createFixes({ documents, folders, analyses, clock, log }, searcher, fixTools);
    const here = linterHere({ documents, features, folders, fixes, scheduler });
    const { startLintProcess } = environment;
    const linter =
      startLintProcess === null || files !== null
        ? here
        : linterInProcess(startLintProcess, here, { documents, features, folders, log, lastGood });
    const context: ServerContext = {
      connection,
      features,
      documents,
      folders,
      scheduler,
      clock,
      log,
      ready,
      files,
      analyses,
      measurements: createMeasurements(),
      readReport: environment.readReport,
      fixes,
      linter,
    };
    const state = createWorkspaceState(context, onReady);
    listenToRequests(context, state);
    documents.events.listen(connection);
    let hasStarted = false;
    connection.onInitialized(() => {
      if (hasStarted) return;
      hasStarted = true;
      state.start().catch((error: unknown) => log.failed("the start", error));
    });
    return { capabilities: serverCapabilities(features), serverInfo: { name: "warplint", version } };
  });
  connection.listen();
}
