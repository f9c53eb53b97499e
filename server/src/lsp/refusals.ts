// What the server asks its client for may be refused: that is no bug of either.
import { ResponseError } from "vscode-languageserver";
import type { Log } from "./log.ts";

/** What the client answers; null where it answers with an error, which is noted. */
export async function unlessRefused<T>(what: string, answer: Promise<T>, log: Log): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    log.warn(`The client refused ${what}: ${error.message}`);
    return null;
  }
}
