// What a hostile client does, one act at a time: messages that are malformed, come too early, too late or in floods, name what is not there.
import { requestNames, serverCommands } from "../../../server/src/lsp/protocol.ts";
import type { Random } from "../../../test/random/random.ts";
import type { RawClient } from "./raw-client.ts";

export interface Stage {
  readonly client: RawClient;
  readonly random: Random;
  /** Addresses of documents that were opened at some time, and of some that never were. */
  readonly uris: readonly string[];
  readonly texts: readonly string[];
  /** Ids of all well-formed requests: each must be answered once. */
  readonly asked: number[];
}

export interface Act {
  readonly name: string;
  /** Whether the stream cannot be read any further behind it: a server may end then. */
  readonly breaksStream?: true;
  run(stage: Stage): void;
}

const numbers = [
  0,
  1,
  5,
  1000,
  -1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 31),
  1e300,
  0.5,
  Number.NaN,
];
const values: readonly unknown[] = [
  null,
  0,
  -1,
  "",
  "x",
  [],
  {},
  [null],
  true,
  { uri: null },
  { uri: 1 },
  { textDocument: null },
  { textDocument: { uri: {} } },
];

function position({ random }: Stage): object {
  return { line: random.pick(numbers), character: random.pick(numbers) };
}

function range(stage: Stage): object {
  return { start: position(stage), end: position(stage) };
}

function textDocument({ random, uris }: Stage): { readonly uri: string } {
  return { uri: random.pick(uris) };
}

const requests: readonly (readonly [method: string, params: (stage: Stage) => object])[] = [
  [
    "textDocument/hover",
    (stage) => ({ textDocument: textDocument(stage), position: position(stage), bankMap: true }),
  ],
  [
    "textDocument/codeAction",
    (stage) => ({
      textDocument: textDocument(stage),
      range: range(stage),
      context: {
        diagnostics: [],
        only: stage.random.pick([[], ["source.fixAll.warplint"], ["quickfix"]]),
      },
    }),
  ],
  ["textDocument/codeLens", (stage) => ({ textDocument: textDocument(stage) })],
  [
    "textDocument/diagnostic",
    (stage) => ({ textDocument: textDocument(stage), previousResultId: stage.random.pick(["", "x"]) }),
  ],
  ["workspace/diagnostic", () => ({ previousResultIds: [{ uri: "x", value: "y" }] })],
  ["workspace/symbol", () => ({ query: "" })],
  ...Object.values(requestNames).map((method): readonly [string, (stage: Stage) => object] => [
    method,
    (stage) => ({
      textDocument: textDocument(stage),
      ...textDocument(stage),
      position: position(stage),
      range: range(stage),
      launch: "x",
      choice: { kind: "none" },
    }),
  ]),
  [
    "workspace/executeCommand",
    (stage) => ({
      command: stage.random.pick([...Object.values(serverCommands), "no.such", "constructor"]),
      arguments: [stage.random.pick([{ ...textDocument(stage), position: position(stage) }, ...values])],
    }),
  ],
];

const notifications = [
  "textDocument/didOpen",
  "textDocument/didChange",
  "textDocument/didClose",
  "textDocument/didSave",
  "workspace/didChangeWatchedFiles",
  "workspace/didChangeConfiguration",
  "workspace/didChangeWorkspaceFolders",
  "$/cancelRequest",
  "$/setTrace",
  "$/progress",
  "window/workDoneProgress/cancel",
  "initialized",
  "no/such",
  "constructor",
];

function ask(stage: Stage, method: string, params: unknown): number {
  const id = stage.client.ask(method, params);
  stage.asked.push(id);
  return id;
}

function askSomething(stage: Stage): number {
  const [method, params] = stage.random.pick(requests);
  return ask(stage, method, params(stage));
}

function open(stage: Stage, version: number): void {
  const { client, random, texts } = stage;
  const { uri } = textDocument(stage);
  client.notify("textDocument/didOpen", {
    textDocument: {
      uri,
      languageId: random.pick(["cuda-cpp", "cpp", "", "x"]),
      version,
      text: random.pick(texts),
    },
  });
}

function change(stage: Stage): void {
  const { client, random, texts } = stage;
  const contentChanges = Array.from({ length: random.between(0, 4) }, () => ({
    ...(random.oneIn(3) ? {} : { range: range(stage) }),
    text: random.oneIn(3)
      ? random.pick(texts)
      : random.pick(["", "\n", "{", "}", "\u0000", "\ud800", "/*", "x\r\ny\r"]),
  }));
  client.notify("textDocument/didChange", {
    textDocument: { ...textDocument(stage), version: random.pick(numbers) },
    contentChanges,
  });
}

/** Of acts that stand twice there are twice as many. */
export const acts: readonly Act[] = [
  { name: "open", run: (stage) => open(stage, 1) },
  { name: "open", run: (stage) => open(stage, 1) },
  {
    name: "open again",
    run: (stage) => {
      for (const version of [1, 7, -1]) open(stage, version);
    },
  },
  { name: "change", run: change },
  { name: "change", run: change },
  {
    name: "close",
    run: (stage) => stage.client.notify("textDocument/didClose", { textDocument: textDocument(stage) }),
  },
  { name: "ask", run: askSomething },
  { name: "ask", run: askSomething },
  {
    name: "ask and cancel",
    run: (stage) => stage.client.notify("$/cancelRequest", { id: askSomething(stage) }),
  },
  {
    name: "ask and close",
    run: (stage) => {
      const document = textDocument(stage);
      ask(stage, "textDocument/diagnostic", { textDocument: document });
      stage.client.notify("textDocument/didClose", { textDocument: document });
      ask(stage, "textDocument/hover", { textDocument: document, position: position(stage) });
    },
  },
  {
    name: "flood of questions",
    run: (stage) => {
      for (let left = 200; left > 0; left--) {
        const id = askSomething(stage);
        if (stage.random.oneIn(2)) stage.client.notify("$/cancelRequest", { id });
      }
    },
  },
  {
    name: "flood of edits",
    run: (stage) => {
      for (let left = 200; left > 0; left--) change(stage);
    },
  },
  {
    name: "cancel what nobody asked",
    run: ({ client, random }) =>
      client.notify("$/cancelRequest", { id: random.pick([0, -1, 99_999, "x", null, {}]) }),
  },
  {
    name: "parameters of no kind",
    run: (stage) => {
      const [method] = stage.random.pick(requests);
      ask(stage, method, stage.random.pick(values));
    },
  },
  {
    name: "notification of no kind",
    run: ({ client, random }) => client.notify(random.pick(notifications), random.pick(values)),
  },
  {
    name: "unknown question",
    run: (stage) => {
      ask(stage, stage.random.pick(["no/such", "constructor", "__proto__", "", "$/x"]), {});
    },
  },
  {
    name: "answer nobody asked for",
    run: ({ client, random }) =>
      client.body(
        JSON.stringify({
          jsonrpc: "2.0",
          id: random.pick([1, 2, 77, "x", null]),
          result: random.pick(values),
        }),
      ),
  },
  {
    name: "initialize again",
    run: (stage) => {
      ask(stage, "initialize", { processId: null, rootUri: null, capabilities: {} });
    },
  },
  {
    name: "no message",
    run: ({ client, random }) =>
      client.body(
        random.pick([
          "{}",
          "[]",
          "1",
          "null",
          '"x"',
          '{"jsonrpc":"1.0","method":1}',
          '{"id":{},"method":"x"}',
          "[1,2]",
        ]),
      ),
  },
  { name: "bad manners", run: ({ client }) => client.misbehave() },
  {
    name: "pieces of a message",
    run: (stage) => {
      const json = JSON.stringify({ jsonrpc: "2.0", method: "$/setTrace", params: { value: "off" } });
      const whole = `Content-Length: ${json.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n${json}`;
      for (const unit of whole) stage.client.bytes(unit);
    },
  },
  {
    name: "broken JSON",
    breaksStream: true,
    run: ({ client, random }) =>
      client.body(
        random.pick(['{"jsonrpc":', "", "\u0000", "{'a':1}", "[".repeat(20_000), "\ufeff{}", '{"a":1}}']),
      ),
  },
  {
    name: "broken frame",
    breaksStream: true,
    run: ({ client, random }) =>
      client.bytes(
        random.pick([
          "Content-Length: -1\r\n\r\n{}",
          "Content-Length: x\r\n\r\n{}",
          "Content-Length: 99999999999999\r\n\r\n{}",
          "Content-Length: 2\n\n{}",
          "no header at all\r\n\r\n{}",
          "\r\n\r\n",
          "Content-Length: 1\r\n\r\n{}",
          Buffer.from([0xff, 0xfe, 0, 0, 13, 10, 13, 10]),
          `X: ${"y".repeat(100_000)}\r\n\r\n`,
        ]),
      ),
  },
];
