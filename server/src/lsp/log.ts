// What is worth writing down, to the client's log: never a popup.
import type { Connection } from "vscode-languageserver";

export interface Log {
  info(text: string): void;
  warn(text: string): void;
  /** A bug of warplint: what was being done, and the error with its stack. */
  failed(what: string, error: unknown): void;
}

export function connectionLog(connection: Connection): Log {
  return {
    info: (text) => connection.console.info(text),
    warn: (text) => connection.console.warn(text),
    failed: (what, error) => connection.console.error(`${what} failed: ${describe(error)}`),
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
