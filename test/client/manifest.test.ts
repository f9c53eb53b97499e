// What the extension's manifest promises to VS Code, and what is packed.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { clientCommands } from "../../server/src/lsp/protocol.ts";

const root = new URL("../../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const commands: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);

it("contributes nothing that other extensions for CUDA or C++ have", () => {
  expect(Object.keys(manifest.contributes).sort()).toEqual([
    "commands",
    "configuration",
    "configurationDefaults",
    "jsonValidation",
    "mcpServerDefinitionProviders",
    "menus",
    "views",
    "viewsContainers",
    "viewsWelcome",
    "walkthroughs",
  ]);
});

it("starts with the languages and the names that CUDA goes by, whether a workspace is trusted or not, and in virtual ones", () => {
  // Users may have .cu files taken for C++, or for anything; before one is open the server is not started.
  expect(manifest.activationEvents.filter((event: string) => !event.startsWith("onWebviewPanel:"))).toEqual([
    "onLanguage:cuda-cpp",
    "onLanguage:cuda",
    "onLanguage:cpp",
    "workspaceContains:**/*.{cu,cuh}",
  ]);
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(true);
  expect(manifest.capabilities.virtualWorkspaces.supported).toBe("limited");
});

it("colours the panel by the theme alone", () => {
  const style = readFileSync(new URL("client/src/webview/panel.css", root), "utf8");
  const colours = [...style.matchAll(/(?:color|background|fill|stroke|border[\w-]*|outline): ([^;]+);/g)];
  expect(colours.length).toBeGreaterThan(10);
  for (const [, value] of colours) {
    const rest = value?.replace(/var\((?:[^()]|\([^()]*\)|var\([^)]*\))*\)/g, "") ?? "";
    expect(rest.replace(/\b(?:\d+px|solid|transparent)\b/g, "").trim()).toBe("");
  }
});

it("opens the example that the walkthrough shows", () => {
  const [page, source] = ["client/walkthrough/open.md", "client/src/example.ts"].map((path) =>
    readFileSync(new URL(path, root), "utf8"),
  );
  const shown = /```cuda\n(.*?)```/s.exec(page ?? "")?.[1] ?? "";
  expect(shown).toContain("transpose<<<");
  expect(source).toContain(`\`${shown}\``);
});

it("has no markup in the walkthrough's steps that VS Code shows as it is", () => {
  const steps = manifest.contributes.walkthroughs.flatMap(({ steps }: { steps: object[] }) => steps);
  for (const { description } of steps as { description: string }[])
    expect(description.replaceAll("**", "")).not.toMatch(/[`*]/);
});

it("registers every command that it contributes", () => {
  const source = readFileSync(new URL("client/src/commands.ts", root), "utf8");
  const registered = [
    ...Object.entries(clientCommands).flatMap(([key, id]) =>
      source.includes(`[clientCommands.${key}]:`) ? [id as string] : [],
    ),
    ...Array.from(source.matchAll(/"(warplint\.\w+)":/g), ([, id]) => id ?? ""),
  ];
  expect(commands.filter((command) => !registered.includes(command))).toEqual([]);
  // Those that only links call need no title, but there must be no other.
  expect(registered.filter((command) => !commands.includes(command)).sort()).toEqual([
    clientCommands.openPlace,
    clientCommands.pickFix,
    clientCommands.showRule,
  ]);
});

it("packs what is named, and nothing else", () => {
  const lines = readFileSync(new URL(".vscodeignore", root), "utf8").split("\n");
  const rules = lines.filter((line) => line !== "" && !line.startsWith("#"));
  expect(rules[0]).toBe("**");
  expect(rules.slice(1).every((rule) => rule.startsWith("!"))).toBe(true);
});
