// Files through the client's own requests: what a virtual workspace has in place of a file system.
import type { Connection } from "vscode-languageserver";
import { type DirectoryResult, type FileParams, type FileResult, fileRequestNames } from "./protocol.ts";
import type { FileSource } from "./requested-files.ts";
import { uriOf } from "./uri.ts";

export function clientFiles(connection: Connection): FileSource {
  const ask = async <R>(name: string, path: string): Promise<R | null> => {
    const params: FileParams = { uri: uriOf(path) };
    try {
      return await connection.sendRequest<R>(name, params);
    } catch {
      // A client that cannot say what is there has nothing there.
      return null;
    }
  };
  return {
    read: async (path) => {
      const { base64 = null } = (await ask<FileResult>(fileRequestNames.read, path)) ?? {};
      return base64 === null ? null : bytesOf(base64);
    },
    list: async (path) => {
      const { entries = null } = (await ask<DirectoryResult>(fileRequestNames.list, path)) ?? {};
      if (entries === null) return null;
      return entries
        .map(({ name, kind }) => ({ name, kind, isLink: false }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
