// The session of a snapshot: what was analysed of the one before, and has not changed, stays.
import type { Host } from "../../host/host.ts";
import { memoryHost } from "../../host/memory.ts";
import type { Pipeline } from "../../lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../lint/session.ts";
import { fileTexts, type IncludeReader, includeReader } from "../../project/includes.ts";
import type { DirectorySettings, Project, SettingsResult } from "../../project/project.ts";
import { directoryOf } from "../../text/path.ts";
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
  show({ units, texts, directories, files }: Snapshot): LintSession {
    const before = this.texts;
    this.texts = texts;
    const settingsText = JSON.stringify([...directories, ...files]);
    if (this.session === null || settingsText !== this.settings)
      this.session = this.fresh({ directories, files });
    else {
      this.session.update(changedBetween(before, texts));
      for (const unit of this.units) if (!units.includes(unit)) this.session.forget(unit);
    }
    this.settings = settingsText;
    this.units = units;
    return this.session;
  }

  private fresh(settings: Pick<Snapshot, "directories" | "files">): LintSession {
    const host = hostOf(() => this.texts);
    return createLintSession({
      host,
      project: projectOf(settings, host),
      pipeline: this.pipeline,
      options: { block: null },
    });
  }
}

/** The files of the snapshot of the moment. */
function hostOf(texts: () => ReadonlyMap<string, string>): Host {
  let known: ReadonlyMap<string, string> | null = null;
  let files = memoryHost({});
  const now = (): Host => {
    if (known === texts()) return files;
    known = texts();
    files = memoryHost(Object.fromEntries(known));
    return files;
  };
  return {
    currentDirectory: files.currentDirectory,
    kindOf: (path) => now().kindOf(path),
    sizeOf: (path) => now().sizeOf(path),
    readBytes: (path) => now().readBytes(path),
    realPath: (path) => now().realPath(path),
    list: (directory) => now().list(directory),
    openText: (path) => texts().get(path) ?? null,
  };
}

function changedBetween(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
}

/** A project whose settings are given. */
function projectOf({ directories, files }: Pick<Snapshot, "directories" | "files">, host: Host): Project {
  const texts = fileTexts(host);
  const readers: IncludeReader[] = [];
  const inDirectory = new Map(
    [...directories].map(([directory, plain]) => [directory, directoryResult(plain)]),
  );
  const ofFile = new Map<string, SettingsResult>();
  for (const [file, its] of files) {
    const around = inDirectory.get(directoryOf(file));
    if (around?.kind !== "settings") continue;
    const { workspace } = around.settings;
    const { includePaths } = its.flags;
    // Whatever was read may be read.
    const allowed = { inside: [workspace], outside: ["/"] };
    const reader = includeReader(host, texts, { workspace, allowed, includePaths });
    readers.push(reader);
    const { readInclude } = reader;
    ofFile.set(file, {
      kind: "settings",
      settings: { ...around.settings, ...its, readInclude },
    });
  }
  return {
    settingsOf: (file) => ofFile.get(file) ?? noSettings,
    contextsOf: (file) => {
      const result = ofFile.get(file) ?? noSettings;
      return result.kind === "errors" ? result : { kind: "settings", settings: [result.settings] };
    },
    settingsIn: (directory) => inDirectory.get(directory) ?? noSettings,
    descriptionOf: () => null,
    generatedText: () => null,
    isOfBuild: () => false,
    forget: (files) => {
      if (texts.forget(files)) for (const reader of readers) reader.forgetAnswers();
      return "texts";
    },
  };
}

const noSettings: SettingsResult = { kind: "errors", errors: [] };

function directoryResult(plain: PlainSettings): SettingsResult<DirectorySettings> {
  const ignored = new Set(plain.ignored);
  return { kind: "settings", settings: { ...plain, ignored: { isIgnored: (path) => ignored.has(path) } } };
}
