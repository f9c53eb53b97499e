// What the core may ask of the outside: files by path, and nothing else. Every other folder gets its input through this.

export type FileKind = "file" | "directory" | "other" | "missing";

export interface DirectoryEntry {
  readonly name: string;
  /** Of a symbolic link, the kind of what it points to. */
  readonly kind: FileKind;
  readonly isLink: boolean;
}

/**
 * The only door to files. Paths are absolute, with "/" between their parts on every platform. Nothing throws: what cannot be
 * read is null.
 */
export interface Host {
  readonly currentDirectory: string;
  kindOf(path: string): FileKind;
  /** The size in bytes; null where there is no file. */
  sizeOf(path: string): number | null;
  /** The bytes of a file; null where it is missing or may not be read. */
  readBytes(path: string): Uint8Array | null;
  /** The path with every symbolic link followed; null where nothing is there. */
  realPath(path: string): string | null;
  /** What a directory holds, sorted by name; null where it is none or may not be read. */
  list(directory: string): readonly DirectoryEntry[] | null;
  /** The text of a document that an editor has open under this path: as it is, whatever it holds. */
  openText?(path: string): string | null;
}

export type TextResult =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind:
        | "missing"
        | "directory"
        | "unreadable"
        | "binary"
        | "utf-16"
        | "too-large"
        | "not-a-file";
    };

/** Why a path has no text, as people read it behind the path. */
export function unreadText(kind: Exclude<TextResult["kind"], "text">): string {
  switch (kind) {
    case "missing":
      return "no such file or directory";
    case "unreadable":
      return "cannot be read (is there permission?)";
    case "binary":
      return "a binary file, not CUDA source";
    case "utf-16":
      return "UTF-16, which no CUDA compiler reads; save it as UTF-8";
    case "too-large":
      return "larger than 16 MB, not linted";
    case "not-a-file":
    case "directory":
      return "neither a file nor a directory";
  }
}

/** Larger files are generated, and no editor opens them either. */
export const maximumFileBytes = 16 * 1024 * 1024;

/** Reads a file as UTF-8 (a byte order mark is dropped, bytes that are no UTF-8 become U+FFFD), or says why it cannot. */
export function readText(host: Host, path: string): TextResult {
  const open = host.openText?.(path) ?? null;
  if (open !== null) return { kind: "text", text: open };
  const kind = host.kindOf(path);
  if (kind === "missing") return { kind: "missing" };
  if (kind === "directory") return { kind: "directory" };
  if (kind === "other") return { kind: "not-a-file" };
  if ((host.sizeOf(path) ?? 0) > maximumFileBytes) return { kind: "too-large" };
  const bytes = host.readBytes(path);
  if (bytes === null) return { kind: "unreadable" };
  if (hasMarkOfUtf16(bytes)) return { kind: "utf-16" };
  if (bytes.subarray(0, binaryProbeBytes).includes(0)) return { kind: "binary" };
  return { kind: "text", text: new TextDecoder("utf-8").decode(bytes) };
}

function hasMarkOfUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** A NUL among the first bytes marks a binary file, as git has it. */
const binaryProbeBytes = 8192;
