import { readFileSync, readdirSync } from "node:fs";
import { test } from "vitest";
import { printFunction } from "../../server/src/ir/print.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "./support.ts";
import { readText } from "../support/parser.ts";
import { reachable } from "./support.ts";

test("scratch", async () => {
  const file = process.env.CU ?? "";
  const program = lowerProgram(await readText(readFileSync(file, "utf8")), { prelude: await testPrelude() });
  const out: string[] = [];
  for (const id of reachable(program)) {
    const f = program.functionOf(id);
    if (f) out.push(printFunction(f));
  }
  console.log(out.join("\n\n"));
});
