// Ten thousand edits of one file, as no person types: what memory the server takes on the way, and whether it ends in what a fresh start finds.

import { readFileSync } from "node:fs";
import type { Diagnostic } from "vscode-languageserver";
import { type Client, startClient, uriOf } from "../../../test/lsp/client.ts";
import { type Random, seededRandom } from "../../../test/random/random.ts";
import { longText } from "../typed-text.ts";

const path = "/tmp/warplint-hostile/long.cu";
const uri = uriOf(path);
const lineCount = 1000;
/** How often diagnostics are asked for, and answered, among the edits. */
const editsBetweenPulls = 10;
/** Until code that an edit broke is read as it is. */
const leftAloneMilliseconds = 7000;

const pieces = [
  "{",
  "}",
  "(",
  ")",
  "[",
  ";",
  " * 2",
  "\n",
  "x",
  "// ",
  "/* ",
  '"',
  "<<<",
  " + 1",
  "#if 0\n",
  "threadIdx.x",
  "32",
  ", ",
];

/** Makes the edits, half of which are taken back soon. Whether what the server finds in the end is what a fresh one finds. */
export async function editAtLength(cli: string, count: number): Promise<boolean> {
  const random = seededRandom(1);
  const client = await startClient({ cli });
  client.open(path, longText(lineCount));
  await client.diagnostics(uri);
  console.log(`open: ${megabytesOf(client)} MB`);
  const undo: Edit[] = [];
  for (let index = 1; index <= count; index++) {
    const last = undo.length > random.between(0, 8) ? undo.pop() : undefined;
    const edit = last ?? randomEdit(client, random);
    const opposite = apply(client, edit);
    if (last === undefined) undo.push(opposite);
    if (index % editsBetweenPulls === 0) await client.diagnostics(uri).catch(() => []);
    if (index % Math.ceil(count / 10) === 0) console.log(`${index} edits: ${megabytesOf(client)} MB`);
  }
  // A few stay, at most eight: whatever they broke.
  await client.diagnostics(uri);
  await new Promise((resolve) => setTimeout(resolve, leftAloneMilliseconds));
  const found = await client.diagnostics(uri);
  const text = client.document(uri).getText();
  const isBug = client.log.length > 0;
  for (const line of client.log) console.log(line.slice(0, 500));
  await client.stop();
  const fresh = await startClient({ cli });
  fresh.open(path, text);
  const expected = await fresh.diagnostics(uri);
  await fresh.stop();
  const isSame = plain(found) === plain(expected);
  console.log(
    `${count} edits, ${undo.length} left: ${found.length} diagnostics, a fresh start finds ${expected.length}: ${isSame ? "the same" : "others"}`,
  );
  if (!isSame) console.log(`${firstDifference(plain(found), plain(expected))}`);
  return isSame && !isBug;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function randomEdit(client: Client, random: Random): Edit {
  const { length } = client.document(uri).getText();
  const start = random.between(0, length);
  const end = Math.min(length, start + (random.oneIn(3) ? random.between(1, 6) : 0));
  return { start, end, text: random.oneIn(4) && end > start ? "" : random.pick(pieces) };
}

/** Makes the edit; gives its opposite. */
function apply(client: Client, { start, end, text }: Edit): Edit {
  const document = client.document(uri);
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const opposite = { start, end: start + text.length, text: document.getText(range) };
  client.edit(uri, range, text);
  return opposite;
}

function megabytesOf({ process: { pid } }: Client): number {
  return Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
  );
}

function plain(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ range, message, severity }) => JSON.stringify({ range, severity, message }))
    .sort()
    .join("\n");
}

function firstDifference(found: string, expected: string): string {
  let at = 0;
  while (at < expected.length && found[at] === expected[at]) at++;
  const near = (text: string) => text.slice(Math.max(0, at - 100), at + 200);
  return `…${near(found)}… for …${near(expected)}…`;
}
