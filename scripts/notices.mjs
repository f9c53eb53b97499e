// The licences of the packages whose code a bundle holds, as they ask for: each copyright line, and each text once.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The text of THIRD-PARTY-NOTICES for bundles of which esbuild gave these metafiles, their paths relative to `root`. */
export async function noticesFor(metafiles, root) {
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder));
  const groups = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    const { copyrights, terms } = await licenceIn(join(root, folder), name);
    const group = groups.get(terms.replace(/\W+/g, " ")) ?? { terms, lines: [] };
    group.lines.push(...[`${name} ${version}`, ...copyrights.map((line) => `  ${line}`)]);
    groups.set(terms.replace(/\W+/g, " "), group);
  }
  return [...groups.values()]
    .map(({ lines, terms }) => `${lines.join("\n")}\n\n${terms}\n`)
    .join(`\n${"-".repeat(70)}\n\n`);
}

/** The folder of the package that an input is of; a plugin's namespace stands before the path. */
function packageFolder(path) {
  const [folder] = /[^:]*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
  return folder === undefined ? [] : [folder];
}

async function licenceIn(folder, name) {
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  // Of a package that ships no licence file, the text stands in scripts/licences.
  const path =
    file === undefined
      ? join(import.meta.dirname, "licences", `${name.replace("/", "+")}.txt`)
      : join(folder, file);
  if (!existsSync(path)) throw new Error(`${name} is bundled and has no licence file`);
  const text = (await readFile(path, "utf8")).replaceAll("\r", "");
  const isCopyright = (line) => /^\W*copyright\b.*\d|^\W*copyright \(c\)/i.test(line);
  const lines = text.split("\n");
  return {
    copyrights: lines.filter(isCopyright).map((line) => line.trim()),
    terms: lines
      .filter((line) => !isCopyright(line))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
  };
}
