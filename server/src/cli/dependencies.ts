// What a part of a run depends on, beside its own options: noted while it is linted, and compared when it is asked for again.
import { createHash } from "node:crypto";
import type { Host } from "../host/host.ts";
import type { Indexes } from "../lint/indexes.ts";
import { runToEnd } from "../steps.ts";
import { directoryOf, nameOf } from "../text/path.ts";
import { digestOf } from "./cache-files.ts";
import {
  type Asked,
  answerOf,
  contentOf,
  type Dependencies,
  type IndexedFile,
  type IndexState,
  indexedFile,
  notOnDisk,
  type Question,
  type Surroundings,
  signatureOf,
} from "./dependency-check.ts";

/** Notes what is read of a run's world. */
export class DependencyNotes {
  /** For configuration and build. */
  readonly host: Host;
  private readonly base: Host;
  private readonly asked = new Map<string, Asked>();
  private readonly missed = new Set<string>();
  private surroundings: Surroundings | null = null;
  private readonly indexDigests = new Map<string, string>();
  private readonly digests = new Map<string, { readonly text: string; readonly digest: string }>();

  constructor(base: Host) {
    this.base = base;
    const note = (question: Question, path: string): void => {
      const key = `${question} ${path}`;
      if (this.asked.has(key)) return;
      this.asked.set(key, [question, path, answerOf(base, question, path)]);
      this.surroundings = null;
    };
    this.host = {
      ...base,
      kindOf: (path) => {
        note("kind", path);
        return base.kindOf(path);
      },
      readBytes: (path) => {
        note("bytes", path);
        return base.readBytes(path);
      },
      realPath: (path) => {
        note("real", path);
        return base.realPath(path);
      },
      list: (directory) => {
        note("list", directory);
        return base.list(directory);
      },
    };
  }

  /** An included file was looked for at `path`, and not found. */
  readonly onMissed = (path: string): void => {
    this.missed.add(path);
  };

  /** Before a part. */
  begin(indexes: Indexes): void {
    this.missed.clear();
    indexes.asked.clear();
  }

  /** After a part that read `texts`. */
  end(texts: ReadonlyMap<string, string>, indexes: Indexes): [Dependencies, Surroundings] {
    const surroundings = this.surroundingsNow();
    const { absent, missed } = this.missedByDirectory();
    return [
      {
        texts: [...texts].map(([path, text]) => [path, this.digestOfText(path, text), signatureOf(path)]),
        absent,
        missed,
        indexes: [...indexes.asked].map((workspace) => [workspace, this.digestOfIndex(workspace, indexes)]),
        surroundings: surroundings.name,
      },
      surroundings,
    ];
  }

  /** Many parts read the same headers. What a build makes is on no disk: what it is made of is part of the surroundings. */
  private digestOfText(path: string, text: string): string {
    const known = this.digests.get(path);
    if (known?.text === text) return known.digest;
    const digest = this.base.kindOf(path) === "file" ? digestOf(text) : notOnDisk;
    this.digests.set(path, { text, digest });
    return digest;
  }

  /** All that was asked so far. */
  surroundingsNow(): Surroundings {
    if (this.surroundings === null) {
      const asked = [...this.asked.values()];
      this.surroundings = { name: digestOf(JSON.stringify(asked)), asked };
    }
    return this.surroundings;
  }

  private missedByDirectory(): Pick<Dependencies, "absent" | "missed"> {
    const byDirectory = new Map<string, string[]>();
    for (const path of this.missed) {
      const directory = directoryOf(path);
      const names = byDirectory.get(directory);
      if (names === undefined) byDirectory.set(directory, [nameOf(path)]);
      else names.push(nameOf(path));
    }
    const isThere = ([directory]: readonly [string, unknown]) => this.base.kindOf(directory) === "directory";
    return {
      absent: [...byDirectory].filter((each) => !isThere(each)).map(([directory]) => directory),
      // What is there and may not be read is not looked at again.
      missed: [...byDirectory]
        .filter(isThere)
        .map(([directory, names]) => [
          directory,
          names.filter((name) => this.base.kindOf(`${directory}/${name}`) === "missing"),
        ]),
    };
  }

  private digestOfIndex(workspace: string, indexes: Indexes): string {
    const known = this.indexDigests.get(workspace) ?? digestOfIndex(workspace, indexes);
    this.indexDigests.set(workspace, known);
    return known;
  }
}

/** A digest of all that answers of the workspace's index hang on. */
export function digestOfIndex(workspace: string, indexes: Indexes): string {
  const hash = createHash("sha1");
  for (const each of runToEnd(indexes.whole(workspace))?.statements() ?? []) {
    hash.update(
      typeof each === "string" ? each : new Uint8Array(each.buffer, each.byteOffset, each.byteLength),
    );
    hash.update("\0");
  }
  return hash.digest("base64url");
}

/** The files that an index was made of; null where one of them may have changed since. `unchanged`: a directory that surely did not. */
export function stateOfIndex(
  workspace: string,
  digest: string,
  { indexes, host, unchanged }: StateOptions,
): IndexState | null {
  const index = runToEnd(indexes.whole(workspace));
  if (index === null) return null;
  const files: IndexedFile[] = [];
  for (const path of [...index.directories, ...[...index.files()].map((file) => file.path)]) {
    const file =
      path === unchanged ? ([path, null, contentOf(host, path)] as const) : indexedFile(host, path);
    if (file === null) return null;
    files.push(file);
  }
  return { digest, files };
}

interface StateOptions {
  readonly indexes: Indexes;
  readonly host: Host;
  readonly unchanged: string | null;
}
