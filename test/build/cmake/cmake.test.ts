// What the static reader says of projects, against what the real cmake gave to the compiler: `npm run bench -- record-cmake` records it.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCMake } from "../../../server/src/build/cmake/cmake.ts";
import type { BuildDescription } from "../../../server/src/build/flags.ts";
import { memoryHost } from "../../../server/src/host/memory.ts";
import { buildHost } from "../../../server/src/project/build-host.ts";
import { type BuildRecord, recordOf, treeOf } from "./record.ts";

const folder = import.meta.dirname;
const root = "/project";

function read(files: Readonly<Record<string, string>>): BuildDescription {
  const absolute = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]));
  const description = readCMake(buildHost(memoryHost(absolute), [root]), `${root}/CMakeLists.txt`, root);
  if (description === null) throw new Error("the project is not read");
  return description;
}

describe("as cmake gives it to the compiler", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
    test(name.replace(/\.json$/, ""), () => {
      const expected = JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as BuildRecord;
      const description = read(treeOf(readFileSync(`${folder}/${name.replace(/json$/, "txt")}`, "utf8")));
      const headers = description.generatedFiles.filter(
        ({ path }) => path.endsWith(".h") && !path.includes("/CMakeFiles/"),
      );
      const record = recordOf(description.sources, headers, root);
      expect(record.sources).toEqual(expected.sources);
      expect(record.headers).toEqual(expected.headers);
    });
  }
});
