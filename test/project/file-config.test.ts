// What holds for one file: overrides, samples, and configurations that extend others.
import { describe, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import { configOfFile, isSample } from "../../server/src/project/file-config.ts";
import { createProject } from "../../server/src/project/project.ts";

function settingsIn(files: Readonly<Record<string, string>>, directory = "/w/src") {
  const host = memoryHost({ "/w/src/a.cu": "", ...files }, "/w");
  return createProject(host, { configPath: null, overrides: {}, includePaths: [] }).settingsIn(directory);
}

function configOf(files: Readonly<Record<string, string>>, file: string) {
  const result = settingsIn(files);
  if (result.kind === "errors") throw new Error(result.errors.map(({ message }) => message).join());
  return configOfFile(result.settings, file);
}

function errorsOf(files: Readonly<Record<string, string>>) {
  const result = settingsIn(files);
  return result.kind === "errors"
    ? result.errors.map(
        ({ file, position, message }) => `${file}:${position.line}:${position.column}: ${message}`,
      )
    : [];
}

describe("overrides", () => {
  const files = {
    "/w/warplint.json": JSON.stringify({
      rules: { "uncoalesced-access": "error", "vectorizable-access": "warning" },
      overrides: [
        {
          files: ["tools/", "*.cuh"],
          rules: { "uncoalesced-access": "off" },
          thresholds: { sharedWarning: 4 },
        },
        { files: ["tools/one.cu"], rules: { "uncoalesced-access": "information" }, samples: "unchanged" },
      ],
    }),
  };

  it.each([
    ["/w/src/a.cu", "error", 1.1, "information"],
    ["/w/src/a.cuh", "off", 4, "information"],
    ["/w/tools/deep/b.cu", "off", 4, "information"],
    ["/w/tools/one.cu", "information", 4, "unchanged"],
    ["/elsewhere/tools/one.cu", "error", 1.1, "information"],
  ])("%s: %s", (file, severity, sharedWarning, samples) => {
    const config = configOf(files, file);
    expect(config.rules["uncoalesced-access"]).toBe(severity);
    expect(config.rules["vectorizable-access"]).toBe("warning");
    expect(config.thresholds).toMatchObject({ sharedWarning, globalWarning: 2 });
    expect(config.samples).toBe(samples);
  });
});

describe("samples, benchmarks and tests", () => {
  it.each([
    ["/w/samples/a.cu", [], true],
    ["/w/lib/unit_tests/a.cu", [], true],
    ["/w/cuda-examples/one/a.cu", [], true],
    ["/w/bench/a.cu", [], true],
    ["/w/src/test.cu", [], false],
    ["/w/contest/latest/a.cu", [], false],
    ["/w/src/a.cu", ["sort_test", "bench-sort"], true],
    ["/w/src/a.cu", ["sort_test", "sort"], false],
    ["/elsewhere/tests/a.cu", [], false],
  ])("%s of %j: %s", (file, targets, expected) => {
    expect(isSample(file, "/w", targets)).toBe(expected);
  });

  it("the workspace's own name does not count", () => {
    expect(isSample("/tests/a.cu", "/tests", [])).toBe(false);
  });
});

describe("extends", () => {
  it("is laid over what it extends, key by key, lists behind each other", () => {
    const config = configOf(
      {
        "/w/warplint.json": `{ "extends": ["shared/base.json"], "rules": { "uncoalesced-access": "off" }, "ignore": ["b/"] }`,
        "/w/shared/base.json": `{ "architecture": "sm_80", "rules": { "uncoalesced-access": "error", "ineffective-padding": "off" }, "ignore": ["a/"], "includePaths": ["include"] }`,
      },
      "/w/src/a.cu",
    );
    expect(config).toMatchObject({
      architecture: "sm_80",
      rules: { "uncoalesced-access": "off", "ineffective-padding": "off" },
      ignore: ["a/", "b/"],
      includePaths: ["/w/shared/include"],
    });
  });

  it.each([
    [
      "itself",
      { "/w/warplint.json": `{ "extends": "warplint.json" }` },
      "/w/warplint.json:1:3: extends itself: warplint.json",
    ],
    [
      "what is not there",
      { "/w/warplint.json": `{\n "extends": "no.json" }` },
      "/w/warplint.json:2:2: no such file: no.json",
    ],
    [
      "what is wrong",
      { "/w/warplint.json": `{ "extends": "base.json" }`, "/w/base.json": `{ "ignore": 3 }` },
      "/w/base.json:1:13: ignore is 3; it must be an array",
    ],
  ])("%s is an error", (_, files, error) => {
    expect(errorsOf(files)).toEqual([error]);
  });
});
