// Git itself, asked about what a repository holds: read only, without a shell, without hooks and without the network.
import { execFileSync } from "node:child_process";

export type GitAnswer =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "error"; readonly message: string };

export interface TreeEntry {
  readonly path: string;
  readonly kind: "blob" | "link" | "submodule";
  readonly object: string;
  readonly bytes: number;
}

const mostBytes = 1024 * 1024 * 1024;

/** Repositories name programs in their configuration that git would run (a monitor of files, helpers of transports): none is. */
export function git(directory: string, args: readonly string[], input = ""): GitAnswer {
  try {
    const bytes = execFileSync(
      "git",
      ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", ...args],
      {
        cwd: directory,
        input,
        maxBuffer: mostBytes,
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
        env: {
          ...process.env,
          LC_ALL: "C",
          GIT_TERMINAL_PROMPT: "0",
          GIT_ALLOW_PROTOCOL: "none",
          GIT_NO_LAZY_FETCH: "1",
          GIT_NO_REPLACE_OBJECTS: "1",
        },
      },
    );
    return { kind: "bytes", bytes };
  } catch (error) {
    return { kind: "error", message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
  if (code === "ENOENT") return "git is not installed";
  const [line = ""] = (stderr?.toString() ?? "").split("\n").filter((each) => each.trim() !== "");
  return line.replace(/^fatal: /, "") || "git ended with an error";
}

/** The only line of an answer; null where there is an error. */
export function gitLine(directory: string, args: readonly string[]): string | null {
  const answer = git(directory, args);
  return answer.kind === "bytes" ? answer.bytes.toString().replace(/\n$/, "") : null;
}

/** The commit that a revision names; null where it names none. */
export function commitOf(directory: string, revision: string): string | null {
  if (revision.startsWith("-")) return null;
  return gitLine(directory, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
}

/** What a commit holds, by path from the root of the repository. */
export function treeOf(root: string, commit: string): readonly TreeEntry[] {
  const answer = git(root, ["ls-tree", "-r", "-z", "-l", "--full-tree", commit]);
  if (answer.kind === "error") return [];
  return answer.bytes
    .toString()
    .split("\0")
    .flatMap((line): TreeEntry[] => {
      const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]*)$/.exec(line);
      if (match === null) return [];
      const [, mode, type, object = "", size = "", path = ""] = match;
      const kind = type === "commit" ? "submodule" : mode === "120000" ? "link" : "blob";
      return [{ path, kind, object, bytes: size === "-" ? 0 : Number(size) }];
    });
}

/** The files of the working tree that git knows or would add: paths from the root. */
export function workingTreeOf(root: string): readonly string[] | null {
  const answer = git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name"]);
  return answer.kind === "error" ? null : [...new Set(answer.bytes.toString().split("\0"))].filter(Boolean);
}

/** The contents of objects, in one go; what is missing is left out. */
export function objectsOf(root: string, objects: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const answer = git(root, ["cat-file", "--batch"], objects.map((object) => `${object}\n`).join(""));
  if (answer.kind === "error") return found;
  const { bytes } = answer;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(newline, at);
    if (end < 0) break;
    const [object = "", type, size] = bytes.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    found.set(object, bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

const newline = 10;
