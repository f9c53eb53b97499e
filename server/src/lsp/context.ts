// What every request needs: the client, what it can do, and what is known of its documents.
import {
  CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  type Position,
  ResponseError,
} from "vscode-languageserver";
import type { FileAnalysis } from "../lint/analysis.ts";
import type { ReadMeasurement } from "../measured/report.ts";
import { mayHoldCuda } from "../project/walk.ts";
import { createPlaces, type Places } from "../render/places.ts";
import { type AcceptsDraft, type Analyses, CancelledError } from "./analyses.ts";
import type { OpenDocuments } from "./documents.ts";
import type { ClientFeatures } from "./features.ts";
import type { Folder, Folders } from "./folders.ts";
import { createLocations, type Locations } from "./locations.ts";
import type { Log } from "./log.ts";
import type { Measurements } from "./measurements.ts";
import type { RequestedFiles } from "./requested-files.ts";
import type { Clock, Scheduler } from "./scheduler.ts";
import type { Fixes } from "./second-phase/fixes.ts";
import { pathOf } from "./uri.ts";
import type { FolderLinter } from "./workspace-folder.ts";

export interface ServerContext {
  readonly connection: Connection;
  readonly features: ClientFeatures;
  readonly documents: OpenDocuments;
  readonly folders: Folders;
  readonly analyses: Analyses;
  readonly fixes: Fixes;
  readonly linter: FolderLinter;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves once the settings are known, for they decide what is found. */
  readonly ready: Promise<void>;
  readonly measurements: Measurements;
  /** Reads a report of Nsight Compute; null where nothing is there to read it. */
  readonly readReport: ((bytes: Uint8Array) => Promise<ReadMeasurement>) | null;
  /** Of a client that has the only files there are; null where the server reads them itself. */
  readonly files: RequestedFiles | null;
}

/** What the diagnostics of a file that was analysed are made with. */
export interface DiagnosticsContext {
  readonly documents: Pick<OpenDocuments, "documentOf" | "uriOf">;
  readonly features: ClientFeatures;
  readonly folders: Folders;
  readonly fixes: Pick<Fixes, "of">;
}

/** A file as it is known, with the means to speak of it. */
export interface FileView {
  readonly analysis: FileAnalysis;
  readonly places: Places;
  readonly locations: Locations;
  readonly folder: Folder;
  /** Of the document that was analysed. */
  readonly version: number | null;
}

/**
 * An open document that holds CUDA, analysed as it is now, or a draft of that which `accepts`; null for others. Rejects where `token` is
 * cancelled.
 */
export async function viewOf(
  uri: string,
  token: CancellationToken,
  context: ServerContext,
  accepts?: AcceptsDraft,
): Promise<FileView | null> {
  const path = pathOf(uri);
  const document = context.documents.documentOf(path);
  if (document === null || !mayHoldCuda(path, document.getText())) return null;
  await context.ready;
  const analysis = await context.analyses.of(path, token, accepts);
  const now = context.documents.documentOf(path);
  // What could not be read has no text, and nothing to say of the document's.
  if (now === null || now.getText() !== analysis.text) return null;
  return viewOfAnalysis(analysis, now.version, context);
}

/**
 * As `viewOf`, for a request that names a position: its answer is worthless once the document has changed. To be called before anything
 * else is waited for.
 */
export async function viewOfUnchanged(
  uri: string,
  token: CancellationToken,
  context: ServerContext,
  accepts?: AcceptsDraft,
): Promise<FileView | null> {
  const before = context.documents.documentOf(pathOf(uri))?.version ?? null;
  const view = await viewOf(uri, token, context, accepts);
  if (view !== null && view.version !== before)
    throw new ResponseError(LSPErrorCodes.ContentModified, "the document has changed meanwhile");
  return view;
}

export function viewOfAnalysis(
  analysis: FileAnalysis,
  version: number | null,
  { documents, folders }: DiagnosticsContext,
): FileView {
  const folder = folders.of(analysis.file);
  return {
    analysis,
    version,
    folder,
    places: createPlaces(analysis.texts, folder.displayPath),
    locations: createLocations(analysis.texts, documents.uriOf),
  };
}

/** For what is asked for again once there is more: lenses, hints, diagnostics. */
export const anyDraft: AcceptsDraft = () => true;

/** For what is asked once of one place: drafts that know the kernel there. */
export function draftAt(position: Position, { documents }: Pick<ServerContext, "documents">): AcceptsDraft {
  return ({ file, kernels }) => {
    const offset = documents.documentOf(file)?.offsetAt(position) ?? -1;
    return kernels.some(({ range }) => range.start <= offset && offset <= range.end);
  };
}

type Handler<P, R> = (params: P, token: CancellationToken) => Promise<R> | R;

/**
 * A handler that never fails for a bug of warplint: what throws is logged with its stack and answered with `empty`. Cancelled requests
 * are answered as the protocol wants it.
 */
export function guarded<P, R>(name: string, log: Log, empty: R, handler: Handler<P, R>) {
  return async (params: P, token: CancellationToken): Promise<R> => {
    // Parameters that are a list are handed over one by one.
    if (!CancellationToken.is(token))
      throw new ResponseError(ErrorCodes.InvalidParams, "the parameters are a list");
    try {
      return await handler(params, token);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (error instanceof CancelledError)
        throw new ResponseError(LSPErrorCodes.RequestCancelled, "the request was cancelled");
      log.failed(name, error);
      return empty;
    }
  };
}
