// What the pages and the comments of the code name is there: a file that was moved takes along what is said of it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("**", { cwd: root, dot: true, ignore: ["**/{node_modules,dist,.git,.device}/**"] });
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Whether a file has this path, or one that ends with it; `*` stands for a part of a name. */
function isThere(path: string): boolean {
  if (!path.includes("*")) return files.some((file) => file === path || file.endsWith(`/${path}`));
  const pattern = path.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  return files.some((file) => new RegExp(`(^|/)${pattern}$`).test(file));
}

/** What users have, and what a build makes. */
const isElsewhere = (path: string) =>
  /^(?:warplint\.json|\.vscode\/c_cpp_properties\.json|\w\.cuh?|(?:(?:server|client)\/)?dist\/.*)$/.test(
    path,
  );
const endings = "(?:ts|mjs|cjs|md|json|jsonl|cuh?|py|wasm)";

/** A rule's page is written where the docs have it. */
const pages = files.filter((file) => file.endsWith(".md") && !file.startsWith("server/src/rules/"));

describe.each(pages)("%s", (page) => {
  const text = read(page);

  it("links to what is there", () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  });

  it("names files that are there", () => {
    const named = [...text.matchAll(new RegExp(`\`([\\w./*-]+\\.${endings})\``, "g"))].map(
      ([, path = ""]) => path,
    );
    expect(named.filter((path) => !isElsewhere(path) && !isThere(path))).toEqual([]);
  });
});

it("the comments of the code name pages that are there", () => {
  const page = /(?:\/\/|\*) .*?\b((?:docs|hardware|scripts|fixtures)\/[\w./-]+\.(?:md|py|mjs|jsonl?))\b/g;
  const named = files
    .filter((file) => /\.(?:ts|mjs)$/.test(file))
    .flatMap((file) => [...read(file).matchAll(page)].map(([, path = ""]) => `${file}: ${path}`));
  expect(named.filter((each) => !isThere(each.replace(/^.*: /, "")))).toEqual([]);
});
