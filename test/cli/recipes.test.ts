// What other tools read of this repository: the GitHub action, the pre-commit hook, the help of each command.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { runIn } from "../support/terminal.ts";

const root = new URL("../../", import.meta.url);
const read = (name: string): unknown => parse(readFileSync(new URL(name, root), "utf8"));

/** The part of https://json.schemastore.org/github-action.json that a composite action must keep. */
const action = z.strictObject({
  name: z.string(),
  description: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.enum(["green", "blue", "gray-dark", "yellow"]) }),
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string() })),
  runs: z.strictObject({
    using: z.literal("composite"),
    steps: z.array(
      z.strictObject({
        shell: z.literal("bash"),
        "working-directory": z.string(),
        env: z.record(z.string(), z.string()),
        run: z.string(),
      }),
    ),
  }),
});

/** Of https://pre-commit.com/#creating-new-hooks. */
const hooks = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    entry: z.string(),
    language: z.enum(["system", "node"]),
    files: z.string(),
    require_serial: z.boolean(),
  }),
);

describe("GitHub action", () => {
  const { inputs, runs } = action.parse(read("action.yml"));

  it("names no input that it does not have", () => {
    const used = [...JSON.stringify(runs).matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
    // What a user gives comes through the environment alone: the script is the same whatever it says.
    expect(runs.steps[0]?.run).not.toContain("${{");
  });

  it("runs a command that exists by default", async () => {
    const [command = "", ...options] = (inputs.arguments?.default ?? "").split(" ");
    expect((await runIn("/", [command, ...options.slice(0, -1), "--help"])).code).toBe(0);
  });
});

it("the pre-commit hook takes CUDA files, and runs a command that exists", async () => {
  const [hook] = hooks.parse(read(".pre-commit-hooks.yaml"));
  const pattern = new RegExp(hook?.files ?? "");
  expect(["a.cu", "b/c.cuh", "d.cpp", "e.cu.txt"].map((name) => pattern.test(name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const [npx, yes, name, ...args] = (hook?.entry ?? "").split(" ");
  expect([npx, yes, name]).toEqual(["npx", "--yes", "warplint"]);
  expect((await runIn("/", [...args, "--help"])).code).toBe(0);
});

it("the help of each command has examples, whose options it knows", async () => {
  const { out } = await runIn("/", ["--help"]);
  const names = [...out.matchAll(/^ {2}([a-z]+) .*$/gm)]
    .map(([, name]) => name ?? "")
    .filter((name) => name !== "help");
  expect(names).toEqual([
    "check",
    "analyze",
    "compare",
    "measured",
    "config",
    "clean",
    "lsp",
    "completion",
    "man",
    "mcp",
  ]);
  for (const name of names) {
    const help = (await runIn("/", [name, "--help"])).out;
    const examples = [...help.matchAll(/^ {2}warplint (\w+)(.*)$/gm)];
    expect(examples.length, name).toBeGreaterThan(0);
    for (const [, command, rest = ""] of examples) {
      expect(command).toBe(name);
      for (const [option] of rest.matchAll(/--[\w-]+/g)) expect(help, option).toContain(option);
    }
  }
});

describe("completion", () => {
  /** What bash offers for the last of `words`. */
  const offered = (script: string, words: readonly string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const ask = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _warplint; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync("bash", ["-c", ask], { encoding: "utf8" });
    return out.split("\n").filter((line) => line !== "");
  };

  it("bash: commands, options of the command, choices of an option, and files", async () => {
    const script = (await runIn("/", ["completion", "bash"])).out;
    expect(offered(script, ["warplint", "c"])).toEqual(["check", "compare", "config", "clean", "completion"]);
    expect(offered(script, ["warplint", "check", "--st"])).toEqual([
      "--statistics",
      "--stdin",
      "--stdin-filename",
    ]);
    expect(offered(script, ["warplint", "measured", "a.csv", "--format", ""])).toEqual(["text", "json"]);
    expect(offered(script, ["warplint", "check", "src/"])).toEqual([]);
  });

  it("fish: the same as data of its own", async () => {
    const { out } = await runIn("/", ["completion", "fish"]);
    expect(out).toContain(
      "complete -c warplint -n '__fish_seen_subcommand_from measured' -l format -x -a 'text json' -d 'how to print'\n",
    );
    expect(out).toMatch(/^complete -c warplint -n __fish_use_subcommand -f -a check -d 'Print findings/m);
  });

  it("another shell is refused", async () => {
    expect((await runIn("/", ["completion", "cmd"])).code).toBe(2);
  });
});
