// The manual page, made of what the command line says of itself.
import { expect, it } from "vitest";
import { runIn } from "../support/terminal.ts";

it("warplint man has every command with its options, and no line that man would take for its own", async () => {
  const [{ out: help }, { out: page, code }] = await Promise.all([
    runIn("/", ["--help"]),
    runIn("/", ["man"]),
  ]);
  expect(code).toBe(0);
  const commands = [...help.matchAll(/^ {2}(\w+) [[<]/gm)].map(([, name = ""]) => name);
  expect(commands).toContain("check");
  for (const name of commands) if (name !== "help") expect(page).toContain(`.SS warplint ${name}`);
  expect(page).toContain(".B \\-\\-unsafe\\-fixes\n");
  const known = /^\.(TH|SH|SS|TP|B|I)\b/;
  expect(page.split("\n").filter((line) => line.startsWith(".") && !known.test(line))).toEqual([]);
  expect(page.split("\n").filter((line) => line.startsWith("'"))).toEqual([]);
});
