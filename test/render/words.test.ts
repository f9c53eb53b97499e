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
  [/\bwhere (?:\S+ )?would do\b/, "32 wavefronts, 1 ideal"],
  [/which the source does not fix/, "whose value is unknown here"],
  [/meet in other trips/, "reconverge in a different iteration"],
  [/\bno longer row\b/, "no padding"],
  [/\bbehind one another\b/, "consecutive"],
  [/\bmeet in the same banks\b/, "conflict in the banks"],
  [/\bstand(?:s)? in place of what\b/, "override"],
  [/\b(?:is|are) not known any more\b/, "became unknown"],
];

/** Sentences are made wherever something is found: reasons for what is unknown, notes, help, what tools for agents say. */
const codeFolders = ["server/src", "client/src"];
const pages = ["README.md", "CHANGELOG.md", "client/README.md", "package.json", "action.yml"];
const pageFolders = ["docs", "server/src/rules", "client/walkthrough"];

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
    ...pages.map((path) => [path, "page"] as const),
  ];
  expect(texts.length).toBeGreaterThan(1000);
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
