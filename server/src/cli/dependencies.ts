// What a part of a run depends on, beside its own options: noted while it is linted, and compared when it is asked for again.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { type Host, readText } from "../host/host.ts";
import type { Indexes } from "../lint/indexes.ts";
import { cacheName } from "../project/ignored.ts";
import { runToEnd } from "../steps.ts";
import { directoryOf, nameOf } from "../text/path.ts";
import { digestOf } from "./cache-files.ts";

/** Tells one state of a file from others without reading it: its size and times. Null where the file is too young for that. */
type Signature = string | null;

/** A text that was read. */
type ReadFile = readonly [path: string, digest: string, signature: Signature];
/** What a host was asked, and a digest of its answer. */
type Asked = readonly [question: Question, path: string, answer: string];
type Question = "kind" | "bytes" | "real" | "list";

export interface Dependencies {
  readonly texts: readonly ReadFile[];
  /** Directories that were not there when something was looked for in them. */
  readonly absent: readonly string[];
  /** By directory, names of files that were not there. */
  readonly missed: readonly (readonly [directory: string, names: readonly string[]])[];
  /** By workspace, the state of its index of names. */
  readonly indexes: readonly (readonly [workspace: string, digest: string])[];
  /** The name of what configuration and build were read from (`Surroundings`). */
  readonly surroundings: string;
}

/** All that configuration and build were read from. */
export interface Surroundings {
  readonly name: string;
  readonly asked: readonly Asked[];
}

/** The files of a workspace as its index was made of them. */
export interface IndexState {
  readonly digest: string;
  readonly files: readonly (readonly [path: string, signature: string])[];
}

/** What changed since this process began, or so shortly before that it may change once more within the same tick, is known by its text. */
const youngMilliseconds = 2000;

const notOnDisk = "not on disk";

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

  private surroundingsNow(): Surroundings {
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

/** The files that an index was made of; null where one of them is too young to be known again. */
export function stateOfIndex(workspace: string, digest: string, indexes: Indexes): IndexState | null {
  const index = runToEnd(indexes.whole(workspace));
  if (index === null) return null;
  const files: [string, string][] = [];
  for (const path of [...index.directories, ...[...index.files()].map((file) => file.path)]) {
    const signature = signatureOf(path);
    if (signature === null) return null;
    files.push([path, signature]);
  }
  return { digest, files };
}

/** Whether what parts depended on is as it was. Each file is looked at once. */
export class DependencyCheck {
  private readonly host: Host;
  private readonly signatures = new Map<string, Signature>();
  private readonly digests = new Map<string, string | null>();
  private readonly kinds = new Map<string, string>();

  constructor(host: Host) {
    this.host = host;
  }

  /** Files and directories; the index and the surroundings are for others to compare. */
  areTextsSame({ texts, absent, missed }: Dependencies): boolean {
    return (
      texts.every((file) => this.isSame(file)) &&
      absent.every((directory) => this.kindOf(directory) !== "directory") &&
      missed.every(
        ([directory, names]) =>
          this.kindOf(directory) === "directory" &&
          names.every((name) => this.kindOf(`${directory}/${name}`) === "missing"),
      )
    );
  }

  areSurroundingsSame({ asked }: Surroundings): boolean {
    return asked.every(([question, path, answer]) => answerOf(this.host, question, path) === answer);
  }

  isIndexSame({ files }: IndexState): boolean {
    return files.every(([path, signature]) => this.signature(path) === signature);
  }

  private isSame([path, digest, signature]: ReadFile): boolean {
    return (signature !== null && this.signature(path) === signature) || this.digestOfText(path) === digest;
  }

  private signature(path: string): Signature {
    let known = this.signatures.get(path);
    if (known === undefined) {
      known = signatureOf(path);
      this.signatures.set(path, known);
    }
    return known;
  }

  private digestOfText(path: string): string | null {
    let known = this.digests.get(path);
    if (known === undefined) {
      const read = readText(this.host, path);
      known = read.kind === "text" ? digestOf(read.text) : read.kind === "missing" ? notOnDisk : null;
      this.digests.set(path, known);
    }
    return known;
  }

  private kindOf(path: string): string {
    let known = this.kinds.get(path);
    if (known === undefined) {
      known = this.host.kindOf(path);
      this.kinds.set(path, known);
    }
    return known;
  }
}

function answerOf(host: Host, question: Question, path: string): string {
  switch (question) {
    case "kind":
      return host.kindOf(path);
    case "bytes": {
      const bytes = host.readBytes(path);
      return bytes === null ? "" : digestOf(bytes);
    }
    case "real":
      return host.realPath(path) ?? "";
    case "list":
      // The cache itself has no say.
      return digestOf(JSON.stringify(host.list(path)?.filter(({ name }) => name !== cacheName) ?? null));
  }
}

/** Size and times; null where there is no file, or it is too young. What git and others set back is seen by the time of the change. */
function signatureOf(path: string): Signature {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (Math.max(stat.mtimeMs, stat.ctimeMs) > performance.timeOrigin - youngMilliseconds) return null;
  return `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`;
}
