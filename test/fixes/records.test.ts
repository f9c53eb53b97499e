// Fixes of records: what they write into a declaration.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { searchedFixes } from "../support/fix-search.ts";

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/fixes/${name}`, import.meta.url), "utf8");

it("the word that pads a record has a name that no member has", async () => {
  const text = fixture("pad_record.cu")
    .replace("float weight;", "float unused;")
    .replaceAll(".weight", ".unused");
  const { fixes } = await searchedFixes({ "harness.cuh": fixture("harness.cuh"), "a.cu": text }, "a.cu");
  const padded = fixes.find(({ kind }) => kind === "pad");
  expect(padded?.edits.map(({ newText }) => newText.trim())).toEqual(["int unused2;"]);
});
