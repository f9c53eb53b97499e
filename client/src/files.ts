// Files for a server that has no file system of its own, or none where the workspace is: read through VS Code.
import { type Disposable, FileType, Uri, workspace } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type DirectoryResult,
  type FileParams,
  type FileResult,
  fileRequestNames,
} from "../../server/src/lsp/protocol.ts";

/** Answers the server's requests for files. */
export function answerFileRequests(client: BaseLanguageClient): Disposable[] {
  return [
    client.onRequest(fileRequestNames.read, ({ uri }: FileParams) => read(Uri.parse(uri))),
    client.onRequest(fileRequestNames.list, ({ uri }: FileParams) => list(Uri.parse(uri))),
  ];
}

async function read(uri: Uri): Promise<FileResult> {
  try {
    return { base64: base64Of(await workspace.fs.readFile(uri)) };
  } catch {
    return { base64: null };
  }
}

async function list(uri: Uri): Promise<DirectoryResult> {
  try {
    const entries = await workspace.fs.readDirectory(uri);
    return { entries: entries.map(([name, type]) => ({ name, kind: kindOf(type) })) };
  } catch {
    return { entries: null };
  }
}

/** Symbolic links keep the kind of what they point to. */
function kindOf(type: FileType): "file" | "directory" | "other" {
  if ((type & FileType.Directory) !== 0) return "directory";
  return (type & FileType.File) === 0 ? "other" : "file";
}

/** `btoa` is in every host; it takes bytes as characters, and so many arguments at once as a call allows. */
export function base64Of(bytes: Uint8Array): string {
  const chunkBytes = 0x8000;
  let characters = "";
  for (let at = 0; at < bytes.length; at += chunkBytes)
    characters += String.fromCharCode(...bytes.subarray(at, at + chunkBytes));
  return btoa(characters);
}
