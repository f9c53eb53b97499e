// The session of a snapshot: what was analysed of the one before, and has not changed, stays.
import type { Host } from "../../host/host.ts";
import { memoryHost } from "../../host/memory.ts";
import { overlayHost } from "../../host/overlay.ts";
import type { Pipeline } from "../../lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../lint/session.ts";
import { includeReader, type SourcesBeside, sourceName } from "../../project/includes.ts";
import type { Project, SettingsResult } from "../../project/project.ts";
import { areBeside } from "../../text/path.ts";
import type { PlainSettings, Snapshot } from "./snapshot.ts";

export class Mirror {
  private readonly pipeline: Pipeline;
  private texts: ReadonlyMap<string, string> = new Map();
  private units: readonly string[] = [];
  private settings = "";
  private session: LintSession | null = null;

  constructor(pipeline: Pipeline) {
    this.pipeline = pipeline;
  }

  /** A session that sees what the snapshot shows, and nothing else. */
  show({ units, texts, settings }: Snapshot): LintSession {
    const before = this.texts;
    this.texts = texts;
    const settingsText = JSON.stringify([...settings]);
    if (this.session === null || settingsText !== this.settings) this.session = this.fresh(settings);
    else {
      this.session.update(changedBetween(before, texts));
      for (const unit of this.units) if (!units.includes(unit)) this.session.forget(unit);
    }
    this.settings = settingsText;
    this.units = units;
    return this.session;
  }

  private fresh(settings: Snapshot["settings"]): LintSession {
    const host = overlayHost(memoryHost({}), (path) => this.texts.get(path) ?? null, "/");
    const sourcesBeside: SourcesBeside = (file) =>
      [...this.texts]
        .filter(([path]) => path !== file && sourceName.test(path) && areBeside(path, file))
        .map(([path, text]) => ({ path, text }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    return createLintSession({
      host,
      project: projectOf(settings, host, sourcesBeside),
      pipeline: this.pipeline,
      options: { block: null },
    });
  }
}

function changedBetween(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
}

/** A project whose settings are given. */
function projectOf(settings: Snapshot["settings"], host: Host, sourcesBeside: SourcesBeside): Project {
  const readers = new Map(
    [...settings].map(([directory, { workspace, includePaths }]) => [
      directory,
      includeReader(host, workspace, includePaths),
    ]),
  );
  const results = new Map(
    [...settings].map(([directory, plain]) => [
      directory,
      settingsResult(plain, readers.get(directory), sourcesBeside),
    ]),
  );
  return {
    settingsOf: (directory) => results.get(directory) ?? noSettings,
    forget: (files) => {
      for (const reader of readers.values()) reader.forget(files);
    },
  };
}

const noSettings: SettingsResult = { kind: "errors", errors: [] };

function settingsResult(
  plain: PlainSettings,
  reader: ReturnType<typeof includeReader> | undefined,
  sourcesBeside: SourcesBeside,
): SettingsResult {
  const ignored = new Set(plain.ignored);
  return {
    kind: "settings",
    settings: {
      ...plain,
      readInclude: reader?.readInclude ?? (() => null),
      sourcesBeside,
      ignored: { isIgnored: (path) => ignored.has(path) },
    },
  };
}
