// The words that are ruled out (what an earlier text said, with what it says now) stand in no text for people: messages, settings, pages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Each with what to write instead. */
const ruledOut: readonly (readonly [RegExp, string])[] = [
  [/each another row/, "different rows of one bank"],
  [/lanes meet in a bank/, "lanes access different words of the same bank"],
  [/whose end nobody uses/, "Reduce the padding"],
  [/dearest request/, "most expensive request"],
  [/\b(?:get|gets|is|are) dearer\b/, "costs more"],
  [/\b(?:lie|lies|stand|stands) side by\s+side\b/, "contiguous, adjacent"],
  [/free behind every/, "Insert one padding element after every"],
  [/as before the syntax error/i, "Outdated: syntax error"],
  [/no fix is offered/i, "No fix"],
  [/is not known, nor whether/, "cannot tell whether"],
  [/whole warps in x assumed/, "assuming blockDim.x is a multiple of 32"],
  [/lanes which part/, "diverged lanes"],
  [/plays down/, "Low-impact findings stay information"],
  [/counts in place of what/, "Overrides the launches found in the source"],
  [/\bfor want of\b/, "without, because … is missing"],
  [/what a warp pays/, "memory cost per warp"],
  [/as in every other that is assumed/, "Every block size tried"],
  [/[Ww]hat is no configuration/, "Invalid settings are errors"],
];

const codeFolders = [
  ...["cli", "config", "fixes", "ide", "lint", "lsp", "project", "render"].map(
    (name) => `server/src/${name}`,
  ),
  "client/src",
];
/** How nvcc and hardware were measured is for who works on warplint. */
const pages = ["README.md", "client/README.md", "docs/configuration.md", "docs/editors.md", "docs/fixes.md"];
const pageFolders = ["docs/rules", "server/src/rules", "client/walkthrough"];

const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** Without comments, which are for who works on warplint. */
function withoutComments(code: string): string {
  return code
    .split("\n")
    .map((line) => (/^\s*(?:\/\/|\/\*|\*)/.test(line) ? "" : line))
    .join("\n");
}

it("no text for people has words that are ruled out", () => {
  const texts = [
    ...codeFolders.flatMap((folder) => filesBelow(folder, ".ts")).map((path) => [path, "code"] as const),
    ...pageFolders.flatMap((folder) => filesBelow(folder, ".md")).map((path) => [path, "page"] as const),
    ...[...pages, "package.json"].map((path) => [path, "page"] as const),
  ];
  expect(texts.length).toBeGreaterThan(150);
  const found = texts.flatMap(([path, kind]) => {
    const whole = readFileSync(join(root, path), "utf8");
    const text = kind === "code" ? withoutComments(whole) : whole;
    return ruledOut.flatMap(([word, better]) => {
      const match = word.exec(text);
      if (match === null) return [];
      const line = text.slice(0, match.index).split("\n").length;
      return [`${path}:${line}: "${match[0]}", better: ${better}`];
    });
  });
  expect(found).toEqual([]);
});
