// Lints parts in threads beside this one. A part over which a thread ends (it ran out of memory) gets one with more, by itself; where that ends
// too, the part is lost.
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Kept } from "./cached.ts";
import type { CheckOptions } from "./commands.ts";
import type { Surroundings } from "./dependency-check.ts";
import type { Task } from "./lint-part.ts";
import { type LintedTask, PartLinter, type PartTerminal } from "./part-linter.ts";
import type { FilePiece } from "./piece.ts";

/** Of a thread's heap. V8 lets garbage lie as long as there is room, so that this is what several threads come to, whatever their parts need. */
const usualMegabytes = 1200;
/** Of the heap of a thread that gets a part which that did not do for. */
const mostMegabytes = 3000;

export interface WorkersOptions {
  readonly bundleDirectory: string;
  readonly jobs: number;
  readonly files: readonly string[];
  readonly options: CheckOptions;
}

/** What a worker is started with. */
interface Start extends Omit<WorkersOptions, "bundleDirectory"> {
  readonly kind: "lint parts";
}

/** Of `surroundings` the name alone where they are those of the task before. */
type Answer = Omit<LintedTask, "surroundings"> & { readonly surroundings: Surroundings | null };

type Message = { readonly early: FilePiece } | { readonly early: null; readonly answer: Answer };

export class Workers {
  private readonly options: WorkersOptions;
  private readonly idle: LintWorker[] = [];
  private readonly all = new Set<LintWorker>();
  /** The last that takes more memory: one after the other. */
  private large: Promise<unknown> = Promise.resolve();

  constructor(options: WorkersOptions) {
    this.options = options;
  }

  /** At most `jobs` at a time. Never fails: what a worker could not do is a failure of the files. */
  async lint(task: Task, onFile: (piece: FilePiece) => void): Promise<LintedTask | null> {
    const told = new Set<string>();
    const onNewFile = (piece: FilePiece) => {
      if (told.has(piece.path)) return;
      told.add(piece.path);
      onFile(piece);
    };
    const linted = await this.lintAsUsual(task, onNewFile);
    if (linted !== null) return linted;
    const again = this.large.then(() => this.lintInLarge(task, onNewFile));
    this.large = again;
    return again;
  }

  private async lintAsUsual(task: Task, onFile: (piece: FilePiece) => void): Promise<LintedTask | null> {
    const worker = this.idle.filter(({ hasEnded }) => !hasEnded).at(-1) ?? this.start(usualMegabytes);
    this.idle.splice(0, this.idle.length, ...this.idle.filter((each) => each !== worker && !each.hasEnded));
    const linted = await worker.lint(task, onFile);
    if (linted === null) this.all.delete(worker);
    else this.idle.push(worker);
    return linted;
  }

  private async lintInLarge(task: Task, onFile: (piece: FilePiece) => void): Promise<LintedTask | null> {
    const worker = this.start(mostMegabytes);
    const linted = await worker.lint(task, onFile);
    this.all.delete(worker);
    worker.end();
    return linted;
  }

  end(): void {
    for (const worker of this.all) worker.end();
    this.all.clear();
  }

  private start(megabytes: number): LintWorker {
    const worker = new LintWorker(this.options, megabytes);
    this.all.add(worker);
    return worker;
  }
}

class LintWorker {
  hasEnded = false;
  private readonly thread: Worker;
  private last: Kept["surroundings"] = { name: "", asked: [] };
  private onFile: (piece: FilePiece) => void = () => {};
  private answer: (linted: LintedTask | null) => void = () => {};

  constructor({ bundleDirectory, jobs, files, options }: WorkersOptions, megabytes: number) {
    const start: Start = { kind: "lint parts", jobs, files, options };
    this.thread = new Worker(join(bundleDirectory, "cli.cjs"), {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    this.thread.on("message", (message: Message) => {
      if (message.early !== null) {
        this.onFile(message.early);
        return;
      }
      const { surroundings, ...linted } = message.answer;
      this.last = surroundings ?? this.last;
      this.answer({ ...linted, surroundings: this.last });
    });
    // An end follows.
    this.thread.on("error", () => {});
    this.thread.on("exit", () => {
      this.hasEnded = true;
      this.answer(null);
    });
  }

  /** Null where the thread ended over it. */
  lint(task: Task, onFile: (piece: FilePiece) => void): Promise<LintedTask | null> {
    this.onFile = onFile;
    return new Promise((resolve) => {
      this.answer = resolve;
      this.thread.postMessage(task);
    });
  }

  end(): void {
    this.thread.removeAllListeners("exit");
    void this.thread.terminate();
  }
}

/** Whether this thread is such a worker; it serves then until it is ended. */
export function servesParts(terminal: PartTerminal): boolean {
  if (isMainThread || parentPort === null || !isStart(workerData)) return false;
  const { options, files, jobs } = workerData;
  const port = parentPort;
  // The processor's time is that of all threads.
  const worked = () => terminal.worked() / jobs;
  const linter = new PartLinter(options, { ...terminal, worked }, new AbortController().signal);
  let last = "";
  port.on("message", async (task: Task) => {
    const post = (message: Message) => port.postMessage(message);
    const onFile = (early: FilePiece) => post({ early });
    const { surroundings, ...linted } = await linter.lint(task, files, onFile);
    const answer: Answer = { ...linted, surroundings: surroundings.name === last ? null : surroundings };
    last = surroundings.name;
    post({ early: null, answer });
  });
  return true;
}

function isStart(data: unknown): data is Start {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === "lint parts";
}
