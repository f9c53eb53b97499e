// The requests of protocol.ts: what an editor's own views ask for.
import type { CancellationToken } from "vscode-languageserver";
import type { Fix } from "../fixes/fix.ts";
import { launchSettingOf } from "../ide/configured-launch.ts";
import { launchChoicesOf, launchTextProblems, setLaunchEdits } from "../ide/launch-choice.ts";
import { type FixedAccess, fixShownAt, panelAt } from "../ide/panel.ts";
import { statusAt } from "../ide/status.ts";
import { contextsAfter } from "../lint/after-fix.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import { buildText } from "../render/build.ts";
import type { AccessContext } from "../rules/finding.ts";
import { together } from "../rules/together.ts";
import { directoryOf } from "../text/path.ts";
import { draftAt, type FileView, type ServerContext, viewOf, viewOfUnchanged } from "./context.ts";
import { workspaceEdit } from "./edits.ts";
import type { Folder } from "./folders.ts";
import type {
  DocumentParams,
  EffectiveConfiguration,
  LaunchChoicesResult,
  PanelStateParams,
  PanelStateResult,
  PlaceArgument,
  SetLaunchParams,
  SetLaunchResult,
  StatusResult,
} from "./protocol.ts";
import { pathOf } from "./uri.ts";

const nothingPicked = { operation: null, launch: null, warp: null, trip: null };

export async function panelState(
  { uri, position, choice }: PanelStateParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<PanelStateResult | null> {
  const view = await viewOfUnchanged(uri, token, context);
  if (view === null) return null;
  const { analysis, places, locations, version, folder } = view;
  const offset = locations.offsetIn(analysis.file, position);
  const programOf = folder.programOf(analysis.file);
  const fixed = await fixedAccess(
    analysis,
    fixShownAt(analysis, offset, context.fixes.of(analysis)),
    context,
  );
  const state = panelAt(
    analysis,
    offset,
    choice ?? nothingPicked,
    places,
    programOf,
    fixed,
    context.measurements.of(analysis, places),
  );
  if (state === null) return null;
  const rows = (state.cost?.rows ?? []).map(({ place }) => locations.locationOf(place));
  return { ...locations.locationOf(state.place), version, state, rows };
}

/** What the access is with its fix; null where there is none, or where the document changes before that is known. */
async function fixedAccess(
  analysis: FileAnalysis,
  fix: Fix | null,
  { folders, analyses, scheduler }: ServerContext,
): Promise<FixedAccess | null> {
  if (fix === null) return null;
  const known = contextsOfFix.get(fix);
  if (known !== undefined) return { fix, contexts: known };
  const { file } = analysis;
  const steps = contextsAfter(fix, analysis.texts, folders.of(file).session.fixMaterial(file));
  let contexts: readonly AccessContext[] | null = null;
  await scheduler.run("foreground", {
    isAbandoned: () => analyses.last(file) !== analysis,
    advance: (isOver) => {
      for (;;) {
        const step = steps.next();
        if (step.done) contexts = step.value;
        if (step.done || isOver()) return step.done === true;
      }
    },
  });
  if (contexts === null) return null;
  contextsOfFix.set(fix, contexts);
  return { fix, contexts };
}

/** The panel asks anew with each pick. */
const contextsOfFix = new WeakMap<Fix, readonly AccessContext[]>();

export async function launchChoices(
  { uri, position }: PlaceArgument,
  token: CancellationToken,
  context: ServerContext,
): Promise<LaunchChoicesResult | null> {
  const view = await viewOfUnchanged(uri, token, context);
  if (view === null) return null;
  const { analysis, places, locations } = view;
  const found = launchChoicesOf(analysis, locations.offsetIn(analysis.file, position), places);
  if (found === null) return null;
  const { kernel, range, annotation, parameterNames, choices } = found;
  return {
    kernel,
    range: locations.rangeIn(analysis.file, range),
    annotation,
    parameterNames,
    choices: choices.map(({ label, description, annotation: text, isCurrent }) => ({
      label,
      description,
      annotation: text,
      isCurrent,
    })),
  };
}

export async function checkLaunch(
  { uri, position, annotation }: SetLaunchParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<readonly string[]> {
  const view = await viewOfUnchanged(uri, token, context);
  if (view === null) return [];
  const { analysis, locations } = view;
  return launchTextProblems(analysis, locations.offsetIn(analysis.file, position), annotation);
}

export async function setLaunch(
  { uri, position, annotation }: SetLaunchParams,
  token: CancellationToken,
  context: ServerContext,
): Promise<SetLaunchResult> {
  const view = await viewOfUnchanged(uri, token, context);
  if (view === null) return { edit: null, setting: null };
  const { analysis, locations } = view;
  const offset = locations.offsetIn(analysis.file, position);
  const edits = setLaunchEdits(analysis, offset, annotation);
  return {
    edit: edits.length === 0 ? null : workspaceEdit(edits, locations, context),
    setting: launchSettingOf(analysis, offset, annotation),
  };
}

export async function status(
  { uri, position }: PlaceArgument,
  token: CancellationToken,
  context: ServerContext,
): Promise<StatusResult | null> {
  const view = await viewOf(uri, token, context, draftAt(position, context));
  const version = view?.version ?? null;
  const isBusy = context.analyses.isBusy(pathOf(uri));
  if (view === null) {
    const failures = context.analyses.last(pathOf(uri))?.failures ?? [];
    if (failures.length === 0) return null;
    return {
      uri,
      version,
      kernel: null,
      isBusy,
      findings: 0,
      problems: failures.map(({ message }) => message),
    };
  }
  const { analysis, places, locations } = view;
  const found = statusAt(analysis, locations.offsetIn(analysis.file, position), places);
  return {
    uri,
    version,
    kernel:
      found === null
        ? null
        : {
            kernel: found.kernel,
            position: locations.rangeIn(analysis.file, { start: found.offset, end: found.offset }).start,
            text: found.text,
            detail: found.detail,
            isLaunchKnown: found.isLaunchKnown,
          },
    isBusy,
    findings: together(analysis.report.findings).length,
    problems: [...configProblems(view), ...analysis.failures.map(({ message }) => message)],
  };
}

/** Of a configuration that cannot be read: the figures are those of what it said before. */
function configProblems({ analysis, folder }: FileView): string[] {
  const result = folder.project.settingsIn(directoryOf(analysis.file));
  const errors = result.kind === "errors" ? result.errors : (result.settings.configErrors ?? []);
  return errors.map(
    ({ file, position, message }) => `${folder.displayPath(file)}:${position.line}: ${message}`,
  );
}

/** As `warplint config` prints it, with a word on where it comes from. */
export async function effectiveConfiguration(
  { uri }: DocumentParams,
  { folders, ready }: ServerContext,
): Promise<EffectiveConfiguration> {
  await ready;
  const path = pathOf(uri);
  const folder = folders.of(path);
  const result = folder.project.settingsIn(folder.path === path ? path : directoryOf(path));
  if (result.kind === "errors") {
    const lines = result.errors.map(
      ({ file, position, message }) => `// ${file}:${position.line}:${position.column}: ${message}`,
    );
    const [first] = result.errors;
    return { configFile: first?.file ?? null, workspace: folder.path, text: `${lines.join("\n")}\n` };
  }
  const { configFile, workspace } = result.settings;
  const contexts = folder.project.contextsOf(path);
  const [first = result.settings] = contexts.kind === "settings" ? contexts.settings : [];
  const { config } = first;
  const overrides = Object.keys(folder.settings.overrides);
  const { includePaths } = folder.settings;
  const fromEditor = [...overrides, ...(includePaths.length > 0 ? ["includePaths"] : [])];
  const head = [
    `// What holds for ${folder.displayPath(path)}.`,
    `// ${configFile === null ? "There is no warplint.json." : `From ${configFile}.`}`,
    ...(fromEditor.length > 0 ? [`// From the editor's settings: ${fromEditor.join(", ")}.`] : []),
    ...(folder.path === path ? [] : buildLines(path, folder)),
  ];
  const shown = { ...config, includePaths: [...includePaths, ...config.includePaths] };
  return { configFile, workspace, text: `${head.join("\n")}\n${JSON.stringify(shown, null, 2)}\n` };
}

/** What the build passes to the file's compiler, as comments; nothing where no description says anything. */
function buildLines(path: string, { project, displayPath }: Folder): string[] {
  const contexts = project.contextsOf(path);
  const [first] = contexts.kind === "settings" ? contexts.settings : [];
  if (contexts.kind === "errors" || first === undefined || first.build.source === null) return [];
  const text = buildText(path, first.build, contexts.settings, displayPath).trimEnd();
  return ["//", ...text.split("\n").map((line) => `// ${line}`.trimEnd())];
}
