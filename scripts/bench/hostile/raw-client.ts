// A client of the built server that may write whatever bytes it likes, and notes what comes back.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Random } from "../../../test/random/random.ts";

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What the server answers to us, by the id of the request. */
export type Answers = ReadonlyMap<number | string, readonly Message[]>;

export class RawClient {
  readonly process: ChildProcess;
  readonly answers = new Map<number | string, Message[]>();
  /** Lines of its log and its error stream. */
  readonly log: string[] = [];
  /** How the process ended; null while it runs. */
  ended: { readonly code: number | null; readonly signal: string | null } | null = null;
  /** Whether what the server asks is answered as it should be. */
  private manners: "good" | "bad" = "good";
  private readonly random: Random;
  private received = Buffer.alloc(0);
  private lastId = 0;

  constructor(cli: string, random: Random) {
    this.random = random;
    this.process = spawn(process.execPath, [cli, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
    this.process.stdout?.on("data", (data: Buffer) => this.receive(data));
    this.process.stderr?.on("data", (data: Buffer) => this.log.push(String(data)));
    // A server that is gone takes no more.
    this.process.stdin?.on("error", () => {});
    this.process.on("exit", (code, signal) => {
      this.ended = { code, signal };
    });
  }

  misbehave(): void {
    this.manners = "bad";
  }

  behave(): void {
    this.manners = "good";
  }

  bytes(data: string | Buffer): void {
    if (this.ended === null) this.process.stdin?.write(data);
  }

  body(json: string): void {
    this.bytes(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  }

  notify(method: string, params: unknown): void {
    this.body(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Asks; gives the id. */
  ask(method: string, params: unknown): number {
    const id = ++this.lastId;
    this.body(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return id;
  }

  /** The answer; null where there is none before the server has worked for so many seconds, or has waited for a minute. */
  async answer(id: number, mostCpuSeconds: number): Promise<Message | null> {
    const limit = this.workedSeconds() + mostCpuSeconds;
    const isThere = () => this.answers.has(id) || this.ended !== null || this.workedSeconds() > limit;
    await until(isThere, 60_000);
    return this.answers.get(id)?.[0] ?? null;
  }

  /** Processor time so far. */
  workedSeconds(): number {
    const stat = this.fromProc("stat");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
  }

  megabytes(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(this.fromProc("status"))?.[1] ?? 0) / 1024;
  }

  private fromProc(name: string): string {
    try {
      return readFileSync(`/proc/${this.process.pid}/${name}`, "utf8");
    } catch {
      return "";
    }
  }

  private receive(data: Buffer): void {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.received.subarray(0, end).toString())?.[1]);
      if (this.received.length < end + 4 + length) return;
      const message = JSON.parse(this.received.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.received = this.received.subarray(end + 4 + length);
      this.take(message);
    }
  }

  private take(message: Message): void {
    const { id, method, params } = message;
    if (method === "window/logMessage") this.log.push(String((params as { message?: unknown }).message));
    if (id === undefined || id === null) return;
    if (method === undefined) this.answers.set(id, [...(this.answers.get(id) ?? []), message]);
    else this.reply(id, method, params);
  }

  private reply(id: number | string, method: string, params: unknown): void {
    const items = (params as { items?: readonly unknown[] } | null)?.items ?? [];
    const result = method === "workspace/configuration" ? items.map(() => null) : null;
    const good = { jsonrpc: "2.0", id, result };
    if (this.manners === "good") {
      this.body(JSON.stringify(good));
      return;
    }
    const bad: readonly (object | null)[] = [
      good,
      { ...good, result: "no" },
      { ...good, result: [[], {}, 1] },
      { jsonrpc: "2.0", id, error: { code: -32603, message: "no" } },
      { ...good, id: 100_000 },
      null,
    ];
    const chosen = this.random.pick(bad);
    if (chosen !== null) this.body(JSON.stringify(chosen));
    if (this.random.oneIn(8)) this.body(JSON.stringify(good));
  }
}

/** Waits until it is so, at most so long. */
export async function until(isSo: () => boolean, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += 10) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return isSo();
}
