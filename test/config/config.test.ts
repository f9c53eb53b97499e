// A configuration as text: every complaint and its place, the defaults, and the files that are made from the schema.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../server/src/config/json-schema.ts";
import { parseConfig } from "../../server/src/config/parse.ts";
import { defaultConfig } from "../../server/src/config/schema.ts";
import { contributedSettings } from "../../server/src/config/settings.ts";

const messages = (text: string) => {
  const result = parseConfig("warplint.json", text);
  if (result.kind === "config") return [];
  return result.errors.map(({ position, message }) => `${position.line}:${position.column}: ${message}`);
};

const keys =
  "$schema, extends, architecture, rules, thresholds, samples, overrides, launches, defines, includePaths, ignore";

describe("a wrong configuration", () => {
  const cases: readonly [string, string, string[]][] = [
    [
      "unknown key",
      '{\n  "archtecture": "sm_90"\n}',
      [`2:3: unknown key "archtecture"; allowed here: ${keys}`],
    ],
    [
      "unknown value",
      '{ "architecture": "sm_9" }',
      [
        '1:19: architecture is "sm_9"; allowed: sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_120',
      ],
    ],
    ["wrong type", '{\n  "includePaths": "inc"\n}', ['2:19: includePaths is "inc"; it must be an array']],
    ["wrong type within", '{ "ignore": ["a", 3] }', ["1:19: ignore.1 is 3; it must be a string"]],
    [
      "unknown rule",
      '{ "rules": { "bank-conflict": "off" } }',
      [
        '1:14: unknown key "bank-conflict"; allowed here: shared-bank-conflict, uncoalesced-access, misaligned-vector-access, ineffective-padding, vectorizable-access, unused-suppression',
      ],
    ],
    [
      "unknown severity",
      '{ "rules": { "uncoalesced-access": "hint" } }',
      ['1:36: rules.uncoalesced-access is "hint"; allowed: error, warning, information, off'],
    ],
    [
      "too small",
      '{ "thresholds": { "sharedWarning": 0.5 } }',
      ["1:36: thresholds.sharedWarning is 0.5; it must be at least 1"],
    ],
    [
      "a launch",
      '{ "launches": { "k": { "block": [32, 8], "gird": 4 } } }',
      ['1:42: unknown key "gird"; allowed here: block, grid, shared, arguments, templateArguments'],
    ],
    [
      "a launch's block",
      '{ "launches": { "k": { "block": "32,8" } } }',
      ['1:33: launches.k.block is "32,8"; it must be a number or an array'],
    ],
    [
      "a block of four extents",
      '{ "launches": { "k": { "block": [32, 8, 1, 1] } } }',
      ["1:33: launches.k.block is an array; it must have at most 3 entries"],
    ],
    [
      "a launch without a block",
      '{ "launches": { "k": { "blok": 32 } } }',
      [
        "1:22: launches.k.block is missing; it must be a number or an array",
        '1:24: unknown key "blok"; allowed here: block, grid, shared, arguments, templateArguments',
      ],
    ],
    [
      "a block that no GPU starts",
      '{ "launches": { "k": { "block": [32, 64] } } }',
      ["1:33: launches.k.block: a block has at most 1024 threads"],
    ],
    [
      "two faults",
      '{ "a": 1, "ignore": 2 }',
      ["1:21: ignore is 2; it must be an array", `1:3: unknown key "a"; allowed here: ${keys}`],
    ],
    ["no object", "[]", ["1:1: the configuration is an array; it must be an object"]],
    ["no JSON", '{ "ignore": [ }', ["1:15: this is not JSON: value expected"]],
    ["nothing", "", ["1:1: the file is empty; it must hold an object: {}"]],
  ];
  it.each(cases)("%s", (_name, text, expected) => {
    expect(messages(text)).toEqual(expected);
  });
});

describe("a right configuration", () => {
  it("may have comments and trailing commas", () => {
    const result = parseConfig("warplint.json", '{ // why\n "ignore": ["build/",], /* more */ }');
    expect(result).toMatchObject({ kind: "config", config: { ignore: ["build/"], architecture: "sm_90" } });
  });
  it("has defaults for everything", () => {
    expect(parseConfig("warplint.json", "{}")).toEqual({
      kind: "config",
      config: defaultConfig,
      written: {},
    });
    expect(defaultConfig.thresholds).toEqual({
      sharedWarning: 1.1,
      globalWarning: 2,
      globalInformation: 1.25,
      minorShare: 0.01,
    });
  });
});

it("the JSON schema in docs is that of the code (npm run docs)", () => {
  const shipped = JSON.parse(
    readFileSync(new URL("../../docs/warplint.schema.json", import.meta.url), "utf8"),
  );
  expect(shipped).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});

it("the settings of the extension's manifest are those of the code (npm run docs)", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const settings = manifest.contributes.configuration.properties;
  expect(settings).toEqual(JSON.parse(JSON.stringify(contributedSettings())));
  const ownSettings = new Set(["warplint.trace.server", "warplint.inlayHints", "warplint.heatBar"]);
  // Settings lie over warplint.json: one that is not set must say nothing.
  const defaults = Object.entries<{ default: unknown }>(settings).flatMap(([name, setting]) =>
    ownSettings.has(name) ? [] : [JSON.stringify(setting.default)],
  );
  expect(new Set(defaults)).toEqual(new Set(["null", '""', "{}", "[]"]));
});
