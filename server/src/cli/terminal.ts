// What a command needs of the process around it.
import type { Host } from "../host/host.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import type { Paint } from "../render/report.ts";
import type { ProgressBar } from "./progress.ts";
import type { Watcher } from "./watch.ts";

export interface Terminal {
  readonly host: Host;
  readonly version: string;
  readonly paint: Paint;
  /** Where the bundles lie, of which workers are started. */
  readonly bundleDirectory: string;
  /** Processors that this process may use. */
  readonly cores: number;
  /** Started when the first file is linted: it loads the parser. */
  createPipeline(): Promise<Pipeline>;
  /** Starts the language server on the streams of the process; it ends the process itself. */
  serve(): Promise<void>;
  /** Serves the tools of the Model Context Protocol on the streams of the process, until the client closes them. */
  serveTools(): Promise<void>;
  /** Puts `bytes` in place of what a file holds; gives why it could not, in words. */
  writeFile(path: string, bytes: Uint8Array): string | null;
  /** Milliseconds that the process has worked: what else runs on the machine does not count. */
  worked(): number;
  /** Shows how far a run has come, where somebody watches. */
  progress(): ProgressBar;
  /** Aborted when the user interrupts the run, from here on; without anybody who asks, an interrupt ends the process. */
  interrupts(): AbortSignal;
  /** The name under which what this run says may be kept; null where nothing is. */
  readonly runName: string | null;
  /** What was written so far as a whole; null where something went to standard error, or there is too much. */
  said(): string | null;
  /** What comes over standard input, to its end. */
  readInput(): Promise<string>;
  /** Watches directories and what lies below them. */
  watch(directories: readonly string[]): Watcher;
  write(text: string): void;
  writeError(text: string): void;
}

/** 0: clean; 1: findings; 2: usage, configuration or internal error; 130: interrupted, as shells have it. */
export type ExitCode = 0 | 1 | 2 | 130;
