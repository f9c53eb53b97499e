// What the tests of one file need of a server: a build of it, a folder, and clients that are stopped after each test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, expect } from "vitest";
import { builtCli } from "../support/built.ts";
import { type Client, type ClientOptions, startClient } from "./client.ts";

export interface Serving {
  /** Empty at first, and the folder of every client that names no other. */
  readonly folder: string;
  start(options?: Omit<ClientOptions, "cli">): Promise<Client>;
  /** Writes a file below the folder; gives its path. */
  write(path: string, content: string): string;
  /** Takes away all that was written. */
  empty(): void;
}

/** To be called once, outside of all tests. `isComplaint`: which lines of a server's log no test may leave there; all, unless said. */
export function serving(isComplaint: (line: string) => boolean = () => true): Serving {
  const folder = mkdtempSync(join(tmpdir(), "warplint-lsp-test-"));
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) {
      expect(client.log.filter(isComplaint)).toEqual([]);
      await client.stop();
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    start: async (options = {}) => {
      const client = await startClient({ cli: builtCli(), folders: [folder], ...options });
      clients.push(client);
      return client;
    },
    write: (path, content) => {
      const absolute = join(folder, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, content);
      return absolute;
    },
    empty: () => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
    },
  };
}
