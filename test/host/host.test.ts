// What the hosts of files answer, the machine's and the one in memory: the same questions to both.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Host, maximumFileBytes, readText } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { nodeHost } from "../../server/src/host/node.ts";

const files: Record<string, string | Uint8Array> = {
  "a.cu": "int x;",
  "sub/b.cu": "é",
  "binary.cu": new Uint8Array([65, 0, 66]),
  "utf16.cu": new Uint8Array([0xff, 0xfe, 65, 0]),
  "utf16be.cu": new Uint8Array([0xfe, 0xff, 0, 65]),
  "mark.cu": "\ufefftext",
  "latin.cu": new Uint8Array([0x2f, 0x2f, 0xe9]),
};

const folder = mkdtempSync(join(tmpdir(), "warplint-host-"));
for (const [path, content] of Object.entries(files)) {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hosts: readonly [string, Host][] = [
  ["node", nodeHost(folder)],
  [
    "memory",
    memoryHost(
      Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content])),
      folder,
    ),
  ],
];

describe.each(hosts)("%s", (_name, host) => {
  it("reads texts, without the byte order mark, whatever the bytes", () => {
    expect(readText(host, `${folder}/a.cu`)).toEqual({ kind: "text", text: "int x;" });
    expect(readText(host, `${folder}/sub/b.cu`)).toEqual({ kind: "text", text: "é" });
    expect(readText(host, `${folder}/mark.cu`)).toEqual({ kind: "text", text: "text" });
    expect(readText(host, `${folder}/latin.cu`)).toEqual({ kind: "text", text: "//\ufffd" });
  });
  it("says why there is no text", () => {
    expect(readText(host, `${folder}/binary.cu`)).toEqual({ kind: "binary" });
    expect(readText(host, `${folder}/utf16.cu`)).toEqual({ kind: "utf-16" });
    expect(readText(host, `${folder}/utf16be.cu`)).toEqual({ kind: "utf-16" });
    expect(readText(host, `${folder}/none.cu`)).toEqual({ kind: "missing" });
    expect(readText(host, `${folder}/sub`)).toEqual({ kind: "directory" });
    expect(readText({ ...host, sizeOf: () => maximumFileBytes + 1 }, `${folder}/a.cu`)).toEqual({
      kind: "too-large",
    });
    expect(readText({ ...host, readBytes: () => null }, `${folder}/a.cu`)).toEqual({ kind: "unreadable" });
  });
  it("lists directories by name", () => {
    expect(host.list(folder)?.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "a.cu file",
      "binary.cu file",
      "latin.cu file",
      "mark.cu file",
      "sub directory",
      "utf16.cu file",
      "utf16be.cu file",
    ]);
    expect(host.list(`${folder}/none`)).toBeNull();
  });
});

it("node follows links to tell what they are, and says that they are links", () => {
  symlinkSync(join(folder, "sub"), join(folder, "sub/loop"));
  const host = nodeHost(folder);
  expect(host.list(`${folder}/sub`)).toContainEqual({ name: "loop", kind: "directory", isLink: true });
  expect(host.realPath(`${folder}/sub/loop/b.cu`)).toBe(host.realPath(`${folder}/sub/b.cu`));
  expect(host.realPath(`${folder}/none`)).toBeNull();
});
