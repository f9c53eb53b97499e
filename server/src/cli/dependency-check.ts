// Whether what parts depended on is as it was: asked before anything of the analysis is loaded, so that it imports hardly anything.
import { statSync } from "node:fs";
import { type Host, readText } from "../host/host.ts";
import { cacheName } from "../project/cache-name.ts";
import { digestOf } from "./cache-files.ts";

/** Tells one state of a file from others without reading it: its size and times. Null where the file is too young for that. */
type Signature = string | null;

/** A text that was read. */
export type ReadFile = readonly [path: string, digest: string, signature: Signature];
/** What a host was asked, and a digest of its answer. */
export type Asked = readonly [question: Question, path: string, answer: string];
export type Question = "kind" | "bytes" | "real" | "list";

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
  readonly files: readonly IndexedFile[];
}

/** A file or directory; of one that is too young for a signature, a digest of what it holds. */
export type IndexedFile = readonly [path: string, signature: Signature, content: string | null];

/** What changed since this process began, or so shortly before that it may change once more within the same tick, is known by its text. */
const youngMilliseconds = 2000;

/** In place of a digest, of a text that a build makes. */
export const notOnDisk = "not on disk";

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
  areTextsSame({ texts, absent, missed }: Pick<Dependencies, "texts" | "absent" | "missed">): boolean {
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

  areAnswersSame(asked: readonly Asked[]): boolean {
    return asked.every(([question, path, answer]) => answerOf(this.host, question, path) === answer);
  }

  isIndexSame({ files }: IndexState): boolean {
    return files.every(([path, signature, content]) =>
      signature === null ? contentOf(this.host, path) === content : this.signature(path) === signature,
    );
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

/** What is kept of a file or directory that an index was made of; null where it may have changed since. */
export function indexedFile(host: Host, path: string): IndexedFile | null {
  const signature = signatureOf(path);
  if (signature !== null) return [path, signature, null];
  return changedAt(path) < performance.timeOrigin ? [path, null, contentOf(host, path)] : null;
}

export function contentOf(host: Host, path: string): string {
  return answerOf(host, host.kindOf(path) === "directory" ? "list" : "bytes", path);
}

export function answerOf(host: Host, question: Question, path: string): string {
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
export function signatureOf(path: string): Signature {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (Math.max(stat.mtimeMs, stat.ctimeMs) > performance.timeOrigin - youngMilliseconds) return null;
  return `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`;
}

function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? Infinity : Math.max(stat.mtimeMs, stat.ctimeMs);
}
