// MIR's text tests, as Cranelift has them: the function of a file is read, verified, given to the pass that its first line names, and printed;
// each `; check:` of the file stands in what is printed, in their order, and no `; not:` does.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aliasesOf } from "../../server/src/codegen/addresses/alias.ts";
import { knownValue } from "../../server/src/codegen/linearise/constants.ts";
import { freshVariables } from "../../server/src/codegen/walks/fresh.ts";
import type { MirFunction } from "../../server/src/mir/mir.ts";
import { parseMir } from "../../server/src/mir/text/parse.ts";
import { printMir } from "../../server/src/mir/text/print.ts";
import { faultsIn } from "../../server/src/mir/verify.ts";
import { eliminateDead } from "../../server/src/passes/adce/adce.ts";
import { eliminateDeadStores } from "../../server/src/passes/dse/dse.ts";
import {
  eliminateAroundLoops,
  eliminateBehindBranches,
  type LoadFacts,
} from "../../server/src/passes/gvn/gvn.ts";
import { addressesIn } from "./addresses.ts";

const passes: Readonly<Record<string, (mir: MirFunction) => void>> = {
  none: () => {},
  adce: (mir) => {
    eliminateDead(mir, new Set());
  },
  // Branches are branches, and loops unrolled where they ask for it.
  dse: (mir) => {
    eliminateDeadStores(mir, {
      aliases: aliasesOf(addressesIn(mir)),
      straight: {
        isSelection: ({ whenTrue }) => whenTrue.target.instructions.length === 1,
        holdsBranch: () => false,
        isUnrolled: ({ unroll }) => unroll === "full",
      },
    });
  },
  gvn: (mir) => {
    const addresses = addressesIn(mir);
    const facts: LoadFacts = {
      aliases: aliasesOf(addresses),
      temporary: freshVariables(-1).temporary,
      passOn: () => {},
      doubted: (load) => load,
      isPart: () => false,
      mayNotReturn: () => false,
      numberOf: (expression, known) => {
        const value = knownValue(expression, known);
        return typeof value === "number" ? value : null;
      },
    };
    eliminateBehindBranches(mir, facts);
    eliminateAroundLoops(mir, facts);
  },
};

const root = join("test", "mir", "filetests");

describe.each(readdirSync(root))("%s", (folder) => {
  it.each(readdirSync(join(root, folder)))("%s", (name) => {
    const text = readFileSync(join(root, folder, name), "utf8");
    const mir = parseMir(text);
    expect(faultsIn(mir)).toEqual([]);
    const run = passes[/^; test (\w+)/.exec(text)?.[1] ?? ""];
    if (!run) throw new Error("the first line is `; test PASS`");
    run(mir);
    expect(faultsIn(mir)).toEqual([]);
    const printed = printMir(mir)
      .split("\n")
      .map((line) => line.trim());
    let at = 0;
    for (const [, word, line] of text.matchAll(/^; (check|not): (.*)$/gm)) {
      if (word === "not") {
        expect(printed).not.toContain(line);
        continue;
      }
      const found = printed.indexOf(line ?? "", at);
      if (found < 0) expect(printed.slice(at).join("\n")).toContain(line);
      at = found + 1;
    }
    expect(text).toContain("; check:");
  });
});
